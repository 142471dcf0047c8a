"""The audit of accesses and interventions, in its own SQLite file.

Append-only: each entry carries the hash of the one before it, per case, so that a removed or
changed row shows. It records what facts do not: unmasking, exports, an operator's actions. An
action is recorded before it is done, so that nothing happens unseen.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from aurum.domain.canonical import digest
from aurum.domain.evidence import GENESIS
from aurum.instants import iso_utc
from aurum.keys import CaseId

_SCHEMA = """
CREATE TABLE IF NOT EXISTS audit (
    case_id TEXT NOT NULL, n INTEGER NOT NULL, body BLOB NOT NULL, hash TEXT NOT NULL,
    PRIMARY KEY (case_id, n)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One access or intervention. `details` hold no personal value."""

    n: int
    at: str
    person: str
    action: str
    reason: str
    details: Mapping[str, Any]
    prev: str
    hash: str

    def to_json(self) -> dict[str, Any]:
        """Return the entry in wire names."""
        return {**_hashed(self), "hash": self.hash}


def _hashed(entry: AuditEntry) -> dict[str, Any]:
    return {
        "n": entry.n,
        "at": entry.at,
        "person": entry.person,
        "action": entry.action,
        "reason": entry.reason,
        "details": dict(entry.details),
        "prev": entry.prev,
    }


class AuditLog:
    """One file. Safe for concurrent use; every append is on disk before it returns."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.executescript(_SCHEMA)
        self._lock = threading.Lock()

    async def append(
        self,
        case_id: CaseId,
        *,
        person: str,
        action: str,
        reason: str,
        now_ms: int,
        details: Mapping[str, Any] | None = None,
    ) -> AuditEntry:
        """Record an action and return it once it is durable. Raises sqlite3.Error when the disk refuses."""
        return await asyncio.to_thread(self._append, case_id, person, action, reason, now_ms, details or {})

    def _append(
        self, case_id: CaseId, person: str, action: str, reason: str, now_ms: int, details: Mapping[str, Any]
    ) -> AuditEntry:
        with self._lock:
            last = self._db.execute(
                "SELECT n, hash FROM audit WHERE case_id=? ORDER BY n DESC LIMIT 1", (case_id,)
            ).fetchone()
            n, prev = (last[0] + 1, last[1]) if last is not None else (1, GENESIS)
            entry = AuditEntry(n, iso_utc(now_ms), person, action, reason, details, prev, "")
            body = _hashed(entry)
            hashed = digest(body)
            self._db.execute(
                "INSERT INTO audit VALUES (?, ?, ?, ?)", (case_id, n, orjson.dumps(body), hashed)
            )
        return AuditEntry(n, entry.at, person, action, reason, details, prev, hashed)

    async def read(self, case_id: CaseId) -> list[AuditEntry]:
        """Return all entries of a case, oldest first."""
        return await asyncio.to_thread(self._read, case_id)

    def _read(self, case_id: CaseId) -> list[AuditEntry]:
        with self._lock:
            rows = self._db.execute(
                "SELECT body, hash FROM audit WHERE case_id=? ORDER BY n", (case_id,)
            ).fetchall()
        return [AuditEntry(**orjson.loads(body), hash=hashed) for body, hashed in rows]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

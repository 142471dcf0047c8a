"""Fact log in one SQLite file: WAL, `synchronous=FULL`, one writer thread, group commit.

Appends queue up for the writer thread, which commits everything that is waiting in one transaction
and only then answers: acknowledged means fsynced, and a burst of cases shares one fsync. A lock
file taken with `flock` refuses a second process; the kernel drops it when the process dies.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import queue
import secrets
import sqlite3
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from aurum.errors import AurumError
from aurum.factlog.port import LoggedFact
from aurum.facts.codec import from_json, to_json
from aurum.facts.vocabulary import Fact
from aurum.keys import CaseId

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS facts (
    case_id TEXT NOT NULL,
    idx INTEGER NOT NULL,
    fact_id TEXT NOT NULL,
    logged_ms INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (case_id, idx),
    UNIQUE (case_id, fact_id)
) STRICT, WITHOUT ROWID;
"""

GROUP_MAX = 256
"""Appends joined into one commit: at one fsync each they would take 256 times as long."""


class LogInUse(AurumError):
    """Another process has this fact log open."""


@dataclass(slots=True)
class _Append:
    case_id: CaseId
    facts: Sequence[Fact]
    now_ms: int
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[list[LoggedFact]]


class SqliteFactLog:
    """`FactLog` over one file. Open with `SqliteFactLog.open(path)`."""

    def __init__(self, path: Path, lock_fd: int, incarnation: str) -> None:
        self._path = path
        self._lock_fd = lock_fd
        self._incarnation = incarnation
        self._queue: queue.SimpleQueue[_Append | None] = queue.SimpleQueue()
        self._reader = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._reader_lock = threading.Lock()
        self._writer = threading.Thread(target=self._write_loop, name="factlog-writer", daemon=True)
        self._writer.start()

    @classmethod
    def open(cls, path: Path) -> SqliteFactLog:
        """Open or create the log. Raises `LogInUse` when another process holds it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        lock_fd = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(lock_fd)
            raise LogInUse(f"{path} is open in another process") from error
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.executescript(_SCHEMA)
            connection.execute(
                "INSERT OR IGNORE INTO meta VALUES ('incarnation', ?)", (secrets.token_hex(8),)
            )
            (incarnation,) = connection.execute("SELECT value FROM meta WHERE name='incarnation'").fetchone()
        connection.close()
        return cls(path, lock_fd, incarnation)

    @property
    def incarnation(self) -> str:
        """Random text that changes whenever history may have been lost."""
        return self._incarnation

    async def append(self, case_id: CaseId, facts: Sequence[Fact], *, now_ms: int) -> list[LoggedFact]:
        """Append what is new and return it after the commit. Raises sqlite3.Error when the disk refuses."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[list[LoggedFact]] = loop.create_future()
        self._queue.put(_Append(case_id, facts, now_ms, loop, done))
        return await done

    async def read_after(self, case_id: CaseId, index: int) -> list[LoggedFact]:
        """Return all facts of the case with a greater index, in order."""
        return await asyncio.to_thread(self._read_after, case_id, index)

    def _read_after(self, case_id: CaseId, index: int) -> list[LoggedFact]:
        with self._reader_lock:
            rows = self._reader.execute(
                "SELECT idx, logged_ms, body FROM facts WHERE case_id=? AND idx>? ORDER BY idx",
                (case_id, index),
            ).fetchall()
        return [LoggedFact(idx, logged_ms, from_json(orjson.loads(body))) for idx, logged_ms, body in rows]

    async def cases(self) -> list[CaseId]:
        """Return every case that has facts."""
        return await asyncio.to_thread(self._cases)

    def _cases(self) -> list[CaseId]:
        with self._reader_lock:
            rows = self._reader.execute("SELECT case_id FROM facts WHERE idx=1").fetchall()
        return [CaseId(case_id) for (case_id,) in rows]

    async def close(self) -> None:
        """Commit what is waiting, stop the writer and release the lock."""
        self._queue.put(None)
        await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._close_reader)
        os.close(self._lock_fd)

    def _close_reader(self) -> None:
        """Wait for a read that is under way: its caller may have been cancelled, its thread goes on.

        Closing a connection in the middle of another thread's statement can end the process.
        """
        with self._reader_lock:
            self._reader.close()

    # --- writer thread ----------------------------------------------------------------------

    def _write_loop(self) -> None:
        connection = sqlite3.connect(self._path, isolation_level=None)
        connection.execute("PRAGMA synchronous=FULL")
        running = True
        while running:
            first = self._queue.get()
            group: list[_Append] = []
            while first is not None:
                group.append(first)
                if len(group) >= GROUP_MAX or self._queue.empty():
                    break
                first = self._queue.get()
            running = first is not None
            if group:
                self._commit(connection, group)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()

    def _commit(self, connection: sqlite3.Connection, group: list[_Append]) -> None:
        """Write the whole group in one transaction; every caller learns the same fate."""
        try:
            connection.execute("BEGIN IMMEDIATE")
            results = [_insert(connection, append) for append in group]
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            for append in group:
                append.loop.call_soon_threadsafe(_fail, append.done, error)
            return
        for append, logged in zip(group, results, strict=True):
            append.loop.call_soon_threadsafe(_resolve, append.done, logged)


def _insert(connection: sqlite3.Connection, append: _Append) -> list[LoggedFact]:
    (last,) = connection.execute(
        "SELECT coalesce(max(idx), 0) FROM facts WHERE case_id=?", (append.case_id,)
    ).fetchone()
    new: list[LoggedFact] = []
    for fact in append.facts:
        body = orjson.dumps(to_json(fact))
        cursor = connection.execute(
            "INSERT OR IGNORE INTO facts VALUES (?, ?, ?, ?, ?)",
            (append.case_id, last + 1, fact.fact_id, append.now_ms, body),
        )
        if cursor.rowcount == 1:
            last += 1
            new.append(LoggedFact(index=last, logged_ms=append.now_ms, fact=fact))
    return new


def _resolve(done: asyncio.Future[list[LoggedFact]], logged: list[LoggedFact]) -> None:
    if not done.done():
        done.set_result(logged)


def _fail(done: asyncio.Future[list[LoggedFact]], error: Exception) -> None:
    if not done.done():
        done.set_exception(error)

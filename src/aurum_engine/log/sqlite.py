"""The log in one SQLite file: WAL, synchronous=FULL, so a returned `append` is on disk.

Checkpoints are made only by `checkpoint`, never inside a write (they cost milliseconds at random).
An flock on `<file>.lock` keeps a second process out; the kernel drops it when the owner dies.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from aurum_engine.errors import LogCorrupt, LogLocked
from aurum_engine.log.record import Record, check_order

SCHEMA_VERSION = 1
"""Version of the tables below, kept in `PRAGMA user_version`."""

READ_ROWS = 1_000
"""Rows fetched at once while replaying; about 1 MB."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS records (
    position INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    payload BLOB NOT NULL
)
"""


class SqliteLog:
    """A durable log; usable from one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Open or create the log. Raises LogLocked when it is in use, LogCorrupt for a foreign file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._lock = _lock(path)
        try:
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA wal_autocheckpoint = 0")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version not in {0, SCHEMA_VERSION}:
                raise LogCorrupt(f"{path} has schema version {version}, this engine knows {SCHEMA_VERSION}")
            self._db.execute(_SCHEMA)
            self._db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            newest = self._db.execute("SELECT max(position) FROM records").fetchone()[0]
        except sqlite3.DatabaseError as error:
            os.close(self._lock)
            raise LogCorrupt(f"{path} cannot be opened as an engine log: {error}") from error
        except LogCorrupt:
            self._db.close()
            os.close(self._lock)
            raise
        self._last_position = int(newest or 0)

    def append(self, batch: Sequence[Record]) -> None:
        """Store records in one transaction; it is on disk when this returns."""
        check_order(batch, self._last_position)
        rows = [(r.position, r.at_ms, r.checksum(), r.payload) for r in batch]
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        self._last_position += len(batch)

    def read_from(self, position: int) -> Iterator[Record]:
        """Yield stored records from `position` on, each checked."""
        expected = max(position, 1)
        cursor = self._db.execute(
            "SELECT position, at_ms, checksum, payload FROM records WHERE position >= ? ORDER BY position",
            (expected,),
        )
        while rows := cursor.fetchmany(READ_ROWS):
            for found, at_ms, checksum, payload in rows:
                record = Record(found, at_ms, payload)
                if found != expected:
                    raise LogCorrupt(f"{self._path}: record {expected} is missing")
                if not isinstance(payload, bytes) or record.checksum() != checksum:
                    raise LogCorrupt(f"{self._path}: record {found} fails its checksum")
                expected += 1
                yield record

    def last_position(self) -> int:
        """Return the newest position."""
        return self._last_position

    def checkpoint(self) -> None:
        """Move the write-ahead log into the main file, as far as no reader is in the way."""
        self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def close(self) -> None:
        """Checkpoint, close and unlock."""
        self._db.close()
        os.close(self._lock)


def _lock(path: Path) -> int:
    lock_path = path.with_name(path.name + ".lock")
    descriptor = os.open(lock_path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise LogLocked(f"{path} is in use by another engine process") from error
    return descriptor

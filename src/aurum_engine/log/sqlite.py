"""The log in one SQLite file: WAL, synchronous=FULL, so a returned `append` is on disk.

Checkpoints are made only by `checkpoint`, never inside a write (they cost milliseconds at random).
An flock on `<file>.lock` keeps a second process out; the kernel drops it when the owner dies.
After a write or an fsync that failed, only `reopen` makes the log writable again: the kernel may
have marked pages clean that never reached the disk, and SQLite would build on them.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from aurum_engine.errors import LogCorrupt, LogLocked, LogNotWritable
from aurum_engine.log.record import Record, check_order

SCHEMA_VERSION = 1
"""Version of the tables below, kept in `PRAGMA user_version`."""

READ_ROWS = 1_000
"""Rows fetched at once while replaying; about 1 MB."""

_FULL = {errno.ENOSPC, errno.EDQUOT}

_SCHEMA = """
CREATE TABLE IF NOT EXISTS records (
    position INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    payload BLOB NOT NULL
)
"""

_PROBE = """
CREATE TABLE IF NOT EXISTS probe (id INTEGER PRIMARY KEY, tries INTEGER NOT NULL);
INSERT INTO probe VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET tries = tries + 1;
"""


class Synchronous(StrEnum):
    """When SQLite waits for the disk."""

    FULL = "FULL"
    """At every commit: what was appended survives a power failure."""
    NORMAL = "NORMAL"
    """At checkpoints only: a power failure may take the last commits. It is here to be measured."""


class SqliteLog:
    """A durable log; usable from one thread at a time."""

    def __init__(self, path: Path, *, synchronous: Synchronous = Synchronous.FULL) -> None:
        """Open or create the log. Raises LogLocked when it is in use, LogCorrupt for a foreign file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._synchronous = synchronous
        self._lock = _lock(path)
        self._last_position = 0
        self._last_checksum = 0
        self._broken: str | None = None
        try:
            self._db = self._open()
            newest = self._db.execute(
                "SELECT position, checksum FROM records ORDER BY position DESC LIMIT 1"
            ).fetchone()
        except sqlite3.DatabaseError as error:
            os.close(self._lock)
            raise LogCorrupt(f"{path} cannot be opened as an engine log: {error}") from error
        except LogCorrupt:
            os.close(self._lock)
            raise
        if newest is not None:
            self._last_position, self._last_checksum = newest

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute(f"PRAGMA synchronous = {self._synchronous}")
            db.execute("PRAGMA wal_autocheckpoint = 0")
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version not in {0, SCHEMA_VERSION}:
                reason = f"has schema version {version}, this engine knows {SCHEMA_VERSION}"
                raise LogCorrupt(f"{self._path} {reason}")
            if version == 0:
                db.execute(_SCHEMA)
                db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        except BaseException:
            db.close()
            raise
        return db

    def append(self, batch: Sequence[Record]) -> None:
        """Store records in one transaction; it is on disk when this returns."""
        check_order(batch, self._last_position)
        rows = [(r.position, r.at_ms, r.checksum(), r.payload) for r in batch]
        with self._writing("cannot be written"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        self._last_position, self._last_checksum = rows[-1][0], rows[-1][2]

    @contextmanager
    def _writing(self, what: str) -> Iterator[None]:
        """Turn what SQLite and the system say about a failed write into LogNotWritable, and remember it."""
        if self._broken is not None:
            raise LogNotWritable(f"{self._path} has to be opened again: {self._broken}")
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self._broken = str(error)
            raise LogNotWritable(f"{self._path} {what}: {error}", is_full=_is_full(error)) from error

    def read_from(self, position: int) -> Iterator[Record]:
        """Yield stored records from `position` on, each checked."""
        expected, last = max(position, 1), self._last_position
        cursor = self._db.execute(
            "SELECT position, at_ms, checksum, payload FROM records"
            " WHERE position BETWEEN ? AND ? ORDER BY position",
            (expected, last),
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
        with self._writing("cannot be checkpointed"):
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def reopen(self) -> None:
        """Open the file anew, rewrite what was in the write-ahead log, and look for what was acknowledged.

        The checkpoint writes and fsyncs the pages of the old write-ahead log once more, into the main
        file, and empties it; so nothing is built on pages whose fsync failed. Records of a batch that
        was never acknowledged are removed.
        """
        self._db.close()
        self._broken = None
        with self._writing("still cannot be written"):
            self._db = self._open()
            busy, _, _ = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise sqlite3.OperationalError("another connection reads the log")
            self._db.execute("DELETE FROM records WHERE position > ?", (self._last_position,))
            self._db.executescript(_PROBE)  # A write of its own: it shows that appending would succeed.
        newest = self._db.execute(
            "SELECT position, checksum FROM records ORDER BY position DESC LIMIT 1"
        ).fetchone()
        if (newest or (0, 0)) != (self._last_position, self._last_checksum):
            raise LogCorrupt(f"{self._path}: record {self._last_position} was acknowledged and is not there")

    def close(self) -> None:
        """Checkpoint, close and unlock."""
        self._db.close()
        os.close(self._lock)


def _is_full(error: sqlite3.Error | OSError) -> bool:
    if isinstance(error, OSError):
        return error.errno in _FULL
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL


def _lock(path: Path) -> int:
    lock_path = path.with_name(path.name + ".lock")
    descriptor = os.open(lock_path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise LogLocked(f"{path} is in use by another engine process") from error
    return descriptor

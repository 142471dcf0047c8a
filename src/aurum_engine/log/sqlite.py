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
from hashlib import sha256
from pathlib import Path

from aurum_engine.errors import LogCorrupt, LogLocked, LogNotWritable
from aurum_engine.log.record import SNAPSHOTS_KEPT, Record, StoredSnapshot, check_order
from aurum_engine.log.tables import (
    SCHEMA_VERSION,
    SNAPSHOT_TABLES,
    head_checksum,
    lift,
    read_records,
    read_snapshots,
    version_of,
)

_FULL = {errno.ENOSPC, errno.EDQUOT}

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
        """Open or create the log. Raises LogLocked, LogCorrupt for a foreign file, LogNotWritable."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._synchronous = synchronous
        self._lock = lock_file(path)
        self._last_position = 0
        self._last_checksum = 0
        self._broken: str | None = None
        try:
            self._db = self._open()
            newest = self._db.execute(
                "SELECT position, checksum FROM records ORDER BY position DESC LIMIT 1"
            ).fetchone()
        except sqlite3.OperationalError as error:
            os.close(self._lock)
            raise LogNotWritable(f"{path} cannot be opened: {error}", is_full=_is_full(error)) from error
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
            version = version_of(db)
            if version > SCHEMA_VERSION:
                reason = f"has schema version {version}, this engine knows {SCHEMA_VERSION}"
                raise LogCorrupt(f"{self._path} {reason}")
            if version < SCHEMA_VERSION:
                lift(db, version)
        except BaseException:
            db.close()
            raise
        return db

    def append(self, batch: Sequence[Record]) -> None:
        """Store records in one transaction; it is on disk when this returns."""
        check_order(batch, self._last_position)
        rows = [
            (r.position, r.at_ms, r.checksum(), r.payload, r.links, r.links_checksum() if r.links else None)
            for r in batch
        ]
        with self._writing("cannot be written"), self._transaction():
            self._db.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", rows)
        self._last_position, self._last_checksum = rows[-1][0], rows[-1][2]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def _writing(self, what: str) -> Iterator[None]:
        """Turn what SQLite and the system say about a failed write into LogNotWritable, and remember it."""
        if self._broken is not None:
            raise LogNotWritable(f"{self._path.name} has to be opened again: {self._broken}")
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self._broken = str(error)
            raise LogNotWritable(f"{self._path.name} {what}: {error}", is_full=_is_full(error)) from error

    def read_from(self, position: int) -> Iterator[Record]:
        """Yield stored records from `position` on, each checked."""
        return read_records(self._db, str(self._path), max(position, 1), self._last_position)

    def first_position(self) -> int:
        """Return the oldest position."""
        return int(self._db.execute("SELECT min(position) FROM records").fetchone()[0] or 1)

    def add_links(self, links: Sequence[tuple[int, bytes]]) -> None:
        """Store links of records that have none, in one transaction."""
        rows = [
            (stored, Record(position, 0, b"", stored).links_checksum(), position)
            for position, stored in links
        ]
        with self._writing("cannot be lifted to its new form"), self._transaction():
            self._db.executemany("UPDATE records SET links = ?, links_checksum = ? WHERE position = ?", rows)

    def write_chunk(self, position: int, number: int, chunk: bytes) -> None:
        """Store a part of a snapshot; what was left of an unfinished one goes with the first."""
        with self._writing("cannot hold a snapshot"), self._transaction():
            if number == 0:
                self._db.execute(
                    "DELETE FROM snapshot_chunks WHERE position NOT IN (SELECT position FROM snapshots)"
                )
            row = (position, number, sha256(chunk).hexdigest(), chunk)
            self._db.execute("INSERT OR REPLACE INTO snapshot_chunks VALUES (?, ?, ?, ?)", row)

    def complete_snapshot(self, position: int, head: bytes, *, keep_records: int | None) -> None:
        """Store the head, and forget older snapshots and records, in one transaction."""
        with self._writing("cannot hold a snapshot"), self._transaction():
            found = self._db.execute(
                "SELECT checksum FROM snapshot_chunks WHERE position = ? ORDER BY number", (position,)
            ).fetchall()
            checksum = head_checksum(position, head, [checksum for (checksum,) in found])
            row = (position, len(found), checksum, head)
            self._db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)", row)
            kept = self._db.execute(
                "SELECT position FROM snapshots ORDER BY position DESC LIMIT ?", (SNAPSHOTS_KEPT,)
            ).fetchall()
            oldest = min(kept)[0]
            for table in SNAPSHOT_TABLES:
                self._db.execute(f"DELETE FROM {table} WHERE position < ?", (oldest,))
            if keep_records is not None and len(kept) == SNAPSHOTS_KEPT:
                needless = min(oldest, self._last_position - max(keep_records, 1))
                self._db.execute("DELETE FROM records WHERE position <= ?", (needless,))

    def snapshots(self) -> Iterator[StoredSnapshot]:
        """Yield the snapshots, newest first."""
        return read_snapshots(self._db)

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


def lock_file(path: Path) -> int:
    """Return a descriptor that holds the lock of a log until it is closed. Raises LogLocked."""
    lock_path = path.with_name(path.name + ".lock")
    descriptor = os.open(lock_path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise LogLocked(f"{path} is in use by another engine process") from error
    return descriptor

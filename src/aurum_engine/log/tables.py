"""The tables of a log file: their versions, and how they are read. Nothing here writes.

Version 1 had records without links and no snapshots; opening such a file for writing lifts it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from hashlib import sha256

from aurum_engine.errors import LogCorrupt
from aurum_engine.log.record import Record, StoredSnapshot

SCHEMA_VERSION = 2
"""Version of the tables below, kept in `PRAGMA user_version`."""

READ_ROWS = 1_000
"""Rows fetched at once while replaying; about 1 MB."""

_RECORDS = """
CREATE TABLE records (
    position INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    payload BLOB NOT NULL
);
"""

_SECOND = """
ALTER TABLE records ADD COLUMN links BLOB;
ALTER TABLE records ADD COLUMN links_checksum INTEGER;
CREATE TABLE snapshots (
    position INTEGER PRIMARY KEY,
    chunks INTEGER NOT NULL,
    checksum TEXT NOT NULL,
    head BLOB NOT NULL
);
CREATE TABLE snapshot_chunks (
    position INTEGER NOT NULL,
    number INTEGER NOT NULL,
    checksum TEXT NOT NULL,
    payload BLOB NOT NULL,
    PRIMARY KEY (position, number)
);
"""

LIFTS = {0: _RECORDS + _SECOND, 1: _SECOND}
"""Version found -> what makes it the present one."""

SNAPSHOT_TABLES = ("snapshots", "snapshot_chunks")


def version_of(db: sqlite3.Connection) -> int:
    """Return the version of a file's tables; 0 for a new file."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def lift(db: sqlite3.Connection, version: int) -> None:
    """Bring a file to the present version, in one transaction."""
    db.executescript(f"BEGIN IMMEDIATE; {LIFTS[version]} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")


def head_checksum(position: int, head: bytes, chunk_checksums: Sequence[str]) -> str:
    """Return SHA-256 over position, head and the checksums of all chunks."""
    return sha256(b"%d " % position + "".join(chunk_checksums).encode() + head).hexdigest()


def read_records(db: sqlite3.Connection, name: str, first: int, last: int) -> Iterator[Record]:
    """Yield records from `first` to `last`, damaged ones with their fault. `name` is for messages.

    Raises LogCorrupt for a missing one, and when SQLite cannot read the file.
    """
    links = "links, links_checksum" if version_of(db) > 1 else "NULL, NULL"
    expected = first
    try:
        cursor = db.execute(
            f"SELECT position, at_ms, checksum, payload, {links} FROM records"
            " WHERE position BETWEEN ? AND ? ORDER BY position",
            (first, last),
        )
        while rows := cursor.fetchmany(READ_ROWS):
            for row in rows:
                if row[0] != expected:
                    raise LogCorrupt(f"{name}: record {expected} is missing")
                expected += 1
                yield _record(*row)
    except sqlite3.DatabaseError as error:
        raise LogCorrupt(f"{name}: record {expected} cannot be read: {error}") from error
    if expected <= last:
        raise LogCorrupt(f"{name}: record {expected} is missing")


def _record(
    position: int, at_ms: int, checksum: int, payload: object, links: object, links_checksum: int | None
) -> Record:
    record = Record(
        position,
        at_ms,
        payload if isinstance(payload, bytes) else b"",
        links if isinstance(links, bytes) else b"",
    )
    good_links = record.links if record.links_checksum() == links_checksum else b""
    fault = "" if record.checksum() == checksum and isinstance(payload, bytes) else "it fails its checksum"
    return Record(position, at_ms, record.payload, good_links, fault)


def read_snapshots(db: sqlite3.Connection) -> Iterator[StoredSnapshot]:
    """Yield the snapshots, newest first, damaged ones with their fault."""
    if version_of(db) < SCHEMA_VERSION:
        return
    for (position,) in db.execute("SELECT position FROM snapshots ORDER BY position DESC").fetchall():
        try:
            yield _snapshot(db, position)
        except sqlite3.DatabaseError as error:
            yield StoredSnapshot(position, b"", (), f"it cannot be read: {error}")


def _snapshot(db: sqlite3.Connection, position: int) -> StoredSnapshot:
    wanted, checksum, head = db.execute(
        "SELECT chunks, checksum, head FROM snapshots WHERE position = ?", (position,)
    ).fetchone()
    rows = db.execute(
        "SELECT checksum, payload FROM snapshot_chunks WHERE position = ? ORDER BY number", (position,)
    ).fetchall()
    chunks = tuple(payload for _, payload in rows)
    fault = ""
    if len(rows) != wanted or head_checksum(position, head, [found for found, _ in rows]) != checksum:
        fault = "its head fails its checksum"
    for number, (found, payload) in enumerate(rows):
        if sha256(payload).hexdigest() != found:
            fault = fault or f"its chunk {number} fails its checksum"
    return StoredSnapshot(position, head, chunks, fault)

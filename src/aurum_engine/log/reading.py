"""A log file that is only looked at, while no engine has it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from aurum_engine.errors import LogCorrupt
from aurum_engine.log.record import Record, StoredSnapshot
from aurum_engine.log.sqlite import lock_file
from aurum_engine.log.tables import SCHEMA_VERSION, read_records, read_snapshots, version_of


class LogReader:
    """What a log file holds; nothing is written, not even to bring an old file to its new form."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self._path = path
        self._db = db

    def first_position(self) -> int:
        """Return the position of the oldest record that is kept; 1 for an empty log."""
        return int(self._db.execute("SELECT min(position) FROM records").fetchone()[0] or 1)

    def last_position(self) -> int:
        """Return the newest position; 0 for an empty log."""
        return int(self._db.execute("SELECT max(position) FROM records").fetchone()[0] or 0)

    def read_from(self, position: int) -> Iterator[Record]:
        """Yield records from `position` on, damaged ones with their fault. Raises LogCorrupt."""
        return read_records(self._db, str(self._path), position, self.last_position())

    def snapshots(self) -> Iterator[StoredSnapshot]:
        """Yield the snapshots, newest first, damaged ones with their fault."""
        return read_snapshots(self._db)


@contextmanager
def reading(path: Path) -> Iterator[LogReader]:
    """Open a log for reading. Raises LogLocked when an engine has it, LogCorrupt for another file.

    FileNotFoundError when there is none.
    """
    if not path.is_file():
        raise FileNotFoundError(f"there is no engine log at {path}")
    lock = lock_file(path)
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            try:
                version = version_of(db)
            except sqlite3.DatabaseError as error:
                raise LogCorrupt(f"{path} cannot be opened as an engine log: {error}") from error
            if not 1 <= version <= SCHEMA_VERSION:
                raise LogCorrupt(f"{path} has schema version {version}, this program knows {SCHEMA_VERSION}")
            yield LogReader(path, db)
    finally:
        os.close(lock)

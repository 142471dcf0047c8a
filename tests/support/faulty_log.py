"""A log that can be told to fail: a verified fake, which passes the contract of every log while it works."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aurum_engine.errors import LogNotWritable
from aurum_engine.log.memory import MemoryLog
from aurum_engine.log.record import Log, Record, StoredSnapshot


class FaultyLog:
    """Passes everything on to another log until `break_with`; then writing fails until `mend`.

    Like a disk, it fails before the records are there. `reopened` counts how often somebody tried.
    """

    def __init__(self, log: Log | None = None) -> None:
        self._log = log or MemoryLog()
        self._error: LogNotWritable | None = None
        self._left = 0
        self._needs_reopening = False
        self.reopened = 0

    def break_with(self, reason: str, *, is_full: bool = False, after_writes: int = 0) -> None:
        """Let every write fail after `after_writes` more that succeed."""
        self._error = LogNotWritable(reason, is_full=is_full)
        self._left = after_writes

    def mend(self) -> None:
        """Let writing succeed again, once the log was reopened."""
        self._error = None

    def _write(self) -> None:
        if self._error is not None and self._left <= 0:
            self._needs_reopening = True
            raise self._error.again()
        if self._needs_reopening:
            raise AssertionError("a log that failed was written to before it was reopened")
        self._left -= 1

    def append(self, batch: Sequence[Record]) -> None:
        self._write()
        self._log.append(batch)

    def read_from(self, position: int) -> Iterator[Record]:
        return self._log.read_from(position)

    def first_position(self) -> int:
        return self._log.first_position()

    def add_links(self, links: Sequence[tuple[int, bytes]]) -> None:
        self._write()
        self._log.add_links(links)

    def write_chunk(self, position: int, number: int, chunk: bytes) -> None:
        self._write()
        self._log.write_chunk(position, number, chunk)

    def complete_snapshot(self, position: int, head: bytes, *, keep_records: int | None) -> None:
        self._write()
        self._log.complete_snapshot(position, head, keep_records=keep_records)

    def snapshots(self) -> Iterator[StoredSnapshot]:
        return self._log.snapshots()

    def last_position(self) -> int:
        return self._log.last_position()

    def checkpoint(self) -> None:
        self._write()
        self._log.checkpoint()

    def reopen(self) -> None:
        self.reopened += 1
        if self._error is not None:
            raise self._error.again()
        self._needs_reopening = False
        self._log.reopen()

    def close(self) -> None:
        self._log.close()

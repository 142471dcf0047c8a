"""A log in memory: the twin of the SQLite log for tests and throw-away engines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aurum_engine.errors import EngineStopped
from aurum_engine.log.record import Record, check_order


class MemoryLog:
    """Keeps records in a list; as durable as the process."""

    def __init__(self) -> None:
        self._records: list[Record] = []
        self._closed = False

    def append(self, batch: Sequence[Record]) -> None:
        """Store records in order."""
        if self._closed:
            raise EngineStopped("the log is closed")
        check_order(batch, self.last_position())
        self._records.extend(batch)

    def read_from(self, position: int) -> Iterator[Record]:
        """Yield records from `position` on."""
        yield from self._records[max(position - 1, 0) :]

    def last_position(self) -> int:
        """Return the newest position."""
        return self._records[-1].position if self._records else 0

    def checkpoint(self) -> None:
        """Nothing to tidy up in memory."""

    def reopen(self) -> None:
        """Nothing to let go of: memory is all there is."""

    def close(self) -> None:
        """Refuse further writes."""
        self._closed = True

"""A log in memory: the twin of the SQLite log for tests and throw-away engines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from aurum_engine.errors import EngineStopped
from aurum_engine.log.record import SNAPSHOTS_KEPT, Record, StoredSnapshot, check_order


class MemoryLog:
    """Keeps records in a list; as durable as the process."""

    def __init__(self) -> None:
        self._records: list[Record] = []
        self._snapshots: list[StoredSnapshot] = []
        self._chunks: dict[int, dict[int, bytes]] = {}
        self._closed = False

    def append(self, batch: Sequence[Record]) -> None:
        """Store records in order."""
        if self._closed:
            raise EngineStopped("the log is closed")
        check_order(batch, self.last_position())
        self._records.extend(batch)

    def read_from(self, position: int) -> Iterator[Record]:
        """Yield records from `position` on."""
        yield from self._records[max(position - self.first_position(), 0) :]

    def last_position(self) -> int:
        """Return the newest position."""
        return self._records[-1].position if self._records else 0

    def checkpoint(self) -> None:
        """Nothing to tidy up in memory."""

    def first_position(self) -> int:
        """Return the oldest position."""
        return self._records[0].position if self._records else 1

    def add_links(self, links: Sequence[tuple[int, bytes]]) -> None:
        """Store links of records that have none."""
        for position, stored in links:
            index = position - self.first_position()
            self._records[index] = replace(self._records[index], links=stored)

    def write_chunk(self, position: int, number: int, chunk: bytes) -> None:
        """Keep a part of a snapshot."""
        self._chunks.setdefault(position, {})[number] = chunk

    def complete_snapshot(self, position: int, head: bytes, *, keep_records: int | None) -> None:
        """Keep a snapshot and the one before it."""
        chunks = self._chunks.pop(position, {})
        self._chunks.clear()
        snapshot = StoredSnapshot(position, head, tuple(chunks[number] for number in sorted(chunks)))
        others = [other for other in self._snapshots if other.position != position]
        self._snapshots = [*others[-1:], snapshot]
        if keep_records is not None and len(self._snapshots) == SNAPSHOTS_KEPT:
            oldest = min(self._snapshots[0].position, self.last_position() - keep_records)
            self._records = [record for record in self._records if record.position > oldest]

    def snapshots(self) -> Iterator[StoredSnapshot]:
        """Yield the snapshots, newest first."""
        yield from reversed(self._snapshots)

    def reopen(self) -> None:
        """Nothing to let go of: memory is all there is."""

    def close(self) -> None:
        """Refuse further writes."""
        self._closed = True

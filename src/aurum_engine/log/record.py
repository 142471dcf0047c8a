"""What the log stores, and the interface of a log.

A record is one processed command: all its events or none. Positions are dense from 1, or from the one
after the older of two snapshots when the log is shortened. A snapshot is the state after one record;
reading begins with the newest good one and goes on with the records after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol
from zlib import crc32

SNAPSHOTS_KEPT = 2
"""The newest snapshot, and the one to fall back on when it is damaged."""


@dataclass(frozen=True, slots=True)
class Record:
    """One step: its position, when it was processed (Unix ms), its events, and whom they concern.

    `links` are empty in records of the first release and where they are damaged. `fault` says what is
    wrong with time or payload of a stored record; then neither may be used.
    """

    position: int
    at_ms: int
    payload: bytes
    links: bytes = b""
    fault: str = ""

    def checksum(self) -> int:
        """Return CRC-32 over position, time and payload."""
        return crc32(self.payload, crc32(b"%d %d" % (self.position, self.at_ms)))

    def links_checksum(self) -> int:
        """Return CRC-32 over position and links."""
        return crc32(self.links, crc32(b"%d" % self.position))


@dataclass(frozen=True, slots=True)
class StoredSnapshot:
    """The state after a record, as bytes. `fault` says what is wrong with it; then it may not be used."""

    position: int
    head: bytes
    chunks: tuple[bytes, ...]
    fault: str = ""


class Log(Protocol):
    """An ordered, durable log with one writer.

    After an `append` or `checkpoint` that failed, reading still shows what was acknowledged and nothing
    else; `append` may be called again only after `reopen` has returned.
    """

    def append(self, batch: Sequence[Record]) -> None:
        """Store records in order; when it returns they survive a crash. It blocks.

        Raises LogNotWritable when they could not be stored; then none of them is there.
        """

    def read_from(self, position: int) -> Iterator[Record]:
        """Yield acknowledged records from `position` on, damaged ones with their fault.

        Raises LogCorrupt for a missing one.
        """

    def first_position(self) -> int:
        """Return the position of the oldest record that is kept; 1 unless the log was shortened."""

    def last_position(self) -> int:
        """Return the position of the newest acknowledged record; 0 when there is none."""

    def checkpoint(self) -> None:
        """Tidy up between writes, when the store needs it. Raises LogNotWritable."""

    def add_links(self, links: Sequence[tuple[int, bytes]]) -> None:
        """Store links of old records that have none: (position, links). Raises LogNotWritable."""

    def write_chunk(self, position: int, number: int, chunk: bytes) -> None:
        """Store a part of a snapshot (from 0 on); it counts once `complete_snapshot` has returned."""

    def complete_snapshot(self, position: int, head: bytes, *, keep_records: int | None) -> None:
        """Store the head of a snapshot whose chunks are stored, and forget all but it and the one before.

        With `keep_records`, records are forgotten as well that are neither among the newest so many nor
        needed after the older of the two snapshots.
        """

    def snapshots(self) -> Iterator[StoredSnapshot]:
        """Yield the snapshots, newest first, damaged ones with their fault."""

    def reopen(self) -> None:
        """Let go of everything that is only in memory, read the end again, and be ready to append.

        Raises LogNotWritable when writing still fails, LogCorrupt when what was acknowledged is not there.
        """

    def close(self) -> None:
        """Release the log; it cannot be used afterwards."""


def check_order(batch: Sequence[Record], last_position: int) -> None:
    """Raise AssertionError when a batch does not continue the log without a gap."""
    for offset, record in enumerate(batch, start=1):
        if record.position != last_position + offset:
            raise AssertionError(f"record {record.position} after {last_position + offset - 1}")

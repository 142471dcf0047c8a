"""What the log stores, and the interface of a log.

A record is one processed command: all its events or none. Positions are dense from 1. Snapshots are
not built yet; their place is between `read_from(1)` and `read_from(position after the snapshot)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol
from zlib import crc32


@dataclass(frozen=True, slots=True)
class Record:
    """One step: its position, when it was processed (Unix ms), and its events as bytes."""

    position: int
    at_ms: int
    payload: bytes

    def checksum(self) -> int:
        """Return CRC-32 over position, time and payload."""
        return crc32(self.payload, crc32(b"%d %d" % (self.position, self.at_ms)))


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
        """Yield acknowledged records from `position` on; raises LogCorrupt for a damaged or missing one."""

    def last_position(self) -> int:
        """Return the position of the newest acknowledged record; 0 when there is none."""

    def checkpoint(self) -> None:
        """Tidy up between writes, when the store needs it. Raises LogNotWritable."""

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

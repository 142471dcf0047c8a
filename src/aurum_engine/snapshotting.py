"""When snapshots are taken, and one that is being taken: in slices between commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aurum_engine.core.capture import Capture

SNAPSHOT_RECORDS = 50_000
"""Records between snapshots: a start folds at most that many, which takes about two seconds."""

TREES_PER_SLICE = 16
"""Call trees copied between two batches: one or two milliseconds, which commands wait at most for them."""


@dataclass(frozen=True, slots=True)
class SnapshotPlan:
    """How often, and how much of the log is kept.

    `keep_records` None keeps every record, since the log is the audit trail.
    """

    every_records: int = SNAPSHOT_RECORDS
    keep_records: int | None = None

    def __post_init__(self) -> None:
        if self.every_records < 1 or (self.keep_records is not None and self.keep_records < 1):
            raise ValueError("records between snapshots, and those kept, must be at least 1")


class Taking:
    """A snapshot on its way into the log."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        self._stored = 0
        self.position = capture.position
        """The record after which it was begun."""

    @property
    def is_complete(self) -> bool:
        """Whether every call tree is copied."""
        return self._capture.is_complete

    def advance(self) -> None:
        """Copy one slice more."""
        self._capture.advance(TREES_PER_SLICE)

    def chunks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the chunks that became ready, with their numbers."""
        for chunk in self._capture.chunks():
            yield self._stored, chunk
            self._stored += 1

    def head(self) -> bytes:
        """Return what is stored last."""
        return self._capture.head()

    def end(self) -> None:
        """Let go of the state."""
        self._capture.end()

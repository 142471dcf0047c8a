"""What becomes due, ordered by time: a heap with lazy deletion.

The heap is derived from the state and may hold entries that are no longer true;
whoever reads asks `is_live`. It is compacted when more than half of it is stale.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from enum import IntEnum

COMPACT_MIN = 1_024
"""Below this length stale entries cost less than looking for them."""


class DueKind(IntEnum):
    """What a due entry is about; also the order within one millisecond."""

    TIMER = 0
    JOB = 1
    MESSAGE = 2


Due = tuple[int, int, int]
"""(due_ms, DueKind, key)."""


class Deadlines:
    """A heap of due entries; `is_live` tells whether an entry still holds."""

    def __init__(self, is_live: Callable[[Due], bool]) -> None:
        self._heap: list[Due] = []
        self._is_live = is_live
        self._compact_at = COMPACT_MIN

    def push(self, due_ms: int, kind: DueKind, key: int) -> None:
        """Note that `key` is due at `due_ms`."""
        heapq.heappush(self._heap, (due_ms, int(kind), key))
        if len(self._heap) >= self._compact_at:
            self._heap = [entry for entry in set(self._heap) if self._is_live(entry)]
            heapq.heapify(self._heap)
            self._compact_at = max(COMPACT_MIN, 2 * len(self._heap))

    def load(self, entries: list[Due]) -> None:
        """Take over entries that all hold, in any order."""
        self._heap += entries
        heapq.heapify(self._heap)
        self._compact_at = max(COMPACT_MIN, 2 * len(self._heap))

    def first(self) -> Due | None:
        """Return the earliest live entry, dropping stale ones on the way; None when nothing waits."""
        while self._heap:
            if self._is_live(self._heap[0]):
                return self._heap[0]
            heapq.heappop(self._heap)
        return None

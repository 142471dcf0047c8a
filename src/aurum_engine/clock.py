"""Where the engine's time comes from. Only shells read clocks; the core is told the time."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Source of the present."""

    def now_ms(self) -> int:
        """Return Unix time in milliseconds."""


class SystemClock:
    """The machine's clock."""

    def now_ms(self) -> int:
        """Return Unix time in milliseconds."""
        return time.time_ns() // 1_000_000


class ManualClock:
    """A clock that stands still until it is set; for tests and the clock endpoint."""

    def __init__(self, now_ms: int) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        """Return the time it was set to."""
        return self._now_ms

    def set(self, now_ms: int) -> None:
        """Set the time; it never goes back."""
        self._now_ms = max(self._now_ms, now_ms)

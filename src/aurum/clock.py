"""Where time comes from. The only module that reads the computer's clock.

Cores never import it: they get `now_ms` (Unix milliseconds) or a `date` as an argument.
"""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Something that knows the time."""

    def now_ms(self) -> int:
        """Unix time in milliseconds."""
        ...


class SystemClock:
    """The computer's own clock."""

    def now_ms(self) -> int:
        """Unix time in milliseconds."""
        return time.time_ns() // 1_000_000


class ManualClock:
    """A clock that moves only when told to; for tests and replays."""

    def __init__(self, now_ms: int = 1_764_547_200_000) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        """Unix time in milliseconds."""
        return self._now_ms

    def advance(self, milliseconds: int) -> int:
        """Move forward and return the new time."""
        if milliseconds < 0:
            raise ValueError("a clock does not run backwards")
        self._now_ms += milliseconds
        return self._now_ms

"""When to look at which instance. Sans-IO: a table of due times; `poller.py` does the looking.

A hint means "look now, and again soon, until the change shows": the engine's search answers late.
An instance that moves is looked at again and again, more slowly each time nothing changed. One that
rests (a person, a timer or an incident holds every token) costs nothing until a hint or a global
query wakes it.
"""

from __future__ import annotations

from dataclasses import dataclass

BURST_MS = (0, 50, 200, 500)
"""Looks after a hint: the first catches an engine without lag, the last one an exporter flush of 0.5 s."""

MOVING_MIN_MS = 500
MOVING_MAX_MS = 4_000
"""Pace of a moving instance that shows no change: doubles from the first to the second."""

PATIENCE_MS = 15_000
"""How long a hint outweighs a resting picture: five times the longest usual search lag of 3 s."""


@dataclass(slots=True)
class _Entry:
    due_ms: int
    step: int
    hinted_ms: int | None


class LookSchedule:
    """Due looks per process instance key."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}

    def hint(self, key: str, now_ms: int) -> None:
        """Something changed just now: start a new burst."""
        self._entries[key] = _Entry(now_ms + BURST_MS[0], 0, now_ms)

    def wake(self, key: str, now_ms: int) -> None:
        """A global query saw a difference: look once, unless a look is already due sooner."""
        if key not in self._entries:
            self._entries[key] = _Entry(now_ms, len(BURST_MS), None)

    def due(self, now_ms: int) -> list[str]:
        """Return the keys to look at now."""
        return [key for key, entry in self._entries.items() if entry.due_ms <= now_ms]

    def next_due_ms(self) -> int | None:
        """Return when the next look is due, or None."""
        return min((entry.due_ms for entry in self._entries.values()), default=None)

    def looked(self, key: str, *, started_ms: int, now_ms: int, changed: bool, resting: bool) -> None:
        """Note the outcome of a look that began at `started_ms`.

        A hint that came while the look was under way keeps its own burst.
        """
        entry = self._entries.get(key)
        if entry is None or (entry.hinted_ms is not None and entry.hinted_ms > started_ms):
            return
        if changed:
            entry.hinted_ms = None
            entry.step = len(BURST_MS)
        if resting and (entry.hinted_ms is None or now_ms - entry.hinted_ms > PATIENCE_MS):
            del self._entries[key]
            return
        entry.step += 1
        if entry.step < len(BURST_MS) and entry.hinted_ms is not None:
            entry.due_ms = entry.hinted_ms + BURST_MS[entry.step]
        else:
            slower = max(entry.step - len(BURST_MS), 0)
            entry.due_ms = now_ms + min(MOVING_MIN_MS * 2 ** min(slower, 8), MOVING_MAX_MS)
        if changed:
            entry.due_ms = now_ms + BURST_MS[1]

    def drop(self, key: str) -> None:
        """Forget an instance that is over."""
        self._entries.pop(key, None)

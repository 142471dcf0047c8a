"""What the agent keeps in the process between two turns: the variables `agent` and `messages`. Pure.

Small by design: counters and outstanding call ids. The prompt is made anew each turn from the
application, `messages` and `toolCallResults`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

PROVIDER_STATE_BYTES_MAX = 24_000
"""The variable `agent` stays below 32 KB; older turns' opaque state is forgotten first."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Counters of one visit of the agent. `pending` are the calls of the last turn."""

    turn: int = 0
    calls: int = 0
    tokens: int = 0
    thinking_ms: int = 0
    pending: tuple[str, ...] = ()
    provider_state: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the variable `agent`."""
        return {
            "turn": self.turn,
            "calls": self.calls,
            "tokens": self.tokens,
            "thinkingMs": self.thinking_ms,
            "pending": list(self.pending),
            "providerState": dict(self.provider_state),
        }

    def after(self, *, turn: int, pending: tuple[str, ...], tokens: int, thinking_ms: int) -> Memory:
        """Return the memory after a committed turn."""
        return replace(
            self,
            turn=turn,
            calls=self.calls + len(pending),
            tokens=self.tokens + tokens,
            thinking_ms=self.thinking_ms + max(thinking_ms, 0),
            pending=pending,
        )


def memory_from(value: object) -> Memory:
    """Return the memory of a variable; anything that is no memory is an empty one."""
    if not isinstance(value, Mapping):
        return Memory()
    pending, state = value.get("pending"), value.get("providerState")
    return Memory(
        turn=_count(value.get("turn")),
        calls=_count(value.get("calls")),
        tokens=_count(value.get("tokens")),
        thinking_ms=_count(value.get("thinkingMs")),
        pending=tuple(item for item in pending if isinstance(item, str)) if isinstance(pending, list) else (),
        provider_state=state if isinstance(state, Mapping) else {},
    )


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def with_provider_state(memory: Memory, turn_id: str, state: object) -> Memory:
    """Keep what the provider wants back; forget the oldest when it gets too much."""
    kept = {**memory.provider_state, turn_id: state}
    while len(kept) > 1 and len(orjson.dumps(kept)) > PROVIDER_STATE_BYTES_MAX:
        kept.pop(next(iter(kept)))
    return replace(memory, provider_state=kept)

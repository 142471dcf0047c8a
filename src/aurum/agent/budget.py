"""What one visit of the agent may cost. The end of a budget ends the agent, never the case."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one visit."""

    turns_max: int = 12
    """The longest script takes six; each turn is at most `text_bytes_max` of `messages` (16 KB)."""

    calls_max: int = 40
    """Three times all tools: enough to repeat, too few to loop."""

    calls_per_turn_max: int = 13

    text_bytes_max: int = 1_000
    """Text kept of one turn: 12 turns of it with their calls stay below 16 KB of `messages`."""

    argument_bytes_max: int = 2_000
    """Arguments of one call as JSON; a longer call is refused."""

    tokens_max: int = 200_000

    thinking_ms_max: int = 180_000
    """Time spent waiting for the brain, summed over turns."""

    rounds_max: int = 3
    """Answers of the brain within one turn: it may correct a refused call this often."""

    tokens_per_turn_max: int = 2_000
    """What the brain may write in one answer."""

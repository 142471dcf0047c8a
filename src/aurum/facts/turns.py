"""Facts of the agent: what a turn of it said, called and got back. Frozen, free of JSON names.

A turn is one answer of the brain. Its id is `<adHocKey>.<turn>.<attempt>`: the visit of the ad-hoc
sub-process, the number of the turn in it, and the attempt (`<jobKey>x<deadlineMs>`, which ascends).
Text chunks and abandonment are live-only: nobody needs them once the turn is committed. A committed
turn and a tool's return are rows of the ad-hoc's own variables `messages` and `toolCallResults`,
which only grow, so a late look sees the same as an early one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True, order=True)
class TurnId:
    """The parts of a turn's id, in the order that says which turn is the later one."""

    ad_hoc_key: int
    turn: int
    job_key: int
    deadline_ms: int

    def __str__(self) -> str:
        return f"{self.ad_hoc_key}.{self.turn}.{self.job_key}x{self.deadline_ms}"

    @property
    def place(self) -> tuple[int, int]:
        """The turn without its attempt: only one attempt of a place is ever committed."""
        return self.ad_hoc_key, self.turn

    @classmethod
    def parse(cls, text: str) -> TurnId:
        """Return the parts. Raises `ValueError` for anything else than a turn's id."""
        ad_hoc_key, turn, attempt = text.split(".")
        job_key, deadline_ms = attempt.split("x")
        return cls(int(ad_hoc_key), int(turn), int(job_key), int(deadline_ms))


def call_id_of(turn_id: str, number: int) -> str:
    """Return the id of a turn's call, counted from 1."""
    return f"{turn_id}:{number}"


def turn_of_call(call_id: str) -> str:
    """Return the id of the turn that made a call."""
    return call_id.rpartition(":")[0]


def visit_of_call(call_id: str) -> str:
    """Return the key of the ad-hoc sub-process in whose visit a call was made."""
    return call_id.partition(".")[0]


def is_call_id(text: object) -> bool:
    """Is this the id of a call of a turn? Anybody who may write variables can write something else."""
    if not isinstance(text, str) or not text.rpartition(":")[2].isdecimal():
        return False
    try:
        TurnId.parse(turn_of_call(text))
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class TurnText:
    """A piece of what a running turn says. `offset` is where it goes, in characters of the text."""

    turn_id: str
    offset: int
    delta: str

    @property
    def fact_id(self) -> str:
        """`turn:<turnId>:text:<offset>`."""
        return f"turn:{self.turn_id}:text:{self.offset}"


@dataclass(frozen=True, slots=True)
class TurnAbandoned:
    """This attempt came to nothing: another one counts, or will."""

    turn_id: str

    @property
    def fact_id(self) -> str:
        """`turn:<turnId>:abandoned`."""
        return f"turn:{self.turn_id}:abandoned"


@dataclass(frozen=True, slots=True)
class TurnCommitted:
    """The engine has taken this turn: what was said, and which tools were called with what.

    `calls` are `{id, tool, arguments}`, `rejected` are `{tool, reason}`: asked for and not run.
    `outcome` is why the agent ended with this turn (`done`, `budget`), or None.
    """

    turn_id: str
    text: str
    calls: tuple[JsonObject, ...]
    rejected: tuple[JsonObject, ...]
    outcome: str | None
    brain: str
    model: str
    usage: JsonObject

    @property
    def fact_id(self) -> str:
        """`turn:<turnId>:committed`."""
        return f"turn:{self.turn_id}:committed"


@dataclass(frozen=True, slots=True)
class ToolReturned:
    """What a tool of the agent gave back, as the engine collected it. `element_id` is the tool's."""

    call_id: str
    element_id: str
    result: Any

    @property
    def fact_id(self) -> str:
        """`tool:<callId>`."""
        return f"tool:{self.call_id}"


TURN_FACTS = (TurnText, TurnAbandoned, TurnCommitted)
"""Kinds that say something about a turn's text."""


def committed_turn(message: object) -> TurnCommitted | None:
    """Return the turn that an entry of `messages` records, or None when it is no such entry."""
    if not isinstance(message, Mapping) or message.get("role") != "assistant":
        return None
    try:
        turn_id = str(TurnId.parse(str(message.get("id"))))
    except ValueError:
        return None
    usage = message.get("usage")
    return TurnCommitted(
        turn_id=turn_id,
        text=str(message.get("content") or ""),
        calls=_objects(message.get("calls")),
        rejected=_objects(message.get("rejected")),
        outcome=message["outcome"] if isinstance(message.get("outcome"), str) else None,
        brain=str(message.get("brain") or ""),
        model=str(message.get("model") or ""),
        usage=usage if isinstance(usage, Mapping) else {},
    )


def returned_tool(entry: object) -> ToolReturned | None:
    """Return what an entry of `toolCallResults` records, or None when it is no such entry."""
    if not isinstance(entry, Mapping):
        return None
    call_id, element_id = entry.get("id"), entry.get("elementId")
    if not is_call_id(call_id) or not isinstance(element_id, str):
        return None
    return ToolReturned(str(call_id), element_id, entry.get("result"))


def _objects(value: object) -> tuple[JsonObject, ...]:
    return tuple(item for item in value if isinstance(item, Mapping)) if isinstance(value, list) else ()

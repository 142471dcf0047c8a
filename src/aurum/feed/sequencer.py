"""Decides when a fact may be appended, so that every log is causal. Sans-IO; time is passed in.

A fact waits for what must come before it: an end for its start and its result, a task's close for
its opening, the end of the instance for everything. Facts arrive from the poller in order and from
workers early; what cannot go yet is held. Nothing is held for ever: after its grace a fact goes
without its prerequisite, and the projection implies what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from aurum.domain.results import RESULT_VARIABLES
from aurum.facts.turns import (
    ToolReturned,
    TurnAbandoned,
    TurnCommitted,
    TurnId,
    TurnText,
    turn_of_call,
)
from aurum.facts.vocabulary import (
    DecisionEvaluated,
    ElementEnded,
    ElementStarted,
    Fact,
    IncidentRaised,
    IncidentResolved,
    InstanceEnded,
    InstanceStarted,
    ResultRecorded,
    TaskClosed,
    TaskOpened,
)

START_GRACE_MS = 300
"""A worker's result waits this long for the start of its element: about one look of the poller."""

RESULT_GRACE_MS = 5_000
"""An end waits this long for a result that the process owes: longer than the usual search lag of 3 s.
Only a forged completion owes for ever."""


@dataclass(slots=True)
class _Held:
    fact: Fact
    since_ms: int


class Sequencer:
    """The order of one case. Not safe for concurrent use; the inbox holds a lock per case."""

    def __init__(self, appended: Iterable[Fact] = ()) -> None:
        self._ids: set[str] = set()
        self._started = False
        self._open: set[str] = set()
        self._decided: set[str] = set()
        self._turns: dict[tuple[int, int], frozenset[str]] = {}
        self._final_turns: set[str] = set()
        self._agents_open: set[str] = set()
        self._held: dict[str, _Held] = {}
        for fact in appended:
            self._note(fact)

    def knows(self, fact_id: str) -> bool:
        """Has this fact been released already?"""
        return fact_id in self._ids

    def offer(self, facts: Iterable[Fact], now_ms: int) -> list[Fact]:
        """Take in facts and return what may be appended now, in order. Known facts are dropped."""
        for fact in facts:
            if fact.fact_id not in self._ids and fact.fact_id not in self._held:
                self._held[fact.fact_id] = _Held(fact, now_ms)
        return self.release(now_ms)

    def release(self, now_ms: int) -> list[Fact]:
        """Return held facts whose prerequisites are met or whose grace is over, in order."""
        released: list[Fact] = []
        while (fact := self._first_ready(now_ms)) is not None:
            del self._held[fact.fact_id]
            self._note(fact)
            released.append(fact)
        return released

    def _first_ready(self, now_ms: int) -> Fact | None:
        """Look from the oldest held fact each time: what a release has made possible goes before what
        was offered later, so that a worker's early result lands between its start and its end."""
        for held in self._held.values():
            if self._ready(held.fact) or now_ms - held.since_ms >= self._grace_ms(held.fact):
                return held.fact
        return None

    def next_due_ms(self) -> int | None:
        """Return when the next grace ends, or None when nothing is held."""
        return min((held.since_ms + self._grace_ms(held.fact) for held in self._held.values()), default=None)

    def _ready(self, fact: Fact) -> bool:
        match fact:
            case InstanceStarted():
                return True
            case ElementStarted():
                return self._started
            case ElementEnded():
                return self._end_is_ready(fact)
            case ResultRecorded() | DecisionEvaluated() | TaskOpened() | IncidentRaised():
                return f"el:{fact.element_instance_key}:ACTIVE" in self._ids
            case TurnText() | TurnAbandoned() | TurnCommitted():
                return self._turn_is_ready(TurnId.parse(fact.turn_id))
            case ToolReturned():
                return f"turn:{turn_of_call(fact.call_id)}:committed" in self._ids
            case TaskClosed():
                return f"ut:{fact.user_task_key}:CREATED" in self._ids
            case IncidentResolved():
                return f"inc:{fact.incident_key}:ACTIVE" in self._ids
            case InstanceEnded():
                others = any(held.fact.fact_id != fact.fact_id for held in self._held.values())
                return self._started and not self._open and not others

    def _end_is_ready(self, fact: ElementEnded) -> bool:
        key = fact.element_instance_key
        if f"el:{key}:ACTIVE" not in self._ids:
            return False
        if fact.state == "TERMINATED":
            return True
        if fact.element_type == "AD_HOC_SUB_PROCESS":
            return key in self._final_turns
        if fact.element_id in RESULT_VARIABLES:
            return f"result:{key}" in self._ids
        return fact.element_type != "BUSINESS_RULE_TASK" or key in self._decided

    def _turn_is_ready(self, turn_id: TurnId) -> bool:
        """A turn follows the one before it and everything its tools gave back."""
        if f"el:{turn_id.ad_hoc_key}:ACTIVE" not in self._ids:
            return False
        if turn_id.turn <= 1:
            return True
        calls = self._turns.get((turn_id.ad_hoc_key, turn_id.turn - 1))
        return calls is not None and all(f"tool:{call_id}" in self._ids for call_id in calls)

    def _note(self, fact: Fact) -> None:
        self._ids.add(fact.fact_id)
        match fact:
            case InstanceStarted():
                self._started = True
            case ElementStarted():
                if f"el:{fact.element_instance_key}:COMPLETED" not in self._ids:
                    self._open.add(fact.element_instance_key)
                    if fact.element_type == "AD_HOC_SUB_PROCESS":
                        self._agents_open.add(fact.element_instance_key)
            case ElementEnded():
                self._open.discard(fact.element_instance_key)
                self._agents_open.discard(fact.element_instance_key)
            case DecisionEvaluated():
                self._decided.add(fact.element_instance_key)
            case TurnCommitted():
                turn_id = TurnId.parse(fact.turn_id)
                self._turns[turn_id.place] = frozenset(str(call.get("id")) for call in fact.calls)
                if fact.outcome is not None:
                    self._final_turns.add(str(turn_id.ad_hoc_key))
            case _:
                pass

    def _grace_ms(self, fact: Fact) -> int:
        """A case begins with its instance: before that even an early result has nothing to be early of.

        While the agent is open in the log, a result from behind it shows that the log is behind: its
        tools' returns come first.
        """
        implied = isinstance(fact, ResultRecorded) and self._started and not self._agents_open
        return START_GRACE_MS if implied else RESULT_GRACE_MS

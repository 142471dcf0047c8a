"""What the agent says and does, folded from its turns. Pure and view-independent.

Rule 1: one attempt of a turn is shown at a time, the latest; a committed turn beats every attempt.
Rule 2: chunks carry their offset, so a repeated or stray one changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from aurum.facts.turns import (
    ToolReturned,
    TurnAbandoned,
    TurnCommitted,
    TurnId,
    TurnText,
    turn_of_call,
    visit_of_call,
)

TurnFact = TurnText | TurnAbandoned | TurnCommitted | ToolReturned


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """An attempt whose text is arriving."""

    turn_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """All turns of a case. `dropped` is the newest attempt that is known to count for nothing."""

    open: OpenTurn | None = None
    dropped: TurnId | None = None
    committed: Mapping[tuple[int, int], TurnCommitted] = field(default_factory=dict)
    returned: Mapping[str, tuple[str, Any]] = field(default_factory=dict)
    """Call id -> (tool's element id, result)."""

    def is_over(self, turn_id: TurnId) -> bool:
        """Is nothing more to be shown of this attempt's chunks?"""
        if turn_id.place in self.committed:
            return True
        return self.dropped is not None and turn_id <= self.dropped

    def at_rest(self) -> Conversation:
        """Return the conversation of a case that rests: what was still arriving counts for nothing."""
        if self.open is None:
            return self
        return replace(self, open=None, dropped=_later(self.dropped, TurnId.parse(self.open.turn_id)))

    def results_of(self, ad_hoc_key: int, element_id: str) -> list[Any]:
        """Return what one tool gave back in one visit of the agent, in call order."""
        found = [
            (call_id, result)
            for call_id, (tool, result) in self.returned.items()
            if tool == element_id and int(visit_of_call(call_id)) == ad_hoc_key
        ]
        return [result for _, result in sorted(found, key=lambda pair: _order(pair[0]))]


def converse(before: Conversation, fact: TurnFact) -> Conversation:
    """Return the conversation after one more fact."""
    match fact:
        case TurnText():
            return _with_text(before, fact)
        case TurnAbandoned():
            turn_id = TurnId.parse(fact.turn_id)
            same = before.open is not None and before.open.turn_id == fact.turn_id
            return replace(
                before,
                open=None if same else before.open,
                dropped=_later(before.dropped, turn_id),
            )
        case TurnCommitted():
            turn_id = TurnId.parse(fact.turn_id)
            if turn_id.place in before.committed:
                return before
            kept = before.open
            if kept is not None and TurnId.parse(kept.turn_id).place <= turn_id.place:
                kept = None
            return replace(before, open=kept, committed={**before.committed, turn_id.place: fact})
        case ToolReturned():
            if fact.call_id in before.returned:
                return before
            returned = {**before.returned, fact.call_id: (fact.element_id, fact.result)}
            return replace(before, returned=returned)


def _with_text(before: Conversation, fact: TurnText) -> Conversation:
    turn_id = TurnId.parse(fact.turn_id)
    if before.is_over(turn_id):
        return before
    if before.open is None or before.open.turn_id != fact.turn_id:
        if before.open is not None and TurnId.parse(before.open.turn_id) > turn_id:
            return before
        dropped = before.dropped
        if before.open is not None:
            dropped = _later(dropped, TurnId.parse(before.open.turn_id))
        if fact.offset != 0:
            return before
        return replace(before, open=OpenTurn(fact.turn_id, fact.delta), dropped=dropped)
    if fact.offset != len(before.open.text):
        return before
    return replace(before, open=OpenTurn(fact.turn_id, before.open.text + fact.delta))


def _later(one: TurnId | None, other: TurnId) -> TurnId:
    return other if one is None else max(one, other)


def _order(call_id: str) -> tuple[TurnId, int]:
    return TurnId.parse(turn_of_call(call_id)), int(call_id.rpartition(":")[2])

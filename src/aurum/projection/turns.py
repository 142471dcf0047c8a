"""The agent's turns as events: text as it arrives, calls once they are certain, results. Pure.

Text of an attempt that came to nothing is closed and then taken back by an authoritative
MESSAGES_SNAPSHOT (`dropping`). Calls show when their turn is committed: a call that was streamed
and then refused would be one that never was.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum.domain.agent_tools import tool_name
from aurum.domain.audiences import visible_tool_result
from aurum.facts.turns import ToolReturned, TurnAbandoned, TurnCommitted, TurnId, TurnText
from aurum.projection.context import ProjectionContext
from aurum.projection.conversation import Conversation, OpenTurn
from aurum.projection.events import (
    Event,
    dropping,
    text_added,
    text_ended,
    text_started,
    tool_call,
    tool_result,
)
from aurum.projection.model import CaseModel
from aurum.projection.steps import call_id


def message_id(context: ProjectionContext, turn_id: str) -> str:
    """Return the id of a turn's text."""
    return f"msg:{context.name_of(turn_id)}:turn"


def effects(
    context: ProjectionContext,
    before: CaseModel,
    after: CaseModel,
    fact: TurnText | TurnAbandoned | TurnCommitted,
) -> list[Event]:
    """Return the events of a turn's fact for a view that follows the text as it arrives."""
    was, now = before.conversation, after.conversation
    if was is now:
        return []
    if isinstance(fact, TurnCommitted):
        return _committed(context, was, fact)
    events = _taken_back(context, was.open) if _replaced(was, now) else []
    if isinstance(fact, TurnText) and now.open is not None and now.open.turn_id == fact.turn_id:
        if was.open is None or was.open.turn_id != fact.turn_id:
            events.append(_opened(context, fact.turn_id))
        events.append(_content(context, fact.turn_id, fact.delta))
    return events


def whole(
    context: ProjectionContext, before: CaseModel, after: CaseModel, fact: TurnCommitted
) -> list[Event]:
    """Return a committed turn at once, for a view that does not follow the text."""
    if before.conversation is after.conversation:
        return []
    return [*_text(context, fact.turn_id, fact.text), *_calls(context, before.conversation, fact)]


def at_rest(context: ProjectionContext, conversation: Conversation) -> list[Event]:
    """Return what closes a text that is still arriving when the case comes to rest."""
    return _taken_back(context, conversation.open)


def returned(
    context: ProjectionContext, before: CaseModel, after: CaseModel, fact: ToolReturned
) -> list[Event]:
    """Return a tool's result as far as this view may see it; a call nobody has seen yet is implied."""
    if before.conversation is after.conversation:
        return []
    name = call_id(context, fact.call_id)
    content = visible_tool_result(context.view, fact.element_id, fact.result)
    implied = (
        []
        if _is_called(after.conversation, fact.call_id)
        else _call(context, fact.call_id, fact.element_id, {})
    )
    return [*implied, tool_result(f"tr:{context.name_of(fact.call_id)}", name, content)]


def _committed(context: ProjectionContext, was: Conversation, fact: TurnCommitted) -> list[Event]:
    """Finish the text that has arrived so far, or take it back and say the committed one whole."""
    current = was.open
    events: list[Event] = []
    if current is not None and current.turn_id == fact.turn_id and fact.text.startswith(current.text):
        rest = fact.text[len(current.text) :]
        if rest:
            events.append(_content(context, fact.turn_id, rest))
        events.append(_closed(context, fact.turn_id))
    else:
        events += _taken_back(context, current if _is_older(current, fact) else None)
        events += _text(context, fact.turn_id, fact.text)
    return [*events, *_calls(context, was, fact)]


def _is_older(current: OpenTurn | None, fact: TurnCommitted) -> bool:
    return current is not None and TurnId.parse(current.turn_id).place <= TurnId.parse(fact.turn_id).place


def _replaced(was: Conversation, now: Conversation) -> bool:
    """Has the text that was arriving been given up?"""
    return was.open is not None and (now.open is None or now.open.turn_id != was.open.turn_id)


def _taken_back(context: ProjectionContext, current: OpenTurn | None) -> list[Event]:
    if current is None:
        return []
    return [_closed(context, current.turn_id), dropping(message_id(context, current.turn_id))]


def _text(context: ProjectionContext, turn_id: str, text: str) -> list[Event]:
    if not text:
        return []
    return [_opened(context, turn_id), _content(context, turn_id, text), _closed(context, turn_id)]


def _calls(context: ProjectionContext, was: Conversation, fact: TurnCommitted) -> list[Event]:
    """Return the calls, without those that a result has implied already."""
    events: list[Event] = []
    for call in fact.calls:
        name, tool, arguments = str(call.get("id")), str(call.get("tool")), call.get("arguments")
        if name not in was.returned:
            events += _call(context, name, tool, arguments if isinstance(arguments, Mapping) else {})
    return events


def _call(context: ProjectionContext, call: str, tool: str, arguments: Mapping[str, Any]) -> list[Event]:
    return tool_call(call_id(context, call), tool_name(tool), dict(arguments))


def _is_called(conversation: Conversation, call: str) -> bool:
    return any(entry.get("id") == call for turn in conversation.committed.values() for entry in turn.calls)


def _opened(context: ProjectionContext, turn_id: str) -> Event:
    return text_started(message_id(context, turn_id), {"com.aurum": {"author": "assistant"}})


def _content(context: ProjectionContext, turn_id: str, delta: str) -> Event:
    return text_added(message_id(context, turn_id), delta)


def _closed(context: ProjectionContext, turn_id: str) -> Event:
    return text_ended(message_id(context, turn_id))

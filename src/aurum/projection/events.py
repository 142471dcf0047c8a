"""AG-UI 1.0 events as plain dictionaries, in wire names. Pure constructors, no policy.

Optional fields are left out, never null (null is fatal to the official clients). The official
models encode 10 to 40 times slower; tests read every event back through them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from aurum.projection.card_models import CARD_VERSIONS

Event = dict[str, Any]

SNAPSHOT_OWNS_ACTIVITIES: dict[str, Any] = {"authoritativeActivityTypes": None}
"""Tells a 1.0 client (under `@ag-ui/client`) that a MESSAGES_SNAPSHOT holds all activities too."""

CARD_ACTIVITY = "com.aurum.component"
"""Activity type of every card: one open string, so unknown components fall back in one place."""

SCHEMA_VERSION = 1
"""Version of a card's props where `card_models` names none."""


def step_started(step_name: str) -> Event:
    """A step opened; the name is unique while it is open."""
    return {"type": "STEP_STARTED", "stepName": step_name}


def step_finished(step_name: str) -> Event:
    """The step with this name closed."""
    return {"type": "STEP_FINISHED", "stepName": step_name}


def text_message(message_id: str, text: str, *, code: str, params: dict[str, Any]) -> list[Event]:
    """A whole concierge message. `code` and `params` let a page say it in its own language."""
    metadata = {"com.aurum": {"code": code, "params": params}}
    return [text_started(message_id, metadata), text_added(message_id, text), text_ended(message_id)]


def text_started(message_id: str, metadata: dict[str, Any]) -> Event:
    """A message of the assistant opened."""
    return {"type": "TEXT_MESSAGE_START", "messageId": message_id, "role": "assistant", "metadata": metadata}


def text_added(message_id: str, delta: str) -> Event:
    """A piece of an open message."""
    return {"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": delta}


def text_ended(message_id: str) -> Event:
    """The message with this id closed."""
    return {"type": "TEXT_MESSAGE_END", "messageId": message_id}


def tool_call(tool_call_id: str, name: str, arguments: dict[str, Any]) -> list[Event]:
    """A call with complete arguments."""
    return tool_call_text(tool_call_id, name, orjson.dumps(arguments).decode())


def tool_call_text(tool_call_id: str, name: str, arguments: str) -> list[Event]:
    """A call with complete arguments that are JSON text already."""
    return [
        {"type": "TOOL_CALL_START", "toolCallId": tool_call_id, "toolCallName": name},
        {"type": "TOOL_CALL_ARGS", "toolCallId": tool_call_id, "delta": arguments},
        {"type": "TOOL_CALL_END", "toolCallId": tool_call_id},
    ]


def tool_result(message_id: str, tool_call_id: str, result: Any) -> Event:
    """What the call returned, as JSON text."""
    return {
        "type": "TOOL_CALL_RESULT",
        "messageId": message_id,
        "toolCallId": tool_call_id,
        "content": orjson.dumps(result).decode(),
        "role": "tool",
    }


def card(message_id: str, component: str, props: dict[str, Any], *, status: str = "ready") -> Event:
    """A card appears, or is replaced when it has this id already."""
    version = CARD_VERSIONS.get(component, SCHEMA_VERSION)
    content = {"schemaVersion": version, "component": component, "status": status, "props": props}
    return {
        "type": "ACTIVITY_SNAPSHOT",
        "messageId": message_id,
        "activityType": CARD_ACTIVITY,
        "content": content,
        "replace": True,
    }


DROPPING = "com.aurum.dropping"
"""Not an event: `FrameBuilder` turns it into the MESSAGES_SNAPSHOT that lacks one message."""


def dropping(message_id: str) -> Event:
    """Take a message back that counts for nothing."""
    return {"type": DROPPING, "messageId": message_id}


def state_delta(operations: Sequence[Any]) -> Event:
    """A change of the state (RFC 6902)."""
    return {"type": "STATE_DELTA", "delta": list(operations)}


def raw(event: Any, source: str) -> Event:
    """Something that is not AG-UI, shown as it is."""
    return {"type": "RAW", "event": event, "source": source}


def custom(name: str, value: Any) -> Event:
    """A notice of our own; the name starts with `com.aurum.`."""
    return {"type": "CUSTOM", "name": name, "value": value}

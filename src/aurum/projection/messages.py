"""The message list as an AG-UI client builds it from events: what MESSAGES_SNAPSHOT must equal. Pure.

Follows the reducer of `@ag-ui/client`: a tool call without parent becomes an assistant message of
its own id, its result goes right behind it, and an activity snapshot replaces the activity of the
same id in place.
"""

from __future__ import annotations

from typing import Any

from aurum.projection.events import Event

Messages = tuple[dict[str, Any], ...]


def apply(messages: Messages, event: Event) -> Messages:
    """Return the list after one event; events that carry no message leave it as it is."""
    match event["type"]:
        case "TEXT_MESSAGE_START" if any(message["id"] == event["messageId"] for message in messages):
            return messages
        case "TEXT_MESSAGE_START":
            opened = {"id": event["messageId"], "role": event.get("role", "assistant"), "content": ""}
            if "metadata" in event:
                opened["metadata"] = event["metadata"]
            return (*messages, opened)
        case "TEXT_MESSAGE_CONTENT":
            return _change(messages, event["messageId"], "content", event["delta"])
        case "TOOL_CALL_START":
            call = {
                "id": event["toolCallId"],
                "type": "function",
                "function": {"name": event["toolCallName"], "arguments": ""},
            }
            return (*messages, {"id": event["toolCallId"], "role": "assistant", "toolCalls": [call]})
        case "TOOL_CALL_ARGS":
            return tuple(_with_arguments(message, event) for message in messages)
        case "TOOL_CALL_RESULT":
            told = {
                "id": event["messageId"],
                "role": "tool",
                "toolCallId": event["toolCallId"],
                "content": event["content"],
            }
            return _after_call(messages, told)
        case "ACTIVITY_SNAPSHOT":
            return _with_activity(messages, event)
        case "MESSAGES_SNAPSHOT":
            return tuple(event["messages"])
        case _:
            return messages


def _after_call(messages: Messages, told: dict[str, Any]) -> Messages:
    """Put a tool's result right behind its call, behind results that are there already."""
    for place, message in enumerate(messages):
        if any(call["id"] == told["toolCallId"] for call in message.get("toolCalls", ())):
            end = place + 1
            while end < len(messages) and messages[end]["role"] == "tool":
                end += 1
            return (*messages[:end], told, *messages[end:])
    return (*messages, told)


def _change(messages: Messages, message_id: str, name: str, delta: str) -> Messages:
    return tuple(
        {**message, name: message.get(name, "") + delta} if message["id"] == message_id else message
        for message in messages
    )


def _with_arguments(message: dict[str, Any], event: Event) -> dict[str, Any]:
    calls = message.get("toolCalls", ())
    if not any(call["id"] == event["toolCallId"] for call in calls):
        return message
    return {
        **message,
        "toolCalls": [
            {
                **call,
                "function": {
                    **call["function"],
                    "arguments": call["function"]["arguments"] + event["delta"],
                },
            }
            if call["id"] == event["toolCallId"]
            else call
            for call in calls
        ],
    }


def _with_activity(messages: Messages, event: Event) -> Messages:
    shown = {
        "id": event["messageId"],
        "role": "activity",
        "activityType": event["activityType"],
        "content": event["content"],
    }
    if any(message["id"] == shown["id"] for message in messages):
        return tuple(shown if message["id"] == shown["id"] else message for message in messages)
    return (*messages, shown)

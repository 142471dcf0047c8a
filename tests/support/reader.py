"""A strict AG-UI reader: SSE bytes to events, events to what an official client would hold."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from typing import Any

import jsonpatch


@dataclass
class SseFrame:
    id: str | None
    event: dict[str, Any]


def parse_sse(data: bytes) -> list[SseFrame]:
    """Return the complete frames of LF-framed bytes; comments and `retry` are dropped."""
    assert b"\r" not in data
    frames: list[SseFrame] = []
    for block in data.split(b"\n\n")[:-1]:
        frame_id, payload = None, None
        for line in block.split(b"\n"):
            if line.startswith(b"id: "):
                frame_id = line[4:].decode()
            elif line.startswith(b"data: "):
                assert payload is None, "one data line per frame"
                payload = line[6:]
            else:
                assert line.startswith((b":", b"retry: ")), line
        if payload is not None:
            frames.append(SseFrame(frame_id, json.loads(payload)))
    return frames


@dataclass
class Client:
    """Folds events as the browser does; every delta must apply under a strict judge."""

    state: Any = field(default_factory=dict)
    messages: list[dict[str, Any]] = field(default_factory=list)
    runs: int = 0
    finished: dict[str, Any] | None = None

    def read(self, event: dict[str, Any]) -> None:
        match event["type"]:
            case "RUN_STARTED":
                self.runs += 1
                self.finished = None
            case "RUN_FINISHED":
                self.finished = event
            case "STATE_SNAPSHOT":
                self.state = copy.deepcopy(event["snapshot"])
            case "STATE_DELTA":
                self.state = jsonpatch.apply_patch(self.state, event["delta"])
            case "MESSAGES_SNAPSHOT":
                self.messages = copy.deepcopy(event["messages"])
            case "ACTIVITY_SNAPSHOT":
                self._activity(event)
            case "TEXT_MESSAGE_START" if any(m["id"] == event["messageId"] for m in self.messages):
                pass  # Opened again after a prelude: what follows is appended, as in the official client.
            case "TEXT_MESSAGE_START":
                self.messages.append({"id": event["messageId"], "role": event["role"], "content": ""})
            case "TEXT_MESSAGE_CONTENT":
                self._of(event["messageId"])["content"] += event["delta"]
            case "TOOL_CALL_START":
                call = {
                    "id": event["toolCallId"],
                    "type": "function",
                    "function": {"name": event["toolCallName"], "arguments": ""},
                }
                self.messages.append({"id": event["toolCallId"], "role": "assistant", "toolCalls": [call]})
            case "TOOL_CALL_ARGS":
                self._of(event["toolCallId"])["toolCalls"][0]["function"]["arguments"] += event["delta"]
            case "TOOL_CALL_RESULT":
                self._result(event)

    def _of(self, message_id: str) -> dict[str, Any]:
        return next(message for message in self.messages if message["id"] == message_id)

    def _result(self, event: dict[str, Any]) -> None:
        place = self.messages.index(self._of(event["toolCallId"])) + 1
        while place < len(self.messages) and self.messages[place]["role"] == "tool":
            place += 1
        told = {"id": event["messageId"], "role": "tool", "toolCallId": event["toolCallId"]}
        self.messages.insert(place, {**told, "content": event["content"]})

    def _activity(self, event: dict[str, Any]) -> None:
        shown = {
            "id": event["messageId"],
            "role": "activity",
            "activityType": event["activityType"],
            "content": event["content"],
        }
        for place, message in enumerate(self.messages):
            if message["id"] == shown["id"]:
                self.messages[place] = shown
                return
        self.messages.append(shown)


def without_metadata(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in message.items() if name != "metadata"} for message in messages]

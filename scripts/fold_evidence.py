"""Folds an exported evidence file up to a fact: what the customer's page showed, where the token stood.

Stands alone: the standard library and `jsonpatch`, nothing of this product. It knows the file's lines
(`{n, kind, body, prev, hash}`) and AG-UI's events, so it is a second opinion on the page's scrubber:

    python scripts/fold_evidence.py evidence-….ndjson 42

prints `{"index", "of", "state", "messages", "tokens"}` after 42 facts; without a number, after all.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonpatch

Messages = list[dict[str, Any]]

HOLDERS = ("PROCESS", "SUB_PROCESS", "EVENT_SUB_PROCESS", "AD_HOC_SUB_PROCESS")
HOLDERS += ("AD_HOC_SUB_PROCESS_INNER_INSTANCE",)
"""Element types that hold others: the token stands in what they hold."""


def bodies(path: Path, kind: str) -> list[dict[str, Any]]:
    """Return the bodies of all lines of one kind, in file order."""
    entries = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [entry["body"] for entry in entries if entry["kind"] == kind]


def folds(facts: list[dict[str, Any]], frames: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield what was shown after 0, 1, 2 … facts."""
    state: Any = {}
    messages: Messages = []
    standing: dict[int, str] = {}
    left: set[int] = set()
    over = False
    for index in range(len(facts) + 1):
        if index > 0:
            over = over or facts[index - 1]["kind"] == "instanceEnded"
            step(facts[index - 1], standing, left)
        for frame in frames:
            if frame["index"] == index:
                state, messages = shown(state, messages, frame["event"])
        tokens = [] if over else [standing[key] for key in sorted(standing)]
        yield {"index": index, "of": len(facts), "state": state, "messages": messages, "tokens": tokens}


def step(fact: dict[str, Any], standing: dict[int, str], left: set[int]) -> None:
    """Move the tokens: an element's key is entered once and left once, in whatever order that is told."""
    if fact["kind"] not in ("elementStarted", "elementEnded") or fact["elementType"] in HOLDERS:
        return
    key = int(fact["elementInstanceKey"])
    if fact["kind"] == "elementEnded":
        left.add(key)
        standing.pop(key, None)
    elif key not in left:
        standing[key] = fact["elementId"]


def shown(state: Any, messages: Messages, event: dict[str, Any]) -> tuple[Any, Messages]:
    """Return state and messages after one AG-UI event."""
    match event["type"]:
        case "STATE_SNAPSHOT":
            return event["snapshot"], messages
        case "STATE_DELTA":
            return jsonpatch.apply_patch(state, event["delta"]), messages
        case "MESSAGES_SNAPSHOT":
            return state, event["messages"]
        case _:
            return state, told(messages, event)


def told(messages: Messages, event: dict[str, Any]) -> Messages:
    """Return the messages after an event that adds to one of them or puts one in its place."""
    match event["type"]:
        case "TEXT_MESSAGE_START":
            if any(m["id"] == event["messageId"] for m in messages):
                return messages
            metadata = {"metadata": event["metadata"]} if "metadata" in event else {}
            return [*messages, {"id": event["messageId"], "role": "assistant", "content": "", **metadata}]
        case "TEXT_MESSAGE_CONTENT":
            return [
                {**m, "content": m["content"] + event["delta"]} if m["id"] == event["messageId"] else m
                for m in messages
            ]
        case "TOOL_CALL_START":
            function = {"name": event["toolCallName"], "arguments": ""}
            call = {"id": event["toolCallId"], "type": "function", "function": function}
            return put(messages, {"id": event["toolCallId"], "role": "assistant", "toolCalls": [call]})
        case "TOOL_CALL_ARGS":
            return [with_arguments(m, event) if m["id"] == event["toolCallId"] else m for m in messages]
        case "TOOL_CALL_RESULT":
            return answered(messages, event)
        case "ACTIVITY_SNAPSHOT":
            shown_as = {"activityType": event["activityType"], "content": event["content"]}
            return put(messages, {"id": event["messageId"], "role": "activity", **shown_as})
        case _:
            return messages


def put(messages: Messages, message: dict[str, Any]) -> Messages:
    """Return the messages with this one in the place of its id, or at the end."""
    if any(m["id"] == message["id"] for m in messages):
        return [message if m["id"] == message["id"] else m for m in messages]
    return [*messages, message]


def with_arguments(message: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    """Return a tool call's message with more of its arguments."""
    (call,) = message["toolCalls"]
    function = {**call["function"], "arguments": call["function"]["arguments"] + event["delta"]}
    return {**message, "toolCalls": [{**call, "function": function}]}


def answered(messages: Messages, event: dict[str, Any]) -> Messages:
    """Return the messages with a tool's result right behind its call, as the official clients put it."""
    result = {"toolCallId": event["toolCallId"], "content": event["content"]}
    told_now = {"id": event["messageId"], "role": "tool", **result}
    places = [place for place, m in enumerate(messages) if m["id"] == event["toolCallId"]]
    end = places[0] + 1 if places else len(messages)
    while end < len(messages) and messages[end]["role"] == "tool":
        end += 1
    return [*messages[:end], told_now, *messages[end:]]


def main() -> int:
    """Print one fold; 2 when the file does not reach that far."""
    parser = argparse.ArgumentParser(description="Fold an exported evidence file up to a fact.")
    parser.add_argument("file", type=Path)
    parser.add_argument("index", type=int, nargs="?", help="facts to fold; without it all of them")
    options = parser.parse_args()
    facts = bodies(options.file, "fact")
    wanted = len(facts) if options.index is None else options.index
    for fold in folds(facts, bodies(options.file, "frame")):
        if fold["index"] == wanted:
            json.dump(fold, sys.stdout, ensure_ascii=False, indent=1)
            sys.stdout.write("\n")
            return 0
    sys.stderr.write(f"the file holds {len(facts)} facts\n")
    return 2


if __name__ == "__main__":
    sys.exit(main())

"""A live stream as text that is the same for every run of the same case.

Keys, times and account numbers are named by order; text is joined, because how it was cut depends
on the clock; and what several tools at once put out between two sentences is put in one order, as are all
steps. A call and its result carry the tool's name, so that equal ones keep their places.
"""

from __future__ import annotations

import json
import re
from typing import Any

VOLATILE = re.compile(
    r"(?P<instant>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"
    r"|(?P<case>\bc[a-z2-7]{25}\b)"
    r"|(?P<account>\bAURM-\d{4}-\d{4}-\d{4}-\d\d\b)"
    r"|(?P<today>(?<=rateDate\\\":\\\")\d{4}-\d\d-\d\d)"
    r"|(?P<day>(?<=rateDate\": \")\d{4}-\d\d-\d\d)"
    r"|(?P<key>(?<=[#:\"])[a-z2-7]{12}(?=[:\"]|$))"
)
LEFT_OUT = frozenset({"STATE_DELTA", "TEXT_MESSAGE_END", "TOOL_CALL_END"})
"""Deltas depend on which of two tools was first; the state they lead to is compared instead."""


def transcript(events: list[dict[str, Any]], state: dict[str, Any]) -> str:
    """Return one line an event, runs of parallel work sorted, and the state at the end."""
    lines: list[str] = []
    block: list[str] = []
    steps: list[str] = []
    called: dict[str, str] = {}
    texts: dict[str, int] = {}
    for event in events:
        shown = {name: value for name, value in event.items() if name != "timestamp"}
        kind = shown["type"]
        if kind in LEFT_OUT:
            continue
        if kind == "TOOL_CALL_START":
            called[shown["toolCallId"]] = shown["toolCallName"]
        elif kind.startswith("TOOL_CALL"):
            shown["toolCallName"] = called[shown["toolCallId"]]
        if kind.startswith("STEP_"):
            steps.append(_line(shown))
            continue
        if kind == "TEXT_MESSAGE_CONTENT" and shown["messageId"] in texts:
            place = texts[shown["messageId"]]
            joined = json.loads(lines[place])
            joined["delta"] += shown["delta"]
            lines[place] = _line(joined)
            continue
        if kind.startswith(("TEXT_MESSAGE", "RUN_")):
            lines += sorted(block, key=anonymous)
            block = []
            if kind == "TEXT_MESSAGE_CONTENT":
                texts[shown["messageId"]] = len(lines)
            lines.append(_line(shown))
        else:
            block.append(_line(shown))
    lines += [*sorted(block, key=anonymous), *sorted(steps, key=anonymous), _line({"state": state})]
    return named("\n".join(lines)) + "\n"


def anonymous(line: str) -> str:
    """Return a line without its volatile parts, to sort by."""
    return VOLATILE.sub("*", line)


def named(text: str) -> str:
    """Return the text with its volatile parts numbered in the order they appear."""
    names: dict[str, str] = {}

    def name(match: re.Match[str]) -> str:
        kind = str(match.lastgroup)
        if kind == "instant":
            return "<instant>"
        found = match.group(0)
        if found not in names:
            number = sum(1 for given in names.values() if given.startswith(f"<{kind}-")) + 1
            names[found] = f"<{kind}-{number}>"
        return names[found]

    return VOLATILE.sub(name, text)


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)

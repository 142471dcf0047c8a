"""The egress guard: a state machine of legal AG-UI. Pure.

Mirrors what the official clients enforce (`@ag-ui/client` verify, both 1.0.0 and 0.0.59), because
a client that meets an illegal frame drops the stream. `check` returns why an event may not be sent
next, or None and moves on. An illegal frame never leaves: the shell ends the run with RUN_ERROR.
"""

from __future__ import annotations

from typing import Literal

from aurum.projection.events import Event

KNOWN_TYPES = frozenset(
    {
        "RUN_STARTED",
        "RUN_FINISHED",
        "RUN_ERROR",
        "STEP_STARTED",
        "STEP_FINISHED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
        "STATE_SNAPSHOT",
        "STATE_DELTA",
        "MESSAGES_SNAPSHOT",
        "ACTIVITY_SNAPSHOT",
        "ACTIVITY_DELTA",
        "RAW",
        "CUSTOM",
    }
)
"""What AURUM sends. Everything else of AG-UI is refused until something needs it."""

NULL_ALLOWED = frozenset({"snapshot", "event", "value", "result"})
"""Members whose value may be null; null anywhere else is fatal to a client."""

Phase = Literal["start", "active", "finished", "errored"]


class Guard:
    """The legality of one stream so far. Cheap to copy: `clone()`."""

    __slots__ = ("called", "calls", "phase", "steps", "texts")

    def __init__(self) -> None:
        self.phase: Phase = "start"
        self.steps: set[str] = set()
        self.texts: set[str] = set()
        self.calls: set[str] = set()
        self.called: set[str] = set()

    def clone(self) -> Guard:
        """Return a guard that stands where this one stands."""
        other = Guard()
        other.phase = self.phase
        other.steps, other.texts = set(self.steps), set(self.texts)
        other.calls, other.called = set(self.calls), set(self.called)
        return other

    def check(self, event: Event) -> str | None:
        """Return why `event` would be illegal now, or None after taking it into account."""
        kind = event.get("type")
        if kind not in KNOWN_TYPES:
            return f"{kind!r} is no event that AURUM sends"
        null = next(
            (name for name, value in event.items() if value is None and name not in NULL_ALLOWED), None
        )
        if null is not None:
            return f"{kind}.{null} is null"
        if kind == "RUN_STARTED":
            return self._start()
        if kind == "RUN_ERROR":
            self.phase = "errored"
            return None
        if self.phase != "active":
            return f"{kind} outside a run ({self.phase})"
        if kind == "RUN_FINISHED":
            return self._finish()
        return self._inside(kind, event)

    def _start(self) -> str | None:
        if self.phase == "active":
            return "RUN_STARTED while a run is active"
        self.phase = "active"
        self.steps.clear()
        self.texts.clear()
        self.calls.clear()
        self.called.clear()
        return None

    def _finish(self) -> str | None:
        if self.steps or self.texts or self.calls:
            return "RUN_FINISHED with something open"
        self.phase = "finished"
        return None

    def _inside(self, kind: str, event: Event) -> str | None:
        match kind:
            case "STEP_STARTED":
                return _open(self.steps, event["stepName"], kind)
            case "STEP_FINISHED":
                return _close(self.steps, event["stepName"], kind)
            case "TEXT_MESSAGE_START":
                return _open(self.texts, event["messageId"], kind)
            case "TEXT_MESSAGE_CONTENT":
                return None if event["messageId"] in self.texts else f"{kind} of a text that is not open"
            case "TEXT_MESSAGE_END":
                return _close(self.texts, event["messageId"], kind)
            case "TOOL_CALL_START":
                if event["toolCallId"] in self.called:
                    return f"{kind} of a call that this run has made already"
                self.called.add(event["toolCallId"])
                return _open(self.calls, event["toolCallId"], kind)
            case "TOOL_CALL_ARGS":
                return None if event["toolCallId"] in self.calls else f"{kind} of a call that is not open"
            case "TOOL_CALL_END":
                return _close(self.calls, event["toolCallId"], kind)
            case _:
                return None


def _open(opened: set[str], name: str, kind: str) -> str | None:
    if name in opened:
        return f"{kind} of something already open"
    opened.add(name)
    return None


def _close(opened: set[str], name: str, kind: str) -> str | None:
    if name not in opened:
        return f"{kind} of something not open"
    opened.discard(name)
    return None

"""A legal beginning for a client that joins in the middle. Pure.

RUN_STARTED (marked `prelude`), STATE_SNAPSHOT, MESSAGES_SNAPSHOT, the open steps and texts, and at a
rest the run's end with what is asked now. Only the last frame carries the id: a connection that breaks
before it starts over, so there is never a hole. A client that keeps its reducer starts a new one on
the mark.
"""

from __future__ import annotations

from typing import Any

from aurum.projection.context import ProjectionContext
from aurum.projection.events import SNAPSHOT_OWNS_ACTIVITIES, Event, step_started
from aurum.projection.view import ViewState
from aurum.stream.boundary import PROTOCOL_VERSION, Viewer, run_finished

AUTHORITATIVE = {"@ag-ui/client": SNAPSHOT_OWNS_ACTIVITIES, "com.aurum": {"prelude": True}}
"""Cards that are gone go away."""


def prelude(context: ProjectionContext, view: ViewState, viewer: Viewer, *, at_ms: int) -> list[Event]:
    """Return the events that bring an empty client to this view, in order. Never empty."""
    run_id = viewer.run_id or f"{context.case_id}:{view.run}"
    thread_id = viewer.thread_id or context.case_id
    stamp = {"timestamp": at_ms}
    started: dict[str, Any] = {
        "type": "RUN_STARTED",
        "threadId": thread_id,
        "runId": run_id,
        "protocolVersion": PROTOCOL_VERSION,
        "metadata": {"com.aurum": {"prelude": True}},
        **stamp,
    }
    events: list[Event] = [
        started,
        {"type": "STATE_SNAPSHOT", "snapshot": view.state, **stamp},
        {"type": "MESSAGES_SNAPSHOT", "messages": list(view.messages), "metadata": AUTHORITATIVE, **stamp},
    ]
    if view.run_open:
        steps = [{**step_started(name), **stamp} for name in view.open_steps]
        return [*events, *steps, *({**reopened, **stamp} for reopened in _open_texts(view))]
    ended: Event = {"type": "RUN_FINISHED", "threadId": thread_id, "runId": run_id, **stamp}
    return [*events, run_finished(ended, view.last_end, viewer)]


def _open_texts(view: ViewState) -> list[Event]:
    """Open the texts again that are still arriving: what follows is appended to what the snapshot holds."""
    opened = {message["id"]: message for message in view.messages}
    return [
        {
            "type": "TEXT_MESSAGE_START",
            "messageId": name,
            "role": "assistant",
            **({"metadata": opened[name]["metadata"]} if "metadata" in opened.get(name, {}) else {}),
        }
        for name in view.open_texts
    ]

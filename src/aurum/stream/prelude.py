"""A legal beginning for a client that joins in the middle. Pure.

RUN_STARTED (marked `prelude`), STATE_SNAPSHOT, MESSAGES_SNAPSHOT, the open steps, and at a rest the
run's end with what is asked now. Only the last frame carries the id: a connection that breaks
before it starts over, so there is never a hole. A client that keeps its reducer starts a new one on
the mark.
"""

from __future__ import annotations

from typing import Any

from aurum.projection.context import ProjectionContext
from aurum.projection.events import Event, step_started
from aurum.projection.view import ViewState
from aurum.stream.boundary import PROTOCOL_VERSION, Viewer, run_finished

AUTHORITATIVE = {"@ag-ui/client": {"authoritativeActivityTypes": None}, "com.aurum": {"prelude": True}}
"""Tells a 1.0 client that the snapshot owns all activities: cards that are gone go away."""


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
        return [*events, *({**step_started(name), **stamp} for name in view.open_steps)]
    ended: Event = {"type": "RUN_FINISHED", "threadId": thread_id, "runId": run_id, **stamp}
    return [*events, run_finished(ended, view.last_end, viewer)]

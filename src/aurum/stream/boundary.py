"""Finishes run boundaries for one viewer. Pure.

The same frame id may end a run with an interrupt for whoever may answer it and with success for
everybody else: an interrupt that a viewer cannot answer would block his client for good.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aurum.keys import View
from aurum.projection.events import Event
from aurum.projection.view import Frame, RunEnd

PROTOCOL_VERSION = "1.0"
CANCELLED_CODE = "com.aurum.cancelled"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who reads: what he may answer, and which AG-UI he speaks.

    `run_id` and `thread_id` are the client's own (POST) or None (GET: the segment's).
    `protocol_version` is what the client declared; None is a client from before 1.0.
    """

    view: View
    groups: frozenset[str] = frozenset()
    is_submitter: bool = False
    run_id: str | None = None
    thread_id: str | None = None
    protocol_version: str | None = PROTOCOL_VERSION

    def may_answer(self, groups: tuple[str, ...]) -> bool:
        """May this viewer answer a task of these candidate groups?"""
        if groups == ("customer",):
            return self.view == "customer" and self.is_submitter
        return self.view == "advisor" and not self.groups.isdisjoint(groups)


def finish(frame: Frame, viewer: Viewer) -> Event:
    """Return the boundary event as this viewer gets it."""
    event = dict(frame.event)
    if viewer.run_id is not None:
        event["runId"] = viewer.run_id
    if viewer.thread_id is not None:
        event["threadId"] = viewer.thread_id
    if event["type"] == "RUN_STARTED":
        event["protocolVersion"] = PROTOCOL_VERSION
        return event
    return run_finished(event, frame.run_end or RunEnd(), viewer)


def run_finished(event: Event, end: RunEnd, viewer: Viewer) -> Event:
    """Return RUN_FINISHED (or RUN_ERROR for a cancelled case) with the outcome for this viewer.

    One interrupt at most: the official client cannot answer a subset of several.
    """
    if end.cancelled and viewer.protocol_version is None:
        message = "The case was cancelled by the bank."
        return {"type": "RUN_ERROR", "message": message, "code": CANCELLED_CODE, **_stamp(event)}
    finished = dict(event)
    asked = [item.interrupt for item in end.asked if viewer.may_answer(item.groups)]
    if asked:
        finished["outcome"] = {"type": "interrupt", "interrupts": asked[:1]}
    elif end.cancelled:
        finished["outcome"] = {"type": "cancelled"}
    else:
        finished["outcome"] = {"type": "success"}
    if end.result is not None:
        finished["result"] = end.result
    return finished


def _stamp(event: Event) -> dict[str, Any]:
    return {"timestamp": event["timestamp"]} if "timestamp" in event else {}

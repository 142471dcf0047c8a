"""The frames that a view put out, with their own ids and order and with personal values masked.

Made as the operator's wire pane is: one fold over the real facts gives ids and order, one over masked
facts the content. Where the two disagree in shape the content is withheld, not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from aurum.factlog.port import LoggedFact
from aurum.keys import View
from aurum.projection.context import ProjectionContext
from aurum.projection.events import Event
from aurum.projection.operator import masked
from aurum.projection.project import initial_view, project
from aurum.projection.view import Frame
from aurum.stream.boundary import Viewer, finish
from aurum.stream.prelude import prelude

_VIEWERS: dict[View, Viewer] = {
    "customer": Viewer("customer", is_submitter=True),
    "advisor": Viewer("advisor", frozenset({"advisors", "senior-advisors"})),
}
"""Whoever may answer: a run that asks something ends here with the interrupt that he was sent."""


@dataclass(frozen=True, slots=True)
class WireFrame:
    """One frame of the fact at `index`: what was sent, and as `event` the same without personal values."""

    index: int
    id: str
    fact_id: str
    event: Event
    sent: Event


def wire_frames(context: ProjectionContext, epoch: str, logged: Sequence[LoggedFact]) -> Iterator[WireFrame]:
    """Yield every frame that these facts caused in a customer's or advisor's view, in order."""
    real_view = shown_view = initial_view(context)
    for entry in logged:
        real_view, real = project(context, real_view, entry.fact, entry.logged_ms)
        shown_view, shown = project(context, shown_view, masked(entry.fact), entry.logged_ms)
        pairs_up = [frame.event["type"] for frame in real] == [frame.event["type"] for frame in shown]
        for place, frame in enumerate(real):
            sent = _finished(context.view, frame)
            event = _finished(context.view, shown[place]) if pairs_up else _withheld(sent)
            yield WireFrame(entry.index, f"{epoch}.{frame.seq}", frame.fact_id, event, sent)


def recorded_stream(
    context: ProjectionContext, epoch: str, logged: Sequence[LoggedFact], *, closed: bool
) -> list[Event]:
    """Return the stream as a client that was there from the start read it: legal AG-UI, one event each.

    Every frame's metadata names its id and fact. With `closed` it ends with the last run that has ended.
    """
    at_ms = logged[0].logged_ms if logged else 0
    events = prelude(context, initial_view(context), _VIEWERS[context.view], at_ms=at_ms)
    events += [_linked(frame) for frame in wire_frames(context, epoch, logged)]
    if closed:
        last = max(place for place, event in enumerate(events) if event["type"] == "RUN_FINISHED")
        return events[: last + 1]
    return events


def _finished(view: View, frame: Frame) -> Event:
    return finish(frame, _VIEWERS[view]) if frame.is_boundary else frame.event


def _withheld(event: Event) -> Event:
    value = {"type": event["type"]}
    return {
        "type": "CUSTOM",
        "name": "com.aurum.withheld.v1",
        "value": value,
        "timestamp": event["timestamp"],
    }


def _linked(frame: WireFrame) -> Event:
    metadata: dict[str, Any] = frame.event.get("metadata", {})
    link = {"frameId": frame.id, "factId": frame.fact_id, "index": frame.index}
    ours = {**metadata.get("com.aurum", {}), **link}
    return {**frame.event, "metadata": {**metadata, "com.aurum": ours}}

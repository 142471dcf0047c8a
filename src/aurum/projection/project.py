"""The fold: `(view, fact) -> (view, frames)`. Pure; the only door into the projection.

Per fact: the events of the view, one state delta at most, and the end of the run when everything
rests. The state delta goes first, so that a card never shows what the state does not know yet.
"""

from __future__ import annotations

from dataclasses import replace

from aurum.facts.turns import TURN_FACTS
from aurum.facts.vocabulary import Fact
from aurum.projection import advisor, customer, operator, turns
from aurum.projection.context import ProjectionContext
from aurum.projection.deltas import diff
from aurum.projection.events import Event, state_delta
from aurum.projection.model import CaseModel, advance
from aurum.projection.runs import FrameBuilder
from aurum.projection.state import shown_of, state_of
from aurum.projection.view import Frame, ViewState

STATE_OPENING = frozenset({"STEP_STARTED"})
"""Events that go before the state delta of their fact: the change belongs to the step."""


def project(
    context: ProjectionContext, view: ViewState, fact: Fact, at_ms: int
) -> tuple[ViewState, list[Frame]]:
    """Return the view after one more fact and the frames it puts out.

    `at_ms` stamps the frames (when the fact was logged). Projecting the same facts in the same
    order gives the same frames, byte for byte.
    """
    after = advance(view.model, fact)
    left_open: list[Event] = []
    if after.is_at_rest() and (after.conversation.open or view.model.conversation.open):
        after = replace(after, conversation=after.conversation.at_rest())
        if context.view == "customer" and not isinstance(fact, TURN_FACTS):
            left_open = turns.at_rest(context, view.model.conversation)
    events: list[Event]
    match context.view:
        case "customer":
            events = customer.effects(context, view.model, after, fact)
        case "advisor":
            events = advisor.effects(context, view.model, after, fact)
        case "operator":
            view, events = operator.effects(context, view, fact, at_ms, project)
    unchanged = after.variables is view.model.variables
    shown = view.shown if unchanged else shown_of(context, after)
    state = state_of(context, after, shown)
    operations = diff(view.state, state)
    builder = FrameBuilder(context, replace(view, model=after, state=state, shown=shown), fact.fact_id, at_ms)
    opening = [event for event in events if event["type"] in STATE_OPENING]
    for event in opening:
        builder.emit(event)
    if operations:
        builder.emit(state_delta(operations))
    for event in events:
        if event["type"] not in STATE_OPENING:
            builder.emit(event)
    for event in left_open:
        builder.emit(event)
    if after.is_at_rest():
        builder.rest(after)
    return builder.view, builder.frames


def initial_view(context: ProjectionContext) -> ViewState:
    """Return the view of a case of which no fact is known yet."""
    inner = initial_view(replace(context, view="customer")) if context.view == "operator" else None
    return ViewState(state=state_of(context, CaseModel()), inner=inner, inner_masked=inner)

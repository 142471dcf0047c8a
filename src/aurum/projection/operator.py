"""The operator's view: every fact as RAW, and the customer's own frames beside it. Pure.

No event is left out. Personal values are masked by folding the customer's view a second time over
masked facts: the real fold gives ids and order, the masked one the content. Where the two disagree
in shape, the content is withheld rather than guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from aurum.domain.agent_tools import TOOL_VARIABLE
from aurum.domain.audiences import visible_to
from aurum.facts.codec import to_json
from aurum.facts.turns import ToolReturned, TurnCommitted, TurnText
from aurum.facts.vocabulary import DecisionEvaluated, Fact, ResultRecorded
from aurum.projection.context import ProjectionContext
from aurum.projection.events import Event, custom, raw
from aurum.projection.view import Frame, ViewState

WIRE_EVENT = "com.aurum.wire.v1"
FACT_SOURCE = "aurum.facts"

Project = Callable[[ProjectionContext, ViewState, Fact, int], tuple[ViewState, list[Frame]]]


def masked(fact: Fact) -> Fact:
    """Return the fact with every personal value masked for the operator."""
    if isinstance(fact, ResultRecorded):
        shown = {name: visible_to("operator", name, value) for name, value in fact.variables.items()}
        return replace(fact, variables=shown)
    if isinstance(fact, DecisionEvaluated):
        inputs = tuple({**item, "value": _masked_input(item.get("value"))} for item in fact.inputs)
        return replace(fact, inputs=inputs)
    if isinstance(fact, TurnText):
        return replace(fact, delta=_blotted(fact.delta))
    if isinstance(fact, TurnCommitted):
        calls = tuple({**call, "arguments": _blotted_values(call.get("arguments"))} for call in fact.calls)
        return replace(fact, text=_blotted(fact.text), calls=calls)
    if isinstance(fact, ToolReturned):
        shown_result = visible_to("operator", TOOL_VARIABLE.get(fact.element_id, ""), fact.result)
        return replace(fact, result=shown_result)
    return fact


def _blotted(text: str) -> str:
    """Return the text with every letter and digit hidden: prose may quote anything about a person.

    It keeps its length, so that the offsets of its pieces still fit.
    """
    return "".join("•" if char.isalnum() else char for char in text)


def _blotted_values(value: Any) -> Any:
    if isinstance(value, str):
        return _blotted(value)
    if isinstance(value, Mapping):
        return {name: _blotted_values(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_blotted_values(item) for item in value]
    return value


def _masked_input(value: Any) -> Any:
    """Decision inputs are scalars of the case (amounts, bands, flags) or whole records: mask records."""
    return visible_to("operator", "application", value) if isinstance(value, dict) else value


def effects(
    context: ProjectionContext, view: ViewState, fact: Fact, at_ms: int, project: Project
) -> tuple[ViewState, list[Event]]:
    """Return the view with its inner folds advanced, and the events of the fact and wire panes."""
    customer = replace(context, view="customer")
    hidden = masked(fact)
    if view.inner is None or view.inner_masked is None:
        raise ValueError("an operator's view starts from `initial_view`")
    real_view, real = project(customer, view.inner, fact, at_ms)
    masked_view, shown = project(customer, view.inner_masked, hidden, at_ms)
    events = [raw(to_json(hidden), FACT_SOURCE), *_wire(customer, real, shown)]
    return replace(view, inner=real_view, inner_masked=masked_view), events


def _wire(context: ProjectionContext, real: Sequence[Frame], shown: Sequence[Frame]) -> list[Event]:
    pairs_up = [frame.event["type"] for frame in real] == [frame.event["type"] for frame in shown]
    return [
        custom(
            WIRE_EVENT,
            {
                "view": "customer",
                "id": f"{context.customer_epoch}.{frame.seq}",
                "factId": frame.fact_id,
                "event": shown[place].event if pairs_up else {"type": frame.event["type"], "withheld": True},
            },
        )
        for place, frame in enumerate(real)
    ]

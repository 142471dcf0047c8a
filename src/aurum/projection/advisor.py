"""The advisor's view: steps with their results, the cards of the desk, what the agent said and did. Pure.

The bank's own sentences to the customer are left out; the agent's are its work, so they show.
"""

from __future__ import annotations

from collections.abc import Mapping

from aurum.facts.turns import ToolReturned, TurnCommitted
from aurum.facts.vocabulary import (
    DecisionEvaluated,
    ElementEnded,
    ElementStarted,
    Fact,
    ResultRecorded,
    TaskClosed,
    TaskOpened,
)
from aurum.projection import steps, turns
from aurum.projection.cards import (
    Card,
    card_for_result,
    case_risk_gauge,
    decision_card,
    risk_gauge,
    routing_card,
)
from aurum.projection.context import ProjectionContext
from aurum.projection.customer import CLOSED_STATUS, task_card, tool_card
from aurum.projection.events import Event, card
from aurum.projection.model import DECISION_VARIABLE, CaseModel

PREVIEWS = frozenset({"preview_risk", "preview_suitability"})
"""The agent's evaluations: the desk shows what the process itself decides, and their results as calls."""

DECISION_RESULTS = {"advisor_review": "reviewDecision", "second_approval": "approvalDecision"}


def effects(context: ProjectionContext, before: CaseModel, after: CaseModel, fact: Fact) -> list[Event]:
    """Return the events this fact causes in the advisor's stream, besides the state delta."""
    match fact:
        case ElementStarted():
            return steps.opening(context, before, fact)
        case ElementEnded():
            return steps.closing(context, fact)
        case ResultRecorded():
            return _result(context, before, fact)
        case TurnCommitted():
            return turns.whole(context, before, after, fact)
        case ToolReturned():
            return [*turns.returned(context, before, after, fact), *tool_card(context, before, fact)]
        case DecisionEvaluated() if fact.element_id not in PREVIEWS:
            return _shown(context, fact.element_instance_key, _decision(context, after, fact))
        case TaskOpened() if fact.user_task_key in after.tasks:
            return [task_card(context, after.tasks[fact.user_task_key], after, status="waiting")]
        case TaskClosed() if fact.user_task_key in before.tasks:
            return [
                task_card(context, before.tasks[fact.user_task_key], after, status=CLOSED_STATUS[fact.state])
            ]
        case _:
            return []


def _result(context: ProjectionContext, before: CaseModel, fact: ResultRecorded) -> list[Event]:
    visible = context.visible(fact.variables)
    shown = card_for_result(fact.element_id, visible)
    receipt = fact.variables.get(DECISION_RESULTS.get(fact.element_id, ""))
    if isinstance(receipt, Mapping):
        shown = decision_card(fact.element_id, receipt)
    return [
        *steps.implied_opening(context, before, fact),
        *steps.result(context, fact, visible),
        *_shown(context, fact.element_instance_key, shown),
    ]


def _decision(context: ProjectionContext, after: CaseModel, fact: DecisionEvaluated) -> Card | None:
    """Return the card of an evaluated decision, if the view may see its output."""
    variable = DECISION_VARIABLE.get(fact.decision_id)
    if variable is None:
        return None
    visible = context.visible({variable: fact.output}).get(variable)
    if not isinstance(visible, Mapping):
        return None
    match variable:
        case "suitability":
            return risk_gauge(fact.element_id, visible, fact.at_ms)
        case "risk":
            return case_risk_gauge(fact.element_id, visible, fact.at_ms)
        case _:
            return routing_card(fact.element_id, after, visible, fact.at_ms)


def _shown(context: ProjectionContext, key: str, shown: Card | None) -> list[Event]:
    return [] if shown is None else [card(f"ui:{context.name_of(key)}", shown.component, shown.props)]

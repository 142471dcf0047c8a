"""The customer's view: concierge text, cards and steps. Pure.

Whatever is said or shown is made from `context.visible(...)`: the allow-list of `domain.audiences`
has cut the values down before they get here, so a slip in a sentence cannot tip anybody off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum.domain.agent_tools import TOOL_VARIABLE
from aurum.domain.tasks import AGENT_HAND_OFF, AGENT_QUESTION, ASSESS_SUITABILITY, CUSTOMER_TASKS
from aurum.facts.turns import ToolReturned, TurnAbandoned, TurnCommitted, TurnText
from aurum.facts.vocabulary import (
    DecisionEvaluated,
    ElementEnded,
    ElementStarted,
    Fact,
    IncidentRaised,
    InstanceEnded,
    InstanceStarted,
    ResultRecorded,
    TaskClosed,
    TaskOpened,
)
from aurum.projection import steps, texts, turns
from aurum.projection.cards import card_for_result, risk_gauge, waiting_card
from aurum.projection.context import ProjectionContext
from aurum.projection.events import Event, card, text_message
from aurum.projection.model import CaseModel, OpenTask
from aurum.projection.state import status_of
from aurum.projection.texts import Text

CLOSED_STATUS = {"COMPLETED": "done", "CANCELED": "cancelled"}
"""How a waiting card ends: a person answered, or the process took the task away."""


def effects(context: ProjectionContext, before: CaseModel, after: CaseModel, fact: Fact) -> list[Event]:
    """Return the events this fact causes in the customer's stream, besides the state delta."""
    match fact:
        case InstanceStarted():
            return _say(context, fact.process_instance_key, Text("text.welcome", {}))
        case ElementStarted():
            return steps.opening(context, before, fact)
        case ElementEnded():
            return steps.closing(context, fact)
        case ResultRecorded():
            return _result(context, before, fact)
        case DecisionEvaluated() if fact.decision_id == "suitability":
            return _suitability(context, before, fact)
        case TurnText() | TurnAbandoned() | TurnCommitted():
            return turns.effects(context, before, after, fact)
        case ToolReturned():
            return [*turns.returned(context, before, after, fact), *tool_card(context, before, fact)]
        case TaskOpened() if fact.user_task_key in after.tasks:
            task = after.tasks[fact.user_task_key]
            said = _say(context, task.element_instance_key, texts.text_for_task(task.element_id))
            return [*said, task_card(context, task, after, status="waiting")]
        case TaskClosed() if fact.user_task_key in before.tasks:
            return [
                task_card(context, before.tasks[fact.user_task_key], after, status=CLOSED_STATUS[fact.state])
            ]
        case IncidentRaised() if not before.incidents:
            return _say(context, fact.incident_key, Text("text.delayed", {}))
        case InstanceEnded():
            return _say(context, fact.process_instance_key, texts.text_for_end(status_of(after)), part="end")
        case _:
            return []


def _result(context: ProjectionContext, before: CaseModel, fact: ResultRecorded) -> list[Event]:
    visible = context.visible(fact.variables)
    key = fact.element_instance_key
    events = [
        *steps.implied_opening(context, before, fact),
        *steps.result(context, fact, visible),
        *_say(context, key, texts.text_for_result(fact.element_id, visible)),
    ]
    shown = card_for_result(fact.element_id, visible)
    if shown is not None:
        events.append(card(f"ui:{context.name_of(key)}", shown.component, shown.props))
    return events


def tool_card(context: ProjectionContext, before: CaseModel, fact: ToolReturned) -> list[Event]:
    """Return the card of what a tool of the agent gave back, if it has one for this view."""
    variable = TOOL_VARIABLE.get(fact.element_id)
    if variable is None or fact.call_id in before.conversation.returned:
        return []
    shown = card_for_result(fact.element_id, context.visible({variable: fact.result}))
    if shown is None:
        return []
    return [card(f"ui:{context.name_of(fact.call_id)}", shown.component, shown.props)]


def _suitability(context: ProjectionContext, before: CaseModel, fact: DecisionEvaluated) -> list[Event]:
    """Show the profile once: the process's own assessment repeats what the agent's preview has shown."""
    if before.variables.get("suitability") == fact.output:
        return []
    visible = context.visible({"suitability": fact.output}).get("suitability")
    if not isinstance(visible, Mapping):
        return []
    shown = risk_gauge(fact.element_id, visible, fact.at_ms)
    key = fact.element_instance_key
    said = texts.text_for_suitability(visible) if fact.element_id == ASSESS_SUITABILITY else None
    return [
        *_say(context, key, said),
        card(f"ui:{context.name_of(key)}", shown.component, shown.props),
    ]


def task_card(context: ProjectionContext, task: OpenTask, after: CaseModel, *, status: str) -> Event:
    """Return the waiting card of a user task; the same id from opening to close."""
    mine = task.element_id in CUSTOMER_TASKS
    asked = mine or (task.element_id == AGENT_HAND_OFF and context.view != "customer")
    shown = waiting_card(
        task,
        context.name_of(task.key),
        "customer" if mine else "advisor",
        ask=question_of(task, after) if asked else None,
    )
    return card(f"ut:{context.name_of(task.key)}", shown.component, shown.props, status=status)


def question_of(task: OpenTask, model: CaseModel) -> dict[str, Any]:
    """Return what the customer is asked: an advisor's question, or the fields to correct."""
    if task.element_id == "correct_application":
        problems = model.variables.get("problems") or []
        fields = [
            problem["field"] for problem in problems if isinstance(problem, Mapping) and "field" in problem
        ]
        return {"problems": list(problems), "fields": fields}
    if task.element_id in (AGENT_QUESTION, AGENT_HAND_OFF):
        return _asked_by_agent(task, model)
    decisions = model.variables.get("decisions") or []
    last = decisions[-1] if decisions else None
    if not isinstance(last, Mapping) or last.get("outcome") != "request-info":
        return {}
    return {"question": last.get("question", ""), "fields": list(last.get("fields") or [])}


def _asked_by_agent(task: OpenTask, model: CaseModel) -> dict[str, Any]:
    """Return what the agent asked in the call that this task is: the oldest one without an answer."""
    talk = model.conversation
    for _, turn in sorted(talk.committed.items()):
        for call in turn.calls:
            arguments = call.get("arguments")
            if call.get("tool") != task.element_id or call.get("id") in talk.returned:
                continue
            if isinstance(arguments, Mapping):
                fields = arguments.get("fields")
                return {
                    "question": str(arguments.get("question", "")),
                    "fields": [str(item) for item in fields] if isinstance(fields, list) else [],
                }
    return {}


def _say(context: ProjectionContext, key: str, text: Text | None, *, part: str = "1") -> list[Event]:
    if text is None:
        return []
    message_id = f"msg:{context.name_of(key)}:{part}"
    return text_message(message_id, text.fallback, code=text.code, params=text.params)

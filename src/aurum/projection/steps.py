"""Steps and tool calls: how service and rule tasks show in every view that has them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum.domain.agent_tools import WITHHELD
from aurum.facts.vocabulary import ElementEnded, ElementStarted, ResultRecorded
from aurum.projection.context import ProjectionContext
from aurum.projection.events import Event, step_finished, step_started, tool_call, tool_result
from aurum.projection.model import CaseModel

STEP_TYPES = frozenset({"SERVICE_TASK", "BUSINESS_RULE_TASK", "AD_HOC_SUB_PROCESS"})
"""Element types that show as a step. User tasks are a card and an interrupt: an open step would
forbid the run to finish while it waits for a person."""

TOOL_NAMES: dict[str, str] = {
    "parse_application": "parseApplicationForm",
    "verify_identity": "verifyIdentityDocument",
    "verify_tax_status": "verifyTaxStatus",
    "screen_sanctions": "screenSanctions",
    "screen_pep": "screenPoliticalExposure",
    "quote_deposit": "quoteDeposit",
    "open_account": "openAccount",
    "welcome_customer": "welcomeCustomer",
    "send_decline": "sendDecline",
}
"""Service task -> tool name on the wire."""

TOOL_RESULTS: dict[str, str] = {
    "parse_application": "parsed",
    "verify_identity": "identityCheck",
    "verify_tax_status": "taxCheck",
    "screen_sanctions": "sanctionsCheck",
    "screen_pep": "pepCheck",
    "quote_deposit": "quote",
    "open_account": "account",
    "welcome_customer": "welcome",
    "send_decline": "declineNotice",
}
"""Service task -> the local variable that is its tool's result."""

RESULT_TAKEN_AWAY: dict[str, str] = {"status": "not completed"}
"""The result of a task that ended without one: an error took another way, or the case was closed."""


def step_name(context: ProjectionContext, element_id: str, key: str) -> str:
    """Return `<elementId>#<key>`: unique while open, stable across runs."""
    return f"{element_id}#{context.name_of(key)}"


def opening(context: ProjectionContext, before: CaseModel, fact: ElementStarted) -> list[Event]:
    """Return the events of an element's start, unless its result has implied them already."""
    key = fact.element_instance_key
    if fact.element_type not in STEP_TYPES or key in before.told or key in before.left:
        return []
    return _opened(context, fact)


def _opened(context: ProjectionContext, fact: ElementStarted) -> list[Event]:
    events = [step_started(step_name(context, fact.element_id, fact.element_instance_key))]
    name = TOOL_NAMES.get(fact.element_id)
    if name is not None:
        events += tool_call(call_id(context, fact.element_instance_key), name, {})
    return events


def implied_opening(context: ProjectionContext, before: CaseModel, fact: ResultRecorded) -> list[Event]:
    """Return a start that a worker's early result shows to have happened."""
    key = fact.element_instance_key
    if key in before.elements or key in before.left or fact.element_id not in TOOL_NAMES:
        return []
    return _opened(context, ElementStarted(key, fact.element_id, "SERVICE_TASK", 0))


def result(context: ProjectionContext, fact: ResultRecorded, visible: Mapping[str, Any]) -> list[Event]:
    """Return the tool's result as far as this view may see it."""
    if fact.element_id not in TOOL_NAMES:
        return []
    content = visible.get(TOOL_RESULTS[fact.element_id], WITHHELD)
    key = fact.element_instance_key
    return [tool_result(f"tr:{context.name_of(key)}", call_id(context, key), content)]


def closing(context: ProjectionContext, fact: ElementEnded) -> list[Event]:
    """Return the events of an element's end; a task that was taken away answers its call all the same."""
    if fact.element_type not in STEP_TYPES:
        return []
    key = fact.element_instance_key
    answered = []
    if fact.state == "TERMINATED" and fact.element_id in TOOL_NAMES:
        answered = [tool_result(f"tr:{context.name_of(key)}", call_id(context, key), RESULT_TAKEN_AWAY)]
    return [*answered, step_finished(step_name(context, fact.element_id, fact.element_instance_key))]


def call_id(context: ProjectionContext, key: str) -> str:
    """Return a call's id on the wire; `key` is the task's, or the agent's own id of the call."""
    return f"tc:{context.name_of(key)}"

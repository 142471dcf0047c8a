"""The AG-UI state of one view: a pure function of the model. Deltas are differences of two of these.

Holds only what the engine holds, redacted field by field by `domain.audiences`. Cards and chips are
functions of it and of the messages; they are not in here.
"""

from __future__ import annotations

from typing import Any

from aurum.domain.stages import STAGE_COUNT, STAGES, stage_of
from aurum.domain.tasks import CUSTOMER_TASKS
from aurum.instants import iso_utc
from aurum.projection.context import ProjectionContext
from aurum.projection.model import END_STATUS, CaseModel, OpenTask

SHOWN_VARIABLES = (
    "application",
    "parsed",
    "checks",
    "quote",
    "addressCheck",
    "suitability",
    "proposal",
    "projection",
    "risk",
    "route",
    "decisions",
    "answers",
    "account",
    "declineNotice",
)


def status_of(model: CaseModel) -> str:
    """Return the one word for where the case stands.

    `submitted`, `running`, `waiting` (for a person), `delayed` (an incident), or how it ended:
    `account_opened`, `declined`, `withdrawn`, `expired`, `cancelled`.
    """
    if model.ended_state is not None:
        if model.ended_state == "COMPLETED" and model.end_event is not None:
            return END_STATUS[model.end_event]
        return "cancelled"
    if not model.instance_key:
        return "submitted"
    if model.incidents:
        return "delayed"
    return "waiting" if model.is_at_rest() else "running"


def shown_of(context: ProjectionContext, model: CaseModel) -> dict[str, Any]:
    """Return what the view may see of the case's variables: the costly half of the state."""
    return context.visible(
        {name: model.variables[name] for name in SHOWN_VARIABLES if name in model.variables}
    )


def state_of(
    context: ProjectionContext, model: CaseModel, shown: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the view's whole state. `shown` is `shown_of(context, model)` when it is known already."""
    state: dict[str, Any] = {
        "caseId": context.case_id,
        "status": status_of(model),
        "stage": _stage(model),
        "waiting": _waiting(context, model),
        "openTasks": [
            _task(context, task) for task in sorted(model.tasks.values(), key=lambda t: int(t.key))
        ],
        **(shown_of(context, model) if shown is None else shown),
    }
    if model.started_ms:
        state["startedAt"] = iso_utc(model.started_ms)
    if model.ended_state is not None:
        state["endedAt"] = iso_utc(model.ended_ms)
    if context.view != "customer":
        state.update(_inside(context, model))
    return state


def _stage(model: CaseModel) -> dict[str, Any]:
    """Return the stage of the newest element; between two elements the case stands where it stood."""
    stage = stage_of(model.latest[1]) or STAGES[0]
    return {"number": stage.number, "of": STAGE_COUNT, "id": stage.name}


def _waiting(context: ProjectionContext, model: CaseModel) -> dict[str, Any] | None:
    """Say what is waited for, since when and who acts; None while work goes on."""
    if model.ended_state is not None:
        return None
    if model.incidents:
        first = min(model.incidents.values(), key=lambda item: int(item.key))
        return {"code": "waiting.delayed", "who": "bank", "since": iso_utc(first.since_ms)}
    if not model.tasks or not model.is_at_rest():
        return None
    task = min(model.tasks.values(), key=lambda item: int(item.key))
    who = "customer" if task.element_id in CUSTOMER_TASKS else "advisor"
    return {
        "code": f"waiting.{task.element_id}",
        "who": who,
        "since": iso_utc(task.since_ms),
        "taskId": context.name_of(task.key),
    }


def _task(context: ProjectionContext, task: OpenTask) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "taskId": context.name_of(task.key),
        "elementId": task.element_id,
        "for": "customer" if task.element_id in CUSTOMER_TASKS else "advisor",
        "since": iso_utc(task.since_ms),
    }
    if context.view != "customer":
        shown["groups"] = list(task.groups)
        shown["dueDate"] = task.due_date
    return shown


def _inside(context: ProjectionContext, model: CaseModel) -> dict[str, Any]:
    """What only the bank's people see: rules that matched, incidents, engine keys for the operator."""
    inside: dict[str, Any] = {
        "rules": {
            decision_id: {
                "decisionId": decision_id,
                "version": evaluation["version"],
                "ruleIds": [rule["ruleId"] for rule in evaluation["matchedRules"]],
                "at": iso_utc(evaluation["atMs"]),
            }
            for decision_id, evaluation in model.evaluations.items()
        },
        "incidents": [
            {
                "incidentId": context.name_of(item.key),
                "elementId": item.element_id,
                "errorType": item.error_type,
                "since": iso_utc(item.since_ms),
            }
            for item in sorted(model.incidents.values(), key=lambda item: int(item.key))
        ],
    }
    if context.view == "operator":
        inside["processInstanceKey"] = model.instance_key
        inside["submitter"] = model.submitter
        inside["tokens"] = [leaf.element_id for leaf in model.leaves()]
    return inside

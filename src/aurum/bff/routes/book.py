"""What the bank's people read besides a case: the pipeline, the decision tables, the forms of tasks."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path

from aurum.bff.auth import policy
from aurum.bff.decision_tables import decision_tables
from aurum.bff.decisions import find_task
from aurum.bff.deps import CaseDep, ServicesDep, SignedIn, SignedInDep
from aurum.bff.pipeline import pipeline
from aurum.bff.problems import Problem
from aurum.domain.tasks import ADVISOR_REVIEW, SECOND_APPROVAL
from aurum.resources import resource_dir

router = APIRouter(tags=["advisor"])

FORM_OF_TASK = {ADVISOR_REVIEW: "advisor-review", SECOND_APPROVAL: "second-approval"}
"""Element id -> form id, as the process definition links them (`zeebe:formDefinition`)."""


def require_staff(who: SignedIn) -> None:
    """Customers have no book."""
    if who.person.persona == "customer":
        raise Problem("not-permitted")


@router.get("/pipeline")
async def read_pipeline(who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """Return the cases by stage with count, value and age; totals beside the engine's own."""
    require_staff(who)
    return await pipeline(services, policy.default_view(who.person))


@router.get("/decision-tables/{name}")
async def read_table(name: Annotated[str, Path(max_length=64)], who: SignedInDep) -> dict[str, Any]:
    """Return a decision table's rows, so that a matched rule can be shown among the others."""
    require_staff(who)
    table = decision_tables().get(name)
    if table is None:
        raise Problem("not-found")
    return table


@router.get("/cases/{case_id}/tasks/{task_id}/form")
async def read_form(
    task_id: Annotated[str, Path(max_length=64)], entry: CaseDep, who: SignedInDep, services: ServicesDep
) -> dict[str, Any]:
    """Return the form-js schema that was deployed for a decision task."""
    if who.person.persona != "advisor":
        raise Problem("not-permitted")
    task = await find_task(services, entry, task_id)
    form_id = FORM_OF_TASK.get(task.element_id)
    if form_id is None:
        raise Problem("not-found")
    schema = orjson.loads((resource_dir("bpmn") / "forms" / f"{form_id}.form").read_bytes())
    return dict(schema)

"""Reading cases, and what only the customer does with his own: answer and withdraw."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from aurum.bff.answers import answer_task, withdraw
from aurum.bff.auth import policy
from aurum.bff.deps import CaseDep, ServicesDep, SignedInDep
from aurum.bff.problems import Problem
from aurum.bff.services import Services
from aurum.feed.registry import CaseEntry
from aurum.keys import View

router = APIRouter(tags=["cases"])

CASES_MAX = 200
"""Newest cases in one list."""


class AnswerBody(BaseModel):
    """What the customer says to a question."""

    model_config = ConfigDict(extra="forbid")

    answer: str = Field(default="", max_length=4_000)
    changes: dict[str, Any] = Field(default_factory=dict, max_length=60)


async def summary(services: Services, entry: CaseEntry, view: View) -> dict[str, Any]:
    """Return one line of a case list."""
    state = (await services.hub.channel(entry.case_id, view)).view.state
    application = state.get("application", {})
    names = [application.get("givenNames"), application.get("familyName")]
    line: dict[str, Any] = {
        "caseId": entry.case_id,
        "status": state["status"],
        "stage": state["stage"],
        "startedAt": state.get("startedAt"),
        "applicant": " ".join(name for name in names if name) or None,
        "depositUsdCents": state.get("quote", {}).get("depositUsdCents"),
    }
    if view == "operator":
        line["processInstanceKey"] = entry.process_instance_key
        line["submitter"] = entry.submitter
        line["waiting"] = state["waiting"]
        line["incidents"] = len(state["incidents"])
    return line


@router.get("/cases")
async def list_cases(who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """List the cases this person may know of, newest first."""
    view = policy.default_view(who.person)
    entries = [entry for entry in services.registry.all() if policy.may_know(who.person, entry)]
    newest = list(reversed(entries))[:CASES_MAX]
    return {
        "cases": [await summary(services, entry, view) for entry in newest],
        "total": len(entries),
    }


@router.get("/cases/{case_id}")
async def read_case(
    entry: CaseDep,
    who: SignedInDep,
    services: ServicesDep,
    view: Annotated[View | None, Query()] = None,
) -> dict[str, Any]:
    """Return the state of the person's view, with its position."""
    chosen = view or policy.default_view(who.person)
    if not policy.may_view(who.person, entry, chosen):
        raise Problem("not-permitted")
    channel = await services.hub.channel(entry.case_id, chosen)
    return {**channel.view.state, "position": str(channel.head)}


@router.post("/cases/{case_id}/tasks/{task_id}/answer", status_code=202)
async def answer(
    task_id: str, body: AnswerBody, entry: CaseDep, who: SignedInDep, services: ServicesDep
) -> dict[str, Any]:
    """Answer a question or correct the application; every check runs again."""
    if who.person.persona != "advisor" and not policy.may_answer(who.person, entry):
        raise Problem("not-permitted")
    await answer_task(services, entry, task_id, who.person, answer=body.answer, changes=body.changes)
    return {"caseId": entry.case_id, "status": "running"}


@router.post("/cases/{case_id}/withdrawal", status_code=202)
async def withdrawal(entry: CaseDep, who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """Withdraw the application, at any time before its end."""
    if not policy.may_answer(who.person, entry):
        raise Problem("not-permitted")
    await withdraw(services, entry, who.person)
    return {"caseId": entry.case_id, "status": "withdrawing"}

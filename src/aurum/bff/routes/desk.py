"""The advisor's routes: queue, desk, claim, release, decide."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Header, Response
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from aurum.bff.auth import policy
from aurum.bff.decisions import Decision, Desk, decide, decline_reasons, open_desk
from aurum.bff.deps import CaseDep, ServicesDep, SignedIn, SignedInDep
from aurum.bff.problems import Problem
from aurum.bff.services import Services
from aurum.domain.receipts import DecisionOutcome
from aurum.errors import CommandRejected
from aurum.feed.registry import CaseEntry
from aurum.instants import iso_utc
from aurum.projection.cards import routing_card
from aurum.stream.sse import EventStreamResponse

router = APIRouter(tags=["advisor"])


class DecisionBody(BaseModel):
    """An advisor's decision."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    outcome: DecisionOutcome
    reason_code: str = Field(default="", max_length=64)
    question: str = Field(default="", max_length=2_000)
    fields: list[str] = Field(default_factory=list, max_length=40)


def require_advisor(who: SignedIn) -> None:
    """Only advisors get past here; everybody else may not even look."""
    if who.person.persona != "advisor":
        raise Problem("not-permitted")


@router.get("/queue")
async def queue(who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """Return the open tasks of the advisor's groups, oldest first."""
    require_advisor(who)
    return {"tasks": services.queue.tasks_of(who.person.groups)}


@router.get("/queue/stream", response_class=EventStreamResponse)
async def queue_stream(who: SignedInDep, services: ServicesDep) -> Response:
    """Stream the queue as AG-UI runs."""
    require_advisor(who)

    async def still_allowed() -> bool:
        return services.tokens.is_live(who.session.session_id, who.session.expires_ms)

    return EventStreamResponse(services.queue.chunks(who.person.groups, still_allowed=still_allowed))


@router.get("/cases/{case_id}/tasks/{task_id}")
async def desk(
    task_id: str, entry: CaseDep, who: SignedInDep, services: ServicesDep, response: Response
) -> dict[str, Any]:
    """Return what a decision needs; `ETag` is the basis to send back as `If-Match`."""
    require_advisor(who)
    opened = await open_desk(services, entry, task_id)
    channel = await services.hub.channel(entry.case_id, "advisor")
    route = channel.view.state.get("route") or {}
    evaluated = channel.view.model.evaluations.get("onboarding_route", {})
    response.headers["ETag"] = f'"{opened.basis}"'
    return {
        "task": _task_json(task_id, opened),
        "basisHash": opened.basis,
        "state": channel.view.state,
        "routing": routing_card(
            "route_application", channel.view.model, route, int(evaluated.get("atMs", 0))
        ).props,
        "reasonCodes": [{"code": code, "text": text} for code, text in decline_reasons().items()],
    }


def _task_json(task_id: str, opened: Desk) -> dict[str, Any]:
    task = opened.task
    return {
        "taskId": task_id,
        "caseId": opened.entry.case_id,
        "elementId": task.element_id,
        "state": task.state,
        "since": iso_utc(task.creation_date),
        "groups": list(task.candidate_groups),
        "assignee": task.assignee,
    }


@router.post("/cases/{case_id}/tasks/{task_id}/claim")
async def claim(task_id: str, entry: CaseDep, who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """Take the task; somebody else's claim is not overridden."""
    opened = await _own_group(services, entry, task_id, who)
    if opened.task.assignee == who.person.person_id:
        return {"assignee": who.person.person_id}
    try:
        bearer = services.engine_bearer(who.person)
        key, person_id = opened.task.user_task_key, who.person.person_id
        await services.client.assign_user_task(key, person_id, bearer=bearer)
    except CommandRejected as error:
        if error.rejection_type != "INVALID_STATE":
            raise
        again = await open_desk(services, entry, task_id)
        raise Problem("conflict", "Somebody else has this task.", assignee=again.task.assignee) from error
    await services.poller.hint(entry.process_instance_key)
    return {"assignee": who.person.person_id}


@router.post("/cases/{case_id}/tasks/{task_id}/release")
async def release(task_id: str, entry: CaseDep, who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """Give the task back; only its own assignee does that."""
    opened = await _own_group(services, entry, task_id, who)
    if opened.task.assignee not in (None, "", who.person.person_id):
        raise Problem("conflict", "Somebody else has this task.", assignee=opened.task.assignee)
    bearer = services.engine_bearer(who.person)
    await services.client.unassign_user_task(opened.task.user_task_key, bearer=bearer)
    await services.poller.hint(entry.process_instance_key)
    return {"assignee": None}


@router.post("/cases/{case_id}/tasks/{task_id}/decision")
async def decision(
    task_id: str,
    body: DecisionBody,
    entry: CaseDep,
    who: SignedInDep,
    services: ServicesDep,
    if_match: str | None = Header(default=None, max_length=128),
) -> dict[str, Any]:
    """Decide, on exactly what was seen."""
    require_advisor(who)
    opened = await open_desk(services, entry, task_id)
    wanted = Decision(body.outcome, body.reason_code, body.question, tuple(body.fields))
    receipt = await decide(services, opened, who.person, wanted, if_match=if_match)
    return {"outcome": receipt.outcome, "person": receipt.person, "at": receipt.at}


async def _own_group(services: Services, entry: CaseEntry, task_id: str, who: SignedIn) -> Desk:
    require_advisor(who)
    opened = await open_desk(services, entry, task_id)
    if not policy.may_decide(who.person, opened.task.candidate_groups):
        raise Problem("not-permitted", "This task is for another group.")
    return opened

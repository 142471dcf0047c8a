"""`POST /agui/{view}`: one AG-UI run per request, for any AG-UI client.

The edge is lenient on purpose: only `threadId` is required, unknown members are dropped. A thread
that does not exist is the customer's intake; its name is an idempotency key, so asking twice under
the same thread never starts two cases.
"""

from __future__ import annotations

import secrets
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from aurum.bff import agui_resume
from aurum.bff.agui_resume import ResumeEntry
from aurum.bff.auth import policy
from aurum.bff.deps import ServicesDep, SignedIn, SignedInDep
from aurum.bff.problems import Problem, document, refused_fields
from aurum.bff.services import Services
from aurum.bff.submissions import thread_case
from aurum.feed.registry import CaseEntry
from aurum.keys import View
from aurum.projection.events import Event
from aurum.stream.boundary import PROTOCOL_VERSION, Viewer
from aurum.stream.frames import encode
from aurum.stream.guard import Guard
from aurum.stream.sse import EventStreamResponse, once
from aurum.stream.subscription import Subscription

router = APIRouter(tags=["streams"])


class RunBody(BaseModel):
    """RunAgentInput as AURUM reads it: a client's state and messages are hints and are not used."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")

    thread_id: str = Field(min_length=1, max_length=128)
    run_id: str | None = Field(default=None, max_length=128)
    protocol_version: str | None = Field(default=None, max_length=16)
    resume: list[ResumeEntry] = Field(default_factory=list, max_length=8)


async def read_run(request: Request) -> RunBody:
    """Return the body, whatever its content type says. Raises `Problem` 400 or 422."""
    try:
        raw = orjson.loads(await request.body())
        return RunBody.model_validate(raw)
    except orjson.JSONDecodeError as error:
        raise Problem("bad-request", "The body is not JSON.") from error
    except ValidationError as error:
        fields = refused_fields(error.errors(include_url=False, include_context=False, include_input=False))
        raise Problem("invalid", problems=fields) from error


@router.post("/agui/{view}", response_class=EventStreamResponse)
async def run_agent(view: View, request: Request, who: SignedInDep, services: ServicesDep) -> Response:
    """Answer one run of a case's view, then close."""
    body = await read_run(request)
    if view not in policy.views_of(who.person):
        raise Problem("not-permitted")
    run_id = body.run_id or f"run-{secrets.token_hex(8)}"
    entry = thread_case(services, who.person.person_id, body.thread_id)
    if entry is not None and not policy.may_view(who.person, entry, view):
        raise Problem("not-found")
    try:
        if entry is None:
            if view != "customer":
                raise Problem("not-found")
            entry = await agui_resume.intake(services, who.person, body.thread_id, body.resume)
            if entry is None:
                return EventStreamResponse(once(_intake_run(body.thread_id, run_id)))
            answered = True
        else:
            answered = await agui_resume.answer(services, who.person, entry, body.resume)
    except Problem as problem:
        if not body.resume:
            raise
        return EventStreamResponse(once(_failed_run(body.thread_id, run_id, problem)))
    return EventStreamResponse(await _follow(services, who, entry, view, body, run_id, answered=answered))


async def _follow(
    services: Services,
    who: SignedIn,
    entry: CaseEntry,
    view: View,
    body: RunBody,
    run_id: str,
    *,
    answered: bool,
) -> Any:
    viewer = Viewer(
        view=view,
        groups=who.person.groups,
        is_submitter=policy.may_answer(who.person, entry),
        run_id=run_id,
        thread_id=body.thread_id,
        protocol_version=body.protocol_version,
    )
    channel = await services.hub.channel(entry.case_id, view)
    return Subscription(services.hub, channel, viewer, mode="run", answered=answered).chunks()


def _encoded(events: list[Event]) -> bytes:
    """Encode a whole short run, checked like every stream."""
    guard = Guard()
    for event in events:
        reason = guard.check(event)
        if reason is not None:
            raise AssertionError(f"a short run is legal by construction: {reason}")
    return b"".join(encode(event, None) for event in events)


def _started(thread_id: str, run_id: str) -> Event:
    return {
        "type": "RUN_STARTED",
        "threadId": thread_id,
        "runId": run_id,
        "protocolVersion": PROTOCOL_VERSION,
    }


def _intake_run(thread_id: str, run_id: str) -> bytes:
    interrupt: Event = {
        "id": agui_resume.SUBMIT_INTERRUPT,
        "reason": "input_required",
        "message": "Submit an application to begin.",
        "responseSchema": agui_resume.application_schema(),
    }
    return _encoded(
        [
            _started(thread_id, run_id),
            {"type": "STATE_SNAPSHOT", "snapshot": {"status": "intake"}},
            {
                "type": "RUN_FINISHED",
                "threadId": thread_id,
                "runId": run_id,
                "outcome": {"type": "interrupt", "interrupts": [interrupt]},
            },
        ]
    )


def _failed_run(thread_id: str, run_id: str, problem: Problem) -> bytes:
    """An answer that was refused: the same problem as over REST, in the stream's own words."""
    told = document(problem.kind, problem.detail, problem.extra)
    code = "com.aurum." + problem.kind.replace("-", "_")
    notice: Event = {"type": "CUSTOM", "name": "com.aurum.problem.v1", "value": told}
    failed: Event = {"type": "RUN_ERROR", "message": told["detail"], "code": code}
    return _encoded([_started(thread_id, run_id), notice, failed])

"""The long-lived streams: one view of one case, resumable by position."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from pydantic import BaseModel, ConfigDict

from aurum.bff.auth import policy
from aurum.bff.auth.people import Person
from aurum.bff.auth.tokens import TokenRefused
from aurum.bff.deps import CaseDep, ServicesDep, SignedInDep, bearer
from aurum.bff.problems import Problem
from aurum.bff.services import Services
from aurum.feed.registry import CaseEntry
from aurum.instants import iso_utc
from aurum.keys import View
from aurum.stream.boundary import Viewer
from aurum.stream.dialect import Dialect
from aurum.stream.position import parse_position
from aurum.stream.sse import EventStreamResponse
from aurum.stream.subscription import Subscription

router = APIRouter(tags=["streams"])


class StreamTokenBody(BaseModel):
    """Which view the credential is for."""

    model_config = ConfigDict(extra="forbid")

    view: View


def viewer_of(person: Person, entry: CaseEntry, view: View) -> Viewer:
    """Return what run boundaries need to know about who reads."""
    return Viewer(
        view=view,
        groups=person.groups,
        is_submitter=policy.may_answer(person, entry),
        protocol_version="1.0",
    )


@router.post("/streams/{case_id}/token", status_code=201)
async def stream_token(
    body: StreamTokenBody, entry: CaseDep, who: SignedInDep, services: ServicesDep
) -> dict[str, Any]:
    """Return a credential for one view of this case, good for five minutes at most."""
    if not policy.may_view(who.person, entry, body.view):
        raise Problem("not-permitted")
    issued = services.tokens.issue_stream(who.session, entry.case_id, body.view)
    return {"token": issued.token, "expiresAt": iso_utc(issued.expires_ms)}


@router.get("/streams/{case_id}", response_class=EventStreamResponse)
async def stream(
    case_id: str,
    request: Request,
    services: ServicesDep,
    view: Annotated[View | None, Query()] = None,
    after: Annotated[str | None, Query(max_length=128)] = None,
    dialect: Annotated[Dialect | None, Query()] = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response:
    """Stream one view of a case: the exact tail of a known position, else a prelude, then live."""
    person, session_id, expires_ms, bound = _reader(request, services)
    entry = services.registry.by_case(case_id)
    if entry is None or not policy.may_know(person, entry):
        raise Problem("not-found")
    chosen = view or (bound[1] if bound else policy.default_view(person))
    if not policy.may_view(person, entry, chosen) or (bound and bound != (case_id, chosen)):
        raise Problem("not-permitted")
    if services.hub.closing:
        raise Problem("engine-unavailable", "This server is shutting down.")

    async def still_allowed() -> bool:
        live = services.tokens.is_live(session_id, expires_ms)
        current = services.people.get(person.person_id)
        return live and current is not None and policy.may_view(current, entry, chosen)

    channel = await services.hub.channel(entry.case_id, chosen)
    subscription = Subscription(
        services.hub,
        channel,
        viewer_of(person, entry, chosen),
        after=parse_position(last_event_id or after),
        dialect=dialect,
        still_allowed=still_allowed,
    )
    return EventStreamResponse(subscription.chunks())


def _reader(request: Request, services: Services) -> tuple[Person, str, int, tuple[str, View] | None]:
    """Return (person, session id, expiry, what the token is bound to) of either kind of token."""
    token = bearer(request)
    bound: tuple[str, View] | None = None
    try:
        session = services.tokens.session(token)
        person_id, session_id, expires_ms = session.person_id, session.session_id, session.expires_ms
    except TokenRefused:
        claims = services.tokens.stream(token)
        person_id, session_id, expires_ms = claims.person_id, claims.session_id, claims.expires_ms
        bound = (claims.case_id, claims.view)
    person = services.people.get(person_id)
    if person is None:
        raise TokenRefused("unknown person")
    return person, session_id, expires_ms, bound

"""Many streams for one browser over one connection. Each topic is authorised and guarded alone."""

from __future__ import annotations

from collections.abc import AsyncIterator

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from aurum.bff.auth import policy
from aurum.bff.auth.tokens import TokenRefused
from aurum.bff.deps import ServicesDep
from aurum.bff.problems import Problem
from aurum.bff.routes.streams import viewer_of
from aurum.bff.services import Services
from aurum.keys import View
from aurum.stream.merge import about, merged
from aurum.stream.position import parse_position
from aurum.stream.sse import EventStreamResponse
from aurum.stream.subscription import Subscription

router = APIRouter(tags=["streams"])

TOPICS_MAX = 64
"""Eight tabs with three streams each, and room."""


class Topic(BaseModel):
    """One stream: a view of a case, or the queue of whoever the token belongs to."""

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True)

    id: str = Field(pattern=r"^[A-Za-z0-9-]{1,40}$")
    token: str = Field(max_length=4_096)
    case_id: str | None = Field(default=None, max_length=64)
    view: View | None = None
    after: str = Field(default="", max_length=128)


class WatchBody(BaseModel):
    """What one browser follows. Tokens travel in the body, never in an address."""

    model_config = ConfigDict(extra="forbid")

    topics: list[Topic] = Field(min_length=1, max_length=TOPICS_MAX)


@router.post("/watch", response_class=EventStreamResponse)
async def watch(body: WatchBody, services: ServicesDep) -> Response:
    """Stream all topics, each frame with `event: <topic id>`; a refused one gets its status alone."""
    if services.hub.closing:
        raise Problem("engine-unavailable", "This server is shutting down.")
    if len({topic.id for topic in body.topics}) != len(body.topics):
        raise Problem("invalid", problems=[{"field": "/topics", "code": "DUPLICATE"}])
    streams: dict[str, AsyncIterator[bytes]] = {}
    refused: list[bytes] = []
    for topic in body.topics:
        opened = await _opened(services, topic)
        if isinstance(opened, int):
            refused.append(about(topic.id, opened))
        else:
            streams[topic.id] = opened
    return EventStreamResponse(_all(refused, streams))


async def _all(refused: list[bytes], streams: dict[str, AsyncIterator[bytes]]) -> AsyncIterator[bytes]:
    if refused:
        yield b"".join(refused)
    async for chunk in merged(streams):
        yield chunk


async def _opened(services: Services, topic: Topic) -> AsyncIterator[bytes] | int:
    """Return the topic's chunks, or the status with which it is refused: as its own route would."""
    try:
        session = services.tokens.session(topic.token)
    except TokenRefused:
        return 401
    person = services.people.get(session.person_id)
    if person is None:
        return 401

    async def still_signed_in() -> bool:
        return services.tokens.is_live(session.session_id, session.expires_ms)

    if topic.case_id is None:
        if person.persona != "advisor":
            return 403
        return services.queue.chunks(person.groups, still_allowed=still_signed_in)
    entry = services.registry.by_case(topic.case_id)
    if entry is None or not policy.may_know(person, entry):
        return 404
    view = topic.view or policy.default_view(person)
    if not policy.may_view(person, entry, view):
        return 403

    async def still_allowed() -> bool:
        current = services.people.get(person.person_id)
        return await still_signed_in() and current is not None and policy.may_view(current, entry, view)

    channel = await services.hub.channel(entry.case_id, view)
    subscription = Subscription(
        services.hub,
        channel,
        viewer_of(person, entry, view),
        after=parse_position(topic.after or None),
        still_allowed=still_allowed,
    )
    return subscription.chunks()

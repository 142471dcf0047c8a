"""Signing in with the demo identity provider. Absent (404) unless demo mode is on."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from aurum.bff.deps import ServicesDep, SignedInDep
from aurum.bff.problems import Problem
from aurum.instants import iso_utc

router = APIRouter(tags=["session"])


class SignInBody(BaseModel):
    """Who to be."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    person_id: str = Field(max_length=64)


@router.get("/session/people")
async def people(services: ServicesDep) -> dict[str, Any]:
    """List the demo's people."""
    if not services.demo:
        raise Problem("not-found")
    listed = [{**person.to_json(), "does": person.does} for person in services.people.values()]
    return {"demo": True, "people": listed}


@router.post("/session", status_code=201)
async def sign_in(body: SignInBody, services: ServicesDep) -> dict[str, Any]:
    """Become one of the demo's people, in this tab."""
    person = services.people.get(body.person_id)
    if not services.demo or person is None:
        raise Problem("not-found")
    issued = services.tokens.issue_session(person.person_id)
    return {"token": issued.token, "expiresAt": iso_utc(issued.expires_ms), "person": person.to_json()}


@router.get("/session")
async def who_am_i(who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """Return the signed-in person."""
    return {"person": who.person.to_json(), "demo": services.demo}


@router.delete("/session", status_code=204)
async def sign_out(who: SignedInDep, services: ServicesDep) -> None:
    """Refuse this session from now on; its streams end within one heartbeat."""
    services.tokens.revoke(who.session)

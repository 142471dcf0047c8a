"""The gate of every route: who asks, and which case it is about. Foreign and absent look the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Path, Request

from aurum.bff.auth import policy
from aurum.bff.auth.people import Person
from aurum.bff.auth.tokens import SessionClaims, TokenRefused
from aurum.bff.problems import Problem
from aurum.bff.services import Services
from aurum.feed.registry import CaseEntry


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A person with a good session."""

    person: Person
    session: SessionClaims


def services_of(request: Request) -> Services:
    """Return the app's services."""
    return cast(Services, request.app.state.services)


ServicesDep = Annotated[Services, Depends(services_of)]


def bearer(request: Request) -> str:
    """Return the bearer token. Raises `TokenRefused`; a token in the address is never looked at."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise TokenRefused("missing")
    return token.strip()


def signed_in(request: Request, services: ServicesDep) -> SignedIn:
    """Return who asks. Raises `TokenRefused` (401)."""
    session = services.tokens.session(bearer(request))
    person = services.people.get(session.person_id)
    if person is None:
        raise TokenRefused("unknown person")
    return SignedIn(person, session)


SignedInDep = Annotated[SignedIn, Depends(signed_in)]


def known_case(
    case_id: Annotated[str, Path(max_length=64)], services: ServicesDep, who: SignedInDep
) -> CaseEntry:
    """Return the case if this person may know of it; else the same 404 as for one that never was."""
    entry = services.registry.by_case(case_id)
    if entry is None or not policy.may_know(who.person, entry):
        raise Problem("not-found")
    return entry


CaseDep = Annotated[CaseEntry, Depends(known_case)]

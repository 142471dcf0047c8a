"""Looking at an application before it is sent: the same rules as at submission, nothing is kept."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from aurum.bff.deps import ServicesDep, SignedInDep
from aurum.bff.problems import Problem
from aurum.bff.routes.applications import read_json
from aurum.domain.application import ParsedApplication, parse_application
from aurum.instants import utc_date

router = APIRouter(tags=["customer"])


@router.post("/applications/validation")
async def validate_application(request: Request, who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """Return what is wrong with an application as it stands, by field; nothing is started or stored."""
    if who.person.persona != "customer":
        raise Problem("not-permitted", "Only a customer submits an application.")
    parsed = parse_application(await read_json(request), today=utc_date(services.clock.now_ms()))
    if isinstance(parsed, ParsedApplication):
        return {"problems": [], "warnings": list(parsed.warnings), "fieldsParsed": parsed.fields_parsed}
    return {"problems": [problem.to_json() for problem in parsed], "warnings": [], "fieldsParsed": None}

"""What an operator changes in a running case: set a variable of the closed list, cancel. Recorded first."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import structlog
from fastapi import APIRouter
from pydantic import ConfigDict, Field

from aurum.bff.auth import policy
from aurum.bff.deps import CaseDep, ServicesDep, SignedIn, SignedInDep
from aurum.bff.problems import Problem
from aurum.bff.routes.evidence import ReasonBody
from aurum.bff.routes.operator import require_operator
from aurum.bff.services import Services
from aurum.domain.canonical import NotCanonical, digest
from aurum.domain.repairs import repair_problem
from aurum.errors import CommandRejected
from aurum.feed.registry import CaseEntry

router = APIRouter(tags=["operator"])
_log = structlog.get_logger("aurum.audit")


class VariableBody(ReasonBody):
    """One variable of the case, its new value, and why."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=64)
    value: Any


def require_repair(who: SignedIn) -> None:
    """Only operators change a case, and an auditor is told so."""
    require_operator(who)
    if not policy.may_repair(who.person):
        raise Problem("not-permitted", "An auditor changes nothing.")


def require_running(services: Services, entry: CaseEntry) -> None:
    """A case that is over cannot be changed."""
    if services.inbox.is_ended(entry.case_id):
        raise Problem("conflict", "This case is over.")


@router.post("/cases/{case_id}/variables", status_code=202)
async def set_variable(
    body: VariableBody, entry: CaseDep, who: SignedInDep, services: ServicesDep
) -> dict[str, Any]:
    """Set one variable at the case; refused with a code unless the closed list allows this value.

    The record holds the value's digest, not the value: a spelling of a name is personal.
    """
    require_repair(who)
    require_running(services, entry)
    rows = await services.client.variables(entry.process_instance_key, names=[body.name])
    current = next((row.parsed() for row in rows if row.scope_key == entry.process_instance_key), None)
    code = repair_problem(body.name, body.value, current)
    if code is not None:
        field = "/name" if code == "NOT_SETTABLE" else "/value"
        raise Problem("invalid", problems=[{"field": field, "code": code}])
    try:
        hashed = digest(body.value)
    except NotCanonical:
        raise Problem("invalid", problems=[{"field": "/value", "code": "WRONG_SHAPE"}]) from None
    await services.audit.append(
        entry.case_id,
        person=who.person.person_id,
        action="variable-set",
        reason=body.reason,
        now_ms=services.clock.now_ms(),
        details={"name": body.name, "valueHash": hashed},
    )
    await _command(services.client.set_variables(entry.process_instance_key, {body.name: body.value}))
    _log.info("variable_set", person=who.person.person_id, case_id=entry.case_id, variable=body.name)
    await services.poller.hint(entry.process_instance_key)
    return {"caseId": entry.case_id, "name": body.name}


@router.post("/cases/{case_id}/cancellation", status_code=202)
async def cancel(body: ReasonBody, entry: CaseDep, who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """End the case without a decision. The customer reads that the bank closed it, not why."""
    require_repair(who)
    require_running(services, entry)
    await services.audit.append(
        entry.case_id,
        person=who.person.person_id,
        action="case-cancelled",
        reason=body.reason,
        now_ms=services.clock.now_ms(),
    )
    await _command(services.client.cancel_instance(entry.process_instance_key))
    _log.info("case_cancelled", person=who.person.person_id, case_id=entry.case_id)
    await services.poller.hint(entry.process_instance_key)
    return {"caseId": entry.case_id, "status": "cancelling"}


async def _command(sent: Awaitable[None]) -> None:
    """Await an engine command; an instance that is gone by now is a conflict, not an unknown address."""
    try:
        await sent
    except CommandRejected as error:
        if error.rejection_type == "NOT_FOUND":
            raise Problem("conflict", "This case is over.") from error
        raise

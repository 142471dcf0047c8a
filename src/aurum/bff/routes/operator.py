"""The operator's routes: from an engine key to the case, the fact log, retrying an incident."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import orjson
import structlog
from fastapi import APIRouter
from starlette.responses import StreamingResponse

from aurum.bff.auth import policy
from aurum.bff.deps import CaseDep, ServicesDep, SignedIn, SignedInDep
from aurum.bff.problems import Problem
from aurum.facts.codec import to_json
from aurum.instants import iso_utc
from aurum.projection.operator import masked

router = APIRouter(tags=["operator"])
_log = structlog.get_logger("aurum.audit")

RETRIES_AGAIN = 3
"""Retries given to a repaired job: the number the process itself starts with."""


def require_operator(who: SignedIn) -> None:
    """Only operators and auditors see engine keys and facts."""
    if who.person.persona not in ("operator", "auditor"):
        raise Problem("not-permitted")


@router.get("/operator/instances/{process_instance_key}")
async def find_instance(process_instance_key: str, who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """Return the case of a process instance."""
    require_operator(who)
    entry = services.registry.by_instance(process_instance_key)
    if entry is None:
        raise Problem("not-found")
    return {"caseId": entry.case_id, "processInstanceKey": entry.process_instance_key}


@router.get("/cases/{case_id}/facts")
async def facts(entry: CaseDep, who: SignedInDep, services: ServicesDep) -> StreamingResponse:
    """Return every fact of the case, masked, one JSON object a line."""
    require_operator(who)

    async def lines() -> AsyncIterator[bytes]:
        for logged in await services.inbox.read(entry.case_id):
            line = {
                "index": logged.index,
                "loggedAt": iso_utc(logged.logged_ms),
                **to_json(masked(logged.fact)),
            }
            yield orjson.dumps(line) + b"\n"

    return StreamingResponse(lines(), media_type="application/x-ndjson")


@router.post("/cases/{case_id}/incidents/{incident_key}/retry", status_code=202)
async def retry(incident_key: str, entry: CaseDep, who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """Give the failed job new retries and resolve its incident."""
    require_operator(who)
    if not policy.may_repair(who.person):
        raise Problem("not-permitted", "An auditor changes nothing.")
    open_incidents = await services.client.incidents(
        process_instance_key=entry.process_instance_key, state="ACTIVE"
    )
    incident = next((row for row in open_incidents if row.incident_key == incident_key), None)
    if incident is None:
        raise Problem("not-found")
    if incident.job_key is not None:
        await services.client.update_job_retries(incident.job_key, RETRIES_AGAIN)
    await services.client.resolve_incident(incident.incident_key)
    _log.info(
        "incident_retried",
        person=who.person.person_id,
        case_id=entry.case_id,
        incident=incident.incident_key,
        element=incident.element_id,
    )
    await services.poller.hint(entry.process_instance_key)
    return {"caseId": entry.case_id, "incidentId": incident.incident_key}

"""The operator's routes: from an engine key to the case, the fact log, retrying an incident, unmasking."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import orjson
import structlog
from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from aurum.bff.auth import policy
from aurum.bff.deps import CaseDep, ServicesDep, SignedIn, SignedInDep
from aurum.bff.problems import Problem
from aurum.bff.routes.evidence import ReasonBody
from aurum.domain.names import fold, names_on_file
from aurum.facts.codec import to_json
from aurum.instants import iso_utc
from aurum.projection.operator import masked
from aurum.projection.state import SHOWN_VARIABLES

router = APIRouter(tags=["operator"])
_log = structlog.get_logger("aurum.audit")

RETRIES_AGAIN = 3
"""Retries given to a repaired job: the number the process itself starts with."""


class RetryBody(BaseModel):
    """Why an operator retries, when there is something to say."""

    model_config = ConfigDict(extra="forbid")

    reason: str = Field(default="", max_length=500)


class NameBody(BaseModel):
    """A person's whole name, as somebody says it on the telephone."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=3, max_length=200)


FOUND_MAX = 50
"""Cases of one name in an answer, the newest first."""

LOOKED_THROUGH_MAX = 1_000
"""Newest cases that a search looks through: as many as the hub keeps folded (`IDLE_CHANNELS_MAX`)."""


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


@router.post("/operator/search")
async def find_by_name(body: NameBody, who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """Return the cases of a person by the whole name, in any order, case, accent or script.

    Part of a name finds nothing: names stay masked for whoever does not know them. A case that was
    found this way has it on its record.
    """
    require_operator(who)
    wanted = sorted(fold(body.name).split())
    found: list[str] = []
    for entry in list(reversed(services.registry.all()))[:LOOKED_THROUGH_MAX]:
        model = (await services.hub.channel(entry.case_id, "operator")).view.model
        application = model.variables.get("application") or {}
        if wanted and any(sorted(fold(name).split()) == wanted for name in names_on_file(application)):
            found.append(entry.case_id)
            await services.audit.append(
                entry.case_id,
                person=who.person.person_id,
                action="case-found-by-name",
                reason="",
                now_ms=services.clock.now_ms(),
            )
        if len(found) == FOUND_MAX:
            break
    return {"caseIds": found}


@router.get("/cases/{case_id}/diagram")
async def diagram(entry: CaseDep, who: SignedInDep, services: ServicesDep) -> Response:
    """Return the BPMN file of the version that this case runs, as it was deployed."""
    require_operator(who)
    instance = await services.client.process_instance(entry.process_instance_key)
    if instance is None:
        raise Problem("not-found")
    xml = await services.client.process_definition_xml(instance.process_definition_key)
    return Response(xml, media_type="application/xml")


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
async def retry(
    incident_key: str,
    entry: CaseDep,
    who: SignedInDep,
    services: ServicesDep,
    body: RetryBody | None = None,
) -> dict[str, Any]:
    """Give the failed job new retries and resolve its incident; recorded first, with the reason if given."""
    require_operator(who)
    if not policy.may_repair(who.person):
        raise Problem("not-permitted", "An auditor changes nothing.")
    open_incidents = await services.client.incidents(
        process_instance_key=entry.process_instance_key, state="ACTIVE"
    )
    incident = next((row for row in open_incidents if row.incident_key == incident_key), None)
    if incident is None:
        raise Problem("not-found")
    await services.audit.append(
        entry.case_id,
        person=who.person.person_id,
        action="incident-retried",
        reason=body.reason if body else "",
        now_ms=services.clock.now_ms(),
        details={"incidentId": incident.incident_key, "elementId": incident.element_id},
    )
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


@router.post("/cases/{case_id}/unmasked")
async def unmasked(
    body: ReasonBody, entry: CaseDep, who: SignedInDep, services: ServicesDep
) -> dict[str, Any]:
    """Return the operator's state with its values as the process holds them; the reason is recorded first."""
    require_operator(who)
    await services.audit.append(
        entry.case_id,
        person=who.person.person_id,
        action="case-unmasked",
        reason=body.reason,
        now_ms=services.clock.now_ms(),
    )
    view = (await services.hub.channel(entry.case_id, "operator")).view
    held = view.model.variables
    return {**view.state, **{name: held[name] for name in SHOWN_VARIABLES if name in held}}

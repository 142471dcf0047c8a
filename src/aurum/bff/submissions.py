"""Starting a case: once per person and idempotency key, whatever happens on the way.

The case id is a keyed hash of both and travels as the engine's business id, so a repeat finds the
same case even after a crash. The submission's own hash is a process variable: the same key with
another body is refused, not answered with somebody else's start.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aurum.bff.problems import Problem
from aurum.bff.services import Services
from aurum.domain.application import ParsedApplication, parse_application
from aurum.domain.canonical import digest
from aurum.domain.tasks import SCHEMA_VERSION
from aurum.errors import CommandRejected
from aurum.feed.registry import CaseEntry
from aurum.instants import utc_date
from aurum.keys import CaseId, PersonId, case_id_for

STILL_ON_ITS_WAY = "The first request with this key is still on its way."


@dataclass(frozen=True, slots=True)
class Started:
    """A case, and whether this call started it."""

    entry: CaseEntry
    is_new: bool


async def submit(services: Services, submitter: PersonId, idempotency_key: str, record: object) -> Started:
    """Validate and start, or return what this key started before.

    Raises `Problem`: 422 with every wrong field (nothing is started), 422 for a reused key.
    """
    parsed = parse_application(record, today=utc_date(services.clock.now_ms()))
    if not isinstance(parsed, ParsedApplication):
        raise Problem("invalid", problems=[problem.to_json() for problem in parsed])
    case_id = case_id_for(services.secrets.cases, submitter, idempotency_key)
    submission_hash = digest(record)
    known = services.registry.by_case(case_id) or await _found(services, case_id)
    if known is not None:
        return await _repeat(services, known, submission_hash)
    variables: Mapping[str, Any] = {
        "caseId": case_id,
        "schemaVersion": SCHEMA_VERSION,
        "submitter": submitter,
        "submissionHash": submission_hash,
        "application": record,
        "checks": {},
        "decisions": [],
        "editors": [],
        "messages": [],
        "agent": {},
    }
    try:
        created = await services.client.create_instance(
            services.bpmn_process_id, variables, business_id=case_id
        )
    except CommandRejected as error:
        if error.rejection_type != "ALREADY_EXISTS":
            raise
        running = await _found(services, case_id)
        if running is None:
            raise Problem("engine-unavailable", STILL_ON_ITS_WAY) from error
        return await _repeat(services, running, submission_hash)
    entry = CaseEntry(case_id, created.process_instance_key, submitter)
    services.registry.put(entry)
    await services.poller.hint(entry.process_instance_key)
    return Started(entry, is_new=True)


async def _repeat(services: Services, entry: CaseEntry, submission_hash: str) -> Started:
    rows = await services.client.variables(entry.process_instance_key, names=["submissionHash"])
    hashes = [row.parsed() for row in rows if row.scope_key == entry.process_instance_key]
    if hashes and hashes[0] != submission_hash:
        raise Problem("invalid", "This Idempotency-Key was used for another application.")
    if not hashes:
        raise Problem("engine-unavailable", STILL_ON_ITS_WAY)
    return Started(entry, is_new=False)


async def _found(services: Services, case_id: CaseId) -> CaseEntry | None:
    """Return a case that the engine knows and we do not: its start died before it was noted.

    The engine itself refuses a second *running* instance of a business id; one that has already
    ended is only found by this search.
    """
    for row in await services.client.process_instances(services.bpmn_process_id, business_id=case_id):
        await services.poller.look(row.process_instance_key)
    return services.registry.by_case(case_id)


def thread_key(thread_id: str) -> str:
    """Return the idempotency key that an AG-UI thread of an intake stands for."""
    return f"thread:{thread_id}"


def thread_case(services: Services, person_id: PersonId, thread_id: str) -> CaseEntry | None:
    """Return the case an AG-UI thread means: a case id, or the intake this person began under that name."""
    entry = services.registry.by_case(thread_id)
    if entry is not None:
        return entry
    return services.registry.by_case(case_id_for(services.secrets.cases, person_id, thread_key(thread_id)))

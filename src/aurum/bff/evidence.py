"""Puts together what an auditor takes away: everything that shaped one case, in one sealed file.

The facts as they were logged, unmasked; the frames that the customer's page got; each decision's
receipt with whether it holds; who looked and intervened; which brain spoke. The export itself is on
the record before the first line is made.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aurum import __version__
from aurum.audit import AuditEntry
from aurum.bff.auth.people import Person
from aurum.bff.services import Services
from aurum.bff.wire import wire_frames
from aurum.domain.canonical import digest
from aurum.domain.evidence import FORMAT, seal
from aurum.domain.receipts import verify_receipt
from aurum.errors import IntegrityBroken
from aurum.factlog.port import LoggedFact
from aurum.facts.codec import to_json
from aurum.facts.turns import TurnCommitted
from aurum.facts.vocabulary import InstanceStarted, ResultRecorded
from aurum.feed.registry import CaseEntry
from aurum.instants import iso_utc
from aurum.projection.context import ProjectionContext
from aurum.projection.project import initial_view

RECEIPT_VARIABLES = ("reviewDecision", "approvalDecision")


def sealing_key(receipts_secret: bytes) -> bytes:
    """Return the installation's Ed25519 seed, derived so that it is good for nothing else."""
    return hmac.digest(receipts_secret, b"aurum/evidence-seal/v1", hashlib.sha256)


async def export(services: Services, entry: CaseEntry, person: Person, reason: str) -> list[bytes]:
    """Return the lines of the case's evidence file. The access is audited first."""
    now_ms = services.clock.now_ms()
    await services.audit.append(
        entry.case_id, person=person.person_id, action="evidence-exported", reason=reason, now_ms=now_ms
    )
    facts = await services.inbox.read(entry.case_id)
    accesses = await services.audit.read(entry.case_id)
    header = {
        "format": FORMAT,
        "software": f"aurum {__version__}",
        "caseId": entry.case_id,
        "processInstanceKey": entry.process_instance_key,
        "exportedAt": iso_utc(now_ms),
        "exportedBy": person.person_id,
        "reason": reason,
        "simulated": services.demo,
        **_summary(facts),
        "people": _people(entry, facts, accesses),
    }
    channel = await services.hub.channel(entry.case_id, "customer")
    frames = _frames(channel.context, channel.epoch, facts)
    records = _records(header, facts, frames, accesses, services.secrets.receipts)
    return await asyncio.to_thread(list, seal(records, sealing_key(services.secrets.receipts)))


def _records(
    header: Mapping[str, Any],
    facts: Sequence[LoggedFact],
    frames: Iterator[Mapping[str, Any]],
    accesses: Sequence[AuditEntry],
    receipts_secret: bytes,
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield "header", header
    for logged in facts:
        fact = to_json(logged.fact)
        yield "fact", {"index": logged.index, "loggedAt": iso_utc(logged.logged_ms), **fact}
    for frame in frames:
        yield "frame", frame
    for receipt in _receipts(facts):
        yield "decision", {"receipt": receipt, "holds": _holds(receipts_secret, receipt)}
    for access in accesses:
        yield "access", access.to_json()


def _frames(context: ProjectionContext, epoch: str, facts: Sequence[LoggedFact]) -> Iterator[dict[str, Any]]:
    """Yield what the customer's page was sent: content masked, and the digest of what really left.

    The first is the state before any fact, so that whoever has the file can fold it to any of them.
    """
    before = {"type": "STATE_SNAPSHOT", "snapshot": initial_view(context).state}
    yield {"view": context.view, "index": 0, "id": f"{epoch}.0", "factId": None, "event": before}
    for frame in wire_frames(context, epoch, facts):
        yield {
            "view": context.view,
            "index": frame.index,
            "id": frame.id,
            "factId": frame.fact_id,
            "event": frame.event,
            "sent": digest(frame.sent),
        }


def _summary(facts: Sequence[LoggedFact]) -> dict[str, Any]:
    """Return which process version ran, and which brains spoke."""
    started = [entry.fact for entry in facts if isinstance(entry.fact, InstanceStarted)]
    turns = [entry.fact for entry in facts if isinstance(entry.fact, TurnCommitted)]
    return {
        "processes": [{"id": fact.bpmn_process_id, "version": fact.version} for fact in started],
        "brains": sorted({f"{turn.brain}/{turn.model}" for turn in turns}),
    }


def _people(entry: CaseEntry, facts: Sequence[LoggedFact], accesses: Sequence[AuditEntry]) -> dict[str, Any]:
    """Return everybody who had a part, by what they did."""
    return {
        "submitter": entry.submitter,
        "deciders": sorted({str(receipt.get("person")) for receipt in _receipts(facts)}),
        "readers": sorted({access.person for access in accesses}),
    }


def _receipts(facts: Sequence[LoggedFact]) -> list[Mapping[str, Any]]:
    results = [entry.fact for entry in facts if isinstance(entry.fact, ResultRecorded)]
    found = [result.variables.get(name) for result in results for name in RECEIPT_VARIABLES]
    return [receipt for receipt in found if isinstance(receipt, Mapping)]


def _holds(secret: bytes, receipt: Mapping[str, Any]) -> bool:
    try:
        verify_receipt(secret, receipt)
    except IntegrityBroken:
        return False
    return True

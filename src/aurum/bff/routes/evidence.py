"""The auditor's routes: the sealed evidence of a case, the key to check it with, who looked."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from aurum.bff import evidence
from aurum.bff.deps import CaseDep, ServicesDep, SignedIn, SignedInDep
from aurum.bff.problems import Problem
from aurum.domain.evidence import file_lines, public_key_of, verify

router = APIRouter(tags=["auditor"])


class ReasonBody(BaseModel):
    """Why somebody looks at what is not shown by itself."""

    model_config = ConfigDict(extra="forbid")

    reason: str = Field(min_length=3, max_length=500)


def require_auditor(who: SignedIn) -> None:
    """Only auditors take evidence away."""
    if who.person.persona != "auditor":
        raise Problem("not-permitted")


@router.post("/cases/{case_id}/evidence")
async def export(body: ReasonBody, entry: CaseDep, who: SignedInDep, services: ServicesDep) -> Response:
    """Return the sealed file, with personal values; the reason is recorded first."""
    require_auditor(who)
    lines = await evidence.export(services, entry, who.person, body.reason)
    return Response(
        b"".join(lines),
        media_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="evidence-{entry.case_id}.ndjson"'},
    )


@router.get("/evidence/public-key")
async def public_key(who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """Return the key that this installation seals with."""
    require_auditor(who)
    return {
        "algorithm": "Ed25519",
        "publicKey": public_key_of(evidence.sealing_key(services.secrets.receipts)),
    }


@router.get("/cases/{case_id}/accesses")
async def accesses(entry: CaseDep, who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """Return who unmasked, exported or intervened, and why."""
    if who.person.persona not in ("operator", "auditor"):
        raise Problem("not-permitted")
    return {"accesses": [item.to_json() for item in await services.audit.read(entry.case_id)]}


EVIDENCE_BYTES_MAX = 8 * 1024 * 1024
"""A file to verify: James's case makes about 300 kB, so this is a case twenty times as long."""


async def whole_body(request: Request) -> bytes:
    """Return the body. Raises `Problem` 413 as soon as it is larger than a file of evidence may be."""
    pieces: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > EVIDENCE_BYTES_MAX:
            raise Problem("too-large")
        pieces.append(piece)
    return b"".join(pieces)


@router.post("/evidence/verification")
async def verification(request: Request, who: SignedInDep, services: ServicesDep) -> dict[str, Any]:
    """Check an evidence file (the body, as it was exported) against this installation's key."""
    require_auditor(who)
    ours = public_key_of(evidence.sealing_key(services.secrets.receipts))
    lines = file_lines(await whole_body(request))
    found = await asyncio.to_thread(verify, lines, public_key=ours)
    return {"isGood": found.is_good, "lines": found.lines, "line": found.line, "reason": found.reason}

"""Job `screen-pep`: the applicant's declaration, the list of politically exposed persons, adverse media."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from aurum.domain.adverse_media import with_adverse_media
from aurum.domain.checks import Check
from aurum.domain.pep import screen_pep
from aurum_workers.ports import JobInput, WorkerDeps


async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `pepCheck`. Media reports only ever make its outcome worse."""
    check = await asyncio.to_thread(_screen, job.application(), deps)
    return {"pepCheck": replace(check, simulated=deps.peps.simulated or deps.media.simulated).to_json()}


def _screen(application: Mapping[str, Any], deps: WorkerDeps) -> Check:
    listed = deps.peps
    check = screen_pep(
        application, listed.entries, today=deps.today(), as_of=deps.now_text(), source=listed.source
    )
    return with_adverse_media(check, application, deps.media.entries)

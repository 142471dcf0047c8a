"""Job `screen-pep`: the applicant's declaration and the list of politically exposed persons."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from aurum.domain.pep import screen_pep
from aurum_workers.ports import JobInput, WorkerDeps


async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `pepCheck`."""
    listed = deps.peps
    check = await asyncio.to_thread(
        screen_pep,
        job.application(),
        listed.entries,
        today=deps.today(),
        as_of=deps.now_text(),
        source=listed.source,
    )
    return {"pepCheck": replace(check, simulated=listed.simulated).to_json()}

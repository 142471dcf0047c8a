"""Job `screen-sanctions`: all names on file against the sanctions list."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from aurum.domain.screening import screen_sanctions
from aurum_workers.ports import JobInput, WorkerDeps


async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `sanctionsCheck`."""
    listed = deps.sanctions
    # A published list has some 18,000 persons: tenths of a second that would stop every other job.
    check = await asyncio.to_thread(
        screen_sanctions, job.application(), listed.entries, as_of=deps.now_text(), source=listed.source
    )
    return {"sanctionsCheck": replace(check, simulated=listed.simulated).to_json()}

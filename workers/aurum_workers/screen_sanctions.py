"""Job `screen-sanctions`: all names on file against the sanctions list."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from aurum.domain.screening import screen_sanctions
from aurum_workers.ports import JobInput, WorkerDeps


async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `sanctionsCheck`."""
    listed = deps.sanctions
    check = screen_sanctions(job.application(), listed.entries, as_of=deps.now_text(), source=listed.source)
    return {"sanctionsCheck": replace(check, simulated=listed.simulated).to_json()}

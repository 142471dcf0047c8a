"""Job `verify-tax-status`: tax form and a usable number for every tax residence."""

from __future__ import annotations

from typing import Any

from aurum.domain.tax import verify_tax_status
from aurum_workers.ports import JobInput, WorkerDeps


async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `taxCheck`."""
    check = verify_tax_status(job.application(), today=deps.today(), as_of=deps.now_text())
    return {"taxCheck": check.to_json()}

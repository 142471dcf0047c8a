"""Job `quote-deposit`: the deposit in US cents at the last published rate, fixed for the case."""

from __future__ import annotations

from typing import Any

from aurum.domain.quotes import quote_deposit
from aurum_workers.ports import JobInput, WorkerDeps


async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `quote`. Without a rate its `depositUsdCents` is null and `reason` says why."""
    quote = quote_deposit(job.application()["initialDeposit"], deps.rates, on=deps.today())
    return {"quote": quote.to_json()}

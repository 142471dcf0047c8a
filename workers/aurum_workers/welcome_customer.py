"""Job `welcome-customer`: the last message of an opened account."""

from __future__ import annotations

from typing import Any

from aurum.errors import IntegrityBroken
from aurum_workers.messages import welcome
from aurum_workers.ports import JobInput, WorkerDeps


async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `welcome`. The account number comes from the ledger, not from a variable."""
    account = deps.ledger.find(job.text("caseId"))
    if account is None:
        raise IntegrityBroken("the ledger knows no account of this case")
    return {"welcome": welcome(job.application(), account.account_number, sent_at=deps.now_text())}

"""Job `send-decline`: tells the customer, after the same proof that a person really decided so."""

from __future__ import annotations

from typing import Any

from aurum.domain.reasons import REASONS
from aurum.errors import IntegrityBroken
from aurum_workers import evidence
from aurum_workers.messages import decline
from aurum_workers.ports import JobInput, WorkerDeps


async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `declineNotice`. Raises `IntegrityBroken` unless the latest decision is a signed decline.

    Amount and basis are not compared: declining needs no quote, and the fetched variables hold none.
    """
    application = job.application()
    decisions = evidence.verified_decisions(job, deps)
    evidence.review_element_of(decisions)
    receipt = decisions[-1].receipt
    if receipt.outcome != "decline":
        raise IntegrityBroken("the latest decision is not a decline")
    await evidence.require_task_completed(job, deps, receipt)
    reason = REASONS.get(receipt.reason_code)
    words = None if reason is None else reason.customer
    return {"declineNotice": decline(application, words, sent_at=deps.now_text())}

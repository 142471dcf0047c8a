"""Job `open-account`: believes no variable (see `evidence.py`), then opens exactly one account per case."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from aurum.domain import tasks
from aurum.domain.routing import may_open_without_person, needs_second_approval
from aurum.errors import IntegrityBroken
from aurum_workers import evidence
from aurum_workers.errors import AccountRefused
from aurum_workers.ledger import NAME, LedgerRefused
from aurum_workers.ports import JobInput, WorkerDeps


async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `account`. Throws ACCOUNT_REFUSED with `refusal`; raises `IntegrityBroken` without evidence."""
    case_id = job.text("caseId")
    application = evidence.require_application(job)
    cents = evidence.require_cents(job, application, deps)
    auto = _straight_through(job, application, cents)
    if not auto or not await asyncio.to_thread(evidence.checks_clear_again, application, deps):
        await _require_approvals(job, deps, application, cents)
    try:
        account = await asyncio.to_thread(
            deps.ledger.open,
            case_id,
            deposit_usd_cents=cents,
            currency=application["initialDeposit"]["currency"],
            now_text=deps.now_text(),
        )
    except LedgerRefused as refused:
        raise AccountRefused(refused.code, NAME) from refused
    return {"account": account.to_json()}


def _straight_through(job: JobInput, application: Mapping[str, Any], cents: int) -> bool:
    """Both opinions must agree: the decision table's route and our own check."""
    route, risk = job.variables.get("route"), job.variables.get("risk")
    return (
        isinstance(route, Mapping)
        and route.get("route") == "auto"
        and isinstance(risk, Mapping)
        and may_open_without_person(
            deposit_usd_cents=cents,
            risk_band=risk.get("band"),
            checks=job.variables.get("checks"),
            application_hash=application["hash"],
        )
    )


async def _require_approvals(
    job: JobInput, deps: WorkerDeps, application: Mapping[str, Any], cents: int
) -> None:
    decisions = evidence.verified_decisions(job, deps)
    review = evidence.last_of(decisions, tasks.ADVISOR_REVIEW)
    needed = [review]
    if needs_second_approval(cents):
        second = evidence.last_of(decisions, tasks.SECOND_APPROVAL)
        if second.position < review.position:
            raise IntegrityBroken("the second approval was given before the first")
        needed.append(second)
    for decided in needed:
        receipt = decided.receipt
        if receipt.outcome != "approve":
            raise IntegrityBroken("the latest decision is not an approval")
        if receipt.deposit_usd_cents != cents:
            raise IntegrityBroken("another amount was approved")
        evidence.require_basis(job, application, receipt)
    evidence.require_distinct(
        review.receipt,
        needed[1].receipt if len(needed) > 1 else None,
        submitter=job.text("submitter"),
        editors=evidence.editors_of(job),
    )
    for decided in needed:
        await evidence.require_task_completed(job, deps, decided.receipt)

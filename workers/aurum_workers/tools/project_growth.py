"""Job `project-growth`: how the deposit may develop with the proposed, or the assessed, profile."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from aurum.domain import growth
from aurum.domain.portfolio import assessed_profile, capped_profile
from aurum_workers.jobspec import agent_tool
from aurum_workers.ports import JobInput, WorkerDeps, could_not


@agent_tool(
    "project_growth",
    fetches="application suitability proposal years monthlyContribution",
    writes="projection",
)
async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `projection`; NOT_ASSESSED without a `suitability` result. Odd arguments count as left out."""
    assessed = assessed_profile(job.variables.get("suitability"))
    if assessed is None:
        return {"projection": could_not("NOT_ASSESSED")}
    proposal = job.variables.get("proposal")
    proposed = proposal.get("profile") if isinstance(proposal, Mapping) else None
    application = job.application()
    years = growth.years_ahead(job.variables.get("years"), application["suitability"]["horizonYears"])
    deposit = application["initialDeposit"]
    initial = int(Decimal(deposit["amount"]) * 100)
    monthly = growth.contribution_cents(job.variables.get("monthlyContribution"))
    assumptions = growth.ASSUMPTIONS[capped_profile(assessed, proposed)]
    projection = growth.Projection(
        currency=deposit["currency"],
        initial_cents=initial,
        contribution_cents=monthly,
        bands=growth.project(initial, monthly, years, assumptions),
        assumptions=assumptions,
        as_of=deps.now_text(),
    )
    return {"projection": projection.to_json()}

"""Job `propose-portfolio`: an illustrative allocation for the assessed profile, or a more cautious one."""

from __future__ import annotations

from typing import Any

from aurum.domain.portfolio import assessed_profile, propose
from aurum_workers.jobspec import agent_tool
from aurum_workers.ports import JobInput, WorkerDeps, could_not


@agent_tool("propose_portfolio", fetches="application suitability profile", writes="proposal")
async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `proposal`; NOT_ASSESSED without a `suitability` result. `profile` can only lower."""
    assessed = assessed_profile(job.variables.get("suitability"))
    if assessed is None:
        return {"proposal": could_not("NOT_ASSESSED")}
    wanted = job.variables.get("profile")
    return {"proposal": propose(job.application(), assessed, wanted, as_of=deps.now_text()).to_json()}

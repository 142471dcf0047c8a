"""Job `verify-address`: one spelling of the home address on file, and how usable it is."""

from __future__ import annotations

from typing import Any

from aurum.domain.address import verify_address
from aurum_workers.jobspec import agent_tool
from aurum_workers.ports import JobInput, WorkerDeps


@agent_tool("verify_address", fetches="application", writes="addressCheck")
async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `addressCheck`."""
    check = verify_address(job.application()["residentialAddress"], as_of=deps.now_text())
    return {"addressCheck": check.to_json()}

"""A process that works on a durable engine and says what was acknowledged, until it is killed.

Prints one line per acknowledged command: `created <key> <n>` or `completed <instance key>`.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.conformance.scenarios.builder import build

from aurum_engine.clock import SystemClock
from aurum_engine.core import commands as c
from aurum_engine.service import EngineService

DRIVERS = 20


async def drive(service: EngineService, name: int) -> None:
    """Create instances and complete jobs for ever."""
    n = 0
    while True:
        n += 1
        created = await service.submit(c.CreateProcessInstance("p", variables={"n": n, "driver": name}))
        assert isinstance(created, c.CreatedReply)
        sys.stdout.write(f"created {created.process_instance_key} {n}\n")
        jobs = await service.submit(c.ActivateJobs("work", "w", 60_000, 1))
        assert isinstance(jobs, c.JobsReply)
        for leased in jobs.jobs:
            await service.submit(c.CompleteJob(leased.job.key, {"done": True}))
            sys.stdout.write(f"completed {leased.job.process_instance_key}\n")
        sys.stdout.flush()


async def main(path: Path) -> None:
    """Open the engine, deploy, and drive."""
    service = await EngineService.open(path, clock=SystemClock())
    work = {"work": {"type": "serviceTask", "job": "work"}}
    source = build({"id": "p", "flow": "start -> work -> end", "elements": work})
    await service.submit(c.DeployResources((c.Resource("p.bpmn", source),)))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.gather(*(drive(service, name) for name in range(DRIVERS)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))

"""The shipped process by commands of the service: log with FULL, replies after the fsync."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aurum_engine.clock import SystemClock
from aurum_engine.core.commands import (
    ActivateJobs,
    AdHocResult,
    CompleteJob,
    CreateProcessInstance,
    DeployResources,
    JobsReply,
    Resource,
)
from aurum_engine.service import EngineService
from benchmarks.engine import onboarding

LEASE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Run:
    """What a run took: seconds in all, instances, and the seconds of each command."""

    seconds: float
    instances: int
    latencies: Sequence[float]

    @property
    def per_second(self) -> float:
        """Instances a second."""
        return self.instances / self.seconds


@asynccontextmanager
async def engine() -> AsyncIterator[EngineService]:
    """Open an engine on an empty folder, with the shipped files deployed."""
    with tempfile.TemporaryDirectory(prefix="bench-engine-") as folder:
        service = await EngineService.open(Path(folder) / "engine.sqlite", clock=SystemClock())
        try:
            await service.submit(deployment())
            yield service
        finally:
            await service.close()


def deployment() -> DeployResources:
    """Return the command that deploys what the product ships."""
    return DeployResources(tuple(Resource(name, content) for name, content in onboarding.files()))


async def one_instance(service: EngineService, number: int, latencies: list[float]) -> None:
    """Bring one instance from its creation to its end."""

    async def timed(command: Any) -> Any:
        started = time.perf_counter()
        reply = await service.submit(command)
        latencies.append(time.perf_counter() - started)
        return reply

    await timed(CreateProcessInstance(onboarding.PROCESS_ID, variables=onboarding.start_variables(number)))
    for job_type, answer in onboarding.ANSWERS.items():
        jobs: JobsReply = await timed(
            ActivateJobs(job_type, "benchmark", LEASE_MS, 1, onboarding.FETCHED[job_type])
        )
        result = AdHocResult(is_fulfilled=True) if job_type == onboarding.AGENT_JOB else None
        await timed(CompleteJob(jobs.jobs[0].job.key, answer, result))


async def run(service: EngineService, *, drivers: int, instances: int, first: int = 0) -> Run:
    """Let `drivers` bring instances to their end, one after the other each."""
    numbers = iter(range(first, first + instances))
    latencies: list[float] = []

    async def drive() -> None:
        for number in numbers:
            await one_instance(service, number, latencies)

    started = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(drivers):
            group.create_task(drive())
    return Run(time.perf_counter() - started, instances, latencies)

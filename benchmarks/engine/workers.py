"""The shipped process by pyzeebe: through the in-process channel and over a gRPC socket.

pyzeebe serves the eight Python job types; the agent's job needs a result that pyzeebe cannot send, so
a task of the bench completes it by command, in both runs alike.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc.aio
from pyzeebe import ZeebeClient, ZeebeWorker

from aurum_engine.clock import SystemClock
from aurum_engine.core.commands import ActivateJobs, AdHocResult, CompleteJob
from aurum_engine.server import EngineServer
from aurum_engine.service import EngineService
from benchmarks.engine import onboarding
from benchmarks.engine.core import LEASE_MS, deployment

CONCURRENT = 64
"""Instances under way at once, and jobs taken by one activation."""

RUNNING_MAX = 1_000
"""Above what can be running: at its limit pyzeebe waits five seconds before it polls again."""

AGENT_BATCH = 64


@dataclass(frozen=True, slots=True)
class JobRun:
    """What a run of workers took."""

    seconds: float
    instances: int

    @property
    def jobs_per_second(self) -> float:
        """Jobs of all types a second."""
        return self.instances * len(onboarding.ANSWERS) / self.seconds


@contextlib.asynccontextmanager
async def server() -> AsyncIterator[EngineServer]:
    """Open an engine server on free ports with the shipped files deployed."""
    with tempfile.TemporaryDirectory(prefix="bench-engine-") as folder:
        path = Path(folder) / "engine.sqlite"
        async with EngineServer(path, grpc_port=0, rest_port=0, clock=SystemClock()) as running:
            await running.service.submit(deployment())
            yield running


async def serve_agent(service: EngineService) -> None:
    """Complete the agent's jobs until cancelled."""
    while True:
        if not await service.jobs_available(onboarding.AGENT_JOB, 1.0):
            continue
        command = ActivateJobs(
            onboarding.AGENT_JOB, "agent", LEASE_MS, AGENT_BATCH, onboarding.FETCHED[onboarding.AGENT_JOB]
        )
        jobs: Any = await service.submit(command)
        answer = onboarding.ANSWERS[onboarding.AGENT_JOB]
        for found in jobs.jobs:
            await service.submit(CompleteJob(found.job.key, answer, AdHocResult(is_fulfilled=True)))


def worker(channel: grpc.aio.Channel) -> ZeebeWorker:
    """Return a pyzeebe worker that answers at once with what is written down."""
    pool = ZeebeWorker(channel, max_connection_retries=-1)
    for job_type, answer in onboarding.ANSWERS.items():
        if job_type == onboarding.AGENT_JOB:
            continue

        pool.task(
            task_type=job_type,
            max_jobs_to_activate=CONCURRENT,
            max_running_jobs=RUNNING_MAX,
            timeout_ms=LEASE_MS,
            variables_to_fetch=list(onboarding.FETCHED[job_type]),
        )(_handler(answer))
    return pool


def _handler(answer: Mapping[str, Any]) -> Callable[..., Awaitable[dict[str, Any]]]:
    async def handle(**_: Any) -> dict[str, Any]:
        return dict(answer)

    return handle


async def run(running: EngineServer, channel: grpc.aio.Channel, instances: int) -> JobRun:
    """Start instances, 64 at a time, and wait for the end of each."""
    pool = worker(channel)
    client = ZeebeClient(channel)
    numbers = iter(range(instances))

    async def drive() -> None:
        for number in numbers:
            created = await client.run_process(onboarding.PROCESS_ID, onboarding.start_variables(number))
            result = await running.service.instance_completed(created.process_instance_key, 120.0)
            if result is None:
                raise TimeoutError(f"instance {number} has not ended within two minutes")

    agent = asyncio.create_task(serve_agent(running.service))
    working = asyncio.create_task(pool.work())
    started = time.perf_counter()
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(CONCURRENT):
                group.create_task(drive())
        return JobRun(time.perf_counter() - started, instances)
    finally:
        await pool.stop()
        agent.cancel()
        working.cancel()
        await asyncio.gather(agent, working, return_exceptions=True)

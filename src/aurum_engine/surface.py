"""What gRPC and REST have in common: the version they speak, the tenant, and leasing jobs for one caller.

A caller may vanish while his lease is being written. The jobs would then rest until the lease is
over, so they are handed back at once, with their retries as they were.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

from aurum_engine.core.commands import ActivatedJob, ActivateJobs, JobsReply, Reply, YieldJob
from aurum_engine.errors import REFUSALS
from aurum_engine.service import EngineService

logger = logging.getLogger(__name__)

CAMUNDA_VERSION = "8.9.0"
"""The Camunda version whose semantics the engine follows; clients parse it."""

DEFAULT_TENANT = "<default>"
"""The only tenant there is; an empty tenant id means it too."""

LONG_POLL_SECONDS = 10.0
"""How long an empty poll is held when the caller names no time.

pyzeebe gives a poll without a time 20 s and counts a later answer as an error.
"""

LONG_POLL_SECONDS_MAX = 3_600.0
"""Longest poll held; beyond it a mistyped unit would keep a connection for days."""


def poll_seconds(request_timeout_ms: int) -> float:
    """Return how long to hold an empty poll: 0 means the default, a negative number not at all."""
    if request_timeout_ms == 0:
        return LONG_POLL_SECONDS
    return min(max(request_timeout_ms, 0) / 1_000, LONG_POLL_SECONDS_MAX)


class JobLeases:
    """Leases jobs from one engine. Its hand-backs run as tasks of its own; `drain` waits for them."""

    def __init__(self, service: EngineService) -> None:
        self._service = service
        self._returning: set[asyncio.Task[None]] = set()

    async def first_batch(self, command: ActivateJobs, wait_seconds: float) -> tuple[ActivatedJob, ...]:
        """Return the first batch with a job in it, or an empty one when the time is over.

        Raises Rejection for a bad request, EngineBusy, EngineStopped.
        """
        loop = asyncio.get_running_loop()
        ends = loop.time() + wait_seconds
        jobs = await self._lease(command)
        if jobs or wait_seconds <= 0:
            return jobs
        with self._service.room.place():
            while not jobs and await self._service.jobs_available(command.job_type, ends - loop.time()):
                jobs = await self._lease(command)
        return jobs

    async def _lease(self, command: ActivateJobs) -> tuple[ActivatedJob, ...]:
        submitted = asyncio.ensure_future(self._service.submit(command))
        try:
            reply = await asyncio.shield(submitted)
        except asyncio.CancelledError:
            self._spawn(self._hand_back_from(submitted))
            raise
        assert isinstance(reply, JobsReply)
        return reply.jobs

    def hand_back(self, jobs: Sequence[ActivatedJob]) -> None:
        """Offer jobs again that were leased and never given to the caller."""
        if jobs:
            self._spawn(self._hand_back_all(tuple(jobs)))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="job-hand-back")
        self._returning.add(task)
        task.add_done_callback(self._returning.discard)

    async def _hand_back_from(self, submitted: asyncio.Future[Reply]) -> None:
        try:
            reply = await submitted
        except REFUSALS:
            return  # Nothing was leased, and nobody is there to be told.
        if isinstance(reply, JobsReply):
            await self._hand_back_all(reply.jobs)

    async def _hand_back_all(self, jobs: Sequence[ActivatedJob]) -> None:
        for activated in jobs:
            await self._hand_back(activated)

    async def _hand_back(self, activated: ActivatedJob) -> None:
        job = activated.job
        try:
            await self._service.submit(YieldJob(job.key, job.deadline_ms or 0))
        except REFUSALS as error:
            logger.info("job %d stays leased until its deadline: %s", job.key, error)

    async def drain(self) -> None:
        """Wait for hand-backs under way; call it before the engine is closed."""
        if self._returning:
            await asyncio.wait(self._returning, timeout=1.0)

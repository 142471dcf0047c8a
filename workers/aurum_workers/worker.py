"""Runs the registry against a gateway. The only file that imports pyzeebe.

No postponed annotations in here: pyzeebe compares parameter annotations with its `Job` class.

What pyzeebe 4.7 does by itself and why it is not enough (each has a test):
its connection budget is for life and ends in silence; an unlisted status (UNAUTHENTICATED) ends all
pollers; a refused completion is neither repeated nor failed, so work is done twice; the same job
delivered twice runs twice at once. So polls never raise (`GatewayLink.activate_jobs`), commands are
repeated while the lease lasts (`GatewayLink.deliver`), one job key runs once at a time, and a
supervisor restarts the poller when it ends or falls silent.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Literal

import grpc
from pyzeebe import Job, JobController, ZeebeWorker
from pyzeebe.errors import (
    JobAlreadyDeactivatedError,
    JobNotFoundError,
)
from pyzeebe.errors.pyzeebe_errors import PyZeebeError
from pyzeebe.grpc_internals.zeebe_adapter import ZeebeAdapter
from pyzeebe.grpc_internals.zeebe_job_adapter import ZeebeJobAdapter
from pyzeebe.task.task import Task
from pyzeebe.task.task_config import TaskConfig

from aurum.clock import Clock
from aurum.facts.vocabulary import ResultRecorded
from aurum_workers.jobspec import JobSpec
from aurum_workers.outcomes import Complete, Fail, Outcome, Throw, describe, outcome_of
from aurum_workers.ports import JobInput, WorkerDeps
from aurum_workers.registry import REGISTRY
from aurum_workers.wire import to_wire

log = logging.getLogger("aurum.workers")


Delivery = Literal["acknowledged", "gone", "unknown"]
"""What became of a command: ours was taken, the job had ended before, or nobody knows."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """Numbers of the poll loop. The defaults are measured; tests shorten the waits."""

    running_jobs_max: int = 256
    jobs_per_poll_max: int = 64
    poll_retry_seconds: float = 0.05
    """pyzeebe's own 32 / 32 / 5 s took 30 s for 600 jobs of 50 ms; these take 0.8 s."""

    long_poll_ms: int = 10_000
    """How long the gateway may hold an empty poll. pyzeebe waits twice as long for the answer."""

    silent_seconds_max: float = 30.0
    """Without one answered poll of each type for this long the poller is replaced."""

    error_pause_seconds: float = 0.25
    error_pause_seconds_max: float = 5.0
    restart_pause_seconds: float = 1.0

    command_seconds_max: float = 10.0
    """Deadline of one complete, fail or throw call; its outcome is unknown then, so it is repeated."""

    drain_seconds: float = 5.0
    """How long `close` waits for jobs that are under way."""


def keep_variables_out_of_logs() -> None:
    """Hold pyzeebe's job logger at INFO: at DEBUG it writes whole jobs, applications included."""
    logging.getLogger(ZeebeJobAdapter.__module__).setLevel(logging.INFO)


class GatewayLink(ZeebeAdapter):
    """pyzeebe's gateway adapter whose polls never raise and whose commands are repeated."""

    def __init__(
        self, channel: grpc.aio.Channel, clock: Clock, tuning: Tuning, job_types: Iterable[str]
    ) -> None:
        super().__init__(channel, -1)
        keep_variables_out_of_logs()
        self._clock = clock
        self._tuning = tuning
        self._answered_ms = dict.fromkeys(job_types, clock.now_ms())
        self._errors = dict.fromkeys(self._answered_ms, 0)

    def seconds_since_poll(self) -> float:
        """Return for how long the job type that waits longest has had no answered poll."""
        return (self._clock.now_ms() - min(self._answered_ms.values())) / 1000

    def mark_alive(self) -> None:
        """Start counting silence anew; a fresh poller gets its time."""
        self._answered_ms = dict.fromkeys(self._answered_ms, self._clock.now_ms())

    async def activate_jobs(
        self,
        task_type: str,
        worker: str,
        timeout: int,  # noqa: ASYNC109  pyzeebe's signature; it is the lease of the job.
        max_jobs_to_activate: int,
        variables_to_fetch: Iterable[str],
        request_timeout: int,
        tenant_ids: Iterable[str] | None = None,
    ) -> AsyncGenerator[Job, None]:
        """Poll once. An error is logged and waited out; the caller then simply polls again."""
        try:
            async for job in super().activate_jobs(
                task_type,
                worker,
                timeout,
                max_jobs_to_activate,
                variables_to_fetch,
                request_timeout,
                tenant_ids,
            ):
                yield job
        except (PyZeebeError, grpc.RpcError) as error:
            self._errors[task_type] += 1
            log.warning(
                "poll failed job_type=%s times=%d error=%s", task_type, self._errors[task_type], _name(error)
            )
            pause = self._tuning.error_pause_seconds * 2 ** min(self._errors[task_type] - 1, 10)
            await asyncio.sleep(min(pause, self._tuning.error_pause_seconds_max))
        else:
            self._errors[task_type] = 0
            self._answered_ms[task_type] = self._clock.now_ms()

    async def deliver(self, job: Job, outcome: Outcome, *, lease_seconds: float) -> Delivery:
        """Send the job's one command until it is acknowledged or the lease is over.

        "gone" counts as done, but it may have been another worker's command that ended the job, so
        nothing may be told about its result.
        """
        ends = asyncio.get_running_loop().time() + lease_seconds
        pause = self._tuning.error_pause_seconds
        while True:
            try:
                async with asyncio.timeout(self._tuning.command_seconds_max):
                    await self._send(job, outcome)
            except (JobNotFoundError, JobAlreadyDeactivatedError):
                log.info("job is gone job_type=%s job_key=%d", job.type, job.key)
                return "gone"
            except (PyZeebeError, grpc.RpcError, TimeoutError) as error:
                if asyncio.get_running_loop().time() + pause > ends:
                    log.warning("gave up job_type=%s job_key=%d error=%s", job.type, job.key, _name(error))
                    return "unknown"
                log.info("repeating command job_type=%s job_key=%d error=%s", job.type, job.key, _name(error))
                await asyncio.sleep(pause)
                pause = min(pause * 2, self._tuning.error_pause_seconds_max)
            else:
                return "acknowledged"

    async def _send(self, job: Job, outcome: Outcome) -> None:
        match outcome:
            case Complete(variables):
                await self.complete_job(job.key, variables)
            case Throw(error_code, message, variables):
                await self.throw_error(job.key, message, variables, error_code)
            case Fail(message, retries, backoff_ms):
                await self.fail_job(job.key, retries, message, backoff_ms, {})


class Workers:
    """All Python service tasks on one channel. `run` until cancelled, then `close`."""

    def __init__(
        self,
        *,
        channel: grpc.aio.Channel,
        deps: WorkerDeps,
        clock: Clock,
        name: str = "aurum-workers",
        registry: tuple[JobSpec, ...] = REGISTRY,
        tuning: Tuning | None = None,
    ) -> None:
        self._deps = deps
        self._name = name
        self._registry = registry
        self._tuning = tuning or Tuning()
        self._channel = channel
        self._link = GatewayLink(channel, clock, self._tuning, [spec.job_type for spec in registry])
        self._running: dict[int, asyncio.Task[None]] = {}
        self.restarts = 0
        """How often the supervisor has replaced the poller."""

    def seconds_since_poll(self) -> float:
        """Return for how long some job type has had no answered poll; /health turns red above 30."""
        return self._link.seconds_since_poll()

    async def run(self) -> None:
        """Poll and work until cancelled. Returns never by itself; a poller that ends is replaced."""
        while True:
            self._link.mark_alive()
            work = asyncio.create_task(self._poller().work(), name="zeebe-poller")
            try:
                await self._until_ended_or_silent(work)
            finally:
                work.cancel()
                await asyncio.wait({work}, timeout=self._tuning.drain_seconds)
            self.restarts += 1
            ended = work.done() and not work.cancelled()
            log.error(
                "poller %s; restarting",
                "ended" if ended else "fell silent",
                exc_info=work.exception() if ended else None,
            )
            await asyncio.sleep(self._tuning.restart_pause_seconds)

    async def close(self) -> None:
        """Wait a moment for jobs under way, then stop them; the engine offers them again."""
        running = set(self._running.values())
        if running:
            _, late = await asyncio.wait(running, timeout=self._tuning.drain_seconds)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=self._tuning.drain_seconds)

    def _poller(self) -> ZeebeWorker:
        worker = ZeebeWorker(
            self._channel,
            name=self._name,
            request_timeout=self._tuning.long_poll_ms,
            max_connection_retries=-1,
            poll_retry_delay=self._tuning.poll_retry_seconds,  # type: ignore[arg-type]
            stream_enabled=False,
        )
        worker.zeebe_adapter = self._link
        for spec in self._registry:
            config = TaskConfig(
                type=spec.job_type,
                exception_handler=None,
                timeout_ms=spec.timeout_ms,
                max_jobs_to_activate=self._tuning.jobs_per_poll_max,
                max_running_jobs=self._tuning.running_jobs_max,
                variables_to_fetch=list(spec.fetches),
                single_value=False,
                variable_name="",
                before=[],
                after=[],
            )
            worker.tasks.append(Task(spec.handler, self._job_handler(spec), config))
        return worker

    def _job_handler(self, spec: JobSpec) -> Callable[[Job, JobController], Awaitable[Job]]:
        async def handle(job: Job, _: JobController) -> Job:
            if job.key in self._running:
                # Delivered again while we still work on it: the lease ran out, or a reply was lost.
                log.info("already running job_type=%s job_key=%d", job.type, job.key)
                return job
            task = asyncio.create_task(self._work(spec, job), name=f"job-{job.key}")
            self._running[job.key] = task
            try:
                await task
            finally:
                self._running.pop(job.key, None)
            return job

        return handle

    async def _work(self, spec: JobSpec, job: Job) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        outcome = await self._outcome(spec, job)
        lease_left = spec.timeout_ms / 1000 - (loop.time() - started)
        delivery = await self._link.deliver(job, outcome, lease_seconds=lease_left)
        if delivery != "unknown":
            own = delivery == "acknowledged" and job.element_id == spec.element_id and not spec.is_tool
            await self._tell(job, outcome if own else None)

    async def _outcome(self, spec: JobSpec, job: Job) -> Outcome:
        fetched = {name: value for name, value in job.variables.items() if name in spec.fetches}
        headers = {name: str(value) for name, value in job.custom_headers.items()}
        work = JobInput(str(job.key), str(job.process_instance_key), job.retries, fetched, headers)
        outcome: Outcome
        try:
            async with asyncio.timeout(spec.timeout_ms / 1000):
                await asyncio.sleep(self._deps.pace_seconds)
                result = await spec.handler(work, self._deps)
            outcome = Complete(to_wire(result, allowed=spec.writes))
        except Exception as error:
            outcome = outcome_of(error, retries=job.retries)
            if isinstance(outcome, Fail):
                # Arguments of an unexpected error may quote personal data; its traceback names code only.
                log.error(
                    "job failed job_type=%s job_key=%d retries=%d",
                    job.type,
                    job.key,
                    outcome.retries,
                    exc_info=_without_message(error),
                )
        log.debug("%s job_type=%s job_key=%d", describe(outcome), job.type, job.key)
        return outcome

    async def _tell(self, job: Job, outcome: Outcome | None) -> None:
        """Make the poller look, and hand it the very fact it would build from a completed job.

        A tool of the agent has no such fact (`outcome` is None): the engine collects what it returns.
        """
        instance = str(job.process_instance_key)
        try:
            if isinstance(outcome, Complete):
                fact = ResultRecorded(str(job.element_instance_key), job.element_id, outcome.variables)
                await self._deps.sink.offer(instance, [fact])
            else:
                await self._deps.sink.hint(instance)
        except Exception:
            # The job is done and acknowledged; the poller will see it without being told.
            log.exception("telling the feed failed")

    async def _until_ended_or_silent(self, work: "asyncio.Task[None]") -> None:
        while not work.done():
            left = self._tuning.silent_seconds_max - self.seconds_since_poll()
            if left <= 0:
                return
            await asyncio.wait({work}, timeout=left)


def _name(error: BaseException) -> str:
    """Name the gRPC status where there is one; the text may hold addresses and is left out."""
    inner = getattr(error, "grpc_error", error)
    code = getattr(inner, "code", None)
    status = code() if callable(code) else None
    return f"{type(error).__name__}({getattr(status, 'name', status)})" if status else type(error).__name__


def _without_message(error: Exception) -> tuple[type[BaseException], BaseException, TracebackType | None]:
    bare: BaseException = RuntimeError(type(error).__name__)
    return type(bare), bare, error.__traceback__

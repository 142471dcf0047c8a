"""The shell of the agent: takes `onboarding-agent` jobs over REST and completes them.

What happens between two of its awaits is decided by `turn.py`. A turn counts once the engine has
acknowledged the completion; NOT_FOUND means that another job or attempt counts instead, so what was
told of this one is taken back. Dying anywhere costs the lease of the job and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import structlog

from aurum.agent.brain import Brain, BrainFailed
from aurum.agent.budget import Budget
from aurum.agent.turn import FETCHES, REFUSED, UNAVAILABLE, AgentJob, Completion, Think, Turn, Wait
from aurum.camunda.rest_jobs import JobRow, RestJobs
from aurum.clock import Clock
from aurum.domain.tasks import AGENT_JOB_TYPE
from aurum.errors import CommandRejected, EngineUnavailable, NotPermitted
from aurum.facts.port import FactSink
from aurum.facts.vocabulary import Fact

_log = structlog.get_logger("aurum.agent")

Fate = Literal["acknowledged", "gone", "unknown"]
"""What became of a completion: ours was taken; the job ended otherwise; nobody knows."""


@dataclass(frozen=True, slots=True)
class AgentTuning:
    """Numbers of the loop. Tests shorten the waits."""

    lease_ms: int = 10_000
    """How long a case stands still after the worker that held its job was killed."""

    extend_every_seconds: float = 4.0
    """While the brain thinks the lease is renewed this often."""

    long_poll_ms: int = 10_000
    jobs_max: int = 32
    """Turns at once: each waits for a model most of its time."""

    error_pause_seconds: float = 0.25
    error_pause_seconds_max: float = 5.0
    drain_seconds: float = 5.0


class AgentWorker:
    """Runs turns until cancelled, then `close`."""

    def __init__(
        self,
        *,
        jobs: RestJobs,
        brain: Brain,
        sink: FactSink,
        clock: Clock,
        budget: Budget | None = None,
        tuning: AgentTuning | None = None,
        name: str = "aurum-agent",
    ) -> None:
        self._jobs = jobs
        self._brain = brain
        self._sink = sink
        self._clock = clock
        self._budget = budget or Budget()
        self._tuning = tuning or AgentTuning()
        self._name = name
        self._running: dict[str, asyncio.Task[None]] = {}
        self._errors = 0
        self._answered_ms = clock.now_ms()

    def seconds_since_poll(self) -> float:
        """Return for how long no poll has been answered."""
        return (self._clock.now_ms() - self._answered_ms) / 1000

    async def run(self) -> None:
        """Poll and work until cancelled; a failing engine is waited out."""
        while True:
            for row in await self._poll():
                if row.job_key not in self._running:
                    task = asyncio.create_task(self._work(row), name=f"agent-{row.job_key}")
                    self._running[row.job_key] = task

    async def close(self) -> None:
        """Wait a moment for turns under way, then stop them; the engine offers their jobs again."""
        if not self._running:
            return
        running = set(self._running.values())
        _, late = await asyncio.wait(running, timeout=self._tuning.drain_seconds)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=self._tuning.drain_seconds)

    async def _poll(self) -> list[JobRow]:
        free = self._tuning.jobs_max - len(self._running)
        if free <= 0:
            await asyncio.wait(set(self._running.values()), return_when=asyncio.FIRST_COMPLETED)
            return []
        try:
            rows = await self._jobs.activate(
                AGENT_JOB_TYPE,
                worker=self._name,
                timeout_ms=self._tuning.lease_ms,
                jobs_max=free,
                fetch=FETCHES,
                long_poll_ms=self._tuning.long_poll_ms,
            )
        except (EngineUnavailable, CommandRejected, NotPermitted) as error:
            self._errors += 1
            _log.warning("agent_poll_failed", times=self._errors, reason=type(error).__name__)
            pause = self._tuning.error_pause_seconds * 2 ** min(self._errors - 1, 10)
            await asyncio.sleep(min(pause, self._tuning.error_pause_seconds_max))
            return []
        self._errors = 0
        self._answered_ms = self._clock.now_ms()
        return rows

    # --- one job ----------------------------------------------------------------------------

    async def _work(self, row: JobRow) -> None:
        try:
            await self._run_turn(row)
        finally:
            self._running.pop(row.job_key, None)

    async def _run_turn(self, row: JobRow) -> None:
        job = AgentJob(
            row.job_key,
            row.process_instance_key,
            row.element_instance_key,
            row.deadline,
            row.retries,
            row.variables,
        )
        turn = Turn(job, budget=self._budget, brain=self._brain.name, model=self._brain.model)
        try:
            decided = await self._decide(job, turn)
            fate = await self._deliver(job, decided)
            await self._tell(job, turn, decided, fate)
        except BrainFailed as error:
            await self._fail(job, turn, str(error.kind), error.retry_after_ms)
        except Exception as error:  # noqa: BLE001  the job boundary: logged, and the engine tries again
            # The message of an unexpected error may quote personal data; its type and traceback do not.
            bare = RuntimeError(type(error).__name__)
            _log.error(
                "agent_turn_failed", job_key=job.job_key, exc_info=(type(bare), bare, error.__traceback__)
            )
            await self._fail(job, turn, type(error).__name__, 1_000)

    async def _decide(self, job: AgentJob, turn: Turn) -> Completion | Wait:
        decided = turn.begin(self._clock.now_ms())
        if not isinstance(decided, Think):
            return decided
        extending = asyncio.create_task(self._keep(job), name=f"lease-{job.job_key}")
        try:
            return await self._think(job, turn, decided)
        except BrainFailed as error:
            if error.kind == "refused":
                return turn.give_up(self._clock.now_ms(), REFUSED)
            if job.retries <= 1:
                return turn.give_up(self._clock.now_ms(), UNAVAILABLE)
            raise
        finally:
            extending.cancel()
            await asyncio.wait({extending}, timeout=1)

    async def _think(self, job: AgentJob, turn: Turn, first: Think) -> Completion:
        decided: Think | Completion = first
        while isinstance(decided, Think):
            async for event in self._brain.turn(decided.request):
                facts = turn.on_event(event, self._clock.now_ms())
                if facts:
                    await self._offer(job, facts)
            decided = turn.end(self._clock.now_ms())
        return decided

    async def _keep(self, job: AgentJob) -> None:
        """Renew the lease while the brain thinks; a job that is gone shows when it is completed."""
        while True:
            await asyncio.sleep(self._tuning.extend_every_seconds)
            try:
                await self._jobs.extend(job.job_key, self._tuning.lease_ms)
            except (EngineUnavailable, CommandRejected) as error:
                _log.info("agent_lease_not_renewed", job_key=job.job_key, reason=type(error).__name__)

    async def _deliver(self, job: AgentJob, decided: Completion | Wait) -> Fate:
        """Send the completion until its fate is known or the lease is over."""
        variables, result = _wire(decided)
        ends = asyncio.get_running_loop().time() + self._tuning.lease_ms / 1000
        pause, doubtful = self._tuning.error_pause_seconds, False
        while True:
            try:
                await self._jobs.complete(job.job_key, variables, result)
            except CommandRejected as error:
                if error.rejection_type != "NOT_FOUND":
                    raise
                # After an answer that got lost, "gone" may be our own completion.
                return "unknown" if doubtful else "gone"
            except EngineUnavailable:
                doubtful = True
                if asyncio.get_running_loop().time() + pause > ends:
                    return "unknown"
                await asyncio.sleep(pause)
                pause = min(pause * 2, self._tuning.error_pause_seconds_max)
            else:
                return "acknowledged"

    async def _tell(self, job: AgentJob, turn: Turn, decided: Completion | Wait, fate: Fate) -> None:
        facts: list[Fact] = []
        if isinstance(decided, Completion):
            if fate == "acknowledged":
                facts.append(decided.fact)
            elif fate == "gone" and (taken_back := turn.abandoned()) is not None:
                facts.append(taken_back)
        await self._offer(job, facts)

    async def _fail(self, job: AgentJob, turn: Turn, message: str, backoff_ms: int) -> None:
        taken_back = turn.abandoned()
        if taken_back is not None:
            await self._offer(job, [taken_back])
        try:
            await self._jobs.fail(
                job.job_key, retries=max(job.retries - 1, 0), backoff_ms=backoff_ms, message=message
            )
        except (EngineUnavailable, CommandRejected) as error:
            # The lease runs out and the job is offered again: the same as failing it, only later.
            _log.info("agent_failure_not_told", job_key=job.job_key, reason=type(error).__name__)
        await self._offer(job, [])

    async def _offer(self, job: AgentJob, facts: Sequence[Fact]) -> None:
        if facts:
            await self._sink.offer(job.process_instance_key, facts)
        else:
            await self._sink.hint(job.process_instance_key)


def _wire(decided: Completion | Wait) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return variables and result of a completion as REST v2 wants them."""
    if isinstance(decided, Wait):
        return {}, _result((), is_fulfilled=False)
    activate = [{"elementId": item.element_id, "variables": item.variables} for item in decided.activate]
    return dict(decided.variables), _result(activate, is_fulfilled=decided.is_fulfilled)


def _result(activate: Sequence[dict[str, Any]], *, is_fulfilled: bool) -> dict[str, Any]:
    return {
        "type": "adHocSubProcess",
        "activateElements": list(activate),
        "isCompletionConditionFulfilled": is_fulfilled,
        "isCancelRemainingInstances": is_fulfilled,
    }

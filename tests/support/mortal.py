"""An agent worker that dies at a chosen await, as if its process had been killed there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aurum.agent.brain import Brain, TurnEvent, TurnRequest
from aurum.camunda.rest_jobs import JobRow, RestJobs
from aurum.facts.port import FactSink
from aurum.facts.vocabulary import Fact


@dataclass
class Life:
    """Counts awaits; at number `dies_at` everything stops, and nothing is sent any more."""

    dies_at: int
    awaits: int = 0
    dead: asyncio.Event = field(default_factory=asyncio.Event)

    async def passes(self) -> None:
        """Go on, die here, or have died before."""
        if not self.dead.is_set():
            self.awaits += 1
            if self.awaits != self.dies_at:
                return
            self.dead.set()
        await asyncio.Event().wait()


class MortalJobs(RestJobs):
    """Job commands; death comes before a command is sent, or after it was done and before its answer."""

    def __init__(self, jobs: RestJobs, life: Life) -> None:
        self._inner = jobs
        self._life = life

    async def activate(self, job_type: str, **options: Any) -> list[JobRow]:
        if self._life.dead.is_set():
            await asyncio.Event().wait()
        rows = await self._inner.activate(job_type, **options)
        if rows:
            await self._life.passes()
        return rows

    async def complete(
        self, job_key: str, variables: Mapping[str, Any], result: Mapping[str, Any] | None = None
    ) -> None:
        await self._life.passes()
        await self._inner.complete(job_key, variables, result)
        await self._life.passes()

    async def fail(self, job_key: str, *, retries: int, backoff_ms: int, message: str) -> None:
        await self._life.passes()
        await self._inner.fail(job_key, retries=retries, backoff_ms=backoff_ms, message=message)

    async def extend(self, job_key: str, timeout_ms: int) -> None:
        await self._inner.extend(job_key, timeout_ms)


class MortalSink:
    """Telling the feed, with death before and after."""

    def __init__(self, sink: FactSink, life: Life) -> None:
        self._inner = sink
        self._life = life

    async def hint(self, process_instance_key: str) -> None:
        await self._life.passes()
        await self._inner.hint(process_instance_key)

    async def offer(self, process_instance_key: str, facts: Sequence[Fact]) -> None:
        await self._life.passes()
        await self._inner.offer(process_instance_key, facts)
        await self._life.passes()


class MortalBrain:
    """A brain that dies between two events."""

    def __init__(self, brain: Brain, life: Life) -> None:
        self._inner = brain
        self._life = life
        self.name, self.model = brain.name, brain.model

    async def turn(self, request: TurnRequest) -> AsyncIterator[TurnEvent]:
        async for event in self._inner.turn(request):
            await self._life.passes()
            yield event

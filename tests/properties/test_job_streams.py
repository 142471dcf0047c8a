"""Streams, polls and readers in any order: no job is lost, none is in two hands at once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conformance.scenarios.builder import build

from aurum_engine.clock import ManualClock
from aurum_engine.core import commands as c
from aurum_engine.core.records import JobState
from aurum_engine.job_streams import JobStreams, StreamRequest
from aurum_engine.service import EngineService
from aurum_engine.surface import JobLeases

MODEL = build(
    {"id": "p", "flow": "start -> work -> end", "elements": {"work": {"type": "serviceTask", "job": "work"}}}
)
LEASE_MS = 60_000

# One example runs an engine of its own; together they take seconds.
pytestmark = pytest.mark.deep

OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("create"), st.integers(1, 12)),
        st.tuples(st.just("open"), st.integers(0, 1)),
        st.tuples(st.just("leave"), st.integers(0, 1)),
        st.tuples(st.just("read"), st.integers(0, 1)),
        st.tuples(st.just("poll"), st.integers(1, 5)),
        st.tuples(st.just("complete"), st.integers(0, 50)),
        st.tuples(st.just("fail"), st.integers(0, 50)),
        st.tuples(st.just("breathe"), st.integers(0, 1)),
    ),
    min_size=10,
    max_size=40,
)


@dataclass
class Reader:
    """A reader of one stream: what it has read, one job at a time."""

    hands: list[int]
    last: int | None = None
    go: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    task: asyncio.Task[None] | None = None

    async def run(self, streams: JobStreams, name: str) -> None:
        jobs = streams.jobs(StreamRequest("work", name, LEASE_MS))
        try:
            async for job in jobs:
                self.last = job.job.key
                self.hands.append(self.last)
                await self.go.acquire()
        finally:
            await jobs.aclose()  # type: ignore[attr-defined]  # it is an async generator


class World:
    """An engine, its readers and everybody's hands."""

    def __init__(self, service: EngineService) -> None:
        self.service = service
        self.leases = JobLeases(service)
        self.streams = JobStreams(service, self.leases)
        self.readers: dict[int, Reader] = {}
        self.hands: list[int] = []
        self.doubtful: set[int] = set()

    async def leave(self, name: int) -> None:
        reader = self.readers.pop(name, None)
        if reader is None or reader.task is None:
            return
        # The last job it read counts as not arrived: a stream cannot know. It may be offered again.
        if reader.last is not None:
            self.doubtful.add(reader.last)
        reader.task.cancel()
        await asyncio.wait({reader.task})
        await self.leases.drain()

    async def do(self, operation: str, n: int) -> None:
        if operation == "create":
            await asyncio.gather(*(self.service.submit(c.CreateProcessInstance("p")) for _ in range(n)))
        elif operation == "open" and n not in self.readers:
            reader = self.readers[n] = Reader(self.hands)
            reader.task = asyncio.create_task(reader.run(self.streams, f"reader-{n}"))
        elif operation == "leave":
            await self.leave(n)
        elif operation == "read" and n in self.readers:
            self.readers[n].go.release()
        elif operation == "poll":
            jobs = await self.leases.first_batch(c.ActivateJobs("work", "poller", LEASE_MS, n), 0)
            self.hands += [job.job.key for job in jobs]
        elif operation in {"complete", "fail"} and self.hands:
            key = self.hands.pop(n % len(self.hands))
            command = c.CompleteJob(key) if operation == "complete" else c.FailJob(key, 3)
            await asyncio.gather(self.service.submit(command), return_exceptions=True)
        for _ in range(5):
            await asyncio.sleep(0)


@settings(max_examples=150, deadline=None)
@given(OPERATIONS)
def test_no_job_is_lost_and_none_is_in_two_hands(operations: list[tuple[str, int]]) -> None:
    async def run() -> None:
        service = await EngineService.open(None, clock=ManualClock(1_000))
        await service.submit(c.DeployResources((c.Resource("p.bpmn", MODEL),)))
        world = World(service)
        for operation, n in operations:
            await world.do(operation, n)
            certain = [key for key in world.hands if key not in world.doubtful]
            assert len(certain) == len(set(certain)), "one job was given to two"
        for name in list(world.readers):
            await world.leave(name)
        await world.streams.close()
        leased = {key for key, job in service.view().jobs.items() if job.state is JobState.ACTIVATED}
        assert leased <= set(world.hands), "a job rests with nobody"
        assert all(job.retries == 3 for job in service.view().jobs.values())
        await service.close()

    asyncio.run(run())

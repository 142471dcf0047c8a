"""Jobs that are pushed: before any poll, shared, bounded, and given back when they do not arrive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest
from pyzeebe.proto import gateway_pb2 as pb
from pyzeebe.proto.gateway_pb2_grpc import GatewayStub
from tests.conformance.scenarios.builder import build

from aurum_engine.clock import ManualClock
from aurum_engine.core import commands as c
from aurum_engine.errors import Rejection
from aurum_engine.gateway.inproc import InprocChannel
from aurum_engine.gateway.rpcs import Gateway
from aurum_engine.job_streams import STREAM_JOBS_HELD_MAX, JobStreams, StreamRequest
from aurum_engine.service import EngineService
from aurum_engine.surface import JobLeases

WORK = build(
    {"id": "p", "flow": "start -> work -> end", "elements": {"work": {"type": "serviceTask", "job": "work"}}}
)
WANTED = StreamRequest("work", "streamer", 60_000)


class Reader:
    """Somebody who reads a stream: `take` returns the next job, `leave` goes away."""

    def __init__(self, jobs: AsyncIterator[c.ActivatedJob]) -> None:
        self._jobs = jobs
        self._next: asyncio.Task[c.ActivatedJob] | None = None

    async def arrive(self) -> Reader:
        """Open the stream, and wait for its first job from now on."""
        self._next = asyncio.create_task(anext(self._jobs))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        return self

    async def take(self) -> c.ActivatedJob:
        assert self._next is not None
        async with asyncio.timeout(2):
            job = await self._next
        await self.arrive()
        return job

    async def leave(self) -> None:
        assert self._next is not None
        self._next.cancel()
        await asyncio.wait({self._next})
        await self._jobs.aclose()  # type: ignore[attr-defined]  # it is an async generator


@pytest.fixture
async def service() -> AsyncIterator[EngineService]:
    opened = await EngineService.open(None, clock=ManualClock(1_000))
    await opened.submit(c.DeployResources((c.Resource("p.bpmn", WORK),)))
    yield opened
    await opened.close()


@pytest.fixture
async def leases(service: EngineService) -> JobLeases:
    return JobLeases(service)


@pytest.fixture
async def streams(service: EngineService, leases: JobLeases) -> AsyncIterator[JobStreams]:
    opened = JobStreams(service, leases)
    yield opened
    await opened.close()


async def create(service: EngineService, count: int = 1) -> list[int]:
    replies = await asyncio.gather(*(service.submit(c.CreateProcessInstance("p")) for _ in range(count)))
    return [reply.process_instance_key for reply in replies if isinstance(reply, c.CreatedReply)]


async def poll(leases: JobLeases) -> list[int]:
    jobs = await leases.first_batch(c.ActivateJobs("work", "poller", 60_000, 100), 0)
    return [job.job.process_instance_key for job in jobs]


async def test_a_pushed_job_is_never_seen_by_a_poll_that_waits(
    service: EngineService, leases: JobLeases, streams: JobStreams
) -> None:
    waiting = asyncio.create_task(leases.first_batch(c.ActivateJobs("work", "poller", 60_000, 9), 0.2))
    reader = await Reader(streams.jobs(WANTED)).arrive()

    keys = await create(service, 5)
    taken = [(await reader.take()).job for _ in keys]

    assert [job.process_instance_key for job in taken] == keys
    assert {(job.worker, job.deadline_ms) for job in taken} == {("streamer", 61_000)}
    assert await waiting == ()


async def test_jobs_from_before_the_stream_need_polling(
    service: EngineService, leases: JobLeases, streams: JobStreams
) -> None:
    (old,) = await create(service)
    reader = await Reader(streams.jobs(WANTED)).arrive()
    (new,) = await create(service)

    pushed = await reader.take()

    assert pushed.job.process_instance_key == new
    assert await poll(leases) == [old]


async def test_streams_of_one_type_take_turns(service: EngineService, streams: JobStreams) -> None:
    readers = [await Reader(streams.jobs(StreamRequest("work", name, 60_000))).arrive() for name in "abc"]

    await create(service, 6)
    workers = [[(await reader.take()).job.worker for _ in range(2)] for reader in readers]

    assert workers == [["a", "a"], ["b", "b"], ["c", "c"]]


async def test_what_a_leaving_reader_had_not_read_goes_to_the_next_stream(
    service: EngineService, leases: JobLeases, streams: JobStreams
) -> None:
    leaving = await Reader(streams.jobs(WANTED)).arrive()
    keys = await create(service, 3)
    staying = await Reader(streams.jobs(StreamRequest("work", "other", 60_000))).arrive()
    await leaving.take()

    await leaving.leave()
    await leases.drain()
    taken = [(await staying.take()).job for _ in range(2)]

    assert [(job.process_instance_key, job.worker, job.retries) for job in taken] == [
        (keys[1], "other", 3),
        (keys[2], "other", 3),
    ]


async def test_a_reader_that_stops_holds_few_jobs_and_the_others_can_be_polled(
    service: EngineService, leases: JobLeases, streams: JobStreams
) -> None:
    await Reader(streams.jobs(WANTED)).arrive()

    await create(service, STREAM_JOBS_HELD_MAX + 10)

    assert len(await poll(leases)) == 10


async def test_a_job_comes_again_after_its_lease_its_failure_and_its_incident(
    service: EngineService, streams: JobStreams
) -> None:
    reader = await Reader(streams.jobs(WANTED)).arrive()
    await create(service)
    key = (await reader.take()).job.key

    await service.advance_to(61_000)
    after_lease = await reader.take()
    await service.submit(c.FailJob(key, 2))
    after_failure = await reader.take()
    await service.submit(c.FailJob(key, 0))
    incident = service.view().jobs[key].incident_key
    assert incident is not None
    await service.submit(c.UpdateJobRetries(key, 1))
    await service.submit(c.ResolveIncident(incident))
    after_incident = await reader.take()

    assert [found.job.retries for found in (after_lease, after_failure, after_incident)] == [3, 2, 1]
    assert {found.job.key for found in (after_lease, after_failure, after_incident)} == {key}


async def test_a_yielded_lease_that_is_over_takes_nothing_from_its_new_holder(service: EngineService) -> None:
    await create(service)
    lease = c.ActivateJobs("work", "w", 1_000, 1)
    first = await service.submit(lease)
    await service.advance_to(2_000)
    second = await service.submit(lease)
    assert isinstance(first, c.JobsReply)
    assert isinstance(second, c.JobsReply)
    old, new = first.jobs[0].job, second.jobs[0].job

    await service.submit(c.YieldJob(old.key, old.deadline_ms or 0))
    still_leased = service.view().jobs[old.key].deadline_ms
    await service.submit(c.YieldJob(new.key, new.deadline_ms or 0))

    assert still_leased == new.deadline_ms == 3_000
    assert service.view().has_activatable("work")


@pytest.mark.parametrize("wanted", [StreamRequest(" ", "w", 1), StreamRequest("t", "w", 0)])
async def test_a_stream_without_type_or_lease_is_refused(streams: JobStreams, wanted: StreamRequest) -> None:
    with pytest.raises(Rejection):
        await anext(streams.jobs(wanted))


async def test_streams_end_as_unavailable_when_the_engine_closes_and_give_back_what_they_held(
    service: EngineService, leases: JobLeases, streams: JobStreams
) -> None:
    gateway = Gateway(service, leases, streams, actor=None)
    request = pb.StreamActivatedJobsRequest(type="work", worker="w", timeout=60_000)
    stream = GatewayStub(InprocChannel(gateway)).StreamActivatedJobs(request)
    first = asyncio.create_task(anext(stream))
    await asyncio.sleep(0)
    keys = await create(service, 3)
    read = await first

    await streams.close()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await anext(stream)

    assert read.processInstanceKey == keys[0]
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert await poll(leases) == keys[1:]

"""Too much at once: what is beyond the limits is sent away at once, and what finishes work is not."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable

import grpc
import httpx
import pytest
from pyzeebe import ZeebeClient, ZeebeWorker
from pyzeebe.errors import ZeebeBackPressureError
from pyzeebe.proto import gateway_pb2 as pb
from pyzeebe.proto.gateway_pb2_grpc import GatewayStub
from tests.conformance.scenarios.builder import build

from aurum_engine.admission import Limits
from aurum_engine.clock import ManualClock
from aurum_engine.core import commands as c
from aurum_engine.engine import Engine, EngineOptions
from aurum_engine.errors import EngineBusy

WORK = build(
    {"id": "p", "flow": "start -> work -> end", "elements": {"work": {"type": "serviceTask", "job": "work"}}}
)


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    """An engine that lets two commands and two callers wait; with a standing clock."""
    limits = Limits(commands_waiting_max=2, callers_waiting_max=2)
    async with Engine(EngineOptions(clock=ManualClock(1_000), limits=limits)) as running:
        await running.service.submit(c.DeployResources((c.Resource("p.bpmn", WORK),)))
        yield running


async def outcomes(engine: Engine, commands: list[c.Command]) -> list[type]:
    """Submit all at once and return what each met."""
    answers = await asyncio.gather(*map(engine.service.submit, commands), return_exceptions=True)
    return [type(answer) for answer in answers]


async def test_commands_beyond_the_limit_are_refused_and_those_before_it_are_carried_out(
    engine: Engine,
) -> None:
    met = await outcomes(engine, [c.CreateProcessInstance("p")] * 5)

    assert met == [c.CreatedReply] * 2 + [EngineBusy] * 3
    assert len(engine.service.view().process_instances) == 2


async def test_what_finishes_work_has_twice_the_room(engine: Engine) -> None:
    for _ in range(3):
        await engine.service.submit(c.CreateProcessInstance("p"))
    leased = await engine.service.submit(c.ActivateJobs("work", "w", 1_000, 9))
    assert isinstance(leased, c.JobsReply)
    finishing: list[c.Command] = [c.CompleteJob(job.job.key) for job in leased.jobs]

    met = await outcomes(engine, [c.CreateProcessInstance("p")] * 2 + finishing)

    assert met == [c.CreatedReply] * 2 + [c.EmptyReply] * 2 + [EngineBusy]


async def test_time_passes_also_when_the_queue_is_full(engine: Engine) -> None:
    crowd = asyncio.gather(
        *(engine.service.submit(c.CreateProcessInstance("p")) for _ in range(9)), return_exceptions=True
    )
    await asyncio.sleep(0)

    ticked = await engine.service.submit(c.Tick())

    assert isinstance(ticked, c.TickReply)
    await crowd


async def test_both_surfaces_say_what_camunda_says(engine: Engine) -> None:
    transport = httpx.ASGITransport(app=engine.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://engine/v2") as http:
        bodies = [http.post("/process-instances", json={"processDefinitionId": "p"}) for _ in range(6)]
        answers = await asyncio.gather(*bodies)
    stub = GatewayStub(engine.inproc_channel())
    create = pb.CreateProcessInstanceRequest(bpmnProcessId="p", version=-1)
    calls = [stub.CreateProcessInstance(create) for _ in range(6)]
    failures = [
        answer.code()
        for answer in await asyncio.gather(*calls, return_exceptions=True)
        if isinstance(answer, grpc.aio.AioRpcError)
    ]

    busy = [answer.json() for answer in answers if answer.status_code != 200]
    assert {(body["status"], body["title"]) for body in busy} == {(503, "RESOURCE_EXHAUSTED")}
    assert Counter(failures) == {grpc.StatusCode.RESOURCE_EXHAUSTED: 4}


Waiting = Callable[[Engine], "asyncio.Future[object]"]


def poll(engine: Engine) -> asyncio.Future[object]:
    request = pb.ActivateJobsRequest(
        type="none", worker="w", timeout=1, maxJobsToActivate=1, requestTimeout=50
    )

    async def ask() -> object:
        return [answer async for answer in GatewayStub(engine.inproc_channel()).ActivateJobs(request)]

    return asyncio.ensure_future(ask())


def stream(engine: Engine) -> asyncio.Future[object]:
    request = pb.StreamActivatedJobsRequest(type="none", worker="w", timeout=1)

    async def ask() -> object:
        calls = GatewayStub(engine.inproc_channel()).StreamActivatedJobs(request, timeout=0.05)
        return [answer async for answer in calls]

    return asyncio.ensure_future(ask())


def result(engine: Engine) -> asyncio.Future[object]:
    inner = pb.CreateProcessInstanceRequest(bpmnProcessId="p", version=-1)
    request = pb.CreateProcessInstanceWithResultRequest(request=inner, requestTimeout=50)
    return asyncio.ensure_future(
        GatewayStub(engine.inproc_channel()).CreateProcessInstanceWithResult(request)
    )


@pytest.mark.parametrize("late", [poll, stream, result])
async def test_only_so_many_callers_may_wait_together(engine: Engine, late: Waiting) -> None:
    first = [poll(engine), stream(engine)]
    async with asyncio.timeout(2):
        while engine.service.room.taken < 2:  # noqa: ASYNC110  # nobody tells of it
            await asyncio.sleep(0)

    refused = await asyncio.gather(late(engine), return_exceptions=True)
    await asyncio.gather(*first, return_exceptions=True)
    afterwards = await asyncio.gather(late(engine), return_exceptions=True)

    def code(answer: object) -> grpc.StatusCode:
        return answer.code() if isinstance(answer, grpc.aio.AioRpcError) else grpc.StatusCode.OK

    assert code(refused[0]) is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert code(afterwards[0]) in {grpc.StatusCode.OK, grpc.StatusCode.DEADLINE_EXCEEDED}
    created = len(engine.service.view().process_instances)
    assert created == (1 if late is result else 0), "a refused caller's instance must not have been made"


async def test_pyzeebe_names_it_back_pressure(engine: Engine) -> None:
    client = ZeebeClient(engine.inproc_channel())

    met = await asyncio.gather(*(client.run_process("p") for _ in range(4)), return_exceptions=True)

    assert [type(answer) for answer in met[2:]] == [ZeebeBackPressureError] * 2


@pytest.mark.deep  # pyzeebe waits five seconds after a refused poll, and that cannot be changed.
async def test_a_pyzeebe_worker_survives_refused_polls(engine: Engine) -> None:
    worker = ZeebeWorker(engine.inproc_channel(), max_connection_retries=-1)

    @worker.task(task_type="work")
    async def work() -> dict[str, bool]:
        return {"done": True}

    with engine.service.room.place(), engine.service.room.place():
        working = asyncio.create_task(worker.work())
        await asyncio.sleep(0.05)
    client = ZeebeClient(engine.inproc_channel())
    async with asyncio.timeout(15):
        ended = await client.run_process_with_result("p", timeout=14_000)
    await worker.stop()
    working.cancel()
    await asyncio.wait({working})

    assert ended.variables == {"done": True}

"""When the log cannot be written: nothing is promised or shown, reading goes on, and it mends itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from pyzeebe.proto import gateway_pb2 as pb
from pyzeebe.proto.gateway_pb2_grpc import GatewayStub
from tests.conformance.scenarios.builder import build
from tests.support.faulty_log import FaultyLog

from aurum_engine.clock import ManualClock, SystemClock
from aurum_engine.core import commands as c
from aurum_engine.core.commands import CreateProcessInstance
from aurum_engine.errors import EngineStopped, LogCorrupt, LogNotWritable
from aurum_engine.gateway.inproc import InprocChannel
from aurum_engine.gateway.rpcs import Gateway
from aurum_engine.gateway.server import GrpcServer
from aurum_engine.job_streams import JobStreams
from aurum_engine.log.sqlite import SqliteLog
from aurum_engine.rest.app import rest_app
from aurum_engine.rest.commands import Commands
from aurum_engine.rest.readmodel import ReadModel
from aurum_engine.rest.reads import Reads
from aurum_engine.service import EngineService
from aurum_engine.surface import JobLeases

WORK = build(
    {"id": "p", "flow": "start -> work -> end", "elements": {"work": {"type": "serviceTask", "job": "work"}}}
)
FULL = "no space left on device"


@pytest.fixture
def log() -> FaultyLog:
    return FaultyLog()


@pytest.fixture
async def service(log: FaultyLog) -> AsyncIterator[EngineService]:
    engine = EngineService(log, ManualClock(1_000), business_id_unique=True, mend_seconds=0.001)
    await engine.start()
    await engine.submit(c.DeployResources((c.Resource("p.bpmn", WORK),)))
    yield engine
    await engine.close()


async def outcomes(service: EngineService, count: int) -> list[Any]:
    commands = (service.submit(CreateProcessInstance("p")) for _ in range(count))
    return await asyncio.gather(*commands, return_exceptions=True)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110  # nobody tells of it
            await asyncio.sleep(0.001)


async def until_mended(service: EngineService) -> None:
    await until(lambda: service.write_problem is None)


async def test_nothing_of_a_failed_batch_nor_of_what_was_computed_after_it_is_left(
    service: EngineService, log: FaultyLog
) -> None:
    await outcomes(service, 1)
    before = service.view()
    log.break_with(FULL, after_writes=1)

    answers = await outcomes(service, 1_000)

    stored = [answer for answer in answers if isinstance(answer, c.CreatedReply)]
    refused = [answer for answer in answers if isinstance(answer, LogNotWritable)]
    assert len(stored) == 256
    assert len(stored) + len(refused) == 1_000
    assert len(service.view().process_instances) == 1 + len(stored)
    assert service.view().last_key == max(service.view().jobs)
    assert before is not service.view()


async def test_reading_goes_on_and_shows_only_what_was_acknowledged(
    service: EngineService, log: FaultyLog
) -> None:
    log.break_with(FULL)

    (refused,) = await outcomes(service, 1)
    await service.committed()

    assert isinstance(refused, LogNotWritable)
    assert service.view().process_instances == {}
    assert service.write_problem == FULL


async def test_whoever_waits_is_told_at_once(service: EngineService, log: FaultyLog) -> None:
    (created,) = await outcomes(service, 1)
    poll = asyncio.create_task(service.jobs_available("other", 60))
    end = asyncio.create_task(service.instance_completed(created.process_instance_key, 60))
    await asyncio.sleep(0)
    log.break_with(FULL)

    await outcomes(service, 1)
    met = await asyncio.gather(poll, end, return_exceptions=True)

    assert [type(answer) for answer in met] == [LogNotWritable] * 2
    with pytest.raises(LogNotWritable):
        await service.jobs_available("other", 60)


async def test_it_accepts_again_by_itself_and_goes_on_where_it_stood(
    service: EngineService, log: FaultyLog
) -> None:
    log.break_with(FULL)
    await outcomes(service, 3)
    with pytest.raises(LogNotWritable):
        await service.submit(c.Tick())

    log.mend()
    await until_mended(service)
    (created,) = await outcomes(service, 1)

    assert log.reopened > 0
    assert list(service.view().process_instances) == [created.process_instance_key]


async def test_a_timer_that_came_due_meanwhile_fires_when_writing_works_again() -> None:
    nap = {"nap": {"type": "intermediateCatchEvent", "timeDuration": "PT0.05S"}}
    source = build({"id": "p", "flow": "start -> nap -> end", "elements": nap})
    log = FaultyLog()
    service = EngineService(log, SystemClock(), business_id_unique=True, mend_seconds=0.02)
    await service.start()
    await service.submit(c.DeployResources((c.Resource("p.bpmn", source),)))
    (created,) = await outcomes(service, 1)
    log.break_with(FULL)
    await until(lambda: service.write_problem is not None)

    log.mend()
    await until_mended(service)

    assert await service.instance_completed(created.process_instance_key, 5) is not None
    await service.close()


async def test_a_log_that_lost_what_was_acknowledged_stops_the_engine(log: FaultyLog) -> None:
    class Forgetful(FaultyLog):
        def reopen(self) -> None:
            raise LogCorrupt("record 1 was acknowledged and is not there")

    forgetful = Forgetful()
    service = EngineService(forgetful, ManualClock(0), business_id_unique=True, mend_seconds=0.001)
    await service.start()
    await service.submit(c.DeployResources((c.Resource("p.bpmn", WORK),)))
    forgetful.break_with(FULL)
    await outcomes(service, 1)

    await until(lambda: "opened again" in (service.write_problem or ""))

    with pytest.raises(EngineStopped, match="cannot be opened again"):
        await service.committed()
    await service.close()


@pytest.mark.parametrize(
    ("is_full", "code", "title"),
    [
        (True, grpc.StatusCode.RESOURCE_EXHAUSTED, "RESOURCE_EXHAUSTED"),
        (False, grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE"),
    ],
    ids=["full", "broken"],
)
async def test_both_surfaces_refuse_commands_and_answer_questions(
    service: EngineService, log: FaultyLog, is_full: bool, code: grpc.StatusCode, title: str
) -> None:
    leases = JobLeases(service)
    streams = JobStreams(service, leases)
    gateway = Gateway(service, leases, streams, actor=None)
    stub = GatewayStub(InprocChannel(gateway))
    reads = Reads(ReadModel(service, ManualClock(0), tape=None, lag_ms=0), username="u")
    app = rest_app(Commands(service, leases, actor=None), reads, None, token=None)
    log.break_with(FULL, is_full=is_full)
    await outcomes(service, 1)

    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stub.CreateProcessInstance(pb.CreateProcessInstanceRequest(bpmnProcessId="p", version=-1))
    topology = await stub.Topology(pb.TopologyRequest())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://e/v2") as http:
        command = await http.post("/process-instances", json={"processDefinitionId": "p"})
        search = await http.post("/process-definitions/search", json={})
        status = await http.get("/status")
        shape = (await http.get("/topology")).json()
    await streams.close()

    assert refused.value.code() is code
    assert topology.brokers[0].partitions[0].health == pb.Partition.PartitionBrokerHealth.UNHEALTHY
    assert (command.status_code, command.json()["title"]) == (503, title)
    assert search.json()["page"]["totalItems"] == 1
    assert (status.status_code, status.json()["detail"]) == (503, FULL)
    assert shape["brokers"][0]["partitions"][0]["health"] == "unhealthy"


async def test_health_follows_the_log_on_a_socket_and_in_the_process(
    service: EngineService, log: FaultyLog
) -> None:
    leases = JobLeases(service)
    streams = JobStreams(service, leases)
    gateway = Gateway(service, leases, streams, actor=None)
    server = GrpcServer(gateway, token=None)
    port = await server.start("127.0.0.1", 0)

    async def health() -> set[int]:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as socket:
            stubs: list[Any] = [health_pb2_grpc.HealthStub(c) for c in (socket, InprocChannel(gateway))]  # type: ignore[no-untyped-call]
            return {(await stub.Check(health_pb2.HealthCheckRequest())).status for stub in stubs}

    before = await health()
    log.break_with(FULL)
    await outcomes(service, 1)
    broken = await health()
    log.mend()
    await until_mended(service)
    mended = await health()
    await server.stop()
    await streams.close()

    answer = health_pb2.HealthCheckResponse
    assert (before, broken, mended) == ({answer.SERVING}, {answer.NOT_SERVING}, {answer.SERVING})


def test_a_refusal_names_the_file_and_not_where_it_lies(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "e.db")
    log.close()

    with pytest.raises(LogNotWritable) as refused:
        log.append([])

    assert "e.db cannot be written" in str(refused.value)
    assert str(tmp_path) not in str(refused.value)


async def test_a_file_that_was_reopened_has_what_was_acknowledged(tmp_path: Path) -> None:
    log = FaultyLog(SqliteLog(tmp_path / "e.db"))
    service = EngineService(log, ManualClock(0), business_id_unique=True, mend_seconds=0.001)
    await service.start()
    await service.submit(c.DeployResources((c.Resource("p.bpmn", WORK),)))
    log.break_with(FULL)
    await outcomes(service, 2)
    log.mend()
    await until_mended(service)
    await outcomes(service, 2)
    before = service.view()
    await service.close()

    again = await EngineService.open(tmp_path / "e.db", clock=ManualClock(0))

    assert again.view() == before
    await again.close()

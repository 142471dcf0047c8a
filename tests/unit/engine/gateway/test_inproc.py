"""pyzeebe's own client and worker, unchanged, on a channel without a socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest
from pyzeebe import ZeebeClient, ZeebeWorker
from pyzeebe.errors import ProcessDefinitionNotFoundError
from pyzeebe.proto import gateway_pb2 as pb
from pyzeebe.proto.gateway_pb2_grpc import GatewayStub
from tests.conformance.scenarios.builder import build

from aurum_engine.clock import ManualClock
from aurum_engine.core import commands as c
from aurum_engine.gateway.inproc import InprocChannel
from aurum_engine.gateway.rpcs import Gateway, rpc_names
from aurum_engine.job_streams import JobStreams
from aurum_engine.service import EngineService
from aurum_engine.surface import JobLeases

WORK = build(
    {"id": "p", "flow": "start -> work -> end", "elements": {"work": {"type": "serviceTask", "job": "work"}}}
)


@pytest.fixture
async def service() -> AsyncIterator[EngineService]:
    opened = await EngineService.open(None, clock=ManualClock(1_000))
    await opened.submit(c.DeployResources((c.Resource("p.bpmn", WORK),)))
    yield opened
    await opened.close()


@pytest.fixture
async def gateway(service: EngineService) -> AsyncIterator[Gateway]:
    leases = JobLeases(service)
    streams = JobStreams(service, leases)
    yield Gateway(service, leases, streams, actor=None)
    await streams.close()


async def test_a_pyzeebe_worker_completes_what_a_pyzeebe_client_starts(gateway: Gateway) -> None:
    worker = ZeebeWorker(InprocChannel(gateway))

    @worker.task(task_type="work")
    async def double(x: int) -> dict[str, int]:
        return {"y": 2 * x}

    working = asyncio.create_task(worker.work())
    result = await ZeebeClient(InprocChannel(gateway)).run_process_with_result("p", {"x": 21})
    await worker.stop()
    working.cancel()
    await asyncio.wait({working})

    assert result.variables == {"x": 21, "y": 42}


async def test_refusals_look_as_on_a_socket(gateway: Gateway) -> None:
    with pytest.raises(ProcessDefinitionNotFoundError):
        await ZeebeClient(InprocChannel(gateway)).run_process("none")


async def test_a_deadline_ends_a_call(gateway: Gateway) -> None:
    poll = pb.ActivateJobsRequest(type="none", worker="w", timeout=1, maxJobsToActivate=1)

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        async for _ in GatewayStub(InprocChannel(gateway)).ActivateJobs(poll, timeout=0.01):
            pass

    assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_closed_channel_is_unavailable(gateway: Gateway) -> None:
    channel = InprocChannel(gateway)
    await channel.close()

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await GatewayStub(channel).Topology(pb.TopologyRequest())

    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert channel.get_state() is grpc.ChannelConnectivity.SHUTDOWN


async def test_jobs_leased_for_a_caller_that_left_are_offered_again_at_once(
    service: EngineService, gateway: Gateway
) -> None:
    await service.submit(c.CreateProcessInstance("p"))
    leases = JobLeases(service)
    leaving = asyncio.create_task(leases.first_batch(c.ActivateJobs("work", "w", 60_000, 1), 5))
    await asyncio.sleep(0)

    leaving.cancel()
    await asyncio.wait({leaving})
    await leases.drain()

    (job,) = await leases.first_batch(c.ActivateJobs("work", "w", 60_000, 1), 0)
    assert job.job.retries == 3


async def test_many_large_jobs_come_in_several_messages(service: EngineService, gateway: Gateway) -> None:
    large = {f"v{n}": "x" * 60_000 for n in range(10)}
    for _ in range(8):
        await service.submit(c.CreateProcessInstance("p", variables=large))
    poll = pb.ActivateJobsRequest(type="work", worker="w", timeout=1, maxJobsToActivate=8)

    sizes = [(len(response.jobs), response.ByteSize()) async for response in gateway.activate_jobs(poll)]

    assert [jobs for jobs, _ in sizes] == [3, 3, 2]
    assert max(size for _, size in sizes) < 2_200_000


def test_every_rpc_of_the_protocol_is_served_or_known_to_be_outside(gateway: Gateway) -> None:
    outside = set(rpc_names()) - gateway.unary.keys() - gateway.streams.keys()

    assert outside == {
        "DeleteResource",
        "DeployProcess",
        "MigrateProcessInstance",
        "ModifyProcessInstance",
    }

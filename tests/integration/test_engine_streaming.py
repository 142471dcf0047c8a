"""Job streams over a socket, with pyzeebe's own streaming worker and with raw stubs."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import grpc
import pytest
from pyzeebe import ZeebeClient, ZeebeWorker, create_insecure_channel
from pyzeebe.proto import gateway_pb2 as pb
from pyzeebe.proto.gateway_pb2_grpc import GatewayStub
from tests.conformance.scenarios.builder import build

from aurum_engine.core import commands as c
from aurum_engine.server import EngineServer

WORK = build(
    {"id": "p", "flow": "start -> work -> end", "elements": {"work": {"type": "serviceTask", "job": "work"}}}
)

# Each test starts and stops a server, and uvicorn's shutdown waits in tenths of a second.
pytestmark = pytest.mark.slow


async def test_a_streaming_pyzeebe_worker_does_old_jobs_by_polling_and_new_ones_by_stream() -> None:
    async with EngineServer() as server:
        await server.service.submit(c.DeployResources((c.Resource("p.bpmn", WORK),)))
        channel = create_insecure_channel(f"127.0.0.1:{server.grpc_port}")
        client, worker = ZeebeClient(channel), ZeebeWorker(channel, name="w", stream_enabled=True)
        await client.run_process("p", {"n": 0})
        done: list[int] = []

        @worker.task(task_type="work")
        async def work(n: int) -> dict[str, int]:
            done.append(n)
            return {"m": n + 1}

        working = asyncio.create_task(worker.work())
        async with asyncio.timeout(5):
            results = [await client.run_process_with_result("p", {"n": n}) for n in range(1, 4)]
        await worker.stop()
        working.cancel()
        await asyncio.wait({working})
        await channel.close()

    assert sorted(done) == [0, 1, 2, 3]
    assert [result.variables["m"] for result in results] == [2, 3, 4]


async def test_an_open_stream_on_a_socket_ends_with_its_engine_as_unavailable() -> None:
    server = await EngineServer().__aenter__()
    await server.service.submit(c.DeployResources((c.Resource("p.bpmn", WORK),)))
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.grpc_port}") as channel:
        stub: Any = GatewayStub(channel)
        stream = stub.StreamActivatedJobs(pb.StreamActivatedJobsRequest(type="work", timeout=60_000))
        reading = asyncio.ensure_future(stream.read())
        async with asyncio.timeout(5):
            while server.service.room.taken < 1:  # noqa: ASYNC110  # nobody tells of it
                await asyncio.sleep(0.001)
            await stub.CreateProcessInstance(pb.CreateProcessInstanceRequest(bpmnProcessId="p", version=-1))
            job = await reading
            begun = time.monotonic()
            await server.close()
            code = await stream.code()

    assert job.deadline > 0
    assert code is grpc.StatusCode.UNAVAILABLE
    assert time.monotonic() - begun < 1.0

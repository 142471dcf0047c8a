"""The engine as a server, over loopback sockets: gRPC statuses, tokens, long polls, start and stop."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from pyzeebe import ZeebeClient, create_insecure_channel
from pyzeebe.proto import gateway_pb2 as pb
from pyzeebe.proto.gateway_pb2_grpc import GatewayStub
from tests.conformance.scenarios.builder import build

from aurum_engine.server import EngineServer, PortInUse

ROOT = Path(__file__).parents[2]
SHIPPED = [
    *(ROOT / "bpmn").glob("*.bpmn"),
    *(ROOT / "dmn").glob("*.dmn"),
    *(ROOT / "bpmn/forms").glob("*.form"),
]
WORK = build(
    {"id": "p", "flow": "start -> work -> end", "elements": {"work": {"type": "serviceTask", "job": "work"}}}
)
BY_MESSAGE = build(
    {
        "id": "m",
        "flow": "start -> end",
        "elements": {"start": {"type": "startEvent", "message": {"name": "go"}}},
    }
)

# Each test starts and stops a server, and uvicorn's shutdown waits in tenths of a second.
pytestmark = pytest.mark.slow


@pytest.fixture
async def server() -> AsyncIterator[EngineServer]:
    async with EngineServer() as running:
        yield running


@pytest.fixture
async def stub(server: EngineServer) -> AsyncIterator[Any]:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.grpc_port}") as channel:
        gateway = GatewayStub(channel)
        files = [pb.Resource(name="p.bpmn", content=WORK), pb.Resource(name="m.bpmn", content=BY_MESSAGE)]
        await gateway.DeployResource(pb.DeployResourceRequest(resources=files))
        yield gateway


async def status_of(call: Any) -> grpc.StatusCode:
    try:
        if hasattr(call, "__aiter__"):
            async for _ in call:
                pass
        else:
            await call
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


async def lease(stub: Any, **changes: Any) -> list[pb.ActivatedJob]:
    fields = {"type": "work", "worker": "w", "timeout": 60_000, "maxJobsToActivate": 5, "requestTimeout": -1}
    call = stub.ActivateJobs(pb.ActivateJobsRequest(**(fields | changes)))
    return [job async for response in call for job in response.jobs]


async def test_a_message_id_still_buffered_already_exists(stub: Any) -> None:
    request = pb.PublishMessageRequest(name="n", correlationKey="k", messageId="1", timeToLive=60_000)
    await stub.PublishMessage(request)

    assert await status_of(stub.PublishMessage(request)) is grpc.StatusCode.ALREADY_EXISTS


UNSUPPORTED = {
    "DeleteResource": pb.DeleteResourceRequest(),
    "DeployProcess": pb.DeployProcessRequest(),
    "MigrateProcessInstance": pb.MigrateProcessInstanceRequest(),
    "ModifyProcessInstance": pb.ModifyProcessInstanceRequest(),
}


async def test_rpcs_outside_the_subset_are_unimplemented(stub: Any) -> None:
    codes = {name: await status_of(getattr(stub, name)(request)) for name, request in UNSUPPORTED.items()}

    assert codes == dict.fromkeys(UNSUPPORTED, grpc.StatusCode.UNIMPLEMENTED)


async def test_a_result_is_awaited_until_the_deadline_of_the_request(stub: Any) -> None:
    inner = pb.CreateProcessInstanceRequest(bpmnProcessId="p", version=-1, variables='{"a": 1, "b": 2}')
    late = stub.CreateProcessInstanceWithResult(
        pb.CreateProcessInstanceWithResultRequest(request=inner, requestTimeout=20)
    )
    assert await status_of(late) is grpc.StatusCode.DEADLINE_EXCEEDED
    waiting = asyncio.ensure_future(
        stub.CreateProcessInstanceWithResult(
            pb.CreateProcessInstanceWithResultRequest(request=inner, fetchVariables=["b"])
        )
    )
    jobs = await lease(stub)
    while len(jobs) < 2:
        jobs += await lease(stub, requestTimeout=5_000)

    for job in jobs:
        await stub.CompleteJob(pb.CompleteJobRequest(jobKey=job.key, variables='{"b": 3}'))

    assert json.loads((await waiting).variables) == {"b": 3}


async def test_a_long_poll_ends_with_the_first_job(stub: Any) -> None:
    poll = asyncio.ensure_future(lease(stub, requestTimeout=10_000))
    await stub.CreateProcessInstance(pb.CreateProcessInstanceRequest(bpmnProcessId="p", version=-1))

    async with asyncio.timeout(2):
        (job,) = await poll

    assert (job.elementId, job.tenantId, json.loads(job.customHeaders)) == ("work", "<default>", {})


async def test_without_the_token_every_call_is_refused() -> None:
    async with (
        EngineServer(token="secret") as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.grpc_port}") as channel,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.rest_port}/v2", verify=False) as http,
    ):
        stub: Any = GatewayStub(channel)
        wrong, bare, bearer = (
            (("authorization", value),) for value in ("Bearer wrong", "secret", "Bearer secret")
        )
        codes = [
            await status_of(stub.Topology(pb.TopologyRequest(), metadata=metadata))
            for metadata in (None, wrong, bare, bearer)
        ]
        poll = pb.ActivateJobsRequest(type="t", worker="w", timeout=1, maxJobsToActivate=1, requestTimeout=-1)
        codes.append(await status_of(stub.ActivateJobs(poll)))
        answers = [
            await http.get("/topology", headers=headers)
            for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer secret"})
        ]
        status = await http.get("/status")

    refused = grpc.StatusCode.UNAUTHENTICATED
    assert codes == [refused, refused, refused, grpc.StatusCode.OK, refused]
    assert [answer.status_code for answer in answers] == [401, 401, 200]
    assert answers[0].headers["www-authenticate"].startswith("Bearer")
    assert answers[0].json()["title"] == "UNAUTHENTICATED"
    assert status.status_code == 204


async def test_health_knows_the_gateway_and_nothing_else(server: EngineServer) -> None:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.grpc_port}") as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)  # type: ignore[no-untyped-call]
        answer = await stub.Check(health_pb2.HealthCheckRequest(service="gateway_protocol.Gateway"))
        unknown = await status_of(stub.Check(health_pb2.HealthCheckRequest(service="other")))

    assert answer.status == health_pb2.HealthCheckResponse.SERVING
    assert unknown is grpc.StatusCode.NOT_FOUND


async def test_the_shipped_process_deploys_over_both_surfaces_to_the_same_keys(server: EngineServer) -> None:
    channel = create_insecure_channel(f"127.0.0.1:{server.grpc_port}")
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.rest_port}/v2", verify=False) as http:
        files = [("resources", (path.name, path.read_bytes())) for path in SHIPPED]
        rest = (await http.post("/deployments", files=files)).json()["deployments"]

        grpc_answer = await ZeebeClient(channel).deploy_resource(*SHIPPED)
        await channel.close()

    process = next(d["processDefinition"] for d in rest if d["processDefinition"])
    again = next(d for d in grpc_answer.deployments if getattr(d, "bpmn_process_id", None))
    assert process["processDefinitionId"] == "wealth-onboarding"
    assert (str(again.process_definition_key), again.version) == (process["processDefinitionKey"], 1)
    assert len(grpc_answer.deployments) == len(rest) > len(SHIPPED)


async def test_open_long_polls_do_not_hold_up_the_end() -> None:
    server = await EngineServer().__aenter__()
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{server.grpc_port}")
    poll = pb.ActivateJobsRequest(type="t", worker="w", timeout=1, maxJobsToActivate=1, requestTimeout=60_000)
    over_grpc = asyncio.ensure_future(status_of(GatewayStub(channel).ActivateJobs(poll)))
    body = {"type": "t", "timeout": 1_000, "maxJobsToActivate": 1, "requestTimeout": 60_000}
    http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.rest_port}/v2", verify=False)
    over_rest = asyncio.ensure_future(http.post("/jobs/activation", json=body, timeout=60))
    await http.get("/topology")  # Answered after the poll that was sent before it has arrived.

    async with asyncio.timeout(5):
        await server.close()

    assert await over_grpc is grpc.StatusCode.UNAVAILABLE
    assert (await over_rest).status_code == 503
    await http.aclose()
    await channel.close()


@pytest.mark.parametrize("lag_ms", [0, 500])
async def test_a_stopped_engine_answers_nothing(lag_ms: int) -> None:
    async with (
        EngineServer(search_lag_ms=lag_ms) as server,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.rest_port}/v2", verify=False) as http,
    ):
        before = await http.get("/status")
        await server.service.close()
        after = [await http.get("/status"), await http.get("/topology"), await http.post("/jobs/search")]

    assert before.status_code == 204
    assert [(answer.status_code, answer.json()["title"]) for answer in after] == [(503, "UNAVAILABLE")] * 3


@pytest.mark.parametrize("option", ["--grpc-port", "--rest-port"])
async def test_a_busy_port_is_named_with_its_option(option: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ports = {option.strip("-").replace("-", "_"): port}

        with pytest.raises(PortInUse, match=rf"port {port} .* {option}"):
            await EngineServer(**ports).__aenter__()  # type: ignore[arg-type]


def test_the_command_line_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("secret\n")
    options = ["--data-dir", str(tmp_path / "data"), "--grpc-port", "0", "--rest-port", "0"]
    command = [sys.executable, "-u", "-m", "aurum_engine", *options, "--token-file", str(token)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline(), process.stdout.readline()]
        address = lines[1].split()[1]

        answer = httpx.get(f"{address}/topology", headers={"Authorization": "Bearer secret"})
        process.send_signal(signal.SIGTERM)
        exit_code = process.wait(timeout=5)

    assert answer.status_code == 200
    assert exit_code == 0
    assert (tmp_path / "data" / "engine.sqlite").exists()

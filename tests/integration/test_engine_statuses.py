"""Which status each RPC answers with, situation by situation: one table, on the channel without a socket."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest
from pyzeebe.proto import gateway_pb2 as pb
from pyzeebe.proto.gateway_pb2_grpc import GatewayStub
from tests.conformance.scenarios.builder import build

from aurum_engine.testing import EngineBench

pytest_plugins = ["aurum_engine.testing"]

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
FOREVER = (1 << 63) - 1
Situation = Callable[["Gateway"], Awaitable[dict[str, Any]]]


class Gateway:
    """The stub, and the ways into each situation: they return the fields that a request then needs."""

    def __init__(self, bench: EngineBench) -> None:
        self.bench = bench
        self.stub: Any = GatewayStub(bench.channel())

    async def code(self, rpc: str, fields: dict[str, Any]) -> str:
        """Call an RPC with all its answers and return its status."""
        request = getattr(pb, f"{rpc}Request")(**fields)
        try:
            call = getattr(self.stub, rpc)(request)
            if hasattr(call, "__aiter__"):
                async for _ in call:
                    break
            else:
                await call
        except grpc.aio.AioRpcError as error:
            return str(error.code().name)
        return "OK"

    async def leased(self) -> dict[str, Any]:
        await self.bench.start("p")
        poll = pb.ActivateJobsRequest(type="work", worker="w", timeout=60_000, maxJobsToActivate=1)
        (job,) = [job async for answer in self.stub.ActivateJobs(poll) for job in answer.jobs]
        return {"jobKey": job.key}

    async def waiting(self) -> dict[str, Any]:
        await self.bench.start("p")
        return {"jobKey": self.bench.jobs_of("work")[0]}

    async def failed(self) -> dict[str, Any]:
        fields = await self.leased()
        await self.stub.FailJob(pb.FailJobRequest(**fields, retries=0))
        return fields

    async def completed(self) -> dict[str, Any]:
        fields = await self.leased()
        await self.stub.CompleteJob(pb.CompleteJobRequest(**fields))
        return fields

    async def stuck(self) -> dict[str, Any]:
        await self.failed()
        (incident,) = self.bench.service.view().incidents
        return {"incidentKey": incident}

    async def running(self) -> dict[str, Any]:
        return {"elementInstanceKey": await self.bench.start("p")}

    async def ended(self) -> dict[str, Any]:
        key = await self.bench.start("p")
        await self.stub.CancelProcessInstance(pb.CancelProcessInstanceRequest(processInstanceKey=key))
        return {"processInstanceKey": key}

    async def published(self) -> dict[str, Any]:
        fields = {"name": "n", "correlationKey": "k", "messageId": "1", "timeToLive": 60_000}
        await self.stub.PublishMessage(pb.PublishMessageRequest(**fields))
        return fields

    async def nothing(self) -> dict[str, Any]:
        return {}


POLL = {"type": "none", "worker": "w", "timeout": 1, "maxJobsToActivate": 1, "requestTimeout": -1}
IN = Gateway
TABLE: list[tuple[str, str, Situation, dict[str, Any], str]] = [
    ("ActivateJobs", "no job", IN.nothing, POLL, "OK"),
    ("ActivateJobs", "blank type", IN.nothing, POLL | {"type": " "}, "INVALID_ARGUMENT"),
    ("ActivateJobs", "blank worker", IN.nothing, POLL | {"worker": ""}, "INVALID_ARGUMENT"),
    ("ActivateJobs", "no lease", IN.nothing, POLL | {"timeout": 0}, "INVALID_ARGUMENT"),
    ("ActivateJobs", "endless lease", IN.nothing, POLL | {"timeout": FOREVER}, "INVALID_ARGUMENT"),
    ("ActivateJobs", "no jobs wanted", IN.nothing, POLL | {"maxJobsToActivate": 0}, "INVALID_ARGUMENT"),
    ("ActivateJobs", "foreign tenant", IN.nothing, POLL | {"tenantIds": ["x"]}, "INVALID_ARGUMENT"),
    ("StreamActivatedJobs", "blank type", IN.nothing, {"timeout": 1}, "INVALID_ARGUMENT"),
    ("StreamActivatedJobs", "no lease", IN.nothing, {"type": "t"}, "INVALID_ARGUMENT"),
    (
        "StreamActivatedJobs",
        "endless lease",
        IN.nothing,
        {"type": "t", "timeout": FOREVER},
        "INVALID_ARGUMENT",
    ),
    ("CompleteJob", "leased", IN.leased, {}, "OK"),
    ("CompleteJob", "unknown", IN.nothing, {"jobKey": 1}, "NOT_FOUND"),
    ("CompleteJob", "completed before", IN.completed, {}, "NOT_FOUND"),
    ("CompleteJob", "failed", IN.failed, {}, "FAILED_PRECONDITION"),
    ("CompleteJob", "variables a list", IN.leased, {"variables": "[1]"}, "INVALID_ARGUMENT"),
    ("FailJob", "leased", IN.leased, {"retries": 1}, "OK"),
    ("FailJob", "unknown", IN.nothing, {"jobKey": 1}, "NOT_FOUND"),
    ("FailJob", "not leased", IN.waiting, {"retries": 1}, "FAILED_PRECONDITION"),
    ("FailJob", "out of retries", IN.failed, {"retries": 1}, "FAILED_PRECONDITION"),
    ("FailJob", "endless", IN.leased, {"retries": 1, "retryBackOff": FOREVER}, "INVALID_ARGUMENT"),
    ("ThrowError", "leased", IN.leased, {"errorCode": "E"}, "OK"),
    ("ThrowError", "unknown", IN.nothing, {"jobKey": 1, "errorCode": "E"}, "NOT_FOUND"),
    ("ThrowError", "not leased", IN.waiting, {"errorCode": "E"}, "FAILED_PRECONDITION"),
    ("UpdateJobTimeout", "leased", IN.leased, {"timeout": 5}, "OK"),
    ("UpdateJobTimeout", "unknown", IN.nothing, {"jobKey": 1, "timeout": 5}, "NOT_FOUND"),
    ("UpdateJobTimeout", "not leased", IN.waiting, {"timeout": 5}, "FAILED_PRECONDITION"),
    ("UpdateJobTimeout", "endless", IN.leased, {"timeout": FOREVER}, "INVALID_ARGUMENT"),
    ("UpdateJobRetries", "failed", IN.failed, {"retries": 1}, "OK"),
    ("UpdateJobRetries", "unknown", IN.nothing, {"jobKey": 1, "retries": 1}, "NOT_FOUND"),
    ("UpdateJobRetries", "none", IN.failed, {"retries": 0}, "INVALID_ARGUMENT"),
    ("CreateProcessInstance", "latest", IN.nothing, {"bpmnProcessId": "p", "version": -1}, "OK"),
    ("CreateProcessInstance", "unknown id", IN.nothing, {"bpmnProcessId": "x"}, "NOT_FOUND"),
    ("CreateProcessInstance", "unknown key", IN.nothing, {"processDefinitionKey": 1}, "NOT_FOUND"),
    (
        "CreateProcessInstance",
        "unknown version",
        IN.nothing,
        {"bpmnProcessId": "p", "version": 9},
        "NOT_FOUND",
    ),
    ("CreateProcessInstance", "no none start", IN.nothing, {"bpmnProcessId": "m"}, "FAILED_PRECONDITION"),
    ("CreateProcessInstance", "no process", IN.nothing, {}, "INVALID_ARGUMENT"),
    (
        "CreateProcessInstance",
        "variables a list",
        IN.nothing,
        {"bpmnProcessId": "p", "variables": "[1]"},
        "INVALID_ARGUMENT",
    ),
    (
        "CreateProcessInstance",
        "variables no JSON",
        IN.nothing,
        {"bpmnProcessId": "p", "variables": "{'a': 1}"},
        "INVALID_ARGUMENT",
    ),
    (
        "CreateProcessInstance",
        "foreign tenant",
        IN.nothing,
        {"bpmnProcessId": "p", "tenantId": "x"},
        "INVALID_ARGUMENT",
    ),
    (
        "CreateProcessInstanceWithResult",
        "late",
        IN.nothing,
        {"request": pb.CreateProcessInstanceRequest(bpmnProcessId="p"), "requestTimeout": 5},
        "DEADLINE_EXCEEDED",
    ),
    ("CancelProcessInstance", "unknown", IN.nothing, {"processInstanceKey": 1}, "NOT_FOUND"),
    ("CancelProcessInstance", "ended", IN.ended, {}, "NOT_FOUND"),
    ("SetVariables", "running", IN.running, {"variables": "{}"}, "OK"),
    ("SetVariables", "unknown", IN.nothing, {"elementInstanceKey": 1, "variables": "{}"}, "NOT_FOUND"),
    ("SetVariables", "variables a list", IN.running, {"variables": "[]"}, "INVALID_ARGUMENT"),
    ("ResolveIncident", "unknown", IN.nothing, {"incidentKey": 1}, "NOT_FOUND"),
    ("ResolveIncident", "cause remains", IN.stuck, {}, "FAILED_PRECONDITION"),
    ("DeployResource", "nothing", IN.nothing, {}, "INVALID_ARGUMENT"),
    (
        "DeployResource",
        "no BPMN",
        IN.nothing,
        {"resources": [pb.Resource(name="x.bpmn", content=b"<x/>")]},
        "INVALID_ARGUMENT",
    ),
    (
        "DeployResource",
        "foreign tenant",
        IN.nothing,
        {"resources": [pb.Resource(name="p.bpmn", content=WORK)], "tenantId": "x"},
        "INVALID_ARGUMENT",
    ),
    ("EvaluateDecision", "none named", IN.nothing, {}, "INVALID_ARGUMENT"),
    ("EvaluateDecision", "unknown", IN.nothing, {"decisionId": "x"}, "NOT_FOUND"),
    ("PublishMessage", "once", IN.nothing, {"name": "n", "messageId": "1"}, "OK"),
    ("PublishMessage", "still buffered", IN.published, {}, "ALREADY_EXISTS"),
    ("PublishMessage", "no name", IN.nothing, {}, "INVALID_ARGUMENT"),
    ("PublishMessage", "endless", IN.nothing, {"name": "n", "timeToLive": FOREVER}, "INVALID_ARGUMENT"),
    ("BroadcastSignal", "nobody waits", IN.nothing, {"signalName": "s"}, "OK"),
    ("BroadcastSignal", "no name", IN.nothing, {}, "INVALID_ARGUMENT"),
    ("Topology", "always", IN.nothing, {}, "OK"),
    ("DeleteResource", "outside the subset", IN.nothing, {}, "UNIMPLEMENTED"),
    ("DeployProcess", "outside the subset", IN.nothing, {}, "UNIMPLEMENTED"),
    ("MigrateProcessInstance", "outside the subset", IN.nothing, {}, "UNIMPLEMENTED"),
    ("ModifyProcessInstance", "outside the subset", IN.nothing, {}, "UNIMPLEMENTED"),
]


@pytest.fixture
async def gateway(engine_bench: EngineBench) -> Gateway:
    await engine_bench.deploy(("p.bpmn", WORK), ("m.bpmn", BY_MESSAGE))
    return Gateway(engine_bench)


@pytest.mark.parametrize(
    ("rpc", "situation", "fields", "status"),
    [(rpc, situation, fields, status) for rpc, _, situation, fields, status in TABLE],
    ids=[f"{rpc}: {name}" for rpc, name, *_ in TABLE],
)
async def test_the_status_of_each_rpc(
    gateway: Gateway, rpc: str, situation: Situation, fields: dict[str, Any], status: str
) -> None:
    given = await situation(gateway)

    assert await gateway.code(rpc, given | fields) == status


def test_the_table_has_every_rpc() -> None:
    known = {method.name for method in pb.DESCRIPTOR.services_by_name["Gateway"].methods}

    assert {rpc for rpc, *_ in TABLE} == known

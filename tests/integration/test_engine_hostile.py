"""Hostile resources over both wires: refused there too, and the engine goes on."""

from __future__ import annotations

from typing import Any

import grpc
import httpx
import pytest
from pyzeebe.proto import gateway_pb2 as pb
from pyzeebe.proto.gateway_pb2_grpc import GatewayStub
from tests.conformance.hostile import HOSTILE
from tests.conformance.scenarios.builder import build

from aurum_engine.clock import ManualClock
from aurum_engine.server import EngineServer

# Each test starts and stops a server, and uvicorn's shutdown waits in tenths of a second.
pytestmark = pytest.mark.slow

LABOURS = {"a message name that computes for ever", "more elements than a process has"}
"""Take a second each and differ in nothing on the wire."""


async def test_hostile_resources_are_refused_over_both_wires() -> None:
    async with (
        EngineServer(clock=ManualClock(0)) as server,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.rest_port}/v2", verify=False) as http,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.grpc_port}") as channel,
    ):
        stub: Any = GatewayStub(channel)
        for name in HOSTILE.keys() - LABOURS:
            content, reason = HOSTILE[name]
            too_large = reason == "exceeds"

            answer = await http.post("/deployments", files=[("resources", ("h.bpmn", content))])
            assert answer.status_code == (413 if too_large else 400), name
            assert too_large or reason in answer.json()["detail"], name

            resource = pb.Resource(name="h.bpmn", content=content)
            with pytest.raises(grpc.aio.AioRpcError) as refusal:
                await stub.DeployResource(pb.DeployResourceRequest(resources=[resource]))
            code = grpc.StatusCode.RESOURCE_EXHAUSTED if too_large else grpc.StatusCode.INVALID_ARGUMENT
            assert refusal.value.code() is code, name
            assert too_large or reason in (refusal.value.details() or ""), name

        good = build({"id": "p", "flow": "start -> end"})
        answer = await http.post("/deployments", files=[("resources", ("p.bpmn", good))])
        assert answer.status_code == 200
        found = (await http.post("/process-definitions/search", json={})).json()["items"]
        assert [item["processDefinitionId"] for item in found] == ["p"]

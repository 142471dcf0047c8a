"""An ad-hoc sub-process over a loopback socket, as a worker and a reader meet it."""

from __future__ import annotations

import json
from typing import Any

import grpc
import httpx
import pytest
from pyzeebe.proto import gateway_pb2 as pb
from pyzeebe.proto.gateway_pb2_grpc import GatewayStub
from tests.conformance.scenarios.builder import build

from aurum_engine.clock import ManualClock
from aurum_engine.server import EngineServer

START_MS = 1_796_000_000_000
PROCESS = build(
    {
        "id": "p",
        "flow": "start -> box -> end",
        "elements": {
            "box": {
                "type": "adHocSubProcess",
                "job": "agent",
                "headers": {"model": "any"},
                "elements": {"a": {"type": "serviceTask", "job": "a"}},
            }
        },
    }
)

# Each test starts and stops a server, and uvicorn's shutdown waits in tenths of a second.
pytestmark = pytest.mark.slow


async def test_a_worker_leases_over_either_wire_and_decides_over_rest() -> None:
    async with (
        EngineServer(clock=ManualClock(START_MS)) as server,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.rest_port}/v2", verify=False) as http,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.grpc_port}") as channel,
    ):

        async def call(method: str, path: str, body: Any, status: int) -> Any:
            response = await http.request(method, path, json=body)
            assert response.status_code == status, response.text
            return response.json() if response.content else None

        await http.post("/deployments", files=[("resources", ("p.bpmn", PROCESS))])
        await call("POST", "/process-instances", {"processDefinitionId": "p", "tags": ["t"]}, 200)
        lease = {
            "type": "agent",
            "timeout": 1_000,
            "maxJobsToActivate": 5,
            "worker": "w",
            "requestTimeout": -1,
        }
        (job,) = (await call("POST", "/jobs/activation", lease, 200))["jobs"]
        assert (job["kind"], job["elementId"], job["customHeaders"]) == (
            "AD_HOC_SUB_PROCESS",
            "box",
            {"model": "any"},
        )
        assert (job["deadline"], job["retries"], job["tags"]) == (START_MS + 1_000, 3, ["t"])

        changes = {"changeset": {"retries": 0, "timeout": 9_000}}
        await call("PATCH", f"/jobs/{job['jobKey']}", changes, 400)
        (found,) = (await call("POST", "/jobs/search", {"filter": {"kind": "AD_HOC_SUB_PROCESS"}}, 200))[
            "items"
        ]
        assert found["jobKey"] == job["jobKey"]
        assert found["deadline"].endswith(":21.000Z")

        result = {"type": "adHocSubProcess", "activateElements": [{"elementId": "a", "variables": {"x": 1}}]}
        await call("POST", f"/jobs/{job['jobKey']}/completion", {"result": result}, 204)
        (inner,) = (await call("POST", "/jobs/activation", lease | {"type": "a"}, 200))["jobs"]
        assert (inner["kind"], inner["variables"]["x"]) == ("BPMN_ELEMENT", 1)
        by_scope = {"filter": {"elementInstanceScopeKey": job["elementInstanceKey"]}}
        (scope,) = (await call("POST", "/element-instances/search", by_scope, 200))["items"]
        assert (scope["type"], scope["state"]) == ("AD_HOC_SUB_PROCESS_INNER_INSTANCE", "ACTIVE")
        stub: Any = GatewayStub(channel)
        await stub.CompleteJob(pb.CompleteJobRequest(jobKey=int(inner["jobKey"]), variables="{}"))

        polled = pb.ActivateJobsRequest(type="agent", worker="w", timeout=1_000, maxJobsToActivate=1)
        (again,) = [batch.jobs[0] async for batch in stub.ActivateJobs(polled)]
        names = [e["elementId"] for e in json.loads(again.variables)["adHocSubProcessElements"]]
        assert names == ["a"]
        await stub.CompleteJob(pb.CompleteJobRequest(jobKey=again.key, variables="{}"))
        with pytest.raises(grpc.aio.AioRpcError, match="NOT_FOUND"):
            await stub.CompleteJob(pb.CompleteJobRequest(jobKey=again.key, variables="{}"))
        await call("POST", f"/jobs/{again.key}/completion", {}, 404)

        elements = {"elements": [{"elementId": "a"}], "cancelRemainingInstances": False}
        path = f"/element-instances/ad-hoc-activities/{job['elementInstanceKey']}/activation"
        await call("POST", path, elements, 204)
        await call("POST", path.replace(job["elementInstanceKey"], "1"), elements, 404)

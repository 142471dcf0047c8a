"""A called instance over REST: its family keys, and its incident at everybody who called."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.conformance.scenarios.builder import build

from aurum_engine.clock import ManualClock
from aurum_engine.server import EngineServer

PARENT = {"type": "callActivity", "called": {"processId": "child", "propagateAllChildVariables": "true"}}
PROCESSES = {
    "parent": build({"id": "parent", "flow": "start -> call -> end", "elements": {"call": PARENT}}),
    "child": build({"id": "child", "flow": "in -> work -> out", "elements": {"work": {"type": "userTask"}}}),
}

# Each test starts and stops a server, and uvicorn's shutdown waits in tenths of a second.
pytestmark = pytest.mark.slow


async def test_a_called_instance_names_its_family_and_its_incident_shows_at_the_caller() -> None:
    async with (
        EngineServer(clock=ManualClock(0)) as server,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.rest_port}/v2", verify=False) as http,
    ):

        async def post(path: str, body: Any) -> Any:
            response = await http.post(path, json=body)
            assert response.status_code == 200, response.text
            return response.json()

        files = [("resources", (f"{name}.bpmn", content)) for name, content in PROCESSES.items()]
        await http.post("/deployments", files=files)
        root = (await post("/process-instances", {"processDefinitionId": "parent"}))["processInstanceKey"]
        (child,) = (await post("/process-instances/search", {"filter": {"parentProcessInstanceKey": root}}))[
            "items"
        ]
        assert (child["processDefinitionId"], child["rootProcessInstanceKey"]) == ("child", root)
        (task,) = (await post("/user-tasks/search", {}))["items"]
        assert (task["processInstanceKey"], task["rootProcessInstanceKey"]) == (
            child["processInstanceKey"],
            root,
        )
        (call,) = (await post("/element-instances/search", {"filter": {"type": "CALL_ACTIVITY"}}))["items"]
        assert child["parentElementInstanceKey"] == call["elementInstanceKey"]
        refused = await http.post(f"/process-instances/{child['processInstanceKey']}/cancellation", json={})
        assert (refused.status_code, refused.json()["title"]) == (409, "INVALID_STATE")

        loop = {"type": "callActivity", "called": {"processId": "none", "propagateAllChildVariables": "true"}}
        broken = build({"id": "child", "flow": "in -> call -> out", "elements": {"call": loop}})
        await http.post("/deployments", files=[("resources", ("child.bpmn", broken))])
        stuck = (await post("/process-instances", {"processDefinitionId": "parent"}))["processInstanceKey"]
        found = (await post("/process-instances/search", {"filter": {"hasIncident": True}}))["items"]
        assert [row["processDefinitionId"] for row in found] == ["parent", "child"]
        (incident,) = (await post(f"/process-instances/{stuck}/incidents/search", {}))["items"]
        assert (incident["errorType"], incident["rootProcessInstanceKey"]) == ("CALLED_ELEMENT_ERROR", stuck)

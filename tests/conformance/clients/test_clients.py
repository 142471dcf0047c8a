"""Other people's clients against the engine on sockets: Camunda's Node clients for gRPC and REST, and zbctl.

They are installed by `npm ci --ignore-scripts` in this folder, which ordinary runs do not need.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.conformance.scenarios.builder import build

from aurum_engine.server import EngineServer

HERE = Path(__file__).parent
ZBCTL = HERE / "node_modules" / "zbctl" / "bin" / "zbctl-cli.linux"
DMN = b"""<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="d" namespace="n">
<decision id="ask" name="Ask"><variable name="ask"/>
<literalExpression><text>n * 2</text></literalExpression></decision>
</definitions>"""
WORK = {
    "p": {"type": "serviceTask", "job": "work"},
    "s": {"type": "serviceTask", "job": "other"},
    "u": {"type": "userTask", "assignmentDefinition": {"candidateGroups": "advisors"}},
}
BEGIN = {"start": {"type": "startEvent", "message": {"name": "begin"}}}

pytestmark = [pytest.mark.deep, pytest.mark.node, pytest.mark.timeout(120)]


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """Return a folder with the models that the scripts deploy."""
    for name, work in WORK.items():
        model = build({"id": name, "flow": "start -> work -> end", "elements": {"work": work}})
        (tmp_path / f"{name}.bpmn").write_bytes(model)
    (tmp_path / "m.bpmn").write_bytes(build({"id": "m", "flow": "start -> end", "elements": BEGIN}))
    (tmp_path / "ask.dmn").write_bytes(DMN)
    return tmp_path


@pytest.fixture
async def server() -> AsyncIterator[EngineServer]:
    if shutil.which("node") is None or not ZBCTL.exists():
        wanted = "Node with `npm ci --ignore-scripts` in tests/conformance/clients"
        if os.environ.get("AURUM_REQUIRE_TOOLS"):
            pytest.fail(f"{wanted} is absent, and here it must not be")
        pytest.skip(f"SKIPPED LOUDLY: {wanted} is absent")
    async with EngineServer() as running:
        yield running


async def output(server: EngineServer, *command: str | Path, succeeds: bool = True) -> str:
    """Run a command with the engine's addresses and return what it printed."""
    env = os.environ | {
        "ZEEBE_GRPC_ADDRESS": f"grpc://127.0.0.1:{server.grpc_port}",
        "CAMUNDA_REST_ADDRESS": f"http://127.0.0.1:{server.rest_port}/v2",
    }
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, env=env, cwd=HERE, stdout=pipe, stderr=pipe)
    try:
        async with asyncio.timeout(90):
            out, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert (process.returncode == 0) is succeeds, errors.decode()
    return out.decode() if succeeds else errors.decode()


async def zbctl(server: EngineServer, *arguments: str, succeeds: bool = True) -> str:
    address = f"127.0.0.1:{server.grpc_port}"
    return await output(server, ZBCTL, "--insecure", "--address", address, *arguments, succeeds=succeeds)


NOT_FOUND, ALREADY_EXISTS, UNIMPLEMENTED = 5, 6, 12
"""gRPC's numbers, as the Node client reports them."""


async def test_camundas_node_client_over_grpc(server: EngineServer, models: Path) -> None:
    told = json.loads((await output(server, "node", "sdk.mjs", models)).splitlines()[-1])

    assert told == {
        "topology": "8.9.0",
        "deployResources": 5,
        "createProcessInstance": ["p", 1],
        "activateJobs": ["work", 1, 3],
        "failJob": [True, 1, True],
        "completeJob": NOT_FOUND,
        "updateJobRetries": "done",
        "resolveIncident": NOT_FOUND,
        "throwError": NOT_FOUND,
        "publishMessage": "string",
        "publishedTwice": ALREADY_EXISTS,
        "publishStartMessage": "string",
        "broadcastSignal": "string",
        "evaluateDecision": 40,
        "streamJobs": "stream",
        "createProcessInstanceWithResult": 42,
        "modifyProcessInstance": UNIMPLEMENTED,
    }


async def test_camundas_node_client_over_rest_accepts_every_answer(
    server: EngineServer, models: Path
) -> None:
    told: dict[str, Any] = json.loads((await output(server, "node", "rest.mjs", models)).splitlines()[-1])

    assert {name: found for name, found in told.items() if str(found).startswith("FAILED")} == {}
    expected = {
        "getTopology": "8.9.0",
        "createDeployment": 6,
        "getProcessInstance": "ACTIVE",
        "getIncident": "JOB_NO_RETRIES",
        "getUserTask": ["advisors"],
        "searchUserTaskAuditLogs": 4,
        "evaluateDecision": 40,
        "getProcessDefinitionXml": True,
    }
    assert {name: told[name] for name in expected} == expected
    assert len(told) == 43


@pytest.mark.skipif(sys.platform != "linux", reason="the binary of the package is chosen by platform")
async def test_zbctl_deploys_starts_works_and_publishes(server: EngineServer, models: Path) -> None:
    status = await zbctl(server, "status")
    deployed = json.loads(await zbctl(server, "deploy", "resource", str(models / "p.bpmn")))
    started = json.loads(await zbctl(server, "create", "instance", "p", "--variables", '{"n": 1}'))
    leased = json.loads(await zbctl(server, "activate", "jobs", "work", "--maxJobsToActivate", "1"))
    (job,) = leased["jobs"]
    await zbctl(server, "complete", "job", job["key"], "--variables", '{"done": true}')
    gone = await zbctl(server, "cancel", "instance", started["processInstanceKey"], succeeds=False)
    published = json.loads(
        await zbctl(server, "publish", "message", "go", "--correlationKey", "k", "--ttl", "60s")
    )

    assert "Gateway version: 8.9.0" in status
    assert "Partition 1 : Leader, Healthy" in status
    assert deployed["deployments"][0]["process"]["bpmnProcessId"] == "p"
    assert job["processInstanceKey"] == started["processInstanceKey"]
    assert "NotFound" in gone
    assert int(published["key"]) > int(job["key"])

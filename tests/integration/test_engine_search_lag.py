"""Searches may be late, by a switch, as on a real cluster: all kinds alike, and commands never."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.conformance.scenarios.builder import build

from aurum_engine.clock import ManualClock
from aurum_engine.server import EngineServer

START_MS = 1_796_000_000_000
PROCESS = build(
    {
        "id": "p",
        "flow": "start -> ask -> end",
        "elements": {"ask": {"type": "userTask", "groups": "advisors"}},
    }
)
KINDS = ("process-instances", "element-instances", "variables", "user-tasks", "audit-logs")

# Each test starts and stops servers, and uvicorn's shutdown waits in tenths of a second.
pytestmark = pytest.mark.slow


@asynccontextmanager
async def engine(
    lag_ms: int, path: Path | None = None, now_ms: int = START_MS
) -> AsyncIterator[tuple[httpx.AsyncClient, EngineServer]]:
    server = EngineServer(path, search_lag_ms=lag_ms, clock=ManualClock(now_ms))
    async with (
        server,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.rest_port}/v2", verify=False) as http,
    ):
        yield http, server


async def start(http: httpx.AsyncClient) -> str:
    await http.post("/deployments", files=[("resources", ("p.bpmn", PROCESS))])
    body = {"processDefinitionId": "p", "variables": {"x": 1}}
    key: str = (await http.post("/process-instances", json=body)).json()["processInstanceKey"]
    return key


async def counts(http: httpx.AsyncClient) -> dict[str, int]:
    return {
        kind: (await http.post(f"/{kind}/search", json={})).json()["page"]["totalItems"] for kind in KINDS
    }


SEEN = {"process-instances": 1, "element-instances": 3, "variables": 1, "user-tasks": 1, "audit-logs": 2}


@pytest.mark.parametrize("lag_ms", [0, 500, 3_000])
async def test_all_kinds_become_visible_together_when_the_lag_is_over(lag_ms: int) -> None:
    async with engine(lag_ms) as (http, server):
        key = await start(http)
        seen = [(0, await counts(http), (await http.get(f"/process-instances/{key}")).status_code)]
        for waited in (lag_ms - 1, lag_ms) if lag_ms else ():
            await server.service.advance_to(START_MS + waited)
            status = (await http.get(f"/process-instances/{key}")).status_code
            seen.append((waited, await counts(http), status))

    nothing = dict.fromkeys(KINDS, 0)
    late = [(0, nothing, 404), (lag_ms - 1, nothing, 404), (lag_ms, SEEN, 200)]
    assert seen == (late if lag_ms else [(0, SEEN, 200)])


async def test_a_command_is_not_late_on_what_no_search_shows_yet() -> None:
    async with engine(3_000) as (http, server):
        await start(http)
        await server.service.advance_to(START_MS + 3_000)
        (task,) = (await http.post("/user-tasks/search", json={})).json()["items"]

        completed = await http.post(f"/user-tasks/{task['userTaskKey']}/completion", json={})
        again = await http.post(f"/user-tasks/{task['userTaskKey']}/completion", json={})
        shown: Any = (await http.get(f"/user-tasks/{task['userTaskKey']}")).json()

    assert (completed.status_code, again.status_code) == (204, 409)
    assert shown["state"] == "CREATED"


async def test_the_past_is_visible_again_after_a_restart(tmp_path: Path) -> None:
    async with engine(500, tmp_path / "e.sqlite") as (http, server):
        await start(http)
        await server.service.advance_to(START_MS + 400)

    async with engine(500, tmp_path / "e.sqlite", START_MS + 450) as (http, server):
        before = await counts(http)
        await server.service.advance_to(START_MS + 500)
        after = await counts(http)

    assert (before, after) == (dict.fromkeys(KINDS, 0), SEEN)

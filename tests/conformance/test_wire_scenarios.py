"""Every scenario again, over real sockets: jobs by gRPC, the rest by REST v2, the clock by PUT /clock."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import httpx
import pytest

from aurum_engine.clock import ManualClock
from aurum_engine.server import EngineServer
from tests.conformance.run_scenarios import run as run_against
from tests.conformance.scenarios.interpreter import Interpreter
from tests.conformance.test_scenarios import FILES, START_MS, scenarios_of
from tests.conformance.wire_driver import WireDriver

# Each scenario starts and stops a server, and uvicorn's shutdown waits in tenths of a second.
pytestmark = pytest.mark.slow


async def run(scenario: dict[str, Any]) -> None:
    async with (
        EngineServer(clock=ManualClock(START_MS)) as server,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.rest_port}/v2", verify=False) as http,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.grpc_port}") as channel,
    ):
        await Interpreter(scenario, WireDriver(http, channel, START_MS)).run()


async def test_the_runner_for_other_engines_needs_their_addresses_only() -> None:
    async with EngineServer(clock=ManualClock(0), search_lag_ms=0) as server:
        gateway, rest = f"127.0.0.1:{server.grpc_port}", f"http://127.0.0.1:{server.rest_port}/v2"
        await run_against(scenarios_of("gateways")[0], gateway, rest, None, 0.0)


@pytest.mark.parametrize("file", FILES)
async def test_scenarios_over_the_wire(file: str) -> None:
    """All of one file at once, each with an engine of its own; a failure names its scenario and step."""
    outcomes = await asyncio.gather(*map(run, scenarios_of(file)), return_exceptions=True)

    assert [str(outcome) for outcome in outcomes if outcome is not None] == []

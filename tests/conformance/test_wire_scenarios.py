"""Every scenario again, over real sockets: jobs by gRPC, the rest by REST v2, the clock by PUT /clock."""

from __future__ import annotations

from typing import Any

import grpc
import httpx
import pytest

from aurum_engine.clock import ManualClock
from aurum_engine.server import EngineServer
from tests.conformance.scenarios.interpreter import Interpreter
from tests.conformance.test_scenarios import START_MS, scenarios
from tests.conformance.wire_driver import WireDriver

# Each starts and stops a server, and uvicorn's shutdown waits in tenths of a second.
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("scenario", scenarios(), ids=lambda s: s["name"].replace(" ", "_"))
async def test_scenario_over_the_wire(scenario: dict[str, Any]) -> None:
    async with (
        EngineServer(clock=ManualClock(START_MS)) as server,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.rest_port}/v2", verify=False) as http,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.grpc_port}") as channel,
    ):
        await Interpreter(scenario, WireDriver(http, channel, START_MS)).run()

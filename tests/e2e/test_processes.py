"""Engine, workers and BFF as three processes: what the container file starts."""

import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.support.process import WAIT_SECONDS, Product, free_ports, part, wait_ready

pytestmark = [pytest.mark.deep, pytest.mark.timeout(120)]  # Readiness says no after 10 s.


def test_three_processes_onboard_sarah_and_james(tmp_path: Path) -> None:
    port, gateway, rest = free_ports(3)
    address = f"http://127.0.0.1:{port}"
    log = tmp_path / "parts.log"
    environment = {
        "AURUM_DATA_DIR": str(tmp_path / "data"),
        "AURUM_PORT": str(port),
        "AURUM_GATEWAY_PORT": str(gateway),
        "AURUM_REST_PORT": str(rest),
        "AURUM_ENGINE": "camunda",
        "ZEEBE_ADDRESS": f"127.0.0.1:{gateway}",
        "CAMUNDA_REST_ADDRESS": f"http://127.0.0.1:{rest}/v2",
        "AURUM_BFF_ADDRESS": address,
    }
    with (
        part(["engine"], environment, log) as engine,
        part(["bff"], environment, log) as bff,
        part(["workers"], environment, log),
    ):
        wait_ready(address, bff, log)
        product = Product(tmp_path / "data")
        product.address = address
        sarah = product.submit("sarah", "sarah-chen")
        james = product.submit("james", "james-rodriguez")
        product.until("sarah", sarah, "account_opened")
        product.until("james", james, "waiting")
        assert product.decide("advisor", james, "approve").status_code == 200
        product.until("james", james, "account_opened")
        assert (product.accounts(sarah), product.accounts(james)) == (1, 1)
        stranger = httpx.post(f"{address}/internal/facts", json={"processInstanceKey": "1"})
        assert stranger.status_code == 401
        product.kill()

        engine.terminate()
        engine.wait(10)
        refused = until_unready(address)
        assert refused["status"] == "unready"
        assert "process engine" in refused["reasons"][0]


def until_unready(address: str) -> dict[str, Any]:
    """Wait until readiness says no; it allows ten seconds without an answer of the engine."""
    deadline = time.monotonic() + WAIT_SECONDS
    while (answer := httpx.get(f"{address}/health/ready", timeout=5)).status_code == 200:
        assert time.monotonic() < deadline
        time.sleep(0.2)  # A poll of another process; bounded by the deadline.
    assert answer.status_code == 503
    told: dict[str, Any] = answer.json()
    return told

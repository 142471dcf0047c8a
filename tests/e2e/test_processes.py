"""Engine, workers and BFF as three processes: what the container file starts."""

from pathlib import Path

import httpx
import pytest
from tests.support.process import Product, free_ports, part, wait_ready

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]  # Three processes take about 5 s to start.


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
        part(["engine"], environment, log),
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

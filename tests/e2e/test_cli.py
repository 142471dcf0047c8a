"""The command line as a demo engineer uses it: exit codes, refusals, signals."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.support.process import Product

from aurum.resources import resource_dir

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]  # The product starts once for all of these: 3 s.


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with Product(tmp_path_factory.mktemp("cli") / "data") as running:
        yield running


def aurum(product: Product, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "aurum", *arguments],
        env={**os.environ, "AURUM_URL": product.address, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def until_listed(product: Product, applicant: str) -> str:
    """Return the list of tasks once it names the applicant: it follows the engine within a poll."""
    for _ in range(20):  # Each is a process of its own and takes half a second.
        listed = aurum(product, "tasks").stdout
        if applicant in listed:
            return listed
    raise AssertionError(f"{applicant} is in no list of tasks")


def path_of(name: str) -> str:
    return str(resource_dir("examples") / f"{name}.json")


def case_in(output: str) -> str:
    return output.split("case ", 1)[1].split()[0]


def test_sarah_exits_0_and_prints_her_account(product: Product) -> None:
    done = aurum(product, "onboard", path_of("sarah-chen"), "--follow")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "AURM-" in done.stdout


def test_james_exits_3_and_only_an_advisor_decides(product: Product) -> None:
    done = aurum(product, "onboard", path_of("james-rodriguez"), "--follow")
    case_id = case_in(done.stdout)

    listed = until_listed(product, "James Rodriguez")
    refused = [aurum(product, "decide", case_id, "approve", "--as", name) for name in ("sarah", "james")]
    decided = aurum(product, "decide", case_id, "approve")

    assert done.returncode == 3
    assert "1,620,000.00" in listed
    assert "advisor_review" in listed
    assert [answer.returncode for answer in refused] == [1, 1]
    assert decided.returncode == 0, decided.stdout + decided.stderr
    product.until("james", case_id, "account_opened")
    log = aurum(product, "log", case_id, "--json")
    assert '"kind":"taskClosed"' in log.stdout
    assert "Rodriguez" not in log.stdout


def test_exported_evidence_holds_until_one_byte_changes(product: Product, tmp_path: Path) -> None:
    case_id = case_in(aurum(product, "onboard", path_of("sarah-chen"), "--follow").stdout)
    file = tmp_path / "evidence.ndjson"

    exported = aurum(product, "export", case_id, "--out", str(file), "--reason", "sample")
    good = aurum(product, "verify", str(file))
    data = bytearray(file.read_bytes())
    place = data.index(b'"route":"auto"')
    data[place + 9] ^= 1
    file.write_bytes(bytes(data))
    broken = aurum(product, "verify", str(file))

    assert exported.returncode == 0, exported.stderr
    assert good.returncode == 0, good.stdout
    assert broken.returncode == 1
    assert f"line {bytes(data[:place]).count(10) + 1}" in broken.stdout


def test_a_decline_exits_4(product: Product) -> None:
    case_id = case_in(aurum(product, "onboard", path_of("james-rodriguez"), "--follow").stdout)
    without = aurum(product, "decide", case_id, "decline")
    made = aurum(product, "decide", case_id, "decline", "--reason", "OTHER")
    product.until("james", case_id, "declined")

    assert (without.returncode, made.returncode) == (1, 0)
    assert "REQUIRED" in without.stderr


def test_a_bad_file_exits_1_and_says_where(product: Product, tmp_path: Path) -> None:
    broken, wrong = tmp_path / "broken.json", tmp_path / "wrong.json"
    broken.write_text("{")
    wrong.write_text('{"givenNames": "Sarah"}')

    assert aurum(product, "onboard", str(broken)).returncode == 1
    refused = aurum(product, "onboard", str(wrong))
    assert refused.returncode == 1
    assert "/email" in refused.stderr


def test_a_busy_port_is_one_clear_line(product: Product, tmp_path: Path) -> None:
    options = ["--data-dir", str(tmp_path / "other"), "--port", str(product.port)]
    done = aurum(product, "up", *options, "--gateway-port", "0", "--rest-port", "0")

    assert done.returncode == 1
    assert f"port {product.port}" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_reset_asks_and_refuses_while_running(product: Product, tmp_path: Path) -> None:
    empty = aurum(product, "reset", "--data-dir", str(tmp_path))

    assert empty.returncode == 0
    assert "nothing to reset" in empty.stdout
    assert aurum(product, "doctor", "--data-dir", str(tmp_path)).returncode == 0


def test_nobody_at_home_is_said_and_not_a_traceback(product: Product) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "aurum", "tasks"],
        env={**os.environ, "AURUM_URL": "http://127.0.0.1:9"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 1
    assert "nobody answers" in done.stderr


def test_a_signal_ends_it_within_ten_seconds_with_twenty_streams_open(tmp_path: Path) -> None:
    with Product(tmp_path / "data") as own:
        case_id = own.submit("james", "james-rodriguez")
        own.until("james", case_id, "waiting")
        token = own.person("james").headers["authorization"]
        opened = threading.Barrier(21, timeout=30)
        ended: list[bool] = []

        def read() -> None:
            with (
                httpx.Client(base_url=own.address, headers={"Authorization": token}, timeout=30) as client,
                client.stream("GET", f"/streams/{case_id}", params={"view": "customer"}) as response,
            ):
                chunks = response.iter_bytes()
                next(chunks)
                opened.wait()
                for _ in chunks:
                    pass
                ended.append(True)

        readers = [threading.Thread(target=read) for _ in range(20)]
        for reader in readers:
            reader.start()
        opened.wait()

        code, seconds = own.stop()
        for reader in readers:
            reader.join(30)

        assert code == 0
        assert seconds < 10
        assert len(ended) == 20

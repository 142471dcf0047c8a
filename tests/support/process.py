"""The product as its user runs it: a process of its own, started, killed and started again."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from tests.support.reader import SseFrame, parse_sse
from tests.support.world import example

WAIT_SECONDS = 30.0
"""Bound of every wait: start-up takes about 3 s, a case well under one."""


def free_ports(count: int) -> list[int]:
    """Return free loopback ports."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for sock in sockets:
            sock.bind(("127.0.0.1", 0))
        return [sock.getsockname()[1] for sock in sockets]


class Product:
    """`aurum up` on a data folder. A context manager: whatever happens, the process ends."""

    def __init__(self, data_dir: Path, *, pace_ms: int = 0) -> None:
        self.data_dir = data_dir
        self.port, self.gateway_port, self.rest_port = free_ports(3)
        self.address = f"http://127.0.0.1:{self.port}"
        self._pace_ms = pace_ms
        self._process: subprocess.Popen[bytes] | None = None
        self._log = data_dir.parent / f"{data_dir.name}.log"
        self._clients: dict[str, httpx.Client] = {}

    def __enter__(self) -> Product:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def start(self) -> None:
        """Start and wait until it is ready."""
        command = [sys.executable, "-m", "aurum", "up", "--data-dir", str(self.data_dir)]
        command += ["--port", str(self.port), "--gateway-port", str(self.gateway_port)]
        command += ["--rest-port", str(self.rest_port), "--pace-ms", str(self._pace_ms)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        wait_ready(self.address, self._process, self._log)

    def kill(self) -> None:
        """SIGKILL the whole process group."""
        self._forget_clients()
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        if self._process is not None:
            self._process.wait(WAIT_SECONDS)
            self._process = None

    def stop(self) -> tuple[int, float]:
        """SIGTERM; return exit code and seconds it took."""
        assert self._process is not None
        started = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(WAIT_SECONDS)
        self._process = None
        self._forget_clients()
        return code, time.monotonic() - started

    def restart_after_kill(self) -> None:
        """kill -9, then start on the same folder."""
        self.kill()
        self.start()

    def _forget_clients(self) -> None:
        for client in self._clients.values():
            client.close()
        self._clients.clear()

    # --- people -----------------------------------------------------------------------------

    def person(self, name: str) -> httpx.Client:
        """Return a client signed in as a person of the demo."""
        if name not in self._clients:
            client = httpx.Client(base_url=self.address, timeout=10)
            token = client.post("/session", json={"personId": name}).json()["token"]
            client.headers["Authorization"] = f"Bearer {token}"
            self._clients[name] = client
        return self._clients[name]

    def submit(self, person: str, name: str, *, key: str | None = None) -> str:
        """Submit an example and return the case id."""
        headers = {"Idempotency-Key": key or secrets.token_hex(8)}
        answer = self.person(person).post("/applications", json=example(name), headers=headers)
        assert answer.status_code in (200, 201), answer.text
        return str(answer.json()["caseId"])

    def state(self, person: str, case_id: str) -> dict[str, Any]:
        """Return the state of the person's own view; `{}` while the case is not known yet."""
        answer = self.person(person).get(f"/cases/{case_id}")
        if answer.status_code == 404:
            return {}
        state: dict[str, Any] = answer.json()
        return state

    def until(self, person: str, case_id: str, status: str) -> dict[str, Any]:
        """Wait for a status."""
        deadline = time.monotonic() + WAIT_SECONDS
        while (state := self.state(person, case_id)).get("status") != status:
            assert time.monotonic() < deadline, f"waited for {status}, is {state.get('status')}"
            time.sleep(0.02)  # A poll of another process; bounded by the deadline.
        return state

    def decide(self, person: str, case_id: str, outcome: str, **body: str) -> httpx.Response:
        """Look at the open task and decide."""
        client = self.person(person)
        path = f"/cases/{case_id}/tasks/{self.state('advisor', case_id)['openTasks'][0]['taskId']}"
        etag = client.get(path).headers["etag"]
        return client.post(f"{path}/decision", json={"outcome": outcome, **body}, headers={"If-Match": etag})

    def read(self, person: str, case_id: str, view: str, *, after: str | None, until: str) -> list[SseFrame]:
        """Read a stream until a frame of type `until` has come."""
        headers = {} if after is None else {"Last-Event-ID": after}
        data = b""
        with self.person(person).stream(
            "GET", f"/streams/{case_id}", params={"view": view}, headers=headers
        ) as response:
            assert response.status_code == 200
            for chunk in response.iter_bytes():
                data += chunk
                if f'"type":"{until}"'.encode() in data and data.endswith(b"\n\n"):
                    break
        return parse_sse(data)

    # --- evidence ---------------------------------------------------------------------------

    def facts(self, case_id: str) -> list[dict[str, Any]]:
        """Return the fact log of a case."""
        lines = self.person("operator").get(f"/cases/{case_id}/facts").text.splitlines()
        return [json.loads(line) for line in lines]

    def accounts(self, case_id: str) -> int:
        """Return how many accounts the ledger holds for a case."""
        with contextlib.closing(sqlite3.connect(self.data_dir / "accounts.sqlite")) as ledger:
            (table,) = ledger.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchone()
            count = ledger.execute(f"SELECT count(*) FROM {table} WHERE case_id = ?", (case_id,)).fetchone()
        return int(count[0])


def wait_ready(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for /health/ready, or fail with the log's end."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{address}/health/ready", timeout=5).status_code == 200:
                return
        alive = process.poll() is None and time.monotonic() < deadline
        assert alive, f"not ready: {log.read_text()[-2_000:]}"
        time.sleep(0.05)  # A poll of another process; bounded by the deadline.


@contextlib.contextmanager
def part(arguments: list[str], environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run one `aurum` command beside the block."""
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "aurum", *arguments],
            env={**os.environ, **environment},
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(10)

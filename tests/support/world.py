"""The whole product in one event loop, on free ports: engine, workers, feed, BFF over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from aurum import compose, installation, resources
from aurum.agent.brain import Brain
from aurum.bff.app import create_app
from aurum.bff.services import Services
from aurum.bff.serving import bind
from aurum.clock import SystemClock
from aurum.settings import Settings
from aurum_workers.jobspec import JobSpec
from aurum_workers.registry import REGISTRY
from tests.support.reader import SseFrame, parse_sse

WAIT_SECONDS = 20.0
"""Bound of every wait: the product needs well under a second when nothing is wrong."""


def example(name: str) -> dict[str, Any]:
    """Return an example application."""
    data: dict[str, Any] = json.loads((resources.resource_dir("examples") / f"{name}.json").read_text())
    return data


class World:
    """A running product and people who use it."""

    def __init__(self, services: Services, address: str, engine: compose.EngineAddresses) -> None:
        self.services = services
        self.address = address
        self.engine = engine
        self._clients: dict[str, httpx.AsyncClient] = {}

    async def person(self, name: str | None) -> httpx.AsyncClient:
        """Return a client signed in as a person of the demo; None is a stranger."""
        key = name or ""
        if key not in self._clients:
            client = httpx.AsyncClient(base_url=self.address, timeout=10)
            if name is not None:
                token = (await client.post("/session", json={"personId": name})).json()["token"]
                client.headers["Authorization"] = f"Bearer {token}"
            self._clients[key] = client
        return self._clients[key]

    async def submit(self, person: str, record: dict[str, Any]) -> str:
        """Submit and return the case id."""
        headers = {"Idempotency-Key": secrets.token_hex(8)}
        answer = await (await self.person(person)).post("/applications", json=record, headers=headers)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["caseId"])

    async def state(self, person: str, case_id: str) -> dict[str, Any]:
        """Return the state of the person's own view."""
        answer = await (await self.person(person)).get(f"/cases/{case_id}")
        assert answer.status_code == 200, answer.text
        state: dict[str, Any] = answer.json()
        return state

    async def until(
        self, person: str, case_id: str, status: str, element: str | None = None
    ) -> dict[str, Any]:
        """Wait until the case has a status (and waits at an element); return the state."""
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            state = await self.state(person, case_id)
            at = [task["elementId"] for task in state["openTasks"]]
            if state["status"] == status and (element is None or element in at):
                return state
            assert time.monotonic() < deadline, f"waited for {status} {element}, is {state['status']} {at}"
            await asyncio.sleep(0.02)

    async def decide(
        self, person: str, case_id: str, outcome: str, *, if_match: str | None = None, **body: Any
    ) -> httpx.Response:
        """Look at the first open task as a person, then decide."""
        client = await self.person(person)
        task = (await self.state("advisor", case_id))["openTasks"][0]["taskId"]
        path = f"/cases/{case_id}/tasks/{task}"
        if if_match is None:
            desk = await client.get(path)
            if_match = desk.headers.get("etag", "")
        return await client.post(
            f"{path}/decision", json={"outcome": outcome, **body}, headers={"If-Match": if_match}
        )

    async def read(
        self, person: str, case_id: str, view: str, *, until: str, after: str | None = None
    ) -> list[SseFrame]:
        """Read a stream until an event of type `until` closes the case's or a rest's run."""
        client, headers = await self.person(person), {} if after is None else {"Last-Event-ID": after}
        data = b""
        async with asyncio.timeout(WAIT_SECONDS):
            async with client.stream(
                "GET", f"/streams/{case_id}", params={"view": view}, headers=headers
            ) as response:
                assert response.status_code == 200
                async for chunk in response.aiter_bytes():
                    data += chunk
                    if f'"type":"{until}"'.encode() in data and data.endswith(b"\n\n"):
                        break
        return parse_sse(data)

    def rest(self) -> httpx.AsyncClient:
        """Return a client of the engine's REST port without credentials."""
        return httpx.AsyncClient(base_url=self.engine.rest, timeout=10)

    async def close(self) -> None:
        """Close the clients."""
        for client in self._clients.values():
            await client.aclose()


@contextlib.asynccontextmanager
async def world(
    data_dir: Path,
    *,
    search_lag_ms: int = 0,
    pace_ms: int = 0,
    brain: Brain | None = None,
    with_agent: bool = True,
    registry: tuple[JobSpec, ...] = REGISTRY,
    model: Path | None = None,
) -> AsyncIterator[World]:
    """Run the product until the block ends.

    `brain` speaks in the shadow's place; without the agent a test runs it itself. `registry` and `model`
    (a `.bpmn`) take the place of the shipped ones.
    """
    settings = Settings(
        data_dir=data_dir,
        port=0,
        gateway_port=0,
        rest_port=0,
        search_lag_ms=search_lag_ms,
        pace_ms=pace_ms,
    )
    keys, clock = installation.load_or_create(data_dir), SystemClock()
    sock = bind("127.0.0.1", 0)
    fx_address = f"{compose.address_of(sock)}/fx"
    async with (
        compose.engine(settings, keys) as engine,
        compose.backend(settings, keys, engine, clock, lambda: None) as services,
        compose.workers(
            settings, keys, engine, services.poller, clock, fx_address=fx_address, registry=registry
        ),
        contextlib.AsyncExitStack() as stack,
    ):
        if model is not None:
            await services.client.deploy([model])
        if with_agent:
            chosen = brain or compose.brain(settings)
            await stack.enter_async_context(compose.agent(engine, chosen, services.poller, clock))
        config = uvicorn.Config(
            create_app(services, resources.web_dir()), log_level="warning", access_log=False, lifespan="off"
        )
        server = uvicorn.Server(config)
        server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]
        serving = asyncio.create_task(server.serve(sockets=[sock]))
        running = World(services, compose.address_of(sock), engine)
        try:
            yield running
        finally:
            await running.close()
            services.hub.close()
            services.queue.close()
            server.should_exit = True
            await serving
            sock.close()

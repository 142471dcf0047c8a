"""The process on an engine of its own, with the Python workers and a scripted agent.

No feed, no pages, no brain: what the model itself does with what an agent asks for. The agent is a
REST job worker that a test drives by hand, one turn after the other.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import httpx

from aurum import resources
from aurum.camunda.rest import CamundaRest
from aurum.camunda.rest_jobs import JobRow, RestJobs
from aurum.clock import SystemClock
from aurum.domain.rates import EuroTable
from aurum.domain.tasks import AGENT_JOB_TYPE, PROCESS_ID
from aurum.errors import CommandRejected
from aurum_engine.clock import SystemClock as EngineClock
from aurum_engine.server import EngineServer
from aurum_workers.ledger import Ledger
from aurum_workers.ports import HttpAccess, WorkerDeps
from aurum_workers.worker import Workers
from tests.support.world import example

WAIT_SECONDS = 20.0
"""Bound of every wait; nothing here takes a second."""

FX_ADDRESS = "http://fx.test/fx"
FETCHES = ("application", "agent", "messages", "toolCallResults", "adHocSubProcessElements")

Call = tuple[str, Mapping[str, Any]]
"""A tool and its arguments."""


def rates_by_http(request: httpx.Request) -> httpx.Response:
    """Answer as the rate service does, from the bundled snapshot."""
    table = EuroTable(resources.euro_rates())
    base, symbol = request.url.params["base"], request.url.params["symbols"]
    found = table.published(base, symbol, date(2026, 11, 30))
    if found is None:
        return httpx.Response(404)
    body = {"base": base, "date": found.day.isoformat(), "rates": {symbol: float(found.rate)}, "source": "S"}
    return httpx.Response(200, json=body)


@dataclass
class AgentBench:
    """An engine with workers, and the agent's hands."""

    rest: CamundaRest
    jobs: RestJobs
    http: httpx.AsyncClient
    calls: int = 0

    async def start(self, name: str, **changes: Any) -> str:
        """Start a case with an example application and return its process instance key."""
        case_id = secrets.token_hex(8)
        variables = {
            "caseId": case_id,
            "schemaVersion": 1,
            "submitter": "sarah",
            "application": example(name) | changes,
            "checks": {},
            "decisions": [],
            "editors": [],
            "messages": [],
            "agent": {},
        }
        created = await self.rest.create_instance(PROCESS_ID, variables, business_id=case_id)
        return created.process_instance_key

    async def job(self) -> JobRow:
        """Return the agent's next job."""
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            rows = await self.jobs.activate(
                AGENT_JOB_TYPE,
                worker="test",
                timeout_ms=10_000,
                jobs_max=1,
                fetch=FETCHES,
                long_poll_ms=500,
            )
            if rows:
                return rows[0]
            assert time.monotonic() < deadline, "waited for a job of the agent"

    async def call(self, job: JobRow, *calls: Call) -> list[str]:
        """Complete a job by starting tools; return the ids of the calls."""
        ids, activations = [], []
        for tool, arguments in calls:
            self.calls += 1
            ids.append(f"call-{self.calls}")
            meta = {"id": ids[-1], "elementId": tool}
            tool_call = {"_meta": meta, **arguments}
            activations.append(
                {"elementId": tool, "variables": {"toolCall": tool_call, "toolCallResult": None}}
            )
        await self.jobs.complete(
            job.job_key,
            {"messages": [{"id": "m", "role": "assistant", "content": "Hello."}]},
            {
                "type": "adHocSubProcess",
                "activateElements": activations,
                "isCompletionConditionFulfilled": False,
                "isCancelRemainingInstances": False,
            },
        )
        return ids

    async def returned(self, *ids: str) -> JobRow:
        """Wait for a job that has the results of all these calls; earlier ones are completed as no-ops."""
        while True:
            job = await self.job()
            results = {entry["id"] for entry in job.variables["toolCallResults"]}
            if set(ids) <= results:
                return job
            with contextlib.suppress(CommandRejected):  # Superseded by the next one, as the protocol says.
                await self.call(job)

    async def turn(self, job: JobRow, *calls: Call) -> JobRow:
        """Start tools and wait for all their results; return the job that has them."""
        return await self.returned(*await self.call(job, *calls))

    async def finish(self, job: JobRow) -> None:
        """End the agent."""
        await self.jobs.complete(
            job.job_key,
            {"agentOutcome": "done"},
            {
                "type": "adHocSubProcess",
                "activateElements": [],
                "isCompletionConditionFulfilled": True,
                "isCancelRemainingInstances": False,
            },
        )

    async def task(self, instance: str, element_id: str) -> str:
        """Wait for an open user task and return its key."""
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            rows = await self.rest.user_tasks(process_instance_key=instance, state="CREATED")
            found = [row.user_task_key for row in rows if row.element_id == element_id]
            if found:
                return found[0]
            assert time.monotonic() < deadline, f"waited for {element_id}"
            await asyncio.sleep(0.02)

    async def until_ended(self, instance: str) -> None:
        """Wait until a case has ended."""
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            row = await self.rest.process_instance(instance)
            if row is not None and row.state != "ACTIVE":
                return
            incidents = await self.rest.incidents(process_instance_key=instance, state="ACTIVE")
            assert not incidents, incidents
            assert time.monotonic() < deadline, "waited for the end"
            await asyncio.sleep(0.02)

    async def case(self, instance: str) -> dict[str, Any]:
        """Return the variables of the case itself."""
        rows = await self.rest.variables(instance)
        return {row.name: json.loads(row.value) for row in rows if row.scope_key == instance}

    async def visited(self, instance: str) -> list[str]:
        """Return the ids of all elements that were entered, in order."""
        return [row.element_id for row in await self.rest.element_instances(instance)]


def results_of(job: JobRow) -> dict[str, Any]:
    """Return the last result of each tool."""
    return {entry["elementId"]: entry["result"] for entry in job.variables["toolCallResults"]}


async def no_task(_key: str) -> None:
    """Know of no user task."""
    return


@contextlib.asynccontextmanager
async def agent_bench(folder: Path) -> AsyncIterator[AgentBench]:
    """Run an engine with the model and the workers."""
    ledger = Ledger(":memory:")
    access = HttpAccess({"AURUM_FX_ADDRESS": FX_ADDRESS}, (FX_ADDRESS,), httpx.MockTransport(rates_by_http))
    deps = WorkerDeps(b"r" * 32, ledger, SystemClock(), no_task, http=access)
    async with contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(
            EngineServer(
                folder / "engine.sqlite",
                host="127.0.0.1",
                grpc_port=0,
                rest_port=0,
                token=None,
                search_lag_ms=0,
                clock=EngineClock(),
            )
        )
        address = f"http://127.0.0.1:{server.rest_port}/v2"
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=address, timeout=10))
        rest, jobs = CamundaRest(http), RestJobs(http)
        await rest.deploy(resources.deployable_files())
        workers = Workers(channel=server.inproc_channel(), deps=deps, clock=SystemClock())
        running = asyncio.create_task(workers.run(), name="workers")
        try:
            yield AgentBench(rest, jobs, http)
        finally:
            running.cancel()
            await asyncio.wait({running})
            await workers.close()
            ledger.close()

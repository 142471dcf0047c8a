"""The worker loop on a real engine that breaks on demand: a case goes on, a fact is told once or not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.conformance.scenarios.builder import build

from aurum.clock import SystemClock
from aurum.facts.vocabulary import Fact
from aurum_engine.testing import EngineBench, Refusal
from aurum_workers.jobspec import JobSpec
from aurum_workers.ledger import Ledger
from aurum_workers.ports import JobInput, WorkerDeps
from aurum_workers.rates import bundled_rates
from aurum_workers.worker import Tuning, Workers

pytest_plugins = ["aurum_engine.testing"]

bundled_rates()  # Read once, while collecting, not inside the first test that needs it.

MODEL = build(
    {"id": "p", "flow": "start -> work -> end", "elements": {"work": {"type": "serviceTask", "job": "some"}}}
)
QUICK = Tuning(error_pause_seconds=0.01, restart_pause_seconds=0.01, drain_seconds=0.5)


@dataclass
class Told:
    """A sink that remembers."""

    hints: list[str] = field(default_factory=list)
    offers: list[list[Fact]] = field(default_factory=list)
    heard: asyncio.Event = field(default_factory=asyncio.Event)

    async def hint(self, process_instance_key: str) -> None:
        self.hints.append(process_instance_key)
        self.heard.set()

    async def offer(self, process_instance_key: str, facts: Sequence[Fact]) -> None:
        self.offers.append(list(facts))
        self.heard.set()


async def no_task(_: str) -> None:
    return None


async def answer(_: JobInput, __: WorkerDeps) -> dict[str, Any]:
    return {"result": "mine"}


FAULTS: dict[str, tuple[Callable[[EngineBench], None], str, int]] = {
    "nothing": (lambda bench: None, "mine", 1),
    "a job delivered twice": (lambda bench: bench.faults.deliver_twice(), "mine", 1),
    "a lost answer": (lambda bench: bench.faults.lose_answer("CompleteJob"), "mine", 0),
    "another worker was faster": (lambda bench: bench.faults.supersede({"result": "its"}), "its", 0),
    "back-pressure": (lambda bench: bench.faults.back_pressure("CompleteJob", times=3), "mine", 1),
    "a refused poll": (lambda bench: bench.faults.refuse("ActivateJobs", Refusal.UNAUTHENTICATED), "mine", 1),
}
"""What goes wrong, whose result counts, and how many facts may be told: what is unknown is only hinted at."""


@pytest.mark.parametrize(("plan", "result", "facts"), FAULTS.values(), ids=FAULTS.keys())
async def test_the_case_goes_on_whatever_goes_wrong(
    engine_bench: EngineBench, plan: Callable[[EngineBench], None], result: str, facts: int
) -> None:
    await engine_bench.deploy(("p.bpmn", MODEL))
    plan(engine_bench)
    told, ledger = Told(), Ledger(":memory:")
    deps = WorkerDeps(b"s" * 32, ledger, SystemClock(), no_task, told)
    spec = JobSpec("work", "some", answer, ("a",), ("result",))
    channel = engine_bench.channel()
    workers = Workers(channel=channel, deps=deps, clock=SystemClock(), registry=(spec,), tuning=QUICK)
    running = asyncio.create_task(workers.run())

    case = await engine_bench.start("p", {"a": 1})
    await engine_bench.idle(also=["some"])
    async with asyncio.timeout(5):
        await told.heard.wait()
    running.cancel()
    await asyncio.wait({running})
    await workers.close()
    ledger.close()

    assert engine_bench.state_of(case) == "COMPLETED"
    assert engine_bench.variables_of(case)["result"] == result
    assert (sum(map(len, told.offers)), engine_bench.faults.pending) == (facts, [])

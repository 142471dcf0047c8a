"""The agent's worker is killed at each of its awaits: one continuation, nothing twice, nothing lost."""

import asyncio
import contextlib
import json
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.mortal import Life, MortalBrain, MortalJobs, MortalSink
from tests.support.reader import Client
from tests.support.tools import NODE_TOOLS, node
from tests.support.world import World, example, world

from aurum import compose
from aurum.agent.brains.shadow import ShadowBrain
from aurum.agent.worker import AgentTuning, AgentWorker
from aurum.clock import SystemClock
from aurum.facts.turns import ToolReturned, TurnCommitted
from aurum.keys import CaseId
from aurum.projection.context import ProjectionContext
from aurum.projection.project import initial_view

LEASE = AgentTuning(lease_ms=400, extend_every_seconds=0.2, drain_seconds=0.0, long_poll_ms=2_000)
"""The lease is what a death costs; short, because nothing else is waited for."""


@contextlib.asynccontextmanager
async def agent(product: World, life: Life) -> AsyncIterator[None]:
    """Run a mortal agent until the block ends; a dead one does no more."""
    jobs = compose.rest_jobs(product.engine)
    worker = AgentWorker(
        jobs=MortalJobs(jobs, life),
        brain=MortalBrain(ShadowBrain(pause=asyncio.sleep), life),
        sink=MortalSink(product.services.poller, life),
        clock=SystemClock(),
        tuning=LEASE,
    )
    running = asyncio.create_task(worker.run())
    try:
        yield
    finally:
        running.cancel()
        await asyncio.wait({running})
        await worker.close()
        await jobs.close()


async def killed_at(product: World, dies_at: int) -> str:
    """Run one case whose agent dies at its n-th await and is replaced; return the case id."""
    life = Life(dies_at)
    async with agent(product, life):
        case_id = await product.submit("sarah", example("sarah-chen"))
        ended = asyncio.create_task(product.until("sarah", case_id, "account_opened"))
        died = asyncio.create_task(life.dead.wait())
        await asyncio.wait({ended, died}, return_when=asyncio.FIRST_COMPLETED)
        died.cancel()
    async with agent(product, Life(dies_at=0)):
        await ended
    return case_id


async def holds(product: World, case_id: str) -> dict[str, Any]:
    """Check what a client holds in the end against what the engine took; return the stream to judge."""
    facts = [entry.fact for entry in await product.services.inbox.read(CaseId(case_id))]
    turns = [fact for fact in facts if isinstance(fact, TurnCommitted)]
    returned = [fact for fact in facts if isinstance(fact, ToolReturned)]
    state = await product.state("sarah", case_id)
    epoch = str(state["position"]).partition(".")[0]
    joined = await product.read("sarah", case_id, "customer", until="RUN_FINISHED")
    whole = await product.read("sarah", case_id, "customer", until="RUN_FINISHED", after=f"{epoch}.0")
    late = Client()
    for frame in joined:
        late.read(json.loads(json.dumps(frame.event)))
    said = [m["content"] for m in late.messages if m["id"].endswith(":turn")]
    calls = [call["id"] for m in late.messages for call in m.get("toolCalls", ())]
    components = [m["content"]["component"] for m in late.messages if m["role"] == "activity"]

    assert len({turn.turn_id.rpartition(".")[0] for turn in turns}) == len(turns) == 5
    assert said == [turn.text for turn in turns]
    assert len(calls) == len(set(calls))
    assert sorted(tool.call_id for tool in returned) == sorted(
        str(call["id"]) for turn in turns for call in turn.calls
    )
    assert components == [
        "IdentityResultCard",
        "RiskGauge",
        "PortfolioAllocationChart",
        "ProjectedGrowthChart",
        "AccountOpenedCard",
    ]
    shown = {name: value for name, value in state.items() if name != "position"}
    context = ProjectionContext("customer", CaseId(case_id), b"k" * 32)
    first = {"type": "STATE_SNAPSHOT", "snapshot": initial_view(context).state}
    started, *followed = [frame.event for frame in whole]
    return {
        "name": f"killed/{case_id}",
        "events": [started, first, *followed],
        "state": shown,
        "messages": [m["id"] for m in late.messages],
    }


@pytest.mark.slow  # One product and two deaths: about three seconds.
@pytest.mark.parametrize("dies_at", [9, 22])
async def test_an_agent_that_dies_in_a_turn_is_replaced_without_a_trace(tmp_path: Path, dies_at: int) -> None:
    async with world(tmp_path, with_agent=False) as product:
        await holds(product, await killed_at(product, dies_at))


@pytest.mark.deep
@pytest.mark.node
@pytest.mark.timeout(600)
@pytest.mark.parametrize("first", range(1, 5))
async def test_an_agent_killed_at_each_of_its_awaits_leaves_one_conversation(
    tmp_path: Path, first: int
) -> None:
    """A hundred deaths in all: at await `first`, `first` + 4, and so on."""
    binary = node()
    recorded = tmp_path / "streams.jsonl"
    async with world(tmp_path / "data", with_agent=False) as product:
        with recorded.open("w") as file:
            for dies_at in range(first, 101, 4):
                case_id = await killed_at(product, dies_at)
                file.write(json.dumps(await holds(product, case_id)) + "\n")

    done = await asyncio.to_thread(judged, binary, recorded)

    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-2_000:]


def judged(binary: str, recorded: Path) -> "subprocess.CompletedProcess[str]":
    """Run recorded streams through both official clients."""
    command = [binary, str(NODE_TOOLS / "verify-streams.mjs"), str(recorded)]
    return subprocess.run(command, capture_output=True, text=True, check=False)

"""A brain that says its whole prompt aloud tells nobody anything: it is told what the customer may see."""

import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path

import pytest
from tests.support.world import example, world

from aurum.agent.brain import Stopped, TextDelta, ToolCallReady, TurnEvent, TurnRequest

SECRET_WORDS = (
    "SANCTIONS_POSSIBLE",
    "SANCTIONS_MATCH",
    "nameScore",
    "basisHash",
    "hits",
    "screenedEntries",
    "PEP_",
    "ADVERSE_MEDIA",
    "REMOTE_ONBOARDING",
    '"band"',
    "factors",
    "matchedRules",
    "advisors",
)


class Parrot:
    """Calls every tool that takes nothing, then says everything it was ever told."""

    name, model = "parrot", "parrot-1"

    def __init__(self) -> None:
        self.told: list[str] = []

    async def turn(self, request: TurnRequest) -> AsyncIterator[TurnEvent]:
        whole = json.dumps(asdict(request), default=str)
        self.told.append(whole)
        for start in range(0, len(whole), 500):
            yield TextDelta(whole[start : start + 500])
        free = [tool for tool in request.tools if not tool.schema["required"]]
        if len(request.messages) == 1:
            for tool in free:
                yield ToolCallReady(tool.name, tool.name, {})
            yield Stopped("tool_use")
        else:
            yield Stopped("end_turn")


@pytest.mark.slow  # A whole case through the product: about a second.
@pytest.mark.parametrize("name", ["possible-sanctions-match", "pep"])
async def test_a_brain_that_echoes_its_prompt_leaks_nothing(tmp_path: Path, name: str) -> None:
    parrot = Parrot()
    async with world(tmp_path, brain=parrot) as product:
        case_id = await product.submit("sarah", example(name))
        state = await product.until("sarah", case_id, "waiting", "advisor_review")
        epoch = state["position"].partition(".")[0]
        frames = await product.read("sarah", case_id, "customer", until="RUN_FINISHED", after=f"{epoch}.0")

    said = json.dumps([frame.event for frame in frames])
    assert len(parrot.told) == 2
    assert "screen_pep_adverse_media" in parrot.told[1]
    for word in SECRET_WORDS:
        assert word not in parrot.told[1], word
        assert word not in said, word

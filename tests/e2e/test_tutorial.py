"""The tutorial is performed, block by block, on a copy of the tree; then a case runs with tool 14."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.tools import ROOT

TUTORIAL = ROOT / "docs" / "tutorial-tool-14.md"
STEP = re.compile(
    r"<!-- (?:new file (?P<new>\S+)|in (?P<path>\S+), (?P<where>before|after): (?P<mark>.*?)) -->\n"
    r"```\w+\n(?P<block>.*?)```\n",
    re.DOTALL,
)

CASE = '''
import asyncio, json, sys
from pathlib import Path
from aurum.agent.brain import Stopped, ToolCallReady
from tests.support.world import example, world

class Curious:
    """Calls the new tool once, then has nothing more to ask."""
    name, model = "test", "test-1"
    async def turn(self, request):
        told = [answer for message in request.messages for answer in message.answers]
        if told:
            print(json.dumps({"told": told[0].content, "tools": len(request.tools)}))
            yield Stopped("end_turn")
        else:
            yield ToolCallReady("x", "estimate_settlement", {"workingDays": 3})
            yield Stopped("tool_use")

async def main():
    async with world(Path(sys.argv[1]), brain=Curious()) as product:
        case_id = await product.submit("sarah", example("sarah-chen"))
        state = await product.until("sarah", case_id, "account_opened")
        epoch = state["position"].partition(".")[0]
        frames = await product.read("sarah", case_id, "customer", until="RUN_FINISHED", after=f"{epoch}.0")
        for frame in frames:
            print(json.dumps(frame.event))

asyncio.run(main())
'''


def perform(tree: Path) -> int:
    """Apply every block of the tutorial to a tree; return how many there were."""
    steps = list(STEP.finditer(TUTORIAL.read_text(encoding="utf-8")))
    for step in steps:
        block = step["block"]
        if step["new"]:
            (tree / step["new"]).write_text(block, encoding="utf-8")
            continue
        path = tree / step["path"]
        text = path.read_text(encoding="utf-8")
        assert step["mark"] in text, f"{step['path']} has no {step['mark']!r}"
        place = text.index(step["mark"])
        if step["where"] == "before":
            place = text.rindex("\n", 0, place) + 1
        else:
            place = text.index("\n", place) + 1
        path.write_text(text[:place] + block + text[place:], encoding="utf-8")
    return len(steps)


def run(tree: Path, *arguments: str) -> str:
    """Run Python in the copy; what it imports is the copy."""
    path = os.pathsep.join(str(tree / part) for part in ("src", "workers", "."))
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    return done.stdout


@pytest.mark.deep  # Copies the tree and runs a case in it: about eight seconds.
@pytest.mark.timeout(120)
def test_the_tutorial_gives_the_agent_a_fourteenth_tool_with_a_card(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for part in (
        "src",
        "workers",
        "bpmn",
        "dmn",
        "examples",
        "scripts/agent_tools.py",
        "docs/agent-tools.md",
    ):
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, tree / part, ignore=shutil.ignore_patterns("__pycache__", "vendor"))
        else:
            (tree / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, tree / part)
    shutil.copy(ROOT / "scripts/card_schemas.py", tree / "scripts/card_schemas.py")
    shutil.copytree(ROOT / "tests/support", tree / "tests/support")
    (tree / "tests/__init__.py").touch()
    (tree / "pyproject.toml").touch()
    (tree / "case.py").write_text(CASE, encoding="utf-8")

    assert perform(tree) == 12
    run(tree, "scripts/card_schemas.py")
    run(tree, "scripts/agent_tools.py")
    printed = [json.loads(line) for line in run(tree, "case.py", str(tmp_path / "data")).splitlines()]

    assert "| `estimate_settlement` |" in (tree / "docs/agent-tools.md").read_text(encoding="utf-8")
    assert "SettlementCard" in (tree / "src/aurum/web/cards/schemas.json").read_text(encoding="utf-8")
    told = printed[0]
    assert told["tools"] == 14
    assert told["told"]["workingDays"] == 3
    events = printed[1:]
    called = [
        e for e in events if e["type"] == "TOOL_CALL_START" and e["toolCallName"] == "estimateSettlement"
    ]
    cards = [e["content"] for e in events if e["type"] == "ACTIVITY_SNAPSHOT"]
    card = next(content for content in cards if content["component"] == "SettlementCard")
    assert len(called) == 1
    assert card["props"]["workingDays"] == 3
    assert card["props"]["source"]["tool"] == "estimateSettlement"

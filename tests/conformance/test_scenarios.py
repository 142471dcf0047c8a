"""Every scenario file against the in-process engine, restarted from its log afterwards."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from aurum_engine.clock import ManualClock
from aurum_engine.service import EngineService
from tests.conformance.scenarios.inprocess import InProcessDriver
from tests.conformance.scenarios.interpreter import Interpreter

FOLDER = Path(__file__).parent / "scenarios"
START_MS = 1_780_000_000_000

PAGE = Path(__file__).with_name("README.md")

ELSEWHERE = {
    11: "no scenario: pushed jobs need an open stream, see `tests/unit/engine/gateway/test_streams.py`",
}
"""Behaviours that a list of steps cannot show, and where they are shown."""


FILES = sorted(path.stem for path in FOLDER.glob("*.yaml"))


@cache
def scenarios_of(file: str) -> tuple[dict[str, Any], ...]:
    """Return the scenarios of one file; nobody may change them."""
    return tuple(yaml.safe_load_all((FOLDER / f"{file}.yaml").read_text(encoding="utf-8")))


def scenarios() -> list[dict[str, Any]]:
    """Return all scenarios of all files."""
    return [scenario for file in FILES for scenario in scenarios_of(file)]


@pytest.mark.parametrize("scenario", scenarios(), ids=lambda s: s["name"].replace(" ", "_"))
async def test_scenario(scenario: dict[str, Any], tmp_path: Path) -> None:
    clock = ManualClock(START_MS)
    service = await EngineService.open(tmp_path / "log.db", clock=clock)
    try:
        await Interpreter(scenario, InProcessDriver(service, clock)).run()
        live = service.view()
    finally:
        await service.close()

    again = await EngineService.open(tmp_path / "log.db", clock=clock)
    replayed = again.view()
    await again.close()

    assert replayed == live


def test_every_behaviour_of_the_subset_has_a_scenario() -> None:
    covered = {number for scenario in scenarios() for number in scenario["behaviours"]}

    assert set(range(1, 42)) - set(ELSEWHERE) <= covered


def test_the_page_lists_every_scenario_by_behaviour() -> None:
    """When this fails, `python -m tests.conformance.test_scenarios` writes the table anew."""
    assert PAGE.read_text(encoding="utf-8").endswith(table())


def table() -> str:
    """Return the behaviours and the scenarios that show them, as Markdown."""
    rows = ["| behaviour | scenarios |", "|---|---|"]
    for number in range(1, 42):
        names = [scenario["name"] for scenario in scenarios() if number in scenario["behaviours"]]
        rows.append(f"| {number} | {'; '.join(names) or ELSEWHERE[number]} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    head, _, _ = PAGE.read_text(encoding="utf-8").partition("| behaviour |")
    PAGE.write_text(head + table(), encoding="utf-8")

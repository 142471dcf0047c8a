"""SIGKILL under load, again and again on the same log: what was acknowledged is there."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from aurum_engine.clock import SystemClock
from aurum_engine.core.records import LifecycleState
from aurum_engine.service import EngineService

ROOT = Path(__file__).parents[4]
KILL_AFTER_SECONDS = (0.05, 0.5)


def kill_under_load(path: Path, after_seconds: float) -> list[list[str]]:
    """Run the load, kill it, and return the words of its complete lines."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    load = subprocess.Popen(
        [sys.executable, "-m", "tests.unit.engine.core.kill_load", str(path)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=environment,
    )
    assert load.stdout is not None
    assert load.stdout.readline() == b"ready\n"
    killer = threading.Timer(after_seconds, load.kill)
    killer.start()
    output = load.stdout.read()
    load.wait()
    load.stdout.close()
    killer.join()
    return [line.decode().split() for line in output.splitlines(keepends=True) if line.endswith(b"\n")]


async def check(path: Path, acknowledged: list[list[str]]) -> None:
    service = await EngineService.open(path, clock=SystemClock())
    view = service.view()
    await service.close()
    again = await EngineService.open(path, clock=SystemClock())
    view_again = again.view()
    await again.close()

    for what, key, *rest in acknowledged:
        instance = view.process_instances[int(key)]
        if what == "created":
            assert view.scopes[instance.key]["n"].value == int(rest[0])
        else:
            assert instance.state is LifecycleState.COMPLETED
    assert view_again == view


async def rounds(tmp_path: Path, count: int, seed: int) -> int:
    chance = random.Random(seed)
    path = tmp_path / "engine.db"
    acknowledged: list[list[str]] = []
    for _ in range(count):
        acknowledged += kill_under_load(path, chance.uniform(*KILL_AFTER_SECONDS))
        await check(path, acknowledged)
    return len(acknowledged)


@pytest.mark.slow  # starts and kills interpreters
async def test_no_acknowledged_command_is_lost_by_a_kill(tmp_path: Path) -> None:
    assert await rounds(tmp_path, 3, seed=1) > 0


@pytest.mark.deep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [2, 3])
async def test_no_acknowledged_command_is_lost_by_many_kills(tmp_path: Path, seed: int) -> None:
    """Forty kills on two logs: every start reads the whole log again, so one long one costs twice as much."""
    assert await rounds(tmp_path, 20, seed=seed) > 0

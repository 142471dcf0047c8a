"""Real errors of the system under a running engine: a file that may not grow, an fsync that fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.tools import need_tool

from aurum_engine.clock import SystemClock
from aurum_engine.service import EngineService

pytestmark = pytest.mark.deep

ROOT = Path(__file__).resolve().parents[4]


def output_of(command: list[str]) -> list[str]:
    """Run a program to its end, which must be a good one, and return its lines."""
    ran = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr[-2_000:]
    return ran.stdout.splitlines()


async def check(path: Path, *before: str, limit: int = 0) -> list[str]:
    """Run the load, and return why it was refused. What it was told is there, and nothing else."""
    command = [*before, sys.executable, "-m", "tests.unit.engine.log.disk_load", str(path), str(limit)]
    lines = [line.split(" ", 1) for line in output_of(command)]
    service = await EngineService.open(path, clock=SystemClock())
    found = sorted(service.view().process_instances)
    await service.close()
    assert found == sorted(int(rest) for what, rest in lines if what == "created")
    return [rest for what, rest in lines if what == "refused"]


async def test_a_file_that_may_not_grow_refuses_commands_until_it_may(tmp_path: Path) -> None:
    refused = await check(tmp_path / "e.db", limit=200_000)

    assert len(refused) >= 5


@pytest.mark.parametrize("call", ["fdatasync", "pwrite64"])
@pytest.mark.parametrize("error", ["EIO", "ENOSPC"])
@pytest.mark.parametrize("when", [25, 41])
async def test_an_error_of_any_write_or_fsync_loses_nothing(
    tmp_path: Path, call: str, error: str, when: int
) -> None:
    need_tool("strace")
    inject = f"inject={call}:error={error}:when={when}..{when + 2}"

    refused = await check(tmp_path / "e.db", "strace", "-f", "-qq", "-o", os.devnull, "-e", inject)

    assert refused

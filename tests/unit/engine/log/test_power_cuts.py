"""Power failures and kills between any two system calls of the log: nothing acknowledged is lost.

Simulated from a recorded run, so that a thousand of them take seconds; a few kills are real.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest
from tests.support.deep import CRASH_POINTS, POWER_CUTS, REAL_KILLS
from tests.support.powercut import Call, after_kill, after_power_cut, record
from tests.support.tools import need_tool
from tests.unit.engine.log.append_load import payload

from aurum_engine.errors import LogCorrupt
from aurum_engine.log.sqlite import SqliteLog

pytestmark = pytest.mark.deep

RECORDS = 120
ROOT = Path(__file__).resolve().parents[4]
LOG = "engine.sqlite"


def command(folder: Path, synchronous: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "tests.unit.engine.log.append_load",
        str(folder / LOG),
        str(RECORDS),
        synchronous,
    ]


def recorded(tmp_path: Path, synchronous: str) -> list[Call]:
    """Return the calls of a whole run."""
    need_tool("strace")
    folder = tmp_path / synchronous
    folder.mkdir()
    calls = record(command(folder, synchronous), folder, tmp_path / f"{synchronous}.trace")
    assert acknowledged(calls) == RECORDS
    return calls


def acknowledged(calls: Sequence[Call]) -> int:
    """Return the newest record that was said to be stored."""
    said = [call.data for call in calls if call.kind == "say" and call.data.startswith(b"stored ")]
    return int(said[-1].split()[1]) if said else 0


def found(files: Mapping[str, bytes], folder: Path) -> int:
    """Put files on a disk, open the log, and return its newest record; every record must be as written."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    log = SqliteLog(folder / LOG)
    try:
        records = list(log.read_from(1))
        assert [r.payload for r in records] == [payload(n) for n in range(1, len(records) + 1)]
        return log.last_position()
    finally:
        log.close()


def lost(calls: list[Call], folder: Path, random: Random) -> int:
    """Cut the power at a random moment and return how many acknowledged records are gone."""
    begun = next(n for n, call in enumerate(calls) if call.kind == "create")
    before = calls[: random.randint(begun + 1, len(calls))]
    try:
        return max(0, acknowledged(before) - found(after_power_cut(before, random), folder))
    except LogCorrupt:
        return RECORDS


def test_no_power_cut_takes_anything_that_was_acknowledged(tmp_path: Path) -> None:
    calls = recorded(tmp_path, "FULL")
    random = Random(20261201)

    assert [lost(calls, tmp_path / "disk", random) for _ in range(POWER_CUTS)] == [0] * POWER_CUTS


def test_the_same_power_cuts_take_something_when_commits_are_not_synced(tmp_path: Path) -> None:
    calls = recorded(tmp_path, "NORMAL")
    random = Random(20261201)

    assert sum(lost(calls, tmp_path / "disk", random) > 0 for _ in range(100)) > 10


def test_a_kill_between_any_two_calls_takes_nothing(tmp_path: Path) -> None:
    calls = recorded(tmp_path, "FULL")
    begun = next(n for n, call in enumerate(calls) if call.kind == "create")
    points = range(begun + 1, len(calls) + 1)
    assert len(points) >= CRASH_POINTS

    for point in Random(1).sample(points, CRASH_POINTS):
        before = calls[:point]
        assert found(after_kill(before), tmp_path / "disk") >= acknowledged(before), point


@pytest.mark.parametrize("call", ["pwrite64", "fdatasync"])
def test_a_real_kill_inside_a_call_takes_nothing(tmp_path: Path, call: str) -> None:
    need_tool("strace")
    for number in Random(call).sample(range(1, 120), REAL_KILLS // 2):
        folder = tmp_path / f"{call}-{number}"
        folder.mkdir()
        trace = ["strace", "-f", "-o", "/dev/null", "-e", f"inject={call}:signal=KILL:when={number}"]
        done = subprocess.run(
            [*trace, *command(folder, "FULL")],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            cwd=ROOT,
        )
        said = [int(line.split()[1]) for line in done.stdout.splitlines()]
        files = {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}
        assert done.returncode != 0, "the process was not killed"
        assert found(files, tmp_path / "disk") >= (said[-1] if said else 0), number

"""What waiting costs: memory and start-up of open instances, and whether an instance gets dearer among many.

Each open instance is the shipped process, parked at its first job, with the variables it starts with.
"""

from __future__ import annotations

import asyncio
import gc
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from aurum_engine.clock import SystemClock
from aurum_engine.core.commands import CreateProcessInstance
from aurum_engine.service import EngineService
from benchmarks.engine import core, onboarding

AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Opened:
    """Open instances in one engine."""

    instances: int
    bytes_each: float
    variable_bytes_each: float


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


async def open_instances(service: EngineService, first: int, count: int) -> None:
    """Start instances and leave them at their first job."""
    for start in range(first, first + count, AT_ONCE):
        numbers = range(start, min(start + AT_ONCE, first + count))
        await asyncio.gather(
            *(
                service.submit(
                    CreateProcessInstance(onboarding.PROCESS_ID, variables=onboarding.start_variables(number))
                )
                for number in numbers
            )
        )


async def memory(instances: int) -> Opened:
    """Measure resident memory per open instance, its variables apart."""
    async with core.engine() as service:
        await open_instances(service, 0, 100)
        gc.collect()
        before = _resident_bytes()
        await open_instances(service, 100, instances)
        gc.collect()
        each = (_resident_bytes() - before) / instances
    return Opened(instances, each, _variables_in_memory())


def _variables_in_memory() -> float:
    """Return what one instance's variables take as parsed JSON, measured on copies of their own."""
    text = orjson.dumps(onboarding.start_variables(0))
    gc.collect()
    before = _resident_bytes()
    copies = [orjson.loads(text) for _ in range(5_000)]
    size = (_resident_bytes() - before) / len(copies)
    copies.clear()
    return size


async def flatness(sizes: Sequence[int], *, drivers: int, instances: int) -> list[tuple[int, float]]:
    """Return (open instances, instances a second that a run makes beside them), growing one engine."""
    found = []
    opened = 0
    async with core.engine() as service:
        await core.run(service, drivers=drivers, instances=instances, first=10_000_000)
        for size in sizes:
            await open_instances(service, opened, size - opened)
            opened = size
            run = await core.run(service, drivers=drivers, instances=instances, first=20_000_000 + size)
            found.append((size, run.per_second))
    return found


def cold_start(instances: int) -> tuple[float, float]:
    """Return seconds of a cold start by replay and from a snapshot, each in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="bench-engine-") as folder:
        path = Path(folder) / "engine.sqlite"
        asyncio.run(_fill(path, instances))
        replay = _start(path, "replay")
        _start(path, "snapshot")
        return replay, _start(path, "start")


async def _fill(path: Path, instances: int) -> None:
    service = await EngineService.open(path, clock=SystemClock())
    try:
        await service.submit(core.deployment())
        await open_instances(service, 0, instances)
    finally:
        await service.close()


def _start(path: Path, how: str) -> float:
    command = [sys.executable, "-m", "benchmarks.engine.open_instances", str(path), how]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout.strip().splitlines()[-1])


async def _measured_start(path: Path) -> float:
    started = time.perf_counter()
    service = await EngineService.open(path, clock=SystemClock())
    seconds = time.perf_counter() - started
    await service.close()
    return seconds


if __name__ == "__main__":
    print(asyncio.run(_measured_start(Path(sys.argv[1]))))  # noqa: T201

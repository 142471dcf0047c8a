"""Runs all of it and prints a table; `--quick` takes a tenth of the instances."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys

import grpc.aio

from aurum_engine.collector import relax_collector
from benchmarks.engine import core, machine, open_instances, spiff_peer, workers

DRIVERS = 200
WARM_UP = 100


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)  # noqa: T201


async def _core(instances: int) -> core.Run:
    async with core.engine() as service:
        await core.run(service, drivers=20, instances=WARM_UP, first=1_000_000)
        return await core.run(service, drivers=DRIVERS, instances=instances)


async def _single(instances: int) -> core.Run:
    async with core.engine() as service:
        await core.run(service, drivers=20, instances=WARM_UP, first=1_000_000)
        return await core.run(service, drivers=1, instances=instances)


async def _by_workers(instances: int, *, over_grpc: bool) -> workers.JobRun:
    async with workers.server() as server:
        address = f"127.0.0.1:{server.grpc_port}"
        channel = grpc.aio.insecure_channel(address) if over_grpc else server.inproc_channel()
        await workers.run(server, channel, WARM_UP)
        again = grpc.aio.insecure_channel(address) if over_grpc else server.inproc_channel()
        run = await workers.run(server, again, instances)
        await channel.close()
        await again.close()
        return run


def _commands(name: str, run: core.Run, peer: core.Run | None = None) -> None:
    ratio = "" if peer is None else f", {run.per_second / peer.per_second:.1f} x the peer"
    p99 = machine.percentile(run.latencies, 0.99) * 1_000
    rate = len(run.latencies) / run.seconds
    say(f"{name:<34} {run.per_second:8.0f} instances/s {rate:8.0f} commands/s, p99 {p99:.1f} ms{ratio}")


def _memory_and_start(scale: int) -> None:
    opened = asyncio.run(open_instances.memory(20_000 // scale))
    own = opened.bytes_each - opened.variable_bytes_each
    variables = opened.variable_bytes_each / 1_000
    say(f"{'open instance':<34} {own / 1_000:8.1f} kB and {variables:.1f} kB of variables")
    for size, rate in asyncio.run(
        open_instances.flatness(
            [1_000 // scale, 10_000 // scale, 100_000 // scale], drivers=DRIVERS, instances=1_000 // scale
        )
    ):
        say(f"{'beside ' + str(size) + ' open instances':<34} {rate:8.0f} instances/s")
    replay, snapshot = open_instances.cold_start(50_000 // scale)
    started = f"cold start of {50_000 // scale} instances"
    say(f"{started:<34} {replay:8.2f} s by replay, {snapshot:.2f} s from a snapshot")


def main() -> int:
    """Run everything; 2 when the peer is not installed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the instances")
    scale = 10 if parser.parse_args().quick else 1
    if not spiff_peer.installed():
        say("the peer is not installed: pip install --require-hashes -r benchmarks/requirements.txt")
        return 2
    logging.disable(logging.WARNING)
    relax_collector()
    say(f"machine: {machine.describe()}")
    peer = spiff_peer.run(300 // scale)
    _commands("SpiffWorkflow, saved each step", peer)
    _commands("core, one driver", asyncio.run(_single(500 // scale)), peer)
    _commands(f"core, {DRIVERS} drivers", asyncio.run(_core(5_000 // scale)), peer)
    for name, over_grpc in (("pyzeebe in process", False), ("pyzeebe over gRPC", True)):
        run = asyncio.run(_by_workers(1_000 // scale, over_grpc=over_grpc))
        ratio = run.instances / run.seconds / peer.per_second
        say(f"{name:<34} {run.jobs_per_second:8.0f} jobs/s, {ratio:.1f} x the peer in instances")
    _memory_and_start(scale)
    say(f"machine afterwards: {machine.describe()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

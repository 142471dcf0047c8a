"""Runs the scenario files against any engine, by its two addresses.

    python -m tests.conformance.run_scenarios --gateway 127.0.0.1:26500 --rest http://127.0.0.1:8080/v2 \
        --reset 'docker compose up --force-recreate --detach --wait camunda' [FILE...] [--name TEXT]

A scenario needs an empty engine whose clock may be set (`PUT /clock`; Camunda: the setting
`camunda.system.clock.controlled`, the embedded engine: `--controlled-clock`). `--reset` is the command that
empties it; it is run before each scenario, and without it only one scenario is run. Where searches are late,
`--patience` seconds are waited for what they should find.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import time
from typing import Any

import grpc
import httpx

from tests.conformance.scenarios.interpreter import Interpreter
from tests.conformance.test_scenarios import FILES, START_MS, scenarios_of
from tests.conformance.wire_driver import WireDriver

READY_SECONDS = 120.0
"""How long an engine may take to answer after a reset."""


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)  # noqa: T201


async def _ready(http: httpx.AsyncClient) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while True:
        try:
            (await http.get("/topology")).raise_for_status()
            return
        except httpx.HTTPError as error:
            if time.monotonic() > deadline:
                raise SystemExit(f"the engine does not answer: {error}") from error
        await asyncio.sleep(0.2)


async def run(scenario: dict[str, Any], gateway: str, rest: str, token: str | None, patience: float) -> None:
    """Run one scenario; raises AssertionError with the step that went wrong."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=rest, headers=headers, timeout=30.0) as http:
        await _ready(http)
        (await http.put("/clock", json={"timestamp": START_MS})).raise_for_status()
        async with grpc.aio.insecure_channel(gateway) as channel:
            await Interpreter(scenario, WireDriver(http, channel, START_MS), patience_s=patience).run()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.run_scenarios", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("files", nargs="*", metavar="FILE", help=f"of {', '.join(FILES)}; all when left out")
    parser.add_argument("--gateway", required=True, help="HOST:PORT of the gRPC gateway")
    parser.add_argument("--rest", required=True, help="address of REST, ending in /v2")
    parser.add_argument("--token", help="bearer token of REST")
    parser.add_argument("--reset", help="command that empties the engine")
    parser.add_argument("--name", default="", help="only scenarios with this text in their name")
    parser.add_argument("--patience", type=float, default=0.0, help="seconds to wait for what searches find")
    return parser.parse_args()


def main() -> int:
    """Print a line for each scenario and `N of M`; 1 when one failed, 2 for wrong arguments."""
    given = _arguments()
    unknown = [file for file in given.files if file not in FILES]
    chosen = [
        s
        for file in given.files or FILES
        if file in FILES
        for s in scenarios_of(file)
        if given.name in s["name"]
    ]
    if unknown or not chosen or (len(chosen) > 1 and given.reset is None):
        why = f"no such file: {unknown}" if unknown else f"{len(chosen)} scenarios chosen"
        say(f"{why}; more than one needs --reset")
        return 2
    passed = 0
    for scenario in chosen:
        if given.reset is not None:
            subprocess.run(given.reset, shell=True, check=True, stdout=subprocess.DEVNULL)
        try:
            asyncio.run(run(scenario, given.gateway, given.rest, given.token, given.patience))
            passed += 1
            say(f"ok    {scenario['name']}")
        except AssertionError as error:
            say(f"FAIL  {error}")
    say(f"{passed} of {len(chosen)}")
    return 0 if passed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())

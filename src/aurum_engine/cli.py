"""`python -m aurum_engine`: one engine in a terminal, until Ctrl-C or SIGTERM; and its tools."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from pathlib import Path
from typing import Annotated

import typer

from aurum_engine import cli_log
from aurum_engine.admission import CALLERS_WAITING_MAX, COMMANDS_WAITING_MAX, Limits
from aurum_engine.checking import check as check_resources
from aurum_engine.clock import ManualClock, SystemClock
from aurum_engine.collector import relax_collector
from aurum_engine.core.commands import Resource
from aurum_engine.errors import EngineError
from aurum_engine.identity import Identity, read_identity
from aurum_engine.server import LOG_FILE, EngineServer
from aurum_engine.snapshotting import SNAPSHOT_RECORDS, SnapshotPlan

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
cli_log.register(app)


def _token(token_file: Path | None) -> str | None:
    if token_file is None:
        return None
    try:
        token = token_file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise typer.BadParameter(f"cannot read {token_file}: {error.strerror}") from error
    if not token:
        raise typer.BadParameter(f"{token_file} is empty; without a token leave the option out")
    return token


def _identity(identity_file: Path | None) -> Identity | None:
    try:
        return None if identity_file is None else read_identity(identity_file)
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{identity_file}: {error}") from error


async def _serve(server: EngineServer) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with server:
        typer.echo(f"gRPC  {server.host}:{server.grpc_port}")
        typer.echo(f"REST  http://{server.host}:{server.rest_port}/v2")
        await stop.wait()
        typer.echo("stopping")


@app.callback(invoke_without_command=True)
def serve(
    context: typer.Context,
    data_dir: Annotated[
        Path | None, typer.Option(help=f"Directory of {LOG_FILE}; left out, everything is in memory.")
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    grpc_port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes a free port.")] = 26_500,
    rest_port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes a free port.")] = 8_080,
    search_lag_ms: Annotated[int, typer.Option(min=0, help="How late searches are, in milliseconds.")] = 0,
    token_file: Annotated[Path | None, typer.Option(help="File with the bearer token to demand.")] = None,
    identity_file: Annotated[
        Path | None, typer.Option(help="JSON settings that say how people's tokens are verified.")
    ] = None,
    controlled_clock: Annotated[
        bool,
        typer.Option("--controlled-clock", help="Time stands still until PUT /v2/clock sets it; for tests."),
    ] = False,
    snapshot_records: Annotated[
        int, typer.Option(min=1, help="Records between snapshots, which shorten the next start.")
    ] = SNAPSHOT_RECORDS,
    keep_records: Annotated[
        int | None,
        typer.Option(
            min=1, help="Forget older records that two snapshots stand for; left out, all are kept."
        ),
    ] = None,
    commands_waiting_max: Annotated[
        int, typer.Option(min=1, help="Commands that may queue; beyond them callers are sent away.")
    ] = COMMANDS_WAITING_MAX,
    callers_waiting_max: Annotated[
        int, typer.Option(min=1, help="Long polls, streams and awaited results open at once.")
    ] = CALLERS_WAITING_MAX,
) -> None:
    """Run the embedded engine: the gRPC gateway and REST v2, stored in one file."""
    if context.invoked_subcommand is not None:
        return
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    relax_collector()
    server = EngineServer(
        None if data_dir is None else data_dir / LOG_FILE,
        host=host,
        grpc_port=grpc_port,
        rest_port=rest_port,
        token=_token(token_file),
        search_lag_ms=search_lag_ms,
        identity=_identity(identity_file),
        clock=ManualClock(0) if controlled_clock else SystemClock(),
        limits=Limits(commands_waiting_max, callers_waiting_max),
        plan=SnapshotPlan(snapshot_records, keep_records),
    )
    try:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_serve(server))
    except (EngineError, OSError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(1) from error


@app.command()
def check(
    files: Annotated[
        list[Path], typer.Argument(help="Files to judge as one deployment: .bpmn, .dmn, .form.")
    ],
) -> None:
    """Say whether files would deploy, and whether their processes can get stuck. Exit 1 when not."""
    try:
        resources = [Resource(path.name, path.read_bytes()) for path in files]
    except OSError as error:
        raise typer.BadParameter(f"cannot read {error.filename}: {error.strerror}") from error
    checked = check_resources(resources, SystemClock().now_ms())
    if checked.refused is not None:
        typer.echo(f"error: {checked.refused}", err=True)
    for name, finding in checked.findings:
        typer.echo(f"{name}: {finding}")
    if not checked.is_sound:
        raise typer.Exit(1)
    warnings = len(checked.findings)
    typer.echo(f"{len(resources)} files deploy" + (f", {warnings} warnings" if warnings else ""))

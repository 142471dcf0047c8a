"""`aurum up | engine | workers | bff`: run everything, or one part; `aurum engine TOOL`: the engine's."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any

import structlog
import typer
import uvloop
from pydantic import ValidationError
from rich.console import Console

from aurum import installation
from aurum.errors import AurumError

console = Console(highlight=False)

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", "--data", help="Folder for all data (default ./.aurum).")
]
Port = Annotated[int | None, typer.Option(help="Port of pages and BFF (default 8000, 0 takes any).")]
GatewayPort = Annotated[
    int | None,
    typer.Option("--gateway-port", "--grpc-port", help="gRPC port of the embedded engine (default 26500)."),
]
RestPort = Annotated[int | None, typer.Option(help="REST v2 port of the embedded engine (default 8080).")]
Lag = Annotated[int | None, typer.Option(help="Delay of the engine's searches in ms, as Camunda has it.")]
Pace = Annotated[int | None, typer.Option(help="Simulated provider time per step in ms.")]

DEMO_PACE_MS = 350
"""`aurum up` lets each simulated check take this long, so that cards arrive one by one."""


def load_settings(**overrides: Any) -> Any:
    """Return the settings with command-line options over the environment; exits 2 with the reason if bad."""
    from aurum.settings import Settings

    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)
    except ValidationError as error:
        for item in error.errors(include_url=False, include_input=False):
            where = ".".join(str(step) for step in item["loc"])
            console.print(f"[red]setting {where or 'combination'}[/red]: {item['msg']}")
        raise typer.Exit(2) from error


def configure_logging(settings: Any) -> None:
    """Send our logs to stderr: one JSON object or one plain line each."""
    level = getattr(logging, settings.log_level.upper())
    renderer = structlog.processors.JSONRenderer() if settings.log_json else structlog.dev.ConsoleRenderer()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.basicConfig(level=level, format="%(levelname)s %(name)s %(message)s", stream=sys.stderr)


def run(part: Coroutine[Any, Any, None]) -> None:
    """Run a part to its end; our own errors become one line and exit 1, everything else a traceback."""
    try:
        uvloop.run(part)
    except KeyboardInterrupt:
        return
    except (AurumError, BaseExceptionGroup) as error:
        leaves = _leaves(error)
        if not all(isinstance(leaf, AurumError) for leaf in leaves):
            raise
        for leaf in leaves:
            console.print(f"[red]{leaf}[/red]")
        raise typer.Exit(1) from error


def _leaves(error: BaseException) -> list[BaseException]:
    if not isinstance(error, BaseExceptionGroup):
        return [error]
    return [leaf for inner in error.exceptions for leaf in _leaves(inner)]


def _links(address: str) -> None:
    console.print(f"\n[bold]AURUM[/bold] is up (demo: simulated checks, synthetic lists)\n\n  {address}/")
    console.print(f"  {address}/#/customer   {address}/#/advisor   {address}/#/operator")
    console.print("\nCtrl-C stops it; everything is kept.\n", soft_wrap=True)


def up(
    data_dir: DataDir = None,
    port: Port = None,
    gateway_port: GatewayPort = None,
    rest_port: RestPort = None,
    search_lag_ms: Lag = None,
    pace_ms: Pace = None,
) -> None:
    """Start engine, workers, BFF and pages in one process."""
    from aurum import compose

    pace = pace_ms if pace_ms is not None or "AURUM_PACE_MS" in os.environ else DEMO_PACE_MS
    settings = load_settings(
        data_dir=data_dir,
        port=port,
        gateway_port=gateway_port,
        rest_port=rest_port,
        search_lag_ms=search_lag_ms,
        pace_ms=pace,
    )
    configure_logging(settings)
    run(compose.up(settings, _links))


engine_app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _engine_tool(*arguments: str) -> None:
    """Become the engine's own command line."""
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "aurum_engine", *arguments])


@engine_app.command()
def check(
    files: Annotated[
        list[Path], typer.Argument(help="Files to judge as one deployment: .bpmn, .dmn, .form.")
    ],
) -> None:
    """Say whether files would deploy, and whether their processes can get stuck. Exit 1 when not."""
    _engine_tool("check", *(str(path) for path in files))


@engine_app.command("log")
def engine_log(
    case: Annotated[str, typer.Argument(help="Key of a process instance, or a case id.")],
    data_dir: DataDir = None,
    values: Annotated[
        bool, typer.Option("--values", help="Show values of variables too; they are personal data.")
    ] = False,
) -> None:
    """Show what the log of a stopped engine holds about one case, a line for each record."""
    folder = load_settings(data_dir=data_dir).data_dir / "engine"
    _engine_tool("log", case, "--data-dir", str(folder), *(["--values"] if values else []))


@engine_app.command("verify")
def engine_verify(
    folder: Annotated[
        Path | None, typer.Argument(help="Data folder; left out, the one of the settings.")
    ] = None,
) -> None:
    """Check order, checksums, hash chains and snapshots of a stopped engine's log."""
    _engine_tool("verify", str(load_settings(data_dir=folder).data_dir / "engine"))


@engine_app.callback(invoke_without_command=True)
def engine(
    context: typer.Context,
    data_dir: DataDir = None,
    gateway_port: GatewayPort = None,
    rest_port: RestPort = None,
    search_lag_ms: Lag = None,
) -> None:
    """Start the embedded engine alone (gRPC and REST v2), or use one of its tools."""
    if context.invoked_subcommand is not None:
        return
    settings = load_settings(
        data_dir=data_dir, gateway_port=gateway_port, rest_port=rest_port, search_lag_ms=search_lag_ms
    )
    secrets = installation.load_or_create(settings.data_dir)
    token_file = settings.data_dir / "service-token"
    token_file.write_text(secrets.service_token)
    token_file.chmod(0o600)
    identity_file = settings.data_dir / "engine-identity.json"
    identity_file.touch(mode=0o600)
    identity_file.write_text(json.dumps({"key": secrets.engine_identity}))
    arguments = [
        *("--data-dir", str(settings.data_dir / "engine")),
        *("--host", settings.engine_host),
        *("--grpc-port", str(settings.gateway_port)),
        *("--rest-port", str(settings.rest_port)),
        *("--search-lag-ms", str(settings.search_lag_ms)),
        *("--token-file", str(token_file)),
        *("--identity-file", str(identity_file)),
    ]
    _engine_tool(*arguments)


def workers(data_dir: DataDir = None, pace_ms: Pace = None) -> None:
    """Start the Python workers alone, against the gateway at ZEEBE_ADDRESS."""
    from aurum import compose

    settings = load_settings(data_dir=data_dir, pace_ms=pace_ms)
    configure_logging(settings)
    run(_until_signal(compose.run_workers(settings, _told("workers poll"))))


def bff(data_dir: DataDir = None, port: Port = None) -> None:
    """Start BFF and pages alone, against the engine at CAMUNDA_REST_ADDRESS."""
    from aurum import compose

    settings = load_settings(data_dir=data_dir, port=port)
    configure_logging(settings)
    run(compose.run_bff(settings, _links))


def _told(what: str) -> Callable[[str], None]:
    return lambda address: console.print(f"{what} {address}")


async def _until_signal(part: Coroutine[Any, Any, None]) -> None:
    """Run a part until SIGINT or SIGTERM, then let it close."""
    task = asyncio.ensure_future(part)
    loop = asyncio.get_running_loop()
    for sig in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sig, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        if not task.cancelled():
            raise


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (up, workers, bff):
        app.command()(command)
    app.add_typer(engine_app, name="engine")

"""`aurum doctor | reset`: look around, and start over."""

from __future__ import annotations

import os
import platform
import shutil
import socket
from pathlib import Path
from typing import Annotated

import httpx
import typer
from pydantic import AliasChoices
from pydantic.fields import FieldInfo
from rich.console import Console
from rich.table import Table

from aurum import __version__, resources
from aurum.cli.serve import DataDir, load_settings

console = Console(highlight=False)


def _port(host: str, port: int) -> str:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return "in use" if probe.connect_ex((host, port)) == 0 else "free"


def _environment_names(name: str, field: FieldInfo) -> list[str]:
    """Return every environment name a setting answers to."""
    alias = field.validation_alias
    choices = alias.choices if isinstance(alias, AliasChoices) else [f"AURUM_{name.upper()}"]
    return [choice for choice in choices if isinstance(choice, str)]


def _ready(address: str) -> str:
    try:
        answer = httpx.get(f"{address}/health/ready", timeout=3.0)
        return str(answer.json())
    except (httpx.HTTPError, ValueError) as error:
        return f"not running ({type(error).__name__})"


def doctor(data_dir: DataDir = None) -> None:
    """Print versions, settings with where they came from, ports, and whether anything is running."""
    settings = load_settings(data_dir=data_dir)
    table = Table("what", "value", "from")
    table.add_row("aurum", __version__, "")
    table.add_row("python", platform.python_version(), "")
    for name, field in type(settings).model_fields.items():
        source = "default"
        if name in settings.model_fields_set:
            source = (
                "environment"
                if any(key in os.environ for key in _environment_names(name, field))
                else "option"
            )
        table.add_row(name, str(getattr(settings, name)), source)
        assert field.description, f"setting {name} needs a description"
    for label, port in (
        ("pages", settings.port),
        ("gateway", settings.gateway_port),
        ("REST", settings.rest_port),
    ):
        table.add_row(f"port {port} ({label})", _port(settings.host, port), "")
    table.add_row("ready", _ready(f"http://{settings.host}:{settings.port}"), "")
    files = resources.deployable_files()
    table.add_row("process files", ", ".join(path.name for path in files), str(files[0].parent))
    for tool in ("chromium", "node", "redis-server"):
        table.add_row(tool, shutil.which(tool) or "absent (only some tests want it)", "")
    console.print(table)


def reset(
    data_dir: DataDir = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete all cases, accounts and secrets of this installation. Asks first."""
    settings = load_settings(data_dir=data_dir)
    folder: Path = settings.data_dir.resolve()
    if not (folder / "secrets.json").is_file():
        console.print(f"nothing to reset: {folder} holds no AURUM data")
        raise typer.Exit(0)
    if _port(settings.host, settings.port) == "in use":
        console.print(f"[red]port {settings.port} is in use; stop AURUM before resetting it[/red]")
        raise typer.Exit(1)
    if not yes:
        typer.confirm(f"Delete everything in {folder}?", abort=True)
    shutil.rmtree(folder)
    console.print(f"{folder} is gone")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (doctor, reset):
        app.command()(command)

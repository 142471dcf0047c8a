"""`log` and `verify`: looking at the log of a stopped engine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aurum_engine.errors import EngineError
from aurum_engine.inspection import case_root, folded, history_lines, verify
from aurum_engine.log.reading import reading
from aurum_engine.server import LOG_FILE

DataDir = Annotated[Path, typer.Option("--data-dir", "--data", help=f"Directory of {LOG_FILE}.")]


def log(
    case: Annotated[str, typer.Argument(help="Key of a process instance, or a business id.")],
    data_dir: DataDir,
    values: Annotated[
        bool, typer.Option("--values", help="Show values of variables too; they are personal data.")
    ] = False,
) -> None:
    """Show what the log holds about one case, a line for each record. The engine must be stopped."""
    try:
        with reading(data_dir / LOG_FILE) as reader:
            view = folded(reader).processor.view
            root = case_root(view, case)
            if root is None:
                raise FileNotFoundError(f"the log knows no process instance '{case}'")
            if reader.first_position() > 1:
                typer.echo(f"records before {reader.first_position()} are no longer kept", err=True)
            for line in history_lines(reader, root, view, values=values):
                typer.echo(line)
    except (EngineError, OSError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(1) from error


def verify_log(
    data_dir: Annotated[Path, typer.Argument(help=f"Directory of {LOG_FILE}.")],
) -> None:
    """Check order, checksums, hash chains and snapshots of a log. Exit 1 when something is wrong."""
    try:
        with reading(data_dir / LOG_FILE) as reader:
            verdict = verify(reader)
    except (EngineError, OSError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(1) from error
    for finding in verdict.findings:
        typer.echo(finding, err=True)
    typer.echo(
        f"records {verdict.first_position} to {verdict.last_position},"
        f" {verdict.instances} process instances, {verdict.snapshots} snapshots:"
        f" {'whole' if not verdict.findings else f'{len(verdict.findings)} findings'}"
    )
    if verdict.findings:
        raise typer.Exit(1)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("log")(log)
    app.command("verify")(verify_log)

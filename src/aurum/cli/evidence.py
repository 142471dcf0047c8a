"""`aurum export | verify`: the sealed evidence of a case, taken and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from aurum.cli.cases import Case
from aurum.cli.client import Bff
from aurum.domain.evidence import file_lines
from aurum.domain.evidence import verify as check

console = Console(highlight=False, soft_wrap=True)


def export(
    case: Case,
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write; the default names the case.")
    ] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why; it is recorded.")] = "audit",
    person: Annotated[str, typer.Option("--as", help="Auditor.")] = "auditor",
) -> None:
    """Write the sealed evidence of a case: facts, decisions with receipts, people, accesses."""
    bff = Bff(person)
    case_id = bff.case_of(case)
    answer = bff.request("POST", f"/cases/{case_id}/evidence", json={"reason": reason})
    path = out or Path(f"evidence-{case_id}.ndjson")
    path.write_bytes(answer.content)
    console.print(f"{path}: {len(file_lines(answer.content))} lines")


def verify(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="An exported evidence file.")],
    key: Annotated[
        str | None, typer.Option("--key", help="The bank's public key (hex): whose seal it must be.")
    ] = None,
) -> None:
    """Check a file without asking anybody. Exit 1 names the first line that does not hold."""
    verdict = check(file_lines(file.read_bytes()), public_key=key)
    if not verdict.is_good:
        console.print(f"[red]{file}: line {verdict.line}: {verdict.reason}[/red]")
        raise typer.Exit(1)
    console.print(f"{file}: {verdict.lines} lines hold, sealed by {verdict.public_key}")
    if key is None:
        console.print("compare that key with the bank's, or pass it with --key")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(export)
    app.command()(verify)

"""The command line: `serve` runs things, `cases` talks to a running BFF, `doctor` looks around."""

from __future__ import annotations

import typer

from aurum.cli import cases, doctor, serve

app = typer.Typer(
    name="aurum",
    help="Process-orchestrated wealth onboarding: one command, no key, no Docker, no Node.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
serve.register(app)
cases.register(app)
doctor.register(app)


def main() -> None:
    """Run the command line."""
    app()

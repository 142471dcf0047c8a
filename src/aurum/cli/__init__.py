"""The command line: `serve` runs things, `cases` and `evidence` ask a BFF, `doctor` looks around."""

from __future__ import annotations

import typer

from aurum.cli import cases, doctor, evidence, serve

app = typer.Typer(
    name="aurum",
    help="Process-orchestrated wealth onboarding: one command, no key, no Docker, no Node.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
serve.register(app)
cases.register(app)
evidence.register(app)
doctor.register(app)


def main() -> None:
    """Run the command line."""
    app()

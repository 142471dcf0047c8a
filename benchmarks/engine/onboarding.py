"""What one onboarding consists of: the shipped files, the variables it starts with, the answer to each job.

The answers are written down, not computed, so that only the engine's work is measured. They lead along
the good case: every check is clear, the route is `auto`, and the account is opened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PROCESS_ID = "wealth-onboarding"
AGENT_JOB = "onboarding-agent"
HASH = "sha256:benchmark"


def _check() -> dict[str, Any]:
    return {
        "outcome": "clear",
        "basisHash": HASH,
        "reasons": [],
        "asOf": "2026-11-30T12:00:00Z",
        "source": "benchmark",
        "simulated": True,
        "details": {},
    }


def _application() -> dict[str, Any]:
    record: dict[str, Any] = json.loads((ROOT / "examples" / "sarah-chen.json").read_text("utf-8"))
    return record | {"hash": HASH}


def files() -> list[tuple[str, bytes]]:
    """Return the shipped process, decisions and forms as (name, content)."""
    paths = [
        *(ROOT / "bpmn").glob("*.bpmn"),
        *(ROOT / "dmn").glob("*.dmn"),
        *(ROOT / "bpmn/forms").glob("*.form"),
    ]
    return [(path.name, path.read_bytes()) for path in sorted(paths)]


def start_variables(number: int) -> dict[str, Any]:
    """Return what the BFF writes when case `number` begins."""
    return {
        "caseId": f"case-{number}",
        "schemaVersion": 1,
        "submitter": "sarah",
        "application": _application(),
        "checks": {},
        "decisions": [],
        "editors": [],
        "messages": [],
        "agent": {},
    }


ANSWERS: Mapping[str, Mapping[str, Any]] = {
    "parse-application": {"application": _application(), "parsed": {"fieldsParsed": 40, "warnings": []}},
    AGENT_JOB: {"messages": [], "agent": {}},
    "verify-identity": {"identityCheck": _check()},
    "verify-tax-status": {"taxCheck": _check()},
    "screen-sanctions": {"sanctionsCheck": _check()},
    "screen-pep": {"pepCheck": _check()},
    "quote-deposit": {
        "quote": {
            "amount": "480000.00",
            "currency": "USD",
            "depositUsdCents": 48_000_000,
            "rate": None,
            "rateDate": None,
            "rateSource": None,
            "reason": None,
        }
    },
    "open-account": {
        "account": {
            "accountNumber": "BENCH-1",
            "openedAt": "2026-11-30T12:00:00Z",
            "depositUsdCents": 48_000_000,
            "currency": "USD",
            "ledger": "benchmark",
            "simulated": True,
        }
    },
    "welcome-customer": {"welcome": {"sentAt": "2026-11-30T12:00:00Z"}},
}
"""Job type to the variables its worker returns, in the order in which the jobs come."""

FETCHED: Mapping[str, tuple[str, ...]] = {
    "parse-application": ("caseId", "application"),
    AGENT_JOB: ("application", "agent", "messages", "toolCallResults", "adHocSubProcessElements"),
    "verify-identity": ("application",),
    "verify-tax-status": ("application",),
    "screen-sanctions": ("application", "nameVariants"),
    "screen-pep": ("application",),
    "quote-deposit": ("application",),
    "open-account": (
        "caseId",
        "submitter",
        "editors",
        "application",
        "checks",
        "quote",
        "risk",
        "route",
        "decisions",
    ),
    "welcome-customer": ("caseId", "application", "account"),
}
"""Job type to the variables its worker asks for, as in docs/process-variables.md."""

COMMANDS_AN_INSTANCE = 1 + 2 * len(ANSWERS)
"""Create, then activate and complete each job."""

"""Tax status: the form that FATCA asks for and a usable number for every CRS residence.

Checks by the declared type of each number (`nationalids`). Anything that needs a person's eye is
`review`; nothing here is a refusal by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from aurum.domain.checks import Check, Outcome, worst
from aurum.domain.nationalids import tin_state

SOURCE = "AURUM tax status check (simulated)"

W8BEN_VALID_YEARS = 3
"""A W-8BEN ends with the third calendar year after the one it was signed in."""

_OUTCOMES: Mapping[str, Outcome] = {
    "TAX_FORM_MISMATCH": "review",
    "TAX_FORM_OUTDATED": "review",
    "TAX_RESIDENCE_US_MISSING": "review",
    "TAX_RESIDENCE_HOME_MISSING": "review",
    "TIN_INVALID": "review",
    "TIN_UNVERIFIED": "review",
    "TIN_NOT_OBTAINED": "review",
    "TIN_NOT_ISSUED": "clear",
    "TIN_NOT_REQUIRED": "clear",
    "MULTIPLE_TAX_RESIDENCES": "clear",
}
_NO_TIN = {"A": "TIN_NOT_ISSUED", "B": "TIN_NOT_OBTAINED", "C": "TIN_NOT_REQUIRED"}


def verify_tax_status(application: Mapping[str, Any], *, today: date, as_of: str) -> Check:
    """Return the check of a normalised application."""
    residences = application["taxResidences"]
    rows = [_row(entry) for entry in residences]
    reasons = [*_form_reasons(application, today), *_residence_reasons(application)]
    reasons.extend(row["reason"] for row in rows if row["reason"] is not None)
    reasons = list(dict.fromkeys(reasons))
    return Check(
        outcome=worst([_OUTCOMES[reason] for reason in reasons]),
        basis_hash=application["hash"],
        reasons=tuple(reasons),
        as_of=as_of,
        source=SOURCE,
        details={
            "form": application["taxForm"]["form"],
            "usPerson": application["usPerson"],
            "residences": rows,
        },
    )


def _form_reasons(application: Mapping[str, Any], today: date) -> list[str]:
    form = application["taxForm"]
    reasons = []
    if form["form"] != ("W9" if application["usPerson"] else "W8BEN"):
        reasons.append("TAX_FORM_MISMATCH")
    if (
        form["form"] == "W8BEN"
        and today.year > date.fromisoformat(form["signedDate"]).year + W8BEN_VALID_YEARS
    ):
        reasons.append("TAX_FORM_OUTDATED")
    return reasons


def _residence_reasons(application: Mapping[str, Any]) -> list[str]:
    countries = {entry["country"] for entry in application["taxResidences"]}
    reasons = []
    if application["usPerson"] and "US" not in countries:
        reasons.append("TAX_RESIDENCE_US_MISSING")
    if application["residentialAddress"]["country"] not in countries:
        reasons.append("TAX_RESIDENCE_HOME_MISSING")
    if len(countries) > 1:
        reasons.append("MULTIPLE_TAX_RESIDENCES")
    return reasons


def _row(entry: Mapping[str, Any]) -> dict[str, Any]:
    if entry.get("tin") is None:
        return {"country": entry["country"], "tinState": "absent", "reason": _NO_TIN[entry["noTinReason"]]}
    state = tin_state(entry["country"], entry["tinType"], entry["tin"])
    reason = {"valid": None, "invalid": "TIN_INVALID", "unverified": "TIN_UNVERIFIED"}[state]
    return {"country": entry["country"], "tinState": state, "reason": reason}

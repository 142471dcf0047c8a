"""The tools of the onboarding agent: which case value each one's result is. Pure.

A result is shown, and given to the brain, only as far as the audience of that value allows
(`audience_tables`); a tool that is not listed here shows that it is done and nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TOOL_VARIABLE: Mapping[str, str] = {
    "verify_identity_document": "identityCheck",
    "verify_address": "addressCheck",
    "check_tax_status": "taxCheck",
    "check_sanctions": "sanctionsCheck",
    "screen_pep_adverse_media": "pepCheck",
    "get_fx_rate": "fxRate",
    "convert_deposit_usd": "depositPreview",
    "preview_risk": "risk",
    "preview_suitability": "suitability",
    "propose_portfolio": "proposal",
    "project_growth": "projection",
    "request_information": "customerAnswer",
    "ask_advisor": "advisorAnswer",
}
"""Tool's element id -> the variable whose audience its result has."""

WITHHELD: Mapping[str, str] = {"status": "done"}
"""What is read as a tool's result, by a view or by the brain, when none of it may be seen."""

CHECK_TOOLS: Mapping[str, str] = {
    "verify_identity_document": "identity",
    "check_tax_status": "tax",
    "check_sanctions": "sanctions",
    "screen_pep_adverse_media": "pep",
}
"""Tools whose results are checks of the case -> their name in `checks`."""

_SEVERITY = {"clear": 0, "review": 1, "failed": 2}
_UNKNOWN_SEVERITY = 1
"""An outcome nobody has heard of counts as one that a person has to look at."""


def tool_name(element_id: str) -> str:
    """Return the tool's name on the wire: `check_tax_status` -> `checkTaxStatus`."""
    head, *rest = element_id.split("_")
    return head + "".join(word.capitalize() for word in rest)


def severity(check: object) -> int:
    """Return how bad an outcome is; -1 for something that is no check."""
    if not isinstance(check, Mapping) or check.get("outcome") is None:
        return -1
    outcome = check["outcome"]
    return _SEVERITY.get(outcome, _UNKNOWN_SEVERITY) if isinstance(outcome, str) else _UNKNOWN_SEVERITY


def worst(checks: list[Any]) -> Any:
    """Return the worst of several results of one check, the first of equals; None when there is none."""
    found = [check for check in checks if severity(check) >= 0]
    return max(found, key=severity, default=None)

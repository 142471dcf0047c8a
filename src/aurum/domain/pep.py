"""Politically exposed persons: what the applicant declared, and whom a list knows.

A declaration is enough for enhanced due diligence, so it is always `review`; a function that ended
more than a year ago is still declared and still reviewed, with its own code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from aurum.domain.checks import Check
from aurum.domain.screening import ListEntry, hits_about

FORMER_AFTER_DAYS = 365
"""EU practice: at least twelve months after leaving office the person still counts as exposed."""

_DECLARED = {"self": "PEP_SELF", "family": "PEP_FAMILY", "associate": "PEP_ASSOCIATE"}


def screen_pep(
    application: Mapping[str, Any], entries: Sequence[ListEntry], *, today: date, as_of: str, source: str
) -> Check:
    """Return the PEP check of a normalised application."""
    declared = application["pep"]
    hits = hits_about(application, entries)
    reasons = [_DECLARED[declared["status"]]] if declared["status"] != "none" else []
    if reasons and _is_former(declared, today):
        reasons.append("PEP_FORMER")
    if hits:
        reasons.append("PEP_LISTED")
    if declared["status"] == "none" and any(hit.subject == "applicant" for hit in hits):
        reasons.append("PEP_UNDECLARED")
    return Check(
        outcome="review" if reasons else "clear",
        basis_hash=application["hash"],
        reasons=tuple(reasons),
        as_of=as_of,
        source=source,
        details={"declared": declared["status"], "hits": [hit.to_json() for hit in hits]},
    )


def _is_former(declared: Mapping[str, Any], today: date) -> bool:
    until = declared.get("until")
    return until is not None and (today - date.fromisoformat(until)).days > FORMER_AFTER_DAYS

"""Adverse media: whether anything bad was reported about a name. Pure.

Only ever makes the check of public office worse: a report is for a person to read, its absence
proves nothing. The list is passed in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from aurum.domain.checks import Check, worst
from aurum.domain.screening import ListEntry, hits_about


def with_adverse_media(check: Check, application: Mapping[str, Any], entries: Sequence[ListEntry]) -> Check:
    """Return `check` with the reports about applicant and owners; its outcome is never better."""
    hits = hits_about(application, entries)
    details = {**check.details, "media": [hit.to_json() for hit in hits]}
    if not hits:
        return replace(check, details=details)
    return replace(
        check,
        outcome=worst([check.outcome, "review"]),
        reasons=(*check.reasons, "ADVERSE_MEDIA"),
        details=details,
    )

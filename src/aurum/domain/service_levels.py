"""How soon a person acts on a task, in business hours, and what a clock needs to show it. Pure."""

from __future__ import annotations

from typing import Any

from aurum.domain.business_hours import windows_of
from aurum.domain.tasks import ADVISOR_REVIEW, AGENT_HAND_OFF, SECOND_APPROVAL
from aurum.instants import iso_utc

_HOUR_MS = 3_600_000

TARGET_HOURS: dict[str, int] = {ADVISOR_REVIEW: 16, SECOND_APPROVAL: 8, AGENT_HAND_OFF: 4}
"""Element id -> business hours. Two days for a review, one for the second look, half of one for the
assistant's question, because a customer is in a conversation."""


def service_level(element_id: str, since_ms: int) -> dict[str, Any] | None:
    """Return the target, when it is used up, and the open windows that count until then.

    A page shows what is left by adding up what lies ahead of its own clock in `windows`: it needs no
    calendar, and the answer stays right without being sent again. None for tasks without a target.
    """
    hours = TARGET_HOURS.get(element_id)
    if hours is None:
        return None
    windows = windows_of(since_ms, hours * _HOUR_MS)
    return {
        "targetMinutes": hours * 60,
        "dueAt": iso_utc(windows[-1].end_ms),
        "windows": [[iso_utc(window.start_ms), iso_utc(window.end_ms)] for window in windows],
    }

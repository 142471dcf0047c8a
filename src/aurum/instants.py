"""Instants as text and as days. Pure: no clock is read here, so that cores may use it."""

from __future__ import annotations

from datetime import UTC, date, datetime


def iso_utc(at_ms: int) -> str:
    """Return `2026-11-30T22:00:00.123Z`: the only text form of an instant on our wire."""
    instant = datetime.fromtimestamp(at_ms // 1000, tz=UTC)
    return f"{instant:%Y-%m-%dT%H:%M:%S}.{at_ms % 1000:03d}Z"


def utc_date(at_ms: int) -> date:
    """Return the UTC calendar day of an instant."""
    return datetime.fromtimestamp(at_ms // 1000, tz=UTC).date()

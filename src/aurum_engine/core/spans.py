"""Spans of time that a caller chooses, added to the present. Pure.

What ends after the year 9999 has no ISO date that a search could show, so it is refused on entry.
"""

from __future__ import annotations

from aurum_engine.errors import invalid_argument

LATEST_MS = 253_402_300_799_999
"""9999-12-31T23:59:59.999Z, in Unix milliseconds: the last moment of ISO 8601's calendar dates."""


def end_of(now_ms: int, span_ms: int, name: str) -> int:
    """Return when a span that begins now is over. Raises INVALID_ARGUMENT beyond the year 9999."""
    if span_ms > LATEST_MS - now_ms:
        raise invalid_argument(f"expected {name} to end before the year 10000, but it is {span_ms} ms")
    return now_ms + span_ms

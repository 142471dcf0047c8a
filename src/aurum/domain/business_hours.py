"""Business hours of the bank: open windows, and when a number of open hours is used up. Pure.

Nine to five in New York on weekdays that are no holiday of the Federal Reserve. A promise in hours
that runs over a weekend would either be broken or be no promise; in business hours it can be kept.
Times are Unix milliseconds. Time zone data is what the platform has; nothing else is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("America/New_York")
OPENS = time(9)
CLOSES = time(17)
DAYS_MAX = 400
"""Days looked ahead. No promise is a year of business hours long."""

_SATURDAY = 5


@dataclass(frozen=True, slots=True)
class Window:
    """The bank is open from `start_ms` (included) to `end_ms` (not included)."""

    start_ms: int
    end_ms: int


def is_holiday(day: date) -> bool:
    """Is this a holiday of the Federal Reserve Banks, as it is observed?

    One that falls on a Sunday is observed on Monday; on a Saturday it is not moved.
    """
    return day in _observed(day.year)


def _observed(year: int) -> frozenset[date]:
    fixed = (date(year, 1, 1), date(year, 6, 19), date(year, 7, 4), date(year, 11, 11), date(year, 12, 25))
    moved = {day + timedelta(days=1) if day.weekday() == _SATURDAY + 1 else day for day in fixed}
    floating = {
        _nth_weekday(year, 1, 0, 3),
        _nth_weekday(year, 2, 0, 3),
        _last_monday_of_may(year),
        _nth_weekday(year, 9, 0, 1),
        _nth_weekday(year, 10, 0, 2),
        _nth_weekday(year, 11, 3, 4),
    }
    return frozenset(moved | floating)


def _nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))


def _last_monday_of_may(year: int) -> date:
    last = date(year, 5, 31)
    return last - timedelta(days=last.weekday())


def windows_from(since_ms: int) -> Iterator[Window]:
    """Yield what is left of today's opening hours at `since_ms`, then those of the business days after."""
    first = datetime.fromtimestamp(since_ms / 1000, UTC).astimezone(ZONE).date()
    for offset in range(DAYS_MAX):
        day = first + timedelta(days=offset)
        if day.weekday() >= _SATURDAY or is_holiday(day):
            continue
        start, end = _at(day, OPENS), _at(day, CLOSES)
        if end > since_ms:
            yield Window(max(start, since_ms), end)


def windows_of(since_ms: int, open_ms: int) -> tuple[Window, ...]:
    """Return the open windows that `open_ms` of business time from `since_ms` on takes up; the last one
    is cut where it is used up. Positive `open_ms`."""
    found: list[Window] = []
    left = open_ms
    for window in windows_from(since_ms):
        length = window.end_ms - window.start_ms
        if length >= left:
            return (*found, Window(window.start_ms, window.start_ms + left))
        found.append(window)
        left -= length
    return tuple(found)


def open_ms_between(since_ms: int, until_ms: int) -> int:
    """Return how much business time lies between two instants."""
    total = 0
    for window in windows_from(since_ms):
        if window.start_ms >= until_ms:
            break
        total += min(window.end_ms, until_ms) - window.start_ms
    return total


def _at(day: date, hour: time) -> int:
    return int(datetime.combine(day, hour, ZONE).timestamp() * 1000)

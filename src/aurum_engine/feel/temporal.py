"""Temporal values of FEEL and the arithmetic on them. Pure; no clock, no I/O but the zone database.

A time of day is nanoseconds since midnight. A value is *local* (no offset, no zone), has a fixed
`offset` in seconds, or a named `zone`, whose offset is looked up for its own date. `None` from a
function means that FEEL gives null: out of range, or local mixed with zoned.
"""

from __future__ import annotations

import datetime as _dt
import zoneinfo
from dataclasses import dataclass, replace
from functools import lru_cache

from aurum_engine.feel.calendar import YEAR_MAX, civil_from_days, days_from_civil, month_length

NANOS = 1_000_000_000
DAY_NANOS = 86_400 * NANOS
_MONTHS_MAX = (YEAR_MAX + 1) * 12
_DAYS_NANOS_MAX = 2**63 * NANOS
"""Longest days and time duration, as java.time.Duration has it: 2^63 seconds."""


@dataclass(frozen=True, slots=True)
class Date:
    """A calendar day."""

    year: int
    month: int
    day: int


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day; `nanos` since midnight, `offset` in seconds east of UTC."""

    nanos: int
    offset: int | None = None
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class DateTime:
    """A day and a time of day; `nanos` since midnight, `offset` in seconds east of UTC."""

    date: Date
    nanos: int
    offset: int | None = None
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class DaysDuration:
    """A days and time duration, in nanoseconds."""

    nanos: int


@dataclass(frozen=True, slots=True)
class MonthsDuration:
    """A years and months duration, in months."""

    months: int


Duration = DaysDuration | MonthsDuration


def make_date(year: int, month: int, day: int) -> Date | None:
    """Return the date, or None when there is no such day."""
    if not (-YEAR_MAX <= year <= YEAR_MAX and 1 <= month <= 12):
        return None
    return Date(year, month, day) if 1 <= day <= month_length(year, month) else None


def make_time(hour: int, minute: int, second_nanos: int, offset: int | None, zone: str | None) -> Time | None:
    """Return the time of day, or None when a part is out of range. `second_nanos` < 60e9."""
    if not (0 <= hour <= 23 and 0 <= minute <= 59 and 0 <= second_nanos < 60 * NANOS):
        return None
    if offset is not None and abs(offset) > 18 * 3600:
        return None
    return Time((hour * 3600 + minute * 60) * NANOS + second_nanos, offset, zone)


def make_days_duration(nanos: int) -> DaysDuration | None:
    """Return the duration, or None when it is longer than FEEL can hold."""
    return DaysDuration(nanos) if abs(nanos) <= _DAYS_NANOS_MAX else None


def make_months_duration(months: int) -> MonthsDuration | None:
    """Return the duration, or None when it is longer than FEEL can hold."""
    return MonthsDuration(months) if abs(months) <= _MONTHS_MAX * 10 else None


@lru_cache(maxsize=256)
def zone_info(zone: str) -> zoneinfo.ZoneInfo | None:
    """Return the named zone, or None when the zone database does not know it."""
    try:
        return zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_offset(zone: str, date: Date, nanos: int) -> int | None:
    """Return the offset in seconds of a named zone at a local date and time."""
    info = zone_info(zone)
    if info is None:
        return None
    # `datetime` ends at 9999: outside, the 400-year cycle gives a year with the same calendar.
    year = date.year if 1 < date.year < 9999 else 2000 + date.year % 400
    seconds = nanos // NANOS
    moment = _dt.datetime(
        year, date.month, date.day, seconds // 3600, seconds // 60 % 60, seconds % 60, tzinfo=info
    )
    offset = moment.utcoffset()
    return None if offset is None else int(offset.total_seconds())


_ZONE_DAY = Date(1970, 1, 1)


def offset_of(value: Time | DateTime) -> int | None:
    """Return the offset in seconds of a time or date and time, None when it is local."""
    if value.offset is not None:
        return value.offset
    if value.zone is None:
        return None
    date = value.date if isinstance(value, DateTime) else _ZONE_DAY
    return zone_offset(value.zone, date, value.nanos)


def day_number(date: Date) -> int:
    """Return days since 1970-01-01."""
    return days_from_civil(date.year, date.month, date.day)


def date_from_days(days: int) -> Date | None:
    """Return the date of a day number, or None when its year is out of range."""
    year, month, day = civil_from_days(days)
    return Date(year, month, day) if -YEAR_MAX <= year <= YEAR_MAX else None


def instant(value: DateTime) -> int:
    """Return nanoseconds since 1970-01-01T00:00:00, in UTC unless the value is local."""
    return day_number(value.date) * DAY_NANOS + value.nanos - (offset_of(value) or 0) * NANOS


def at_midnight_utc(date: Date) -> DateTime:
    """Return the date as DMN compares it with zoned values: midnight, UTC."""
    return DateTime(date, 0, 0)


def shift_instant(value: DateTime, nanos: int) -> DateTime | None:
    """Return `value` moved by elapsed nanoseconds, keeping its offset or zone."""
    if value.zone is None:
        days, rest = divmod(day_number(value.date) * DAY_NANOS + value.nanos + nanos, DAY_NANOS)
        date = date_from_days(days)
        return None if date is None else replace(value, date=date, nanos=rest)
    return from_instant(instant(value) + nanos, value.zone)


def from_instant(nanos: int, zone: str | None = None) -> DateTime | None:
    """Return the date and time of UTC nanoseconds, shown in UTC or in a named zone."""
    days, rest = divmod(nanos, DAY_NANOS)
    date = date_from_days(days)
    if date is None:
        return None
    if zone is None:
        return DateTime(date, rest, 0)
    offset = zone_offset(zone, date, rest) or 0
    for _ in range(2):  # The offset is a function of local time, so the second look settles it.
        days, local = divmod(nanos + offset * NANOS, DAY_NANOS)
        date = date_from_days(days)
        if date is None:
            return None
        offset = zone_offset(zone, date, local) or 0
    return DateTime(date, local, None, zone)


def add_months(date: Date, months: int) -> Date | None:
    """Return the date `months` later; the day is cut to the month's length."""
    year, month0 = divmod(date.year * 12 + date.month - 1 + months, 12)
    if not -YEAR_MAX <= year <= YEAR_MAX:
        return None
    return Date(year, month0 + 1, min(date.day, month_length(year, month0 + 1)))


def plus(value: Date | Time | DateTime, duration: Duration, sign: int) -> Date | Time | DateTime | None:
    """Return `value` plus (`sign` 1) or minus (-1) a duration."""
    if isinstance(duration, MonthsDuration):
        if isinstance(value, Time):
            return None
        if isinstance(value, Date):
            return add_months(value, sign * duration.months)
        date = add_months(value.date, sign * duration.months)
        return None if date is None else replace(value, date=date)
    nanos = sign * duration.nanos
    if isinstance(value, Time):
        return replace(value, nanos=(value.nanos + nanos) % DAY_NANOS)
    if isinstance(value, Date):
        return date_from_days(day_number(value) + nanos // DAY_NANOS)
    return shift_instant(value, nanos)


def comparable_pair(left: DateTime, right: DateTime) -> tuple[int, int] | None:
    """Return both as nanoseconds on one scale, or None when one is local and the other is not."""
    if (offset_of(left) is None) != (offset_of(right) is None):
        return None
    return instant(left), instant(right)


def time_pair(left: Time, right: Time) -> tuple[int, int] | None:
    """Return both times as UTC nanoseconds, or None when one is local and the other is not."""
    a, b = offset_of(left), offset_of(right)
    if (a is None) != (b is None):
        return None
    return left.nanos - (a or 0) * NANOS, right.nanos - (b or 0) * NANOS


def months_between(start: Date, end: Date) -> MonthsDuration:
    """Return whole months from `start` to `end`, towards zero; times of day do not count."""
    months = (end.year - start.year) * 12 + end.month - start.month
    if months > 0 and end.day < start.day:
        months -= 1
    elif months < 0 and end.day > start.day:
        months += 1
    return MonthsDuration(months)

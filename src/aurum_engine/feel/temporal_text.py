"""ISO 8601 text of FEEL's temporal values, both ways. Pure.

Parsers return None for text that is no such value; formatters give the text Camunda gives.
"""

from __future__ import annotations

import re

from aurum_engine.feel.temporal import (
    NANOS,
    Date,
    DateTime,
    DaysDuration,
    MonthsDuration,
    Time,
    date_from_days,
    day_number,
    make_date,
    make_days_duration,
    make_months_duration,
    make_time,
    offset_of,
    zone_info,
)

TEXT_MAX = 100
"""Characters of a temporal literal; the longest legal one (named zone included) is about 60."""

_DATE = re.compile(r"(-?)([0-9]{4}|[1-9][0-9]{4,8})-([0-9]{2})-([0-9]{2})\Z")
_TIME = re.compile(
    r"([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,30}))?)?"
    r"(?:([Zz])|([+-])([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?|@([A-Za-z0-9_+\-/]+))?\Z"
)
_MONTHS = re.compile(r"(-?)P(?:([0-9]{1,20})Y)?(?:([0-9]{1,20})M)?\Z")
_DAYS = re.compile(
    r"(-?)P(?:([0-9]{1,20})D)?"
    r"(T(?:([0-9]{1,20})H)?(?:([0-9]{1,20})M)?(?:([0-9]{1,20})(?:\.([0-9]{0,30}))?S)?)?\Z"
)


def parse_date(text: str) -> Date | None:
    """Parse `2020-01-31`."""
    match = _DATE.match(text) if len(text) <= TEXT_MAX else None
    if match is None:
        return None
    year = int(match[2])
    return make_date(-year if match[1] else year, int(match[3]), int(match[4]))


def parse_time(text: str) -> Time | None:
    """Parse `10:30:00`, with an optional fraction and `Z`, `+02:00` or `@Europe/Paris`."""
    match = _TIME.match(text) if len(text) <= TEXT_MAX else None
    if match is None or match[3] is None:
        return None
    offset: int | None = None
    zone: str | None = match[10]
    if match[5]:
        offset = 0
    elif match[6]:
        if int(match[8]) > 59 or int(match[9] or 0) > 59:
            return None
        offset = int(match[7]) * 3600 + int(match[8]) * 60 + int(match[9] or 0)
        offset = -offset if match[6] == "-" else offset
    elif zone is not None and zone_info(zone) is None:
        return None
    second_nanos = int(match[3]) * NANOS + _fraction_nanos(match[4])
    return make_time(int(match[1]), int(match[2]), second_nanos, offset, zone)


def parse_date_time(text: str) -> DateTime | None:
    """Parse `2020-01-31T10:30:00` with an optional offset or zone."""
    date_text, separator, time_text = text.partition("T")
    date = parse_date(date_text)
    if date is None or not separator:
        return None
    if time_text.startswith("24:00:00"):
        # ISO 8601 end of day: midnight of the next one.
        next_day = date_from_days(day_number(date) + 1)
        time = parse_time("00" + time_text[2:])
        if next_day is None or time is None or time.nanos:
            return None
        return DateTime(next_day, 0, time.offset, time.zone)
    time = parse_time(time_text)
    return None if time is None else DateTime(date, time.nanos, time.offset, time.zone)


def parse_duration(text: str) -> DaysDuration | MonthsDuration | None:
    """Parse `P1Y2M` or `P1DT2H3M4.5S`, with an optional leading minus."""
    if len(text) > TEXT_MAX or text.endswith(("P", "T")):
        return None
    match = _MONTHS.match(text)
    if match is not None:
        months = int(match[2] or 0) * 12 + int(match[3] or 0)
        return make_months_duration(-months if match[1] else months)
    match = _DAYS.match(text)
    if match is None:
        return None
    seconds = int(match[2] or 0) * 86_400 + int(match[4] or 0) * 3600 + int(match[5] or 0) * 60
    nanos = (seconds + int(match[6] or 0)) * NANOS + _fraction_nanos(match[7])
    return make_days_duration(-nanos if match[1] else nanos)


def parse_any(text: str) -> Date | Time | DateTime | DaysDuration | MonthsDuration | None:
    """Parse the inside of an `@"..."` literal."""
    return parse_date(text) or parse_date_time(text) or parse_time(text) or parse_duration(text)


def format_date(value: Date) -> str:
    """Return `2020-01-31`; years have at least four digits."""
    sign = "-" if value.year < 0 else ""
    return f"{sign}{abs(value.year):04d}-{value.month:02d}-{value.day:02d}"


def format_time(value: Time | DateTime) -> str:
    """Return the time part with its offset or `@zone`."""
    return _clock(value.nanos) + _zone_suffix(value)


def format_date_time(value: DateTime) -> str:
    """Return date, `T` and time."""
    return f"{format_date(value.date)}T{format_time(value)}"


def format_java(value: DateTime) -> str:
    """Return a date and time as JSON text of Camunda: offset first, then `[zone]`."""
    if value.zone is None:
        return format_date_time(value)
    offset = offset_of(value)
    return f"{format_date(value.date)}T{_clock(value.nanos)}{format_offset(offset or 0)}[{value.zone}]"


def format_duration(value: DaysDuration | MonthsDuration) -> str:
    """Return `P1Y2M`, `P1DT2H`, and `P0Y` or `P0D` for nothing."""
    if isinstance(value, MonthsDuration):
        years, months = divmod(abs(value.months), 12)
        parts = (f"{years}Y" if years else "") + (f"{months}M" if months else "")
        return ("-" if value.months < 0 else "") + "P" + (parts or "0Y")
    seconds, nanos = divmod(abs(value.nanos), NANOS)
    days, seconds = divmod(seconds, 86_400)
    hours, seconds = divmod(seconds, 3600)
    minutes, seconds = divmod(seconds, 60)
    clock = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "")
    if seconds or nanos:
        clock += f"{seconds}{_fraction_text(nanos)}S"
    parts = (f"{days}D" if days else "") + (f"T{clock}" if clock else "")
    return ("-" if value.nanos < 0 else "") + "P" + (parts or "0D")


def format_offset(offset: int) -> str:
    """Return `Z` or `+02:00`."""
    if offset == 0:
        return "Z"
    hours, rest = divmod(abs(offset), 3600)
    seconds = f":{rest % 60:02d}" if rest % 60 else ""
    return f"{'-' if offset < 0 else '+'}{hours:02d}:{rest // 60:02d}{seconds}"


def _clock(nanos: int) -> str:
    seconds, rest = divmod(nanos, NANOS)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{_fraction_text(rest)}"


def _zone_suffix(value: Time | DateTime) -> str:
    if value.zone is not None:
        return f"@{value.zone}"
    return "" if value.offset is None else format_offset(value.offset)


def _fraction_nanos(digits: str | None) -> int:
    return int(digits[:9].ljust(9, "0")) if digits else 0


def _fraction_text(nanos: int) -> str:
    return f".{nanos:09d}".rstrip("0") if nanos else ""

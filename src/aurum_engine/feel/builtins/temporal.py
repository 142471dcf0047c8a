"""Built-in functions on dates, times and durations."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from aurum_engine.feel import numbers
from aurum_engine.feel import temporal as moments
from aurum_engine.feel.builtins.registry import builtin, failed
from aurum_engine.feel.calendar import days_from_civil, iso_week, month_length, weekday
from aurum_engine.feel.runtime import Run
from aurum_engine.feel.temporal import NANOS, Date, DateTime, DaysDuration, MonthsDuration, Time
from aurum_engine.feel.temporal_text import parse_date, parse_date_time, parse_duration, parse_time

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


@builtin("date(from: string)")
def date_from_text(run: Run, text: str) -> Any:
    """Parse a date."""
    value = parse_date(text)
    return failed(run, "date", f"Failed to parse date from '{text[:100]}'") if value is None else value


@builtin("date(from: date|date and time)")
def date_from_moment(run: Run, value: Date | DateTime) -> Date:
    """Return the day of a date and time."""
    return value.date if isinstance(value, DateTime) else value


@builtin("date(year: number, month: number, day: number)")
def date_from_parts(run: Run, year: Decimal, month: Decimal, day: Decimal) -> Any:
    """Build a date."""
    parts = [numbers.as_int(part) for part in (year, month, day)]
    value = None if None in parts else moments.make_date(*(part or 0 for part in parts))
    return failed(run, "date", "no such day") if value is None else value


@builtin("time(from: string)")
def time_from_text(run: Run, text: str) -> Any:
    """Parse a time."""
    value = parse_time(text)
    return failed(run, "time", f"Failed to parse time from '{text[:100]}'") if value is None else value


@builtin("time(from: time|date and time|date)")
def time_from_moment(run: Run, value: Time | DateTime | Date) -> Time:
    """Return the time of day; a date is midnight UTC."""
    if isinstance(value, Date):
        return Time(0, 0)
    return value if isinstance(value, Time) else Time(value.nanos, value.offset, value.zone)


@builtin(
    "time(hour: number, minute: number, second: number)",
    "time(hour: number, minute: number, second: number, offset?: days and time duration)",
)
def time_from_parts(
    run: Run, hour: Decimal, minute: Decimal, second: Decimal, offset: DaysDuration | None = None
) -> Any:
    """Build a time; seconds may have a fraction."""
    hours, minutes = numbers.as_int(hour), numbers.as_int(minute)
    if hours is None or minutes is None or not 0 <= second < 60:
        return failed(run, "time", "no such time")
    shift = None if offset is None else int(offset.nanos / NANOS)
    value = moments.make_time(hours, minutes, int(second * NANOS), shift, None)
    return failed(run, "time", "no such time") if value is None else value


@builtin("date and time(from: string)")
def date_time_from_text(run: Run, text: str) -> Any:
    """Parse a date and time; a date alone is its midnight."""
    value = parse_date_time(text)
    if value is None:
        date = parse_date(text)
        value = None if date is None else DateTime(date, 0)
    if value is None:
        return failed(run, "date and time", f"Failed to parse date and time from '{text[:100]}'")
    return value


@builtin("date and time(from: date and time)")
def date_time_from_moment(run: Run, value: DateTime) -> DateTime:
    """Return a date and time unchanged."""
    return value


@builtin("date and time(date: date|date and time, time: time)")
def date_time_from_parts(run: Run, date: Date | DateTime, time: Time) -> DateTime:
    """Join a day and a time of day."""
    day = date.date if isinstance(date, DateTime) else date
    return DateTime(day, time.nanos, time.offset, time.zone)


@builtin("date and time(date: date and time, timezone: string)")
def date_time_in_zone(run: Run, value: DateTime, timezone: str) -> Any:
    """Return the same instant, shown in a named zone (Camunda)."""
    if moments.zone_info(timezone) is None:
        return failed(run, "date and time", f"unknown time zone '{timezone[:100]}'")
    if moments.offset_of(value) is None:
        return replace(value, zone=timezone)
    return moments.from_instant(moments.instant(value), timezone)


@builtin("duration(from: string)")
def duration(run: Run, text: str) -> Any:
    """Parse a duration."""
    value = parse_duration(text)
    return (
        failed(run, "duration", f"Failed to parse duration from '{text[:100]}'") if value is None else value
    )


@builtin("duration(from: days and time duration|years and months duration)")
def duration_of_duration(run: Run, value: Any) -> Any:
    """Return a duration unchanged."""
    return value


@builtin("years and months duration(from: date|date and time, to: date|date and time)")
def years_and_months_duration(run: Run, start: Date | DateTime, end: Date | DateTime) -> MonthsDuration:
    """Return whole months between two days."""
    return moments.months_between(_day(start), _day(end))


def _day(value: Date | DateTime) -> Date:
    return value.date if isinstance(value, DateTime) else value


@builtin("day of year(date: date|date and time)")
def day_of_year(run: Run, value: Date | DateTime) -> Decimal:
    """Return 1 to 366."""
    day = _day(value)
    return Decimal(moments.day_number(day) - days_from_civil(day.year, 1, 1) + 1)


@builtin("day of week(date: date|date and time)")
def day_of_week(run: Run, value: Date | DateTime) -> str:
    """Return the English weekday."""
    return _WEEKDAYS[weekday(moments.day_number(_day(value))) - 1]


@builtin("month of year(date: date|date and time)")
def month_of_year(run: Run, value: Date | DateTime) -> str:
    """Return the English month."""
    return _MONTHS[_day(value).month - 1]


@builtin("week of year(date: date|date and time)")
def week_of_year(run: Run, value: Date | DateTime) -> Decimal:
    """Return the ISO week."""
    day = _day(value)
    return Decimal(iso_week(day.year, day.month, day.day))


@builtin("last day of month(date: date|date and time)")
def last_day_of_month(run: Run, value: Date | DateTime) -> Date:
    """Return the last date of the month (Camunda)."""
    day = _day(value)
    return Date(day.year, day.month, month_length(day.year, day.month))


@builtin("now()")
def now(run: Run) -> Any:
    """Return the instant passed into the evaluation, in UTC."""
    if run.now_ms is None:
        return failed(run, "now", "the evaluation was given no instant")
    return moments.from_instant(run.now_ms * 1_000_000)


@builtin("today()")
def today(run: Run) -> Any:
    """Return the day of the instant passed into the evaluation, in UTC."""
    if run.now_ms is None:
        return failed(run, "today", "the evaluation was given no instant")
    return moments.date_from_days(run.now_ms // 86_400_000)

"""Text of any FEEL value, as `string()` writes it. Pure; size is paid from the run's budget."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from aurum_engine.feel import numbers
from aurum_engine.feel.runtime import Run
from aurum_engine.feel.temporal import Date, DateTime, DaysDuration, MonthsDuration, Time
from aurum_engine.feel.temporal_text import format_date, format_date_time, format_duration, format_time
from aurum_engine.feel.values import UNBOUNDED, Function, Range


def to_string(run: Run, value: Any) -> str:
    """Return the text of a value; strings stand without quotes on top and with quotes inside."""
    text = value if isinstance(value, str) else _written(run, value)
    run.check_text(len(text))
    return text


def _written(run: Run, value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case Decimal():
            return numbers.to_text(value)
        case str():
            run.check_text(len(value))
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case list():
            run.spend(4 * len(value))
            return "[" + ", ".join(_written(run, item) for item in value) + "]"
        case dict():
            run.spend(4 * len(value))
            return "{" + ", ".join(f"{key}:{_written(run, item)}" for key, item in value.items()) + "}"
        case Date():
            return format_date(value)
        case Time():
            return format_time(value)
        case DateTime():
            return format_date_time(value)
        case DaysDuration() | MonthsDuration():
            return format_duration(value)
        case Range():
            return _range_text(run, value)
        case Function():
            return f"function({', '.join(value.overloads[0])})"
    return str(value)


def _range_text(run: Run, value: Range) -> str:
    if value.low is UNBOUNDED or value.high is UNBOUNDED:
        closed = value.high_closed or value.low_closed
        sign = "<" if value.low is UNBOUNDED else ">"
        bound = value.high if value.low is UNBOUNDED else value.low
        return f"{sign}{'=' if closed else ''}{_written(run, bound)}"
    low = "[" if value.low_closed else "("
    high = "]" if value.high_closed else ")"
    return f"{low}{_written(run, value.low)}..{_written(run, value.high)}{high}"

"""`base.name`: context entries, list projection and the parts of temporal values. Pure."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from aurum_engine.feel.calendar import weekday
from aurum_engine.feel.runtime import Run
from aurum_engine.feel.temporal import (
    NANOS,
    Date,
    DateTime,
    DaysDuration,
    MonthsDuration,
    Time,
    day_number,
    offset_of,
)
from aurum_engine.feel.values import UNBOUNDED, Range, type_name


def get_path(run: Run, base: Any, name: str) -> Any:
    """Return the member of a value, null with a warning when it has none of that name."""
    if isinstance(base, dict):
        if name in base:
            return base[name]
        return run.warn("NO_CONTEXT_ENTRY_FOUND", f"No context entry found with key '{name}'")
    if isinstance(base, list):
        run.spend(len(base))
        return [get_path(run, item, name) for item in base]
    reader = _PROPERTIES.get(type(base), {}).get(name)
    if reader is not None:
        return reader(base)
    if base is None:
        return run.warn("NO_CONTEXT_ENTRY_FOUND", f"No context entry found with key '{name}' in null")
    return run.warn("NO_PROPERTY_FOUND", f"No property found with name '{name}' of {type_name(base)}")


def _offset(value: Time | DateTime) -> DaysDuration | None:
    offset = offset_of(value)
    return None if offset is None else DaysDuration(offset * NANOS)


def _magnitude(value: DaysDuration, unit: int, modulus: int) -> Decimal:
    part = Decimal(abs(value.nanos) // NANOS // unit % modulus)
    return -part if value.nanos < 0 and part else part


def _seconds(nanos: int) -> Decimal:
    return Decimal(nanos // NANOS % 60)


_CLOCK: dict[str, Callable[[Any], Any]] = {
    "hour": lambda v: Decimal(v.nanos // (3600 * NANOS)),
    "minute": lambda v: Decimal(v.nanos // (60 * NANOS) % 60),
    "second": lambda v: _seconds(v.nanos),
    "time offset": _offset,
    "timezone": lambda v: v.zone,
}
_PROPERTIES: dict[type, dict[str, Callable[[Any], Any]]] = {
    Date: {
        "year": lambda v: Decimal(v.year),
        "month": lambda v: Decimal(v.month),
        "day": lambda v: Decimal(v.day),
        "weekday": lambda v: Decimal(weekday(day_number(v))),
    },
    Time: _CLOCK,
    DateTime: {
        **_CLOCK,
        "year": lambda v: Decimal(v.date.year),
        "month": lambda v: Decimal(v.date.month),
        "day": lambda v: Decimal(v.date.day),
        "weekday": lambda v: Decimal(weekday(day_number(v.date))),
    },
    DaysDuration: {
        "days": lambda v: _magnitude(v, 86_400, 10**30),
        "hours": lambda v: _magnitude(v, 3600, 24),
        "minutes": lambda v: _magnitude(v, 60, 60),
        "seconds": lambda v: _magnitude(v, 1, 60),
    },
    MonthsDuration: {
        "years": lambda v: Decimal(int(v.months / 12) if abs(v.months) < 2**52 else v.months // 12),
        "months": lambda v: Decimal(abs(v.months) % 12 * (-1 if v.months < 0 else 1)),
    },
    Range: {
        "start": lambda v: None if v.low is UNBOUNDED else v.low,
        "end": lambda v: None if v.high is UNBOUNDED else v.high,
        "start included": lambda v: v.low_closed,
        "end included": lambda v: v.high_closed,
    },
}
PROPERTY_NAMES = ("time offset", "start included", "end included")
"""Property names of several words, which the parser must know."""

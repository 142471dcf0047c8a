"""Borders of FEEL: JSON in, JSON out. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from aurum_engine.feel import numbers
from aurum_engine.feel.temporal import Date, DateTime, DaysDuration, MonthsDuration, Time
from aurum_engine.feel.temporal_text import format_date, format_duration, format_java, format_time
from aurum_engine.feel.values import Function, Range

DEPTH_MAX = 200
"""Nested lists and contexts; deeper JSON becomes null. Camunda refuses documents far flatter."""

INTEGER_DIGITS_MAX = 40
"""Digits of a number that leaves as JSON integer; larger ones leave as double, as in Camunda."""


def from_json(value: Any) -> Any:
    """Return the FEEL value of a JSON value; FEEL values pass unchanged, unknown ones are null.

    Numbers become decimals exactly as written by `repr`; NaN and infinities become null.
    """
    return _from_json(value, DEPTH_MAX)


def _from_json(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is int:
        return numbers.from_int(value)
    if kind is float:
        return numbers.from_float(value)
    if kind is Decimal:
        return value if value.is_finite() else None
    if depth == 0:
        return None
    if isinstance(value, Mapping):
        return {str(key): _from_json(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_from_json(item, depth - 1) for item in value]
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return numbers.from_int(int(value))
    return value if isinstance(value, _OPAQUE) else None


_PLAIN = frozenset({str, bool, int, float, type(None)})
_OPAQUE = (Date, Time, DateTime, DaysDuration, MonthsDuration, Range, Function)


def to_json(value: Any) -> Any:
    """Return the JSON value of a FEEL value.

    Whole numbers become int, others float (null when out of its range); temporal values become
    ISO 8601 strings, with `[zone]` for named zones; ranges, functions and tests become null.
    """
    return _to_json(value, DEPTH_MAX * 2)


def _to_json(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is Decimal:
        return number_to_json(value)
    if kind is dict and depth > 0:
        return {key: _to_json(item, depth - 1) for key, item in value.items()}
    if kind is list and depth > 0:
        return [_to_json(item, depth - 1) for item in value]
    return _uncommon_to_json(value, depth)


def _uncommon_to_json(value: Any, depth: int) -> Any:
    if isinstance(value, Decimal):
        return number_to_json(value)
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Date):
        return format_date(value)
    if isinstance(value, DateTime):
        return format_java(value)
    if isinstance(value, Time):
        return format_time(value)
    if isinstance(value, DaysDuration | MonthsDuration):
        return format_duration(value)
    if depth == 0:
        return None
    if isinstance(value, list):
        return [_to_json(item, depth - 1) for item in value]
    if isinstance(value, dict):
        return {key: _to_json(item, depth - 1) for key, item in value.items()}
    return None


def number_to_json(value: Decimal) -> int | float | None:
    """Return a number as int when whole and not huge, else as double; null beyond its range."""
    if not value.is_finite():
        return None
    if value.adjusted() < INTEGER_DIGITS_MAX and value == value.to_integral_value():
        return int(value)
    number = float(value)
    return number if abs(number) != float("inf") else None

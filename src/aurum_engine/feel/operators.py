"""Equality, order and arithmetic of FEEL values. Pure.

Every function takes the run for its warnings and returns None where FEEL gives null. Values of
different types are neither equal nor ordered: null, as in Camunda. A list of one is not its item
here, though the DMN specification would unwrap it: `[2000000] <= 1` must never route a case.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from decimal import Decimal, DecimalException
from typing import Any

from aurum_engine.feel import numbers, temporal
from aurum_engine.feel.numbers import NUMBERS
from aurum_engine.feel.runtime import Run
from aurum_engine.feel.temporal import (
    DAY_NANOS,
    Date,
    DateTime,
    DaysDuration,
    MonthsDuration,
    Time,
)
from aurum_engine.feel.values import UNBOUNDED, Function, NotEqual, Range, type_name

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def equals(run: Run, left: Any, right: Any) -> Any:
    """Return whether two values are equal; null when their types differ."""
    kind = type(left)
    if kind is type(right):
        if kind is Decimal or kind is str or kind is bool:
            return bool(left == right)
        return _equals_same_type(run, left, right)
    if left is None or right is None:
        return False
    return run.warn("NOT_COMPARABLE", f"Can't compare {type_name(left)} with {type_name(right)}")


def _equals_same_type(run: Run, left: Any, right: Any) -> Any:
    match left:
        case list():
            run.spend(1 + 4 * len(left))
            return len(left) == len(right) and all(
                equals(run, a, b) is True for a, b in zip(left, right, strict=True)
            )
        case dict():
            run.spend(1 + 4 * len(left))
            return left.keys() == right.keys() and all(
                equals(run, left[key], right[key]) is True for key in left
            )
        case Time():
            times = temporal.time_pair(left, right)
            return times is not None and times[0] == times[1]
        case DateTime():
            moments = temporal.comparable_pair(left, right)
            return moments is not None and moments[0] == moments[1]
        case Range():
            return (
                left.low_closed == right.low_closed
                and left.high_closed == right.high_closed
                and equals(run, left.low, right.low) is True
                and equals(run, left.high, right.high) is True
            )
        case NotEqual():
            return equals(run, left.value, right.value)
        case Function():
            return left is right
    return bool(left == right)


def compare(run: Run, symbol: str, left: Any, right: Any) -> Any:
    """Return whether `left symbol right` holds, for `=`, `!=`, `<`, `<=`, `>` and `>=`."""
    if symbol == "=":
        return equals(run, left, right)
    if symbol == "!=":
        same = equals(run, left, right)
        return None if same is None else not same
    pair = _ordered_pair(left, right)
    if pair is None:
        return run.warn("NOT_COMPARABLE", f"Can't compare {type_name(left)} with {type_name(right)}")
    return _ORDER[symbol](*pair)


def _ordered_pair(left: Any, right: Any) -> tuple[Any, Any] | None:
    kind = type(left)
    if kind is not type(right):
        return None
    if kind is Decimal or kind is str:
        return left, right
    if kind is DaysDuration:
        return left.nanos, right.nanos
    if kind is MonthsDuration:
        return left.months, right.months
    if kind is Date:
        return (left.year, left.month, left.day), (right.year, right.month, right.day)
    if kind is Time:
        return temporal.time_pair(left, right)
    return temporal.comparable_pair(left, right) if kind is DateTime else None


def in_range(run: Run, value: Any, interval: Range) -> bool | None:
    """Return whether a value lies in a range; null when it cannot be compared with a bound."""
    result: bool | None = True
    if interval.low is not UNBOUNDED:
        result = compare(run, ">=" if interval.low_closed else ">", value, interval.low)
    if interval.high is not UNBOUNDED:
        below = compare(run, "<=" if interval.high_closed else "<", value, interval.high)
        result = both(result, below)
    return result


def both(left: Any, right: Any) -> bool | None:
    """Return the conjunction in three-valued logic; a non-boolean counts as null."""
    if left is False or right is False:
        return False
    return True if left is True and right is True else None


def either(left: Any, right: Any) -> bool | None:
    """Return the disjunction in three-valued logic; a non-boolean counts as null."""
    if left is True or right is True:
        return True
    return False if left is False and right is False else None


def add(run: Run, left: Any, right: Any) -> Any:
    """Return `left + right`: numbers, strings, durations, a moment and a duration."""
    match left, right:
        case Decimal(), Decimal():
            return _number(run, NUMBERS.add, left, right)
        case str(), str():
            run.check_text(len(left) + len(right))
            return left + right
        case DaysDuration(), DaysDuration():
            return temporal.make_days_duration(left.nanos + right.nanos)
        case MonthsDuration(), MonthsDuration():
            return temporal.make_months_duration(left.months + right.months)
        case ((Date() | Time() | DateTime()), (DaysDuration() | MonthsDuration())):
            return temporal.plus(left, right, 1)
        case ((DaysDuration() | MonthsDuration()), (Date() | Time() | DateTime())):
            return temporal.plus(right, left, 1)
    return _mismatch(run, "+", left, right)


def subtract(run: Run, left: Any, right: Any) -> Any:
    """Return `left - right`: numbers, durations, two moments, a moment and a duration."""
    match left, right:
        case Decimal(), Decimal():
            return _number(run, NUMBERS.subtract, left, right)
        case DaysDuration(), DaysDuration():
            return temporal.make_days_duration(left.nanos - right.nanos)
        case MonthsDuration(), MonthsDuration():
            return temporal.make_months_duration(left.months - right.months)
        case ((Date() | Time() | DateTime()), (DaysDuration() | MonthsDuration())):
            return temporal.plus(left, right, -1)
        case Time(), Time():
            pair = temporal.time_pair(left, right)
            return None if pair is None else DaysDuration(pair[0] - pair[1])
        case Date(), Date():
            days = temporal.day_number(left) - temporal.day_number(right)
            return temporal.make_days_duration(days * DAY_NANOS)
        case ((Date() | DateTime()), (Date() | DateTime())):
            pair = temporal.comparable_pair(_moment(left), _moment(right))
            return None if pair is None else temporal.make_days_duration(pair[0] - pair[1])
    return _mismatch(run, "-", left, right)


def _moment(value: Date | DateTime) -> DateTime:
    return temporal.at_midnight_utc(value) if isinstance(value, Date) else value


def multiply(run: Run, left: Any, right: Any) -> Any:
    """Return `left * right`: numbers, a duration and a number."""
    match left, right:
        case Decimal(), Decimal():
            return _number(run, NUMBERS.multiply, left, right)
        case ((DaysDuration() | MonthsDuration()), Decimal()):
            return _scaled(left, right, divide_by=False)
        case Decimal(), (DaysDuration() | MonthsDuration()):
            return _scaled(right, left, divide_by=False)
    return _mismatch(run, "*", left, right)


def divide(run: Run, left: Any, right: Any) -> Any:
    """Return `left / right`: numbers, two durations of a kind, a duration and a number."""
    match left, right:
        case Decimal(), Decimal():
            if not right:
                return run.warn("INVALID_ARGUMENT", "Division by zero")
            return _number(run, NUMBERS.divide, left, right)
        case ((DaysDuration() | MonthsDuration()), Decimal()):
            return (
                _scaled(left, right, divide_by=True)
                if right
                else run.warn("INVALID_ARGUMENT", "Division by zero")
            )
        case DaysDuration(), DaysDuration():
            return numbers.divide(Decimal(left.nanos), Decimal(right.nanos))
        case MonthsDuration(), MonthsDuration():
            return numbers.divide(Decimal(left.months), Decimal(right.months))
    return _mismatch(run, "/", left, right)


def power(run: Run, left: Any, right: Any) -> Any:
    """Return `left ** right` of numbers."""
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        result = numbers.power(left, right)
        return run.warn("INVALID_ARGUMENT", "Power is not a number") if result is None else result
    return _mismatch(run, "**", left, right)


def negate(run: Run, value: Any) -> Any:
    """Return `-value` of a number or duration."""
    match value:
        case Decimal():
            return NUMBERS.minus(value)
        case DaysDuration():
            return DaysDuration(-value.nanos)
        case MonthsDuration():
            return MonthsDuration(-value.months)
    return run.warn("INVALID_TYPE", f"Can't negate {type_name(value)}")


def _number(run: Run, operation: Callable[[Decimal, Decimal], Decimal], left: Decimal, right: Decimal) -> Any:
    try:
        return operation(left, right)
    except DecimalException as error:
        return run.warn("INVALID_ARGUMENT", f"Number out of range: {type(error).__name__}")


def _scaled(duration: DaysDuration | MonthsDuration, factor: Decimal, *, divide_by: bool) -> Any:
    """Scale a duration by a number, towards zero to a nanosecond or a month."""
    units = Decimal(duration.nanos if isinstance(duration, DaysDuration) else duration.months)
    try:
        scaled = NUMBERS.divide(units, factor) if divide_by else NUMBERS.multiply(units, factor)
    except DecimalException:
        return None
    if scaled.adjusted() > 34:
        return None
    if isinstance(duration, DaysDuration):
        return temporal.make_days_duration(int(scaled))
    return temporal.make_months_duration(int(scaled))


def _mismatch(run: Run, symbol: str, left: Any, right: Any) -> Any:
    return run.warn("INVALID_TYPE", f"Can't compute {type_name(left)} {symbol} {type_name(right)}")

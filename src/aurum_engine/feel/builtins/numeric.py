"""Built-in functions on numbers, and `abs` of durations."""

from __future__ import annotations

import decimal
from decimal import Decimal
from typing import Any

from aurum_engine.feel import numbers
from aurum_engine.feel.builtins.registry import builtin, failed
from aurum_engine.feel.numbers import NUMBERS
from aurum_engine.feel.runtime import Run
from aurum_engine.feel.temporal import DaysDuration, MonthsDuration

_ROUNDINGS = {
    "decimal": decimal.ROUND_HALF_EVEN,
    "round up": decimal.ROUND_UP,
    "round down": decimal.ROUND_DOWN,
    "round half up": decimal.ROUND_HALF_UP,
    "round half down": decimal.ROUND_HALF_DOWN,
    "floor": decimal.ROUND_FLOOR,
    "ceiling": decimal.ROUND_CEILING,
}


def _rounded(run: Run, name: str, value: Decimal, scale: Decimal) -> Any:
    places = int(scale) if numbers.SCALE_MIN <= scale <= numbers.SCALE_MAX else None
    result = None if places is None else numbers.round_to(value, places, _ROUNDINGS[name])
    return failed(run, name, "scale is out of range") if result is None else result


@builtin("decimal(n: number, scale: number)")
def decimal_(run: Run, value: Decimal, scale: Decimal) -> Any:
    """Round half even."""
    return _rounded(run, "decimal", value, scale)


@builtin("round up(n: number, scale: number)")
def round_up(run: Run, value: Decimal, scale: Decimal) -> Any:
    """Round away from zero."""
    return _rounded(run, "round up", value, scale)


@builtin("round down(n: number, scale: number)")
def round_down(run: Run, value: Decimal, scale: Decimal) -> Any:
    """Round towards zero."""
    return _rounded(run, "round down", value, scale)


@builtin("round half up(n: number, scale: number)")
def round_half_up(run: Run, value: Decimal, scale: Decimal) -> Any:
    """Round to nearest, halves away from zero."""
    return _rounded(run, "round half up", value, scale)


@builtin("round half down(n: number, scale: number)")
def round_half_down(run: Run, value: Decimal, scale: Decimal) -> Any:
    """Round to nearest, halves towards zero."""
    return _rounded(run, "round half down", value, scale)


@builtin("floor(n: number)", "floor(n: number, scale: number)")
def floor(run: Run, value: Decimal, scale: Decimal = Decimal(0)) -> Any:
    """Round down."""
    return _rounded(run, "floor", value, scale)


@builtin("ceiling(n: number)", "ceiling(n: number, scale: number)")
def ceiling(run: Run, value: Decimal, scale: Decimal = Decimal(0)) -> Any:
    """Round up."""
    return _rounded(run, "ceiling", value, scale)


@builtin("abs(n: number)", "abs(number: number)")
def abs_(run: Run, value: Decimal) -> Decimal:
    """Return the magnitude of a number."""
    return NUMBERS.abs(value)


@builtin("abs(n: days and time duration|years and months duration)")
def abs_duration(run: Run, value: DaysDuration | MonthsDuration) -> DaysDuration | MonthsDuration:
    """Return the magnitude of a duration."""
    if isinstance(value, DaysDuration):
        return DaysDuration(abs(value.nanos))
    return MonthsDuration(abs(value.months))


@builtin("modulo(dividend: number, divisor: number)")
def modulo(run: Run, dividend: Decimal, divisor: Decimal) -> Any:
    """Return the remainder with the sign of the divisor."""
    result = numbers.modulo(dividend, divisor)
    return failed(run, "modulo", "division by zero") if result is None else result


@builtin("sqrt(number: number)")
def sqrt(run: Run, value: Decimal) -> Any:
    """Return the square root."""
    return failed(run, "sqrt", "negative number") if value < 0 else NUMBERS.sqrt(value)


@builtin("log(number: number)")
def log(run: Run, value: Decimal) -> Any:
    """Return the natural logarithm."""
    return failed(run, "log", "number must be positive") if value <= 0 else NUMBERS.ln(value)


@builtin("exp(number: number)")
def exp(run: Run, value: Decimal) -> Any:
    """Return e to the power of a number."""
    try:
        return NUMBERS.exp(value)
    except decimal.DecimalException:
        return failed(run, "exp", "number out of range")


@builtin("odd(number: number)")
def odd(run: Run, value: Decimal) -> bool:
    """Tell whether a number is odd; fractions are not."""
    return numbers.modulo(value, Decimal(2)) == 1


@builtin("even(number: number)")
def even(run: Run, value: Decimal) -> bool:
    """Tell whether a number is even; fractions are not."""
    return numbers.modulo(value, Decimal(2)) == 0

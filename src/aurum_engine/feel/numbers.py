"""Numbers of FEEL: decimals of 34 digits, rounded half even. Pure.

Every function returns None where FEEL gives null: overflow, division by zero, no real result.
"""

from __future__ import annotations

import decimal
from decimal import Decimal

NUMBERS = decimal.Context(
    prec=34,
    rounding=decimal.ROUND_HALF_EVEN,
    Emin=-6143,
    Emax=6144,
    traps=[decimal.InvalidOperation, decimal.DivisionByZero, decimal.Overflow],
)
"""IEEE 754 decimal128, which the DMN specification names."""

PLAIN_DIGITS_MAX = 80
"""Digits written without exponent; beyond, text would grow to thousands of zeros."""

SCALE_MIN, SCALE_MAX = -6111, 6176
"""Scales of `decimal()` and the rounding functions (DMN 1.4, table 76)."""


def from_float(value: float) -> Decimal | None:
    """Return the decimal that `repr` shows; None for infinities and NaN."""
    number = Decimal(repr(value))
    return NUMBERS.plus(number) if number.is_finite() else None


def from_int(value: int) -> Decimal | None:
    """Return the decimal, rounded to 34 digits; None beyond the exponent range."""
    if value.bit_length() > 20_480:
        return None
    try:
        return NUMBERS.plus(Decimal(value))
    except decimal.DecimalException:
        return None


def as_int(value: Decimal) -> int | None:
    """Return a whole number of at most 34 digits as int, else None."""
    if value.adjusted() > 34 or value != value.to_integral_value():
        return None
    return int(value)


def divide(left: Decimal, right: Decimal) -> Decimal | None:
    """Return the quotient, None for a zero divisor."""
    return NUMBERS.divide(left, right) if right else None


def power(base: Decimal, exponent: Decimal) -> Decimal | None:
    """Return `base ** exponent`, None where it is not real, undefined or out of range."""
    try:
        return Decimal(1) if not exponent else NUMBERS.power(base, exponent)
    except decimal.DecimalException:
        return None


def round_to(value: Decimal, scale: int, rounding: str) -> Decimal | None:
    """Return `value` with `scale` fraction digits, None when the scale is out of range."""
    if not SCALE_MIN <= scale <= SCALE_MAX:
        return None
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and -exponent <= scale:
        return value
    wide = decimal.Context(prec=SCALE_MAX * 2, rounding=rounding, Emin=-20_000, Emax=20_000)
    return NUMBERS.plus(value.quantize(Decimal((0, (1,), -scale)), context=wide))


def modulo(dividend: Decimal, divisor: Decimal) -> Decimal | None:
    """Return the remainder with the sign of the divisor, None for a zero divisor."""
    if not divisor:
        return None
    try:
        remainder = NUMBERS.remainder(dividend, divisor)
    except decimal.DecimalException:
        # The quotient has more than 34 digits: take the same remainder in a wider context.
        wide = decimal.Context(prec=13_000, Emin=-20_000, Emax=20_000)
        remainder = NUMBERS.plus(wide.remainder(dividend, divisor))
    if remainder and (remainder < 0) != (divisor < 0):
        remainder = NUMBERS.add(remainder, divisor)
    return remainder


def to_text(value: Decimal) -> str:
    """Return the number as FEEL writes it: no exponent, no trailing zeros of a fraction."""
    if not value:
        return "0"
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int) or abs(exponent) + len(digits) > PLAIN_DIGITS_MAX:
        return str(value.normalize(NUMBERS))
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text

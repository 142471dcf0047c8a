"""Built-in conversions: number, string, JSON, not."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

from aurum_engine.feel.builtins.registry import builtin, failed
from aurum_engine.feel.convert import from_json, to_json
from aurum_engine.feel.numbers import NUMBERS
from aurum_engine.feel.runtime import Run
from aurum_engine.feel.text import to_string
from aurum_engine.feel.values import Function

_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?\Z")
_NUMBER_CHARS_MAX = 200
"""Characters of a number as text; 34 digits, grouping and exponent are far less."""


@builtin(
    "number(from: string)",
    "number(from: string, grouping separator: string|null)",
    "number(from: string, grouping separator: string|null, decimal separator: string|null)",
)
def number(run: Run, text: str, grouping: str | None = None, point: str | None = None) -> Any:
    """Parse a number; grouping is one of blank, comma, dot, the decimal separator comma or dot."""
    if grouping not in (None, " ", ",", ".") or point not in (None, ",", "."):
        return failed(run, "number", "illegal separator")
    if grouping is not None and grouping == point:
        return failed(run, "number", "both separators are the same")
    plain = text.replace(grouping, "") if grouping else text
    plain = plain.replace(point, ".") if point else plain
    if len(plain) > _NUMBER_CHARS_MAX or not _NUMBER.match(plain):
        return failed(run, "number", f"Can't parse '{text[:100]}' as a number")
    value = Decimal(plain)
    return NUMBERS.plus(value) if -6000 < value.adjusted() < 6000 else failed(run, "number", "out of range")


@builtin("number(from: number)")
def number_of_number(run: Run, value: Decimal) -> Decimal:
    """Return a number unchanged."""
    return value


@builtin("string(from: any)")
def string(run: Run, value: Any) -> str | None:
    """Return the text of a value; null stays null."""
    return None if value is None else to_string(run, value)


@builtin("not(negand: any)")
def not_(run: Run, value: Any) -> bool | None:
    """Negate a boolean; anything else gives null."""
    return (not value) if isinstance(value, bool) else None


@builtin("from json(value: string)")
def from_json_text(run: Run, text: str) -> Any:
    """Parse JSON; temporal text stays a string."""
    try:
        return from_json(json.loads(text, parse_float=Decimal, parse_constant=lambda name: None))
    except (ValueError, RecursionError):
        return failed(run, "from json", f"Failed to parse JSON from '{text[:100]}'")


@builtin("to json(value: any)")
def to_json_text(run: Run, value: Any) -> str:
    """Return compact JSON; a function becomes its head as a string."""
    if isinstance(value, Function):
        return json.dumps(to_string(run, value))
    run.check_text(len(to_string(run, value)))
    return json.dumps(to_json(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)

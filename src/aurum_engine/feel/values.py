"""Values of FEEL that Python has no type for, and the names of all types. Pure.

null, booleans, strings, numbers, lists and contexts are None, bool, str, `decimal.Decimal`, list
and dict. A value handed out is never changed afterwards; operations build new ones.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from aurum_engine.feel.nodes import TypeName
from aurum_engine.feel.temporal import Date, DateTime, DaysDuration, MonthsDuration, Time


class Unbounded(enum.Enum):
    """The missing bound of `(< 10)` and its kin; a bound of null is another thing."""

    SIDE = "unbounded"


UNBOUNDED: Final = Unbounded.SIDE


@dataclass(frozen=True, slots=True)
class Range:
    """All values between two bounds; a bound may be `UNBOUNDED`, or null, which compares to nothing."""

    low: Any
    high: Any
    low_closed: bool
    high_closed: bool


@dataclass(frozen=True, slots=True)
class NotEqual:
    """What `(!=10)` denotes: every value but one."""

    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A callable value.

    `call` takes the run and positional values. `overloads` lists the parameter names of each way
    to call it by name, `*` in front of one that takes a list of values. `parameter_types` and
    `returns` are known for function literals.
    """

    name: str
    overloads: tuple[tuple[str, ...], ...]
    call: Callable[..., Any]
    builtin: bool = False
    parameter_types: tuple[TypeName | None, ...] = ()
    returns: TypeName | None = None


_TYPE_NAMES: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    str: "string",
    Decimal: "number",
    list: "list",
    dict: "context",
    Date: "date",
    Time: "time",
    DateTime: "date and time",
    DaysDuration: "days and time duration",
    MonthsDuration: "years and months duration",
    Range: "range",
    NotEqual: "unary test",
    Function: "function",
}


def type_name(value: Any) -> str:
    """Return the FEEL name of a value's type."""
    return _TYPE_NAMES.get(type(value), type(value).__name__)

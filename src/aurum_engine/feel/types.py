"""`instance of` and the conformance of values to FEEL types. Pure."""

from __future__ import annotations

from typing import Any

from aurum_engine.feel.nodes import TypeName
from aurum_engine.feel.runtime import Run
from aurum_engine.feel.values import UNBOUNDED, Function, Range, type_name

_ALIASES = {
    "dayTimeDuration": "days and time duration",
    "yearMonthDuration": "years and months duration",
    "dateTime": "date and time",
    "day-timeduration": "days and time duration",
    "year-monthduration": "years and months duration",
}
_SIMPLE = frozenset(
    (
        "boolean",
        "string",
        "number",
        "date",
        "time",
        "date and time",
        "days and time duration",
        "years and months duration",
    )
)
_EXPANSION_MAX = 50
"""Nested type look-ups: item definitions may refer to themselves."""


def is_instance(run: Run, value: Any, wanted: TypeName, depth: int = 0) -> bool | None:
    """Return whether a value is of a type; None when the type is unknown. null is of no type but Null."""
    run.spend(1)
    name = _ALIASES.get(wanted.name, wanted.name)
    if name in ("Null", "null"):
        return value is None
    if name == "Any" and not wanted.arguments:
        return value is not None
    if value is None:
        return (
            False
            if name in _SIMPLE or name in ("list", "context", "range", "function")
            else _unknown(run, name)
        )
    if name in _SIMPLE:
        return type_name(value) == name
    if name == "list":
        return isinstance(value, list) and _all_of(run, value, wanted, depth)
    if name == "context":
        return isinstance(value, dict) and all(
            member in value and conforms(run, value[member], kind, depth + 1)
            for member, kind in zip(wanted.members, wanted.arguments, strict=True)
        )
    if name == "range":
        return isinstance(value, Range) and (
            not wanted.arguments
            or all(
                conforms(run, bound, wanted.arguments[0], depth + 1)
                for bound in (value.low, value.high)
                if bound is not UNBOUNDED
            )
        )
    if name == "function":
        return isinstance(value, Function) and _function_conforms(value, wanted)
    found = run.type_named(name) if depth < _EXPANSION_MAX else None
    return None if found is None else is_instance(run, value, found, depth + 1)


def _unknown(run: Run, name: str) -> bool | None:
    return None if run.type_named(name) is None else False


def _all_of(run: Run, values: list[Any], wanted: TypeName, depth: int) -> bool:
    return not wanted.arguments or all(
        conforms(run, value, wanted.arguments[0], depth + 1) for value in values
    )


def conforms(run: Run, value: Any, wanted: TypeName, depth: int = 0) -> bool:
    """Return whether a value may stand where a type is wanted: null always may."""
    return value is None or wanted.name == "Any" or bool(is_instance(run, value, wanted, depth))


def _function_conforms(function: Function, wanted: TypeName) -> bool:
    if not wanted.arguments and wanted.returns is None:
        return True
    if function.builtin:
        return any(len(names) == len(wanted.arguments) for names in function.overloads)
    if len(function.parameter_types) != len(wanted.arguments):
        return False
    if any(
        actual is not None and not _type_conforms(expected, actual)
        for actual, expected in zip(function.parameter_types, wanted.arguments, strict=True)
    ):
        return False
    return (
        wanted.returns is None or function.returns is None or _type_conforms(function.returns, wanted.returns)
    )


def _type_conforms(actual: TypeName, wanted: TypeName) -> bool:
    """Return whether every value of one type is of the other (DMN 10.3.2.9.2)."""
    if wanted.name == "Any" or actual.name in ("Null", "null") or actual == wanted:
        return True
    if actual.name != wanted.name:
        return False
    if wanted.name == "context":
        have = dict(zip(actual.members, actual.arguments, strict=True))
        return all(
            member in have and _type_conforms(have[member], kind)
            for member, kind in zip(wanted.members, wanted.arguments, strict=True)
        )
    if not wanted.arguments:
        return True
    return len(actual.arguments) == len(wanted.arguments) and all(
        _type_conforms(a, b) for a, b in zip(actual.arguments, wanted.arguments, strict=True)
    )


def coerce(run: Run, value: Any, wanted: TypeName) -> tuple[Any, bool]:
    """Return (value, True) when it fits after singleton conversion, else (None, False)."""
    if conforms(run, value, wanted):
        return value, True
    if isinstance(value, list) and len(value) == 1 and conforms(run, value[0], wanted):
        return value[0], True
    if not isinstance(value, list) and conforms(run, [value], wanted):
        return [value], True
    return None, False

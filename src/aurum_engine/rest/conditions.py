"""One filter field: a plain value or operators, compiled into a test of that field's value. Sans-IO."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from operator import ge, gt, le, lt
from typing import Any

from aurum_engine.rest.bodies import instant_ms, parse_key
from aurum_engine.rest.problems import invalid

Test = Callable[[Any], bool]


class FieldType(StrEnum):
    """What the values of a field are, and so which operators it has. TEXTS is a list of strings."""

    KEY = "KEY"
    TEXT = "TEXT"
    TEXTS = "TEXTS"
    ENUM = "ENUM"
    INT = "INT"
    BOOL = "BOOL"
    DATE = "DATE"


_BASIC = frozenset({"$eq", "$neq", "$exists", "$in", "$notIn"})
_COMPARING = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}

_OPERATORS: Mapping[FieldType, frozenset[str]] = {
    FieldType.KEY: _BASIC,
    FieldType.TEXT: _BASIC | {"$like"},
    FieldType.TEXTS: _BASIC | {"$like"},
    FieldType.ENUM: _BASIC | {"$like"},
    FieldType.INT: _BASIC | frozenset(_COMPARING),
    FieldType.BOOL: frozenset({"$eq", "$neq", "$exists"}),
    FieldType.DATE: _BASIC | frozenset(_COMPARING),
}


def condition(
    kind: FieldType, wanted: Any, name: str, values: frozenset[str] = frozenset()
) -> tuple[Test, Any]:
    """Return the test for a field's value, and the value when the test is a plain equality.

    `values` are the members of an ENUM. Raises Problem 400 for a wrong value or operator.
    """
    operators = wanted if isinstance(wanted, dict) else {"$eq": wanted}
    if not operators:
        raise invalid(f"{name} has no operator")
    tests = [_test(kind, operator, operand, name, values) for operator, operand in operators.items()]
    if kind is FieldType.TEXTS:
        return _over_list(operators, tests), None
    equal = _value(kind, operators["$eq"], name, values) if set(operators) == {"$eq"} else None
    return (lambda value: all(test(value) for test in tests)), equal


def _over_list(operators: Mapping[str, Any], tests: list[Test]) -> Test:
    """Lists match when any member does; what is negated must hold for every member."""

    def matches(members: Any) -> bool:
        for operator, test in zip(operators, tests, strict=True):
            if operator == "$exists":
                ok = test(members or None)
            elif operator in {"$neq", "$notIn"}:
                ok = all(test(member) for member in members)
            else:
                ok = any(test(member) for member in members)
            if not ok:
                return False
        return True

    return matches


def _test(kind: FieldType, operator: str, operand: Any, name: str, values: frozenset[str]) -> Test:
    if operator not in _OPERATORS[kind]:
        raise invalid(f"{name}: operator {operator!r} is not one of {', '.join(sorted(_OPERATORS[kind]))}")
    if operator == "$exists":
        if not isinstance(operand, bool):
            raise invalid(f"{name}.$exists must be true or false")
        return lambda value: (value is not None) is operand
    if operator == "$like":
        if not isinstance(operand, str):
            raise invalid(f"{name}.$like must be a string")
        pattern = _wildcards(operand.upper() if kind is FieldType.ENUM else operand)
        return lambda value: value is not None and pattern.fullmatch(value) is not None
    if operator in {"$in", "$notIn"}:
        if not isinstance(operand, list):
            raise invalid(f"{name}.{operator} must be a list")
        members = frozenset(_value(kind, item, name, values) for item in operand)
        if operator == "$in":
            return lambda value: value in members
        return lambda value: value not in members
    right = _value(kind, operand, name, values)
    if operator == "$eq":
        return lambda value: value == right
    if operator == "$neq":
        return lambda value: value != right
    compare = _COMPARING[operator]
    return lambda value: value is not None and compare(value, right)


def _wildcards(pattern: str) -> re.Pattern[str]:
    r"""Return `*` as any text and `?` as any character; a backslash takes the meaning away."""
    parts = []
    for token in re.findall(r"\\.|.", pattern, re.DOTALL):
        if token == "*":
            parts.append(".*")
        elif token == "?":
            parts.append(".")
        else:
            parts.append(re.escape(token[1] if len(token) == 2 else token))
    return re.compile("".join(parts), re.DOTALL)


def _value(kind: FieldType, operand: Any, name: str, values: frozenset[str]) -> Any:
    match kind:
        case FieldType.KEY:
            return parse_key(operand, name)
        case FieldType.INT if isinstance(operand, int) and not isinstance(operand, bool):
            return operand
        case FieldType.BOOL if isinstance(operand, bool):
            return operand
        case FieldType.TEXT | FieldType.TEXTS if isinstance(operand, str):
            return operand
        case FieldType.ENUM if isinstance(operand, str) and operand.upper() in values:
            return operand.upper()
        case FieldType.DATE if isinstance(operand, str) and (at_ms := instant_ms(operand)) is not None:
            return at_ms
    wanted = {
        FieldType.INT: "a whole number",
        FieldType.BOOL: "true or false",
        FieldType.ENUM: f"one of {', '.join(sorted(values))}",
        FieldType.DATE: "an ISO 8601 instant with its offset",
    }.get(kind, "a string")
    raise invalid(f"{name} must be {wanted}")

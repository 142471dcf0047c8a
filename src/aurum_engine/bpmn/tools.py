"""What an ad-hoc sub-process tells an agent about the activities inside it.

The parameters of an activity are the `fromAi` calls in its input mappings. They are read once, at
deployment, so everything in such a call but the reference must be written out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aurum_engine.bpmn.extensions import Report
from aurum_engine.bpmn.model import Element, IoMapping
from aurum_engine.feel.api import FeelSyntaxError, parse_tree
from aurum_engine.feel.literals import NotLiteral, calls_of, last_name, literal_value
from aurum_engine.feel.nodes import Call

FUNCTION = "fromAi"
ARGUMENTS = ("value", "description", "type", "schema", "options")
"""Parameters of the FEEL function, in order."""

KINDS: dict[str, type] = {"description": str, "type": str, "schema": dict, "options": dict}
"""What each literal argument has to be, unless it is null or left out."""


class _Unfit(ValueError):
    """A `fromAi` call that cannot be described to an agent."""


def describe(element: Element, report: Report) -> dict[str, Any]:
    """Return the entry of one activity in the variable `adHocSubProcessElements`."""
    return {
        "elementId": element.id,
        "elementName": element.name or None,
        "documentation": element.documentation or None,
        "properties": dict(element.properties),
        "parameters": _parameters(element, report),
    }


def _parameters(element: Element, report: Report) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for call in _calls(element.inputs):
        try:
            parameter = _parameter(call)
            if parameter["name"] in found:
                raise _Unfit(f"parameter {parameter['name']!r} is declared twice")
        except _Unfit as error:
            report(element.id, f"{FUNCTION}: {error}")
        else:
            found[parameter["name"]] = parameter
    return list(found.values())


def _calls(inputs: Iterable[IoMapping]) -> Iterable[Call]:
    for mapping in inputs:
        if mapping.source.expression is not None and FUNCTION in mapping.source.source:
            try:
                tree = parse_tree(mapping.source.source[1:])
            except FeelSyntaxError:
                continue  # Reported where the mapping was read.
            yield from calls_of(tree, FUNCTION)


def _parameter(call: Call) -> dict[str, Any]:
    if len(call.arguments) > len(ARGUMENTS):
        raise _Unfit(f"takes at most {len(ARGUMENTS)} arguments, not {len(call.arguments)}")
    names = ARGUMENTS if call.names is None else call.names
    given = dict(zip(names, call.arguments, strict=False))
    unknown = set(given) - set(ARGUMENTS)
    if unknown:
        raise _Unfit(f"has no argument {sorted(unknown)[0]!r}")
    name = last_name(given["value"]) if "value" in given else None
    if name is None:
        raise _Unfit("the value must be a reference such as toolCall.amount")
    parameter: dict[str, Any] = {"name": name, "description": None, "type": None}
    for argument, kind in KINDS.items():
        if argument not in given:
            continue
        try:
            value = literal_value(given[argument])
        except NotLiteral:
            raise _Unfit(f"the {argument} of {name!r} must be written out, not computed") from None
        if value is None:
            continue
        if not isinstance(value, kind):
            wanted = "a string" if kind is str else "a context"
            raise _Unfit(f"the {argument} of {name!r} must be {wanted}")
        parameter[argument] = value
    return parameter

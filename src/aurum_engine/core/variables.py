"""Variables: documents from outside, scopes, propagation and io mappings.

Followed: Camunda's documentation of variables and mappings. A document is normalised once when it
enters, so that what is live equals what replay reads back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import orjson

from aurum_engine.bpmn.model import Element, ElementType, IoMapping
from aurum_engine.core.evaluation import evaluate
from aurum_engine.core.events import VariableCreated, VariableUpdated
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.records import NO_KEY, ElementInstance, ErrorType
from aurum_engine.errors import invalid_argument

VARIABLE_BYTES_MAX = 64 * 1024
"""Largest JSON text of one variable. Documents and transcripts belong elsewhere; ids go in here."""

PLAIN_CHARS_MAX = 4 * 1024
"""ASCII text below this length needs no check: escaped, it is at most six times as long."""

INT64_MIN, INT64_MAX = -(1 << 63), (1 << 63) - 1


class TooLarge(ValueError):
    """A value's JSON text exceeds VARIABLE_BYTES_MAX."""


def _without_big_numbers(value: Any) -> Any:
    """Return `value` with integers beyond 64 bit as doubles, which is all JSON variables can hold."""
    if isinstance(value, Mapping):
        return {key: _without_big_numbers(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_big_numbers(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and not INT64_MIN <= value <= INT64_MAX:
        try:
            return float(value)
        except OverflowError:
            return None
    return value


def normalised(value: Any) -> Any:
    """Return a private JSON value: 64-bit integers, finite doubles, lists, objects with string keys.

    Raises TooLarge, or TypeError for what is not JSON.
    """
    kind = type(value)
    if value is None or kind is bool or (kind is str and len(value) < PLAIN_CHARS_MAX and value.isascii()):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    try:
        text = orjson.dumps(value)
    except TypeError:
        text = orjson.dumps(_without_big_numbers(value))
    if len(text) > VARIABLE_BYTES_MAX:
        raise TooLarge(f"value of {len(text)} bytes exceeds {VARIABLE_BYTES_MAX}")
    return orjson.loads(text)


def document(variables: Any) -> dict[str, Any]:
    """Return a variable document as private JSON; INVALID_ARGUMENT when it is none."""
    if not isinstance(variables, Mapping):
        kind = type(variables).__name__
        raise invalid_argument(f"expected the variable document to be a JSON object, but it is {kind}")
    result = {}
    for name, value in variables.items():
        if not isinstance(name, str) or not name:
            raise invalid_argument("a variable name must be a non-empty string")
        try:
            result[name] = normalised(value)
        except TooLarge as error:
            raise invalid_argument(f"variable {name!r} is too large: {error}") from None
        except TypeError as error:
            raise invalid_argument(f"variable {name!r} is not JSON: {error}") from None
    return result


def derived(what: str, value: Any) -> Any:
    """Return a computed value as private JSON; `Stuck` when it is too large."""
    try:
        return normalised(value)
    except TooLarge as error:
        raise Stuck(ErrorType.MESSAGE_SIZE_EXCEEDED, f"{what}: {error}") from None
    except TypeError as error:
        raise Stuck(ErrorType.IO_MAPPING_ERROR, f"{what} is not JSON: {error}") from None


def _same(one: Any, other: Any) -> bool:
    """Tell whether two scalars are the same JSON; containers count as changed, as 1 == true in Python."""
    return type(one) is type(other) and not isinstance(one, dict | list) and one == other


def set_local(x: Execution, scope_key: int, name: str, value: Any) -> None:
    """Set a variable in exactly this scope."""
    existing = x.state.scopes.get(scope_key, {}).get(name)
    if existing is None:
        instance_key = x.state.elements[scope_key].process_instance_key
        x.emit(VariableCreated(x.new_key(), name, value, scope_key, instance_key))
    elif not _same(existing.value, value):
        x.emit(VariableUpdated(existing.key, name, value, scope_key))


def propagate(x: Execution, from_scope: int, values: Mapping[str, Any]) -> None:
    """Set each variable in the nearest scope that has it, from `from_scope` upwards, else at the root.

    What happens inside an activation of an ad-hoc sub-process stays there: its scope is the last one.
    """
    for name, value in values.items():
        key = from_scope
        while True:
            if name in x.state.scopes.get(key, ()):
                break
            scope = x.state.elements[key]
            if (
                scope.scope_key == NO_KEY
                or scope.element_type == ElementType.AD_HOC_SUB_PROCESS_INNER_INSTANCE
            ):
                break
            key = scope.scope_key
        set_local(x, key, name, value)


def _nested(base: Any, path: tuple[str, ...], value: Any) -> Any:
    """Return `base` with the leaf at `path` set, copying along the way and keeping siblings."""
    if not path:
        return value
    copy = dict(base) if isinstance(base, dict) else {}
    copy[path[0]] = _nested(copy.get(path[0]), path[1:], value)
    return copy


def _visible(x: Execution, scope_key: int, name: str) -> Any:
    for key in x.state.scope_chain(scope_key):
        variable = x.state.scopes.get(key, {}).get(name)
        if variable is not None:
            return variable.value
    return None


def _map(
    x: Execution, mappings: tuple[IoMapping, ...], scope_key: int, *, keep_siblings: bool
) -> dict[str, Any]:
    targets: dict[str, Any] = {}
    for mapping in mappings:
        value, _ = evaluate(x, mapping.source, scope_key, ErrorType.IO_MAPPING_ERROR, targets)
        name, *rest = mapping.target
        if rest:
            base = targets.get(name)
            if base is None and keep_siblings:
                base = _visible(x, scope_key, name)
            value = _nested(base, tuple(rest), value)
        targets[name] = derived(f"mapping to {'.'.join(mapping.target)!r}", value)
    return targets


def apply_inputs(x: Execution, element: Element, instance: ElementInstance) -> None:
    """Evaluate input mappings in order and make their targets locals of the element."""
    if not element.inputs:
        return
    for name, value in _map(x, element.inputs, instance.key, keep_siblings=False).items():
        set_local(x, instance.key, name, value)


def apply_outputs(
    x: Execution, element: Element, instance: ElementInstance, results: Mapping[str, Any]
) -> None:
    """Hand the results of an element to its surroundings.

    Without output mappings they walk up from the element's own scope. With any, they become locals
    and only mapping targets leave, from the parent scope upwards; those of an instance of a loop
    begin at itself.
    """
    if not element.outputs:
        propagate(x, instance.key, results)
        return
    for name, value in results.items():
        set_local(x, instance.key, name, value)
    targets = _map(x, element.outputs, instance.key, keep_siblings=True)
    # An instance of a loop owns the variable that its output is read from, so its targets may be its own.
    is_own = instance.scope_key == NO_KEY or instance.key in x.state.loop_counters
    propagate(x, instance.key if is_own else instance.scope_key, targets)

"""FEEL over variable scopes: from a `Text` of the model to a JSON value, or `Stuck`.

Unknown names and failing functions give null, as in Camunda; only a failed `assert` and a value of
the wrong kind for its place stop an element.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aurum_engine.bpmn.model import Text
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.records import NO_KEY, ErrorType
from aurum_engine.core.state import StateView
from aurum_engine.feel.api import FeelVariables, from_json, to_json

KEPT_VALUES_MAX = 1_024
"""FEEL values of variables kept for the next expression: what a few hundred instances read at once."""

_kept: dict[int, tuple[Any, Any]] = {}
"""JSON container by identity, with itself and its FEEL value; variables are replaced, never changed."""


def _feel_value(value: Any) -> Any:
    if type(value) not in (dict, list):
        return from_json(value)
    found = _kept.get(id(value))
    if found is not None and found[0] is value:
        return found[1]
    if len(_kept) >= KEPT_VALUES_MAX:
        _kept.clear()
    converted = from_json(value)
    _kept[id(value)] = (value, converted)
    return converted


class ScopeVariables(FeelVariables):
    """Variables visible at an element instance, looked up when asked; `overlay` hides them all."""

    def __init__(self, state: StateView, scope_key: int, overlay: Mapping[str, Any] | None = None) -> None:
        self._state = state
        self._scope_key = scope_key
        self._overlay = overlay

    def __getitem__(self, name: str) -> Any:
        if self._overlay is not None and name in self._overlay:
            return self._overlay[name]
        state, key = self._state, self._scope_key
        while key != NO_KEY:
            scope = state.scopes.get(key)
            if scope is not None and name in scope:
                return scope[name].value
            key = state.elements[key].scope_key
        raise KeyError(name)

    def feel_value(self, name: str) -> Any:
        """Return the FEEL value of a variable; that of the overlay is made anew."""
        if self._overlay is not None and name in self._overlay:
            return from_json(self._overlay[name])
        return _feel_value(self[name])

    def _names(self) -> dict[str, None]:
        names: dict[str, None] = dict.fromkeys(self._overlay or ())
        key = self._scope_key
        while key != NO_KEY:
            names.update(dict.fromkeys(self._state.scopes.get(key, ())))
            key = self._state.elements[key].scope_key
        return names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())


def evaluate(
    x: Execution,
    text: Text,
    scope_key: int,
    error_type: ErrorType,
    overlay: Mapping[str, Any] | None = None,
) -> tuple[Any, str]:
    """Return (JSON value, warnings as one line); a text without `=` is its own value."""
    if text.expression is None:
        return text.source, ""
    result = text.expression.evaluate(ScopeVariables(x.state, scope_key, overlay), now_ms=x.now_ms)
    if not result.warnings:
        return to_json(result.value), ""
    warnings = "; ".join(warning.message for warning in result.warnings)
    if any(warning.kind == "ASSERT_FAILURE" for warning in result.warnings):
        raise Stuck(error_type, f"expression {text.source!r} failed: {warnings}")
    return to_json(result.value), warnings


def _complain(text: Text, wanted: str, value: Any, warnings: str) -> Stuck:
    because = f": {warnings}" if warnings else ""
    kind = "null" if value is None else type(value).__name__
    message = f"expression {text.source!r} must give {wanted}, but gave {kind}{because}"
    return Stuck(ErrorType.EXTRACT_VALUE_ERROR, message)


def evaluate_string(x: Execution, text: Text, scope_key: int) -> str:
    """Return a string; anything else is an EXTRACT_VALUE_ERROR."""
    value, warnings = evaluate(x, text, scope_key, ErrorType.EXTRACT_VALUE_ERROR)
    if not isinstance(value, str):
        raise _complain(text, "a string", value, warnings)
    return value


def evaluate_optional_string(x: Execution, text: Text | None, scope_key: int) -> str | None:
    """Return a string, or None when there is no text or it gives null or nothing."""
    if text is None:
        return None
    value, warnings = evaluate(x, text, scope_key, ErrorType.EXTRACT_VALUE_ERROR)
    if value is not None and not isinstance(value, str):
        raise _complain(text, "a string or null", value, warnings)
    return value or None


def evaluate_key(x: Execution, text: Text, scope_key: int) -> str:
    """Return a correlation key: a string, or a number as its text."""
    value, warnings = evaluate(x, text, scope_key, ErrorType.EXTRACT_VALUE_ERROR)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _complain(text, "a string or a number", value, warnings)
    return value if isinstance(value, str) else str(value)


def evaluate_int(x: Execution, text: Text, scope_key: int) -> int:
    """Return a whole number, also from a text of digits."""
    value, warnings = evaluate(x, text, scope_key, ErrorType.EXTRACT_VALUE_ERROR)
    if isinstance(value, str):
        try:
            return int(value)
        except ValueError:
            raise _complain(text, "a number", value, warnings) from None
    if isinstance(value, bool) or not isinstance(value, int):
        raise _complain(text, "a whole number", value, warnings)
    return value


def evaluate_names(x: Execution, text: Text | None, scope_key: int) -> tuple[str, ...]:
    """Return a list of names from a fixed comma-separated text, or from FEEL that gives a list of strings."""
    if text is None:
        return ()
    if text.expression is None:
        return tuple(part.strip() for part in text.source.split(",") if part.strip())
    value, warnings = evaluate(x, text, scope_key, ErrorType.EXTRACT_VALUE_ERROR)
    if value is None:
        return ()
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise _complain(text, "a list of strings", value, warnings)


def evaluate_condition(
    x: Execution, text: Text, scope_key: int, error_type: ErrorType = ErrorType.CONDITION_ERROR
) -> bool:
    """Return a condition's outcome; anything but true and false is an incident of `error_type`."""
    value, warnings = evaluate(x, text, scope_key, error_type)
    if not isinstance(value, bool):
        stuck = _complain(text, "a boolean", value, warnings)
        raise Stuck(error_type, stuck.message)
    return value

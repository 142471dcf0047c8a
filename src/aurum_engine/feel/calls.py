"""Calling functions: positional, named, user-defined. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aurum_engine.feel.builtins.registry import failed
from aurum_engine.feel.nodes import TypeName
from aurum_engine.feel.runtime import CALL_DEPTH_MAX, BudgetExceeded, Run, Scope
from aurum_engine.feel.types import coerce
from aurum_engine.feel.values import Function

Code = Callable[[Scope], Any]
Parameters = tuple[tuple[str, TypeName | None], ...]


def compile_arguments(
    function: Code,
    builtin: Function | None,
    name: str | None,
    arguments: tuple[Code, ...],
    names: tuple[str, ...] | None,
) -> Code:
    """Return the closure of a call; a variable that is no function does not hide a built-in."""

    def call(scope: Scope) -> Any:
        callee = function(scope)
        if not isinstance(callee, Function):
            if builtin is None:
                shown = "expression" if name is None else f"'{name}'"
                return scope.run.warn("NO_FUNCTION_FOUND", f"No function found for {shown}")
            callee = builtin
        values = [argument(scope) for argument in arguments]
        return invoke(scope.run, callee, values, names)

    return call


def invoke(run: Run, function: Function, values: list[Any], names: tuple[str, ...] | None = None) -> Any:
    """Call a function with positional values, or with named ones when `names` is given."""
    if names is None:
        return function.call(run, values)
    named = dict(zip(names, values, strict=True))
    for overload in function.overloads:
        labels = [label.removeprefix("*") for label in overload]
        if len(named) == len(names) and named.keys() <= set(labels):
            count = max(labels.index(name) for name in named) + 1
            positional = [named.get(label) for label in labels[:count]]
            if overload[count - 1].startswith("*") and isinstance(positional[-1], list):
                positional = positional[:-1] + positional[-1]
            return function.call(run, positional)
    return failed(run, function.name or "anonymous", f"no parameters named {', '.join(names)}")


def make_function(
    name: str,
    parameters: Parameters,
    body: Code,
    closure: Scope,
    returns: TypeName | None = None,
) -> Function:
    """Return a user-defined function that sees the scope it was made in."""
    names = tuple(parameter for parameter, _ in parameters)

    def call(run: Run, values: list[Any]) -> Any:
        if len(values) != len(parameters):
            return failed(run, name or "anonymous", f"takes {len(parameters)} arguments, got {len(values)}")
        variables: dict[str, Any] = {}
        for (parameter, wanted), value in zip(parameters, values, strict=True):
            if wanted is not None:
                value, fits = coerce(run, value, wanted)
                if not fits:
                    return failed(
                        run, name or "anonymous", f"argument '{parameter}' is not of type {wanted.name}"
                    )
            variables[parameter] = value
        run.spend(3)
        run.call_depth += 1
        if run.call_depth > CALL_DEPTH_MAX:
            raise BudgetExceeded(f"functions call each other more than {CALL_DEPTH_MAX} levels deep")
        result = body(Scope(variables, closure, run))
        run.call_depth -= 1
        if returns is not None:
            result, fits = coerce(run, result, returns)
            if not fits:
                return failed(run, name or "anonymous", f"result is not of type {returns.name}")
        return result

    return Function(
        name, (names,), call, parameter_types=tuple(kind for _, kind in parameters), returns=returns
    )

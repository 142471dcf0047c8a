"""How built-in functions are declared, found and called. Pure.

A declaration is FEEL-like text: `substring(string: string, start position: number, length?: number)`.
`name?` may be left out or null, `*name` takes all remaining arguments, types are joined by `|`,
and `any` admits null. A list of one stands for its item, and an item for a list of one, as DMN
10.3.2.9.4 has it, but only when no overload fits exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from aurum_engine.feel.runtime import Run
from aurum_engine.feel.values import Function, type_name

_UNFIT: Final = object()


@dataclass(frozen=True, slots=True)
class _Parameter:
    name: str
    types: frozenset[str]
    optional: bool
    variadic: bool

    def fit(self, value: Any, *, coerce: bool) -> Any:
        """Return the value to pass, or `_UNFIT`."""
        if "any" in self.types or type_name(value) in self.types or (value is None and self.optional):
            return value
        if not coerce or value is None:
            return _UNFIT
        if isinstance(value, list):
            return self.fit(value[0], coerce=False) if len(value) == 1 else _UNFIT
        return [value] if "list" in self.types else _UNFIT


@dataclass(frozen=True, slots=True)
class _Overload:
    parameters: tuple[_Parameter, ...]
    function: Callable[..., Any]

    def bind(self, arguments: list[Any], *, coerce: bool) -> list[Any] | None:
        """Return the values to pass, or None when these arguments do not fit."""
        parameters = self.parameters
        variadic = bool(parameters) and parameters[-1].variadic
        if len(arguments) > len(parameters) and not variadic:
            return None
        bound: list[Any] = []
        for position, parameter in enumerate(parameters):
            if parameter.variadic:
                rest = [parameter.fit(value, coerce=coerce) for value in arguments[position:]]
                return None if not rest or any(value is _UNFIT for value in rest) else bound + rest
            if position >= len(arguments):
                if not parameter.optional:
                    return None
                continue
            value = parameter.fit(arguments[position], coerce=coerce)
            if value is _UNFIT:
                return None
            bound.append(value)
        return bound


BUILTINS: Final[dict[str, Function]] = {}
"""All built-in functions by name; filled while the modules of this package are imported."""

_OVERLOADS: Final[dict[str, list[_Overload]]] = {}


def builtin(*declarations: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function `(run, *values)` under each declaration."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        for declaration in declarations:
            name, _, rest = declaration.partition("(")
            parameters = tuple(_parameter(part) for part in rest.rstrip(")").split(",") if part.strip())
            overloads = _OVERLOADS.setdefault(name, [])
            overloads.append(_Overload(parameters, function))
            names = tuple(
                tuple("*" * p.variadic + p.name for p in overload.parameters) for overload in overloads
            )
            BUILTINS[name] = Function(name, names, _caller(name, overloads), builtin=True)
        return function

    return register


def _parameter(text: str) -> _Parameter:
    name, _, types = (part.strip() for part in text.partition(":"))
    variadic = name.startswith("*")
    optional = name.endswith("?")
    return _Parameter(
        name.strip("*?"), frozenset(part.strip() for part in types.split("|")), optional, variadic
    )


def _caller(name: str, overloads: list[_Overload]) -> Callable[..., Any]:
    def call(run: Run, arguments: list[Any]) -> Any:
        run.spend(1)
        for coerce in (False, True):
            for overload in overloads:
                bound = overload.bind(arguments, coerce=coerce)
                if bound is not None:
                    return overload.function(run, *bound)
        return failed(run, name, f"illegal arguments ({', '.join(type_name(value) for value in arguments)})")

    return call


def failed(run: Run, name: str, reason: str) -> Any:
    """Warn that a function gave null, and return that null."""
    return run.warn("FUNCTION_INVOCATION_FAILURE", f"Failed to invoke function '{name}': {reason}")

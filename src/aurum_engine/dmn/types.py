"""Item definitions at run time: does a value fit a `typeRef`? Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum_engine.dmn.errors import InvalidDmn
from aurum_engine.dmn.model import ItemDefinition
from aurum_engine.dmn.xml_types import type_of_reference
from aurum_engine.feel.api import FeelSyntaxError, UnaryTests, compile_unary_tests
from aurum_engine.feel.names import NameTable
from aurum_engine.feel.nodes import TypeName
from aurum_engine.feel.runtime import Run, Scope
from aurum_engine.feel.types import coerce
from aurum_engine.feel.values import type_name

_DEPTH_MAX = 30
"""Item definitions that refer to each other, before the rest is taken as fitting."""


class TypeChecker:
    """All item definitions of a file; immutable."""

    __slots__ = ("_allowed", "_types")

    def __init__(self, types: Mapping[str, ItemDefinition], names: NameTable) -> None:
        self._types = types
        self._allowed: dict[str, UnaryTests] = {}
        for name, definition in types.items():
            if definition.allowed is not None:
                try:
                    self._allowed[name] = compile_unary_tests(definition.allowed, names)
                except FeelSyntaxError as error:
                    raise InvalidDmn(None, f"allowed values of type {name!r}: {error}") from None

    def resolve(self, name: str) -> TypeName | None:
        """Return the type of an item definition, or of a component by dotted name."""
        definition = self._types.get(name)
        if definition is not None:
            return definition.type_name
        head, _, member = name.rpartition(".")
        owner = self.resolve(head) if head else None
        if owner is not None and owner.name == "context" and member in owner.members:
            return owner.arguments[owner.members.index(member)]
        return None

    def result_value(self, run: Run, value: Any, type_ref: str | None) -> tuple[Any, str | None]:
        """Return (value, None) when it fits after singleton conversion, else (null, reason)."""
        wanted = type_of_reference(type_ref)
        converted, fits = coerce(run, value, wanted)
        if not fits:
            return None, f"expected {wanted.name}, found {type_name(value)}"
        if not self._is_allowed(run, converted, wanted, _DEPTH_MAX):
            return None, f"value is not among the allowed values of {wanted.name}"
        return converted, None

    def _is_allowed(self, run: Run, value: Any, wanted: TypeName, depth: int) -> bool:
        if value is None or depth == 0:
            return True
        tests = self._allowed.get(wanted.name)
        if tests is not None and not self._passes(run, tests, value):
            return False
        definition = self._types.get(wanted.name)
        return definition is None or self._is_allowed(run, value, definition.type_name, depth - 1)

    @staticmethod
    def _passes(run: Run, tests: UnaryTests, value: Any) -> bool:
        scope = Scope({}, None, run)
        items = value if isinstance(value, list) else [value]
        return all(tests.evaluate_in(scope, item) is True for item in items)

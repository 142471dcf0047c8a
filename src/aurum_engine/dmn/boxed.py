"""Boxed expressions to closures over FEEL scopes. Pure; raises `InvalidDmn` for faulty text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aurum_engine.dmn.errors import InvalidDmn
from aurum_engine.dmn.model import (
    Boxed,
    Conditional,
    Context,
    FilterBox,
    FunctionBox,
    Invocation,
    IteratorBox,
    ListBox,
    Literal,
    Relation,
    Table,
)
from aurum_engine.dmn.table import compile_table
from aurum_engine.dmn.xml_types import type_of_reference
from aurum_engine.feel.api import FeelSyntaxError, compile_expression
from aurum_engine.feel.calls import Parameters, invoke, make_function
from aurum_engine.feel.iteration import compile_for, compile_quantified
from aurum_engine.feel.names import NameTable
from aurum_engine.feel.runtime import Scope
from aurum_engine.feel.types import coerce
from aurum_engine.feel.values import Function

Code = Callable[[Scope], Any]


def compile_boxed(box: Boxed | None, names: NameTable) -> Code:
    """Return the closure that evaluates a boxed expression; nothing at all gives null."""
    return (lambda scope: None) if box is None else _COMPILERS[type(box)](box, names)


def _literal(box: Literal, names: NameTable) -> Code:
    if not box.text:
        return lambda scope: None
    try:
        return compile_expression(box.text, names).evaluate_in
    except FeelSyntaxError as error:
        raise InvalidDmn(box.element_id, f"FEEL error: {error} in {box.text[:200]!r}") from None


def _context(box: Context, names: NameTable) -> Code:
    entries = tuple(
        (entry.name, type_of_reference(entry.type_ref), compile_boxed(entry.value, names))
        for entry in box.entries
    )

    def build(scope: Scope) -> Any:
        values: dict[str, Any] = {}
        inner = Scope(values, scope, scope.run)
        for name, wanted, code in entries:
            value, fits = coerce(scope.run, code(inner), wanted)
            if not fits:
                scope.run.warn("INVALID_TYPE", f"Context entry '{name}' is not of type {wanted.name}")
            if name is None:
                return value
            values[name] = value
        return values

    return build


def _list(box: ListBox, names: NameTable) -> Code:
    items = tuple(compile_boxed(item, names) for item in box.items)
    return lambda scope: [item(scope) for item in items]


def _relation(box: Relation, names: NameTable) -> Code:
    rows = tuple(tuple(compile_boxed(cell, names) for cell in row) for row in box.rows)
    columns = box.columns
    return lambda scope: [
        {column: cell(scope) for column, cell in zip(columns, row, strict=True)} for row in rows
    ]


def function_maker(name: str, box: FunctionBox, names: NameTable) -> Callable[[Scope], Function | None]:
    """Return what makes the function value in a scope; external functions are null with a warning."""
    parameters: Parameters = tuple((p.name, type_of_reference(p.type_ref)) for p in box.parameters)
    result_type = box.type_ref or (None if box.body is None else box.body.type_ref)
    returns = type_of_reference(result_type) if result_type else None
    if box.kind != "FEEL":
        return lambda scope: scope.run.warn("INVALID_TYPE", f"{box.kind} functions are not supported")
    body = compile_boxed(box.body, names)
    return lambda scope: make_function(name, parameters, body, scope, returns)


def _function(box: FunctionBox, names: NameTable) -> Code:
    return function_maker("", box, names)


def _invocation(box: Invocation, names: NameTable) -> Code:
    function = compile_boxed(box.function, names)
    labels = tuple(name for name, _ in box.bindings)
    arguments = tuple(compile_boxed(value, names) for _, value in box.bindings)

    def call(scope: Scope) -> Any:
        callee = function(scope)
        if not isinstance(callee, Function):
            return scope.run.warn("NO_FUNCTION_FOUND", "Invocation of something that is no function")
        return invoke(scope.run, callee, [argument(scope) for argument in arguments], labels or None)

    return call


def _conditional(box: Conditional, names: NameTable) -> Code:
    condition, yes, no = (compile_boxed(part, names) for part in (box.condition, box.yes, box.no))

    def choose(scope: Scope) -> Any:
        decided = condition(scope)
        if decided is not None and not isinstance(decided, bool):
            return scope.run.warn("INVALID_TYPE", "Expected a boolean as condition")
        return yes(scope) if decided else no(scope)

    return choose


def _filter(box: FilterBox, names: NameTable) -> Code:
    source, match = compile_boxed(box.source, names), compile_boxed(box.match, names)

    def select(scope: Scope) -> Any:
        value = source(scope)
        if value is None:
            return scope.run.warn("INVALID_TYPE", "Expected list but found 'null'")
        items = value if isinstance(value, list) else [value]
        scope.run.spend(len(items))
        kept: list[Any] = []
        for item in items:
            variables = {"item": item, **item} if isinstance(item, dict) else {"item": item}
            outcome = match(Scope(variables, scope, scope.run))
            if outcome is not None and not isinstance(outcome, bool):
                return scope.run.warn("INVALID_TYPE", "Expected a boolean from the filter's match")
            if outcome is True:
                kept.append(item)
        return kept

    return select


def _iterator(box: IteratorBox, names: NameTable) -> Code:
    source: tuple[tuple[str, Code, Code | None], ...] = (
        (box.variable, compile_boxed(box.source, names), None),
    )
    body = compile_boxed(box.body, names)
    return (
        compile_for(source, body, uses_partial=True)
        if box.kind == "for"
        else compile_quantified(source, body, every=box.kind == "every")
    )


def _table(box: Table, names: NameTable) -> Code:
    table = compile_table(box, names)
    return lambda scope: table.evaluate(scope).output


_COMPILERS: dict[type, Callable[[Any, NameTable], Code]] = {
    Literal: _literal,
    Context: _context,
    ListBox: _list,
    Relation: _relation,
    FunctionBox: _function,
    Invocation: _invocation,
    Conditional: _conditional,
    FilterBox: _filter,
    IteratorBox: _iterator,
    Table: _table,
}

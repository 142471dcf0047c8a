"""Syntax tree to Python closures. Pure.

A closure takes a `Scope` and returns a value; it raises nothing but the budget and assertion
signals of `runtime`. Errors become null and a warning there and then.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from aurum_engine.feel import nodes, operators
from aurum_engine.feel.builtins.library import BUILTINS
from aurum_engine.feel.calls import compile_arguments, make_function
from aurum_engine.feel.iteration import compile_filter, compile_for, compile_quantified
from aurum_engine.feel.numbers import NUMBERS
from aurum_engine.feel.properties import get_path
from aurum_engine.feel.runtime import MISSING, Scope
from aurum_engine.feel.types import is_instance
from aurum_engine.feel.unary import compile_in
from aurum_engine.feel.values import UNBOUNDED, NotEqual, Range

Code = Callable[[Scope], Any]

_ARITHMETIC = {
    "+": operators.add,
    "-": operators.subtract,
    "*": operators.multiply,
    "/": operators.divide,
    "**": operators.power,
}


def compile_node(node: nodes.Node) -> Code:
    """Return the closure that evaluates a tree."""
    return _COMPILERS[type(node)](node)


def _literal(node: nodes.Literal) -> Code:
    value = node.value
    return lambda scope: value


def _name(node: nodes.Name) -> Code:
    name = node.name
    builtin = BUILTINS.get(name)

    def read(scope: Scope) -> Any:
        value = scope.find(name)
        if value is not MISSING:
            return value
        if builtin is not None:
            return builtin
        if "." in name:  # A declared name may look like a path; where it is not in scope it is one.
            value = scope.find_path(tuple(name.split(".")))
            if value is not MISSING:
                return value
        return scope.run.warn("NO_VARIABLE_FOUND", f"No variable found with name '{name}'")

    return read


def _negate(node: nodes.Negate) -> Code:
    if isinstance(node.operand, nodes.Literal) and isinstance(node.operand.value, Decimal):
        return _literal(nodes.Literal(NUMBERS.minus(node.operand.value)))
    operand = compile_node(node.operand)
    return lambda scope: operators.negate(scope.run, operand(scope))


def _binary(node: nodes.Binary) -> Code:
    left, right, symbol = compile_node(node.left), compile_node(node.right), node.operator
    if symbol == "and":

        def conjunction(scope: Scope) -> Any:
            first = left(scope)
            return False if first is False else operators.both(first, right(scope))

        return conjunction
    if symbol == "or":

        def disjunction(scope: Scope) -> Any:
            first = left(scope)
            return True if first is True else operators.either(first, right(scope))

        return disjunction
    if symbol in _ARITHMETIC:
        operation = _ARITHMETIC[symbol]
        return lambda scope: operation(scope.run, left(scope), right(scope))
    if symbol == "=":
        return lambda scope: operators.equals(scope.run, left(scope), right(scope))
    compare = operators.compare
    return lambda scope: compare(scope.run, symbol, left(scope), right(scope))


def _between(node: nodes.Between) -> Code:
    value, low, high = compile_node(node.value), compile_node(node.low), compile_node(node.high)

    def between(scope: Scope) -> Any:
        tested = value(scope)
        above = operators.compare(scope.run, ">=", tested, low(scope))
        below = operators.compare(scope.run, "<=", tested, high(scope))
        return None if above is None or below is None else above and below

    return between


def _instance_of(node: nodes.InstanceOf) -> Code:
    value, wanted = compile_node(node.value), node.type_name

    def test(scope: Scope) -> Any:
        result = is_instance(scope.run, value(scope), wanted)
        return scope.run.warn("INVALID_TYPE", f"Unknown type '{wanted.name}'") if result is None else result

    return test


def _range(node: nodes.RangeNode) -> Code:
    low = None if node.low is None else compile_node(node.low)
    high = None if node.high is None else compile_node(node.high)
    low_closed, high_closed = node.low_closed, node.high_closed

    def build(scope: Scope) -> Any:
        first = UNBOUNDED if low is None else low(scope)
        last = UNBOUNDED if high is None else high(scope)
        return make_range(scope, first, last, low_closed=low_closed, high_closed=high_closed)

    return build


def make_range(scope: Scope, low: Any, high: Any, *, low_closed: bool, high_closed: bool) -> Any:
    """Return a range, or null when its bounds are not of one ordered type."""
    bounds = [bound for bound in (low, high) if bound is not None and bound is not UNBOUNDED]
    if bounds and operators.compare(scope.run, "<=", bounds[0], bounds[-1]) is None:
        return scope.run.warn("INVALID_TYPE", "Bounds of a range must be values of one ordered type")
    return Range(low, high, low_closed, high_closed)


def _not_equal(node: nodes.NotEqualRange) -> Code:
    operand = compile_node(node.operand)
    return lambda scope: NotEqual(operand(scope))


def _list(node: nodes.ListNode) -> Code:
    items = tuple(compile_node(item) for item in node.items)
    return lambda scope: [item(scope) for item in items]


def _context(node: nodes.ContextNode) -> Code:
    entries = tuple((key, compile_node(value)) for key, value in node.entries)
    keys = [key for key, _ in entries]

    def build(scope: Scope) -> Any:
        values: dict[str, Any] = {}
        inner = Scope(values, scope, scope.run)
        for key, value in entries:
            values[key] = value(inner)
        return values

    if len(set(keys)) == len(keys):
        return build
    return lambda scope: scope.run.warn("INVALID_ARGUMENT", "Context literal has a key twice")


def _path(node: nodes.Path) -> Code:
    name = node.name
    base = compile_node(node.base)
    names = _plain_path(node)
    if names is None:
        return lambda scope: get_path(scope.run, base(scope), name)

    def read(scope: Scope) -> Any:
        value = scope.find_path(names)
        return get_path(scope.run, base(scope), name) if value is MISSING else value

    return read


def _plain_path(node: nodes.Node) -> tuple[str, ...] | None:
    """Return the names of `a.b.c`, None when the base is anything else."""
    if isinstance(node, nodes.Name):
        return (node.name,)
    if isinstance(node, nodes.Path):
        base = _plain_path(node.base)
        return None if base is None else (*base, node.name)
    return None


def _call(node: nodes.Call) -> Code:
    function = compile_node(node.function)
    name = node.function.name if isinstance(node.function, nodes.Name) else None
    builtin = None if name is None else BUILTINS.get(name)
    return compile_arguments(
        function, builtin, name, tuple(compile_node(argument) for argument in node.arguments), node.names
    )


def _if(node: nodes.If) -> Code:
    condition, yes, no = compile_node(node.condition), compile_node(node.yes), compile_node(node.no)
    return lambda scope: yes(scope) if condition(scope) is True else no(scope)


def _iterators(iterators: tuple[nodes.Iterator, ...]) -> tuple[tuple[str, Code, Code | None], ...]:
    return tuple(
        (it.name, compile_node(it.source), None if it.end is None else compile_node(it.end))
        for it in iterators
    )


def _for(node: nodes.For) -> Code:
    uses_partial = nodes.mentions(node.body, "partial")
    return compile_for(_iterators(node.iterators), compile_node(node.body), uses_partial=uses_partial)


def _quantified(node: nodes.Quantified) -> Code:
    return compile_quantified(_iterators(node.iterators), compile_node(node.condition), every=node.every)


def _filter(node: nodes.Filter) -> Code:
    return compile_filter(compile_node(node.base), compile_node(node.condition), node.condition)


def _function(node: nodes.FunctionNode) -> Code:
    parameters, body = node.parameters, compile_node(node.body)
    if node.external:
        return lambda scope: scope.run.warn("INVALID_TYPE", "External functions are not supported")
    return lambda scope: make_function("", parameters, body, scope)


def _in(node: nodes.In) -> Code:
    tests = tuple((test.operator, test.operand, compile_node(test.operand)) for test in node.tests)
    return compile_in(compile_node(node.value), tests)


_COMPILERS: dict[type, Callable[[Any], Code]] = {
    nodes.Literal: _literal,
    nodes.Name: _name,
    nodes.Negate: _negate,
    nodes.Binary: _binary,
    nodes.Between: _between,
    nodes.InstanceOf: _instance_of,
    nodes.RangeNode: _range,
    nodes.NotEqualRange: _not_equal,
    nodes.ListNode: _list,
    nodes.ContextNode: _context,
    nodes.Path: _path,
    nodes.Filter: _filter,
    nodes.Call: _call,
    nodes.If: _if,
    nodes.For: _for,
    nodes.Quantified: _quantified,
    nodes.FunctionNode: _function,
    nodes.In: _in,
}

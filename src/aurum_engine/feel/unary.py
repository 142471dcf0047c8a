"""Tests on a value: `in`, and the cells of a decision table. Pure.

A cell that is a literal is compared with the input. Another expression counts as a condition when
it mentions `?`; else its value is compared, except that `true` matches and a list or range matches
by containment, as feel-scala has it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aurum_engine.feel import nodes, operators
from aurum_engine.feel.runtime import Run, Scope
from aurum_engine.feel.values import NotEqual, Range

Code = Callable[[Scope], Any]
Test = Callable[[Scope, Any], Any]


def compile_test(operator: str | None, operand: nodes.Node, code: Code) -> Test:
    """Return the closure of one test; it takes a scope that holds `?`, and the value of `?`."""
    if operator is not None:
        symbol = operator
        return lambda scope, value: operators.compare(scope.run, symbol, value, code(scope))
    if isinstance(operand, nodes.Name) and operand.name == "?":
        return lambda scope, value: matches(scope.run, value, value)
    if nodes.mentions_input(operand):
        return lambda scope, value: code(scope)
    if isinstance(operand, nodes.Literal):
        literal = operand.value
        return lambda scope, value: _same(scope.run, value, literal)
    return lambda scope, value: matches(scope.run, value, code(scope))


def matches(run: Run, value: Any, wanted: Any) -> Any:
    """Return whether a value passes a test that is itself a value."""
    if isinstance(wanted, Range):
        return wanted == value if isinstance(value, Range) else operators.in_range(run, value, wanted)
    if isinstance(wanted, NotEqual):
        return operators.compare(run, "!=", value, wanted.value)
    if isinstance(wanted, list):
        if isinstance(value, list) and operators.equals(run, value, wanted) is True:
            return True
        run.spend(len(wanted))
        return any(_contains(run, value, item) for item in wanted)
    return wanted is True or _same(run, value, wanted)


def _contains(run: Run, value: Any, item: Any) -> bool:
    if isinstance(item, Range):
        return operators.in_range(run, value, item) is True
    if isinstance(item, NotEqual):
        return operators.compare(run, "!=", value, item.value) is True
    return operators.equals(run, value, item) is True


def _same(run: Run, value: Any, wanted: Any) -> Any:
    return operators.equals(run, value, wanted)


def any_test(scope: Scope, tests: tuple[Test, ...], value: Any) -> Any:
    """Return whether one of several tests passes, in three-valued logic."""
    if len(tests) == 1:
        return tests[0](scope, value)
    result: Any = False
    for test in tests:
        outcome = test(scope, value)
        if outcome is True:
            return True
        if outcome is not False:
            result = None if outcome is None else outcome
    return result


def compile_in(value: Code, tests: tuple[tuple[str | None, nodes.Node, Code], ...]) -> Code:
    """Return the closure of `value in tests`."""
    compiled = tuple(compile_test(*test) for test in tests)

    def test_all(scope: Scope) -> Any:
        tested = value(scope)
        inner = Scope({"?": tested}, scope, scope.run)
        return any_test(inner, compiled, tested)

    return test_all

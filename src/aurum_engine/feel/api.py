"""The door of FEEL: parse text once, evaluate it many times. Pure.

Parsing raises `FeelSyntaxError`; evaluating raises nothing. An error inside an expression gives
null and a warning, as in Camunda. `to_json` turns a result into JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from aurum_engine.feel.builtins.library import BUILTINS
from aurum_engine.feel.compiler import compile_node
from aurum_engine.feel.convert import from_json, to_json
from aurum_engine.feel.names import NameTable
from aurum_engine.feel.nodes import Node, UnaryTest, mentions_input
from aurum_engine.feel.parser import Parser
from aurum_engine.feel.properties import PROPERTY_NAMES
from aurum_engine.feel.runtime import (
    ITEMS_MAX,
    AssertionFailed,
    BudgetExceeded,
    FeelVariables,
    FeelWarning,
    JsonScope,
    Run,
    Scope,
)
from aurum_engine.feel.syntax import FeelSyntaxError
from aurum_engine.feel.unary import Test, any_test, compile_test

__all__ = [
    "Evaluation",
    "Expression",
    "FeelSyntaxError",
    "FeelVariables",
    "FeelWarning",
    "UnaryTests",
    "check_size",
    "from_json",
    "name_table",
    "parse_expression",
    "parse_tree",
    "parse_unary_tests",
    "to_json",
]

CACHE_ENTRIES_MAX = 4_096
"""Parsed expressions kept: some forty large process models; beyond, the least used go."""

_BASE_NAMES = NameTable((*BUILTINS, *PROPERTY_NAMES))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A FEEL value and what went wrong on the way to it."""

    value: Any
    warnings: tuple[FeelWarning, ...]


def guarded(run: Run, code: Callable[[], Any]) -> Any:
    """Run code inside the budgets of `run`; null and a warning when one is used up."""
    try:
        value = code()
        check_size(value)
    except BudgetExceeded as error:
        return run.warn("BUDGET_EXCEEDED", str(error))
    except AssertionFailed as error:
        return run.warn("ASSERT_FAILURE", str(error))
    except RecursionError:
        return run.warn("BUDGET_EXCEEDED", "evaluation is nested too deeply")
    return value


def check_size(value: Any) -> None:
    """Refuse results whose JSON would be huge because they share parts many times over."""
    if type(value) not in (list, dict):
        return
    left = ITEMS_MAX * 2
    pending = [value]
    while pending:
        children = pending.pop()
        left -= len(children)
        if left < 0:
            raise BudgetExceeded(f"the result has more than {ITEMS_MAX * 2} parts")
        items = children.values() if isinstance(children, dict) else children
        pending.extend(item for item in items if type(item) in (list, dict))


class Expression:
    """A parsed FEEL expression; immutable and safe to share between threads."""

    __slots__ = ("_code", "source")

    def __init__(self, source: str, code: Callable[[Scope], Any]) -> None:
        self.source = source
        self._code = code

    def evaluate(self, variables: Mapping[str, Any], *, now_ms: int | None = None) -> Evaluation:
        """Return the FEEL value over JSON-shaped variables; `now_ms` is Unix time for `now()`."""
        run = Run(now_ms)
        scope = JsonScope(variables, run)
        value = guarded(run, lambda: self._code(scope))
        return Evaluation(value, tuple(run.warnings))

    def evaluate_in(self, scope: Scope) -> Any:
        """Return the FEEL value in a scope; the caller guards the run."""
        return self._code(scope)


class UnaryTests:
    """Parsed tests of a decision table cell; immutable and safe to share between threads."""

    __slots__ = ("_negated", "_reads_input", "_tests", "source")

    def __init__(
        self, source: str, tests: tuple[Test, ...] | None, *, negated: bool, reads_input: bool = False
    ) -> None:
        self.source = source
        self._tests = tests
        self._negated = negated
        self._reads_input = reads_input

    @property
    def matches_all(self) -> bool:
        """Whether this is a dash, which is true for every value."""
        return self._tests is None

    def evaluate(self, value: Any, variables: Mapping[str, Any], *, now_ms: int | None = None) -> Evaluation:
        """Test a JSON-shaped input value: true, false, null, or what a faulty cell gave instead."""
        run = Run(now_ms)
        scope = JsonScope(variables, run)
        tested = from_json(value)
        result = guarded(run, lambda: self.evaluate_in(scope, tested))
        return Evaluation(result, tuple(run.warnings))

    def evaluate_in(self, scope: Scope, value: Any) -> Any:
        """Test a FEEL value in a scope; the caller guards the run."""
        if self._tests is None:
            return True
        inner = Scope({"?": value}, scope, scope.run) if self._reads_input else scope
        result = any_test(inner, self._tests, value)
        if self._negated and isinstance(result, bool):
            return not result
        return result


def name_table(names: Iterable[str]) -> NameTable:
    """Return built-in names plus `names`, for expressions that use names with spaces unquoted."""
    return NameTable(names, _BASE_NAMES)


def compile_expression(source: str, names: NameTable) -> Expression:
    """Parse an expression that may use the given names; raises `FeelSyntaxError`."""
    try:
        node = Parser(source, names).parse_expression()
        return Expression(source, compile_node(node))
    except RecursionError:
        raise FeelSyntaxError("expression is nested too deeply", 0) from None


def compile_unary_tests(source: str, names: NameTable) -> UnaryTests:
    """Parse the tests of a cell that may use the given names; raises `FeelSyntaxError`."""
    try:
        parsed = Parser(source, names).parse_unary_tests()
        if parsed is None:
            return UnaryTests(source, None, negated=False)
        reads_input = any(mentions_input(test.operand) for test in parsed[1])
        tests = tuple(_test(test) for test in parsed[1])
        return UnaryTests(source, tests, negated=parsed[0], reads_input=reads_input)
    except RecursionError:
        raise FeelSyntaxError("tests are nested too deeply", 0) from None


def _test(test: UnaryTest) -> Test:
    return compile_test(test.operator, test.operand, compile_node(test.operand))


@lru_cache(maxsize=CACHE_ENTRIES_MAX)
def parse_expression(source: str) -> Expression:
    """Return the parsed expression, from a bounded cache; raises `FeelSyntaxError`.

    `source` has no leading `=`. A variable whose name is no plain word is written in backticks.
    """
    return compile_expression(source, _BASE_NAMES)


def parse_tree(source: str) -> Node:
    """Return the syntax tree of an expression, for reading what it says about itself.

    `source` is what `parse_expression` takes. Raises `FeelSyntaxError`.
    """
    try:
        return Parser(source, _BASE_NAMES).parse_expression()
    except RecursionError:
        raise FeelSyntaxError("expression is nested too deeply", 0) from None


@lru_cache(maxsize=CACHE_ENTRIES_MAX)
def parse_unary_tests(source: str) -> UnaryTests:
    """Return the parsed tests of a decision table cell; raises `FeelSyntaxError`."""
    return compile_unary_tests(source, _BASE_NAMES)

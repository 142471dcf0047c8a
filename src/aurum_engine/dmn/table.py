"""Decision tables: compiled cells, all rows checked, hit policies as Camunda runs them. Pure.

No matching row gives the default outputs if every column has one, else null, for every policy.
Each row is checked even when the first one hits, so that a faulty later cell is never hidden.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from aurum_engine.dmn.errors import InvalidDmn
from aurum_engine.dmn.model import InputClause, OutputClause, Rule, Table
from aurum_engine.feel import operators
from aurum_engine.feel.api import (
    Expression,
    FeelSyntaxError,
    UnaryTests,
    compile_expression,
    compile_unary_tests,
)
from aurum_engine.feel.names import NameTable
from aurum_engine.feel.runtime import Run, Scope
from aurum_engine.feel.unary import matches
from aurum_engine.feel.values import type_name


@dataclass(frozen=True, slots=True)
class Hit:
    """A matching row: `index` from 1, and its output values in column order."""

    rule_id: str
    index: int
    outputs: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """What a table gave: its value, the input values in column order, and the rows that hit."""

    output: Any
    inputs: tuple[Any, ...]
    hits: tuple[Hit, ...]


class TableFailed(Exception):
    """The table cannot decide: too many rows, or a cell that is no test. The text says which.

    `outcome` holds the inputs and the rows that hit, when it came that far: the audit of a failure.
    """

    def __init__(self, reason: str, outcome: TableOutcome | None = None) -> None:
        super().__init__(reason)
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class _Row:
    rule_id: str
    tests: tuple[tuple[int, UnaryTests], ...]
    """The cells that test something, each with the index of its column."""
    outputs: tuple[Expression, ...]


class CompiledTable:
    """A decision table ready to run; immutable."""

    __slots__ = ("_defaults", "_inputs", "_priorities", "_rows", "table")

    def __init__(self, table: Table, names: NameTable) -> None:
        self.table = table
        self._inputs = tuple(
            _expression(clause.expression, clause.input_id, names) for clause in table.inputs
        )
        self._rows = tuple(_row(rule, names) for rule in table.rules)
        self._defaults = tuple(
            None if clause.default is None else _expression(clause.default, clause.output_id, names)
            for clause in table.outputs
        )
        self._priorities = tuple(_priority(clause, names) for clause in table.outputs)

    def evaluate(self, scope: Scope) -> TableOutcome:
        """Decide in a scope; raises `TableFailed`."""
        inputs = tuple(expression.evaluate_in(scope) for expression in self._inputs)
        hits = tuple(
            Hit(row.rule_id, index, tuple(output.evaluate_in(scope) for output in row.outputs))
            for index, row in enumerate(self._rows, 1)
            if self._row_hits(scope, row, inputs)
        )
        if not hits:
            return TableOutcome(self._default(scope), inputs, ())
        try:
            kept = self._keep(scope, hits)
            return TableOutcome(self._result(scope.run, kept), inputs, kept)
        except TableFailed as failure:
            raise TableFailed(str(failure), TableOutcome(None, inputs, hits)) from None

    def _row_hits(self, scope: Scope, row: _Row, inputs: tuple[Any, ...]) -> bool:
        scope.run.spend(1)
        hit = True
        for column, test in row.tests:
            outcome = test.evaluate_in(scope, inputs[column])
            if outcome is True:
                continue
            hit = False
            if outcome is not None and outcome is not False:
                raise TableFailed(
                    f"expected a boolean from the test of {self.table.inputs[column].label!r} "
                    f"in rule {row.rule_id!r}, found {type_name(outcome)}"
                )
        return hit

    def _default(self, scope: Scope) -> Any:
        if any(default is None for default in self._defaults):
            return None
        values = tuple(default.evaluate_in(scope) for default in self._defaults if default is not None)
        value = self._shape(values)
        lists = self.table.hit_policy in ("RULE ORDER", "OUTPUT ORDER") or (
            self.table.hit_policy == "COLLECT" and self.table.aggregation is None
        )
        return [value] if lists and not isinstance(value, list) else value

    def _shape(self, outputs: tuple[Any, ...]) -> Any:
        """Return one column as its value, several as a context."""
        if len(outputs) == 1:
            return outputs[0]
        return {clause.name: value for clause, value in zip(self.table.outputs, outputs, strict=True)}

    def _keep(self, scope: Scope, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        """Return the hits that count under the hit policy, in its order."""
        match self.table.hit_policy:
            case "UNIQUE" if len(hits) > 1:
                rules = ", ".join(repr(hit.rule_id) for hit in hits)
                raise TableFailed(f"hit policy UNIQUE allows one matching rule, found {rules}")
            case "ANY":
                for hit in hits[1:]:
                    if operators.equals(scope.run, list(hit.outputs), list(hits[0].outputs)) is not True:
                        raise TableFailed("hit policy ANY needs equal outputs of all matching rules")
                return hits
            case "FIRST":
                return hits[:1]
            case "PRIORITY":
                return self._by_priority(scope, hits)[:1]
            case "OUTPUT ORDER":
                return self._by_priority(scope, hits)
        return hits

    def _by_priority(self, scope: Scope, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        def rank(hit: Hit) -> tuple[int, ...]:
            return tuple(
                order(scope, value) for order, value in zip(self._priorities, hit.outputs, strict=True)
            )

        return tuple(sorted(hits, key=rank))

    def _result(self, run: Run, hits: tuple[Hit, ...]) -> Any:
        policy = self.table.hit_policy
        if policy in ("UNIQUE", "ANY", "FIRST", "PRIORITY"):
            return self._shape(hits[0].outputs)
        if self.table.aggregation is not None:
            return _aggregate(run, self.table.aggregation, [hit.outputs[0] for hit in hits])
        return [self._shape(hit.outputs) for hit in hits]


def _aggregate(run: Run, aggregation: str, values: list[Any]) -> Any:
    if aggregation == "COUNT":
        return Decimal(len(values))
    if not all(isinstance(value, Decimal) for value in values):
        raise TableFailed(f"aggregation {aggregation} needs numbers")
    result = values[0]
    for value in values[1:]:
        if aggregation == "SUM":
            result = operators.add(run, result, value)
        elif (value < result) if aggregation == "MIN" else (value > result):
            result = value
    return result


def _expression(text: str, element_id: str | None, names: NameTable) -> Expression:
    try:
        return compile_expression(text, names)
    except FeelSyntaxError as error:
        raise InvalidDmn(element_id, f"FEEL error: {error} in {text[:200]!r}") from None


def _row(rule: Rule, names: NameTable) -> _Row:
    try:
        cells = [compile_unary_tests(cell, names) for cell in rule.inputs]
    except FeelSyntaxError as error:
        raise InvalidDmn(rule.rule_id, f"FEEL error: {error}") from None
    tests = tuple((column, cell) for column, cell in enumerate(cells) if not cell.matches_all)
    return _Row(rule.rule_id, tests, tuple(_expression(cell, rule.rule_id, names) for cell in rule.outputs))


def _priority(clause: OutputClause, names: NameTable) -> Callable[[Scope, Any], int]:
    """Return the rank of a value among the output values, least first; unlisted values come last."""
    if clause.allowed is None:
        return lambda scope, value: 0
    allowed = _expression(f"[{clause.allowed}]", clause.output_id, names)

    def rank(scope: Scope, value: Any) -> int:
        listed = allowed.evaluate_in(scope)
        for position, candidate in enumerate(listed):
            if matches(scope.run, value, candidate) is True:
                return position
        return len(listed)

    return rank


def compile_table(table: Table, names: NameTable) -> CompiledTable:
    """Compile all cells; raises `InvalidDmn` naming the rule or clause."""
    return CompiledTable(table, names)


__all__ = ["CompiledTable", "Hit", "InputClause", "TableFailed", "TableOutcome", "compile_table"]

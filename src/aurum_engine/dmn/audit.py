"""What an evaluation leaves behind: per decision its inputs, matched rules and output. JSON-shaped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aurum_engine.dmn.table import CompiledTable, TableOutcome
from aurum_engine.feel.api import to_json


@dataclass(frozen=True, slots=True)
class EvaluatedInput:
    """The value of an input column; `input_name` is its label, else its expression."""

    input_id: str
    input_name: str
    input_value: Any


@dataclass(frozen=True, slots=True)
class EvaluatedOutput:
    """The value of an output column in a matched rule; `rule_index` counts from 1."""

    output_id: str
    output_name: str
    output_value: Any
    rule_id: str | None
    rule_index: int | None


@dataclass(frozen=True, slots=True)
class MatchedRule:
    """A rule that counted, with its outputs; `rule_index` counts from 1."""

    rule_id: str
    rule_index: int
    outputs: tuple[EvaluatedOutput, ...]


@dataclass(frozen=True, slots=True)
class EvaluatedDecision:
    """One decision that was evaluated; `decision_type` is DECISION_TABLE, LITERAL_EXPRESSION, ..."""

    decision_id: str
    name: str
    decision_type: str
    output: Any
    inputs: tuple[EvaluatedInput, ...]
    matched_rules: tuple[MatchedRule, ...]


def table_audit(
    table: CompiledTable, outcome: TableOutcome
) -> tuple[tuple[EvaluatedInput, ...], tuple[MatchedRule, ...]]:
    """Return the evaluated inputs and matched rules of a table."""
    clauses = table.table
    inputs = tuple(
        EvaluatedInput(clause.input_id, clause.label, to_json(value))
        for clause, value in zip(clauses.inputs, outcome.inputs, strict=True)
    )
    rules = tuple(
        MatchedRule(
            hit.rule_id,
            hit.index,
            tuple(
                EvaluatedOutput(
                    clause.output_id, clause.name or clause.label, to_json(value), hit.rule_id, hit.index
                )
                for clause, value in zip(clauses.outputs, hit.outputs, strict=True)
            ),
        )
        for hit in outcome.hits
    )
    return inputs, rules

"""The door of DMN: parse a file once, evaluate its decisions with an audit. Pure.

Parsing raises `InvalidDmn` naming the element; evaluating raises nothing: a decision that cannot
be evaluated is a `DecisionResult` with `failure` set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aurum_engine.dmn.audit import EvaluatedDecision, EvaluatedInput, EvaluatedOutput, MatchedRule
from aurum_engine.dmn.errors import InvalidDmn
from aurum_engine.dmn.graph import DecisionFailed, Graph
from aurum_engine.dmn.xml import parse_definitions
from aurum_engine.feel.api import to_json
from aurum_engine.feel.runtime import JsonScope, Run

__all__ = [
    "DecisionInfo",
    "DecisionResult",
    "Drg",
    "EvaluatedDecision",
    "EvaluatedInput",
    "EvaluatedOutput",
    "InvalidDmn",
    "MatchedRule",
    "evaluate_decision",
    "parse_drg",
]


@dataclass(frozen=True, slots=True)
class DecisionInfo:
    """A decision of a file; `required` holds the ids of decisions it needs directly."""

    decision_id: str
    name: str
    required: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drg:
    """A decision requirements graph, parsed and compiled; share it freely."""

    drg_id: str
    name: str
    namespace: str
    decisions: tuple[DecisionInfo, ...]
    graph: Graph = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """Outcome of one evaluation.

    `output` is JSON-shaped. `decisions` is in requirement order, the asked one last. On failure
    `failure` and `failed_decision_id` are set, and `decisions` holds those evaluated before and, as
    far as it came, the failed one with output null.
    """

    output: Any
    decisions: tuple[EvaluatedDecision, ...]
    failure: str | None = None
    failed_decision_id: str | None = None


def parse_drg(xml: bytes) -> Drg:
    """Parse and compile a DMN file; raises `InvalidDmn` naming the element."""
    definitions = parse_definitions(xml)
    infos = tuple(
        DecisionInfo(decision.decision_id, decision.name, decision.required_decisions)
        for decision in definitions.decisions.values()
    )
    return Drg(definitions.drg_id, definitions.name, definitions.namespace, infos, Graph(definitions))


def evaluate_decision(
    drg: Drg, decision_id: str, variables: Mapping[str, Any], *, now_ms: int | None = None
) -> DecisionResult:
    """Evaluate a decision over JSON-shaped variables; `now_ms` is Unix time for `now()`."""
    if all(info.decision_id != decision_id for info in drg.decisions):
        return DecisionResult(None, (), f"no decision with id {decision_id!r}", decision_id)
    run = Run(now_ms, drg.graph.types.resolve)
    audit: list[EvaluatedDecision] = []
    try:
        value = drg.graph.evaluate(decision_id, JsonScope(variables, run), audit)
    except DecisionFailed as error:
        return DecisionResult(None, tuple(audit), error.reason, error.decision_id)
    return DecisionResult(to_json(value), tuple(audit))

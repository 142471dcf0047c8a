"""Run the DMN TCK against our DMN and FEEL.

`python -m tests.conformance.tck DIR [-v] [FILTER]` prints `N of 3391`, and how many of the cases
that Camunda's own engine passes (published in the TCK, `camunda8-results.csv`) pass here as well.
A case passes when every result node of it has the expected value; a failed evaluation is null, and
null is what the TCK expects wherever it expects an error.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from lxml import etree

from aurum_engine.dmn.errors import InvalidDmn
from aurum_engine.dmn.graph import DecisionFailed, Graph
from aurum_engine.dmn.xml import parse_definitions
from aurum_engine.feel import operators
from aurum_engine.feel.names import canonical
from aurum_engine.feel.runtime import Run, Scope
from aurum_engine.feel.temporal_text import parse_date, parse_date_time, parse_duration, parse_time
from aurum_engine.feel.values import type_name

NOW_MS = 1_800_000_000_000
_XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
_TEXT_PARSERS = {
    "date": parse_date,
    "time": parse_time,
    "dateTime": parse_date_time,
    "duration": parse_duration,
}


@dataclass(frozen=True)
class Outcome:
    """One case of the TCK: (folder, test file, case id), whether it passed, and why not."""

    key: tuple[str, str, str]
    passed: bool
    reason: str = ""


def _local(element: etree._Element) -> str:
    return etree.QName(element).localname


def _children(element: etree._Element, *names: str) -> list[etree._Element]:
    return [e for e in element if isinstance(e.tag, str) and (not names or _local(e) in names)]


def value_of(element: etree._Element) -> Any:
    """Return the FEEL value that a TCK element holds in `value`, `list` or `component` children."""
    if element.get(f"{_XSI}nil") == "true":
        return None
    members = _children(element, "component")
    if members:
        return {canonical(member.get("name") or ""): value_of(member) for member in members}
    for holder in _children(element, "value", "list"):
        if holder.get(f"{_XSI}nil") == "true":
            return None
        if _local(holder) == "list":
            return [value_of(item) for item in _children(holder, "item")]
        return _scalar(holder)
    return None


def _scalar(element: etree._Element) -> Any:
    text = element.text or ""
    kind = (element.get(f"{_XSI}type") or "string").rpartition(":")[2]
    if kind in ("decimal", "double", "integer", "int", "float"):
        return Decimal(text.strip())
    if kind == "boolean":
        return text.strip() == "true"
    parser = _TEXT_PARSERS.get(kind)
    return text if parser is None else parser(text.strip())


def same(actual: Any, expected: Any) -> bool:
    """Compare values; numbers to eight fraction digits as the TCK's own runner does."""
    if isinstance(actual, Decimal) and isinstance(expected, Decimal):
        return abs(actual - expected) <= max(Decimal("1e-8"), abs(expected) * Decimal("1e-13"))
    if isinstance(actual, list) and isinstance(expected, list):
        return len(actual) == len(expected) and all(map(same, actual, expected))
    if isinstance(actual, dict) and isinstance(expected, dict):
        return actual.keys() == expected.keys() and all(same(actual[key], expected[key]) for key in actual)
    if type_name(actual) != type_name(expected):
        return False
    return operators.equals(Run(), actual, expected) is True


def _load(folder: Path, model: str) -> Graph:
    definitions = parse_definitions((folder / model).read_bytes())
    return Graph(definitions)


def _evaluate(graph: Graph, case: etree._Element, node_name: str) -> Any:
    variables = {canonical(e.get("name") or ""): value_of(e) for e in _children(case, "inputNode")}
    run = Run(NOW_MS, graph.types.resolve)
    scope = Scope(variables, None, run)
    definitions = graph.definitions
    if case.get("type") == "decisionService":
        for element_id, service in definitions.services.items():
            if service.variable.name == canonical(case.get("invocableName") or ""):
                value = graph.call_service(element_id, scope, variables)
                return value[node_name] if len(service.outputs) > 1 and node_name in value else value
    for decision in definitions.decisions.values():
        if canonical(decision.name) == canonical(node_name):
            return graph.evaluate(decision.decision_id, scope, [])
    raise DecisionFailed(node_name, "no such decision")


def run_file(path: Path) -> Iterator[Outcome]:
    """Run all cases of one test file."""
    root = etree.parse(path).getroot()
    folder = path.parent
    label = f"{folder.parent.name}/{folder.name}"
    model = next((e.text or "" for e in _children(root, "modelName")), f"{folder.name}.dmn").strip()
    graph: Graph | None = None
    problem = ""
    try:
        graph = _load(folder, model)
    except InvalidDmn as error:
        problem = f"invalid: {error}"
    for case in _children(root, "testCase"):
        key = (label, path.stem, case.get("id") or "")
        yield Outcome(key, False, problem) if graph is None else _run_case(graph, case, key)


def _run_case(graph: Graph, case: etree._Element, key: tuple[str, str, str]) -> Outcome:
    for node in _children(case, "resultNode"):
        name = node.get("name") or ""
        expected = next((value_of(e) for e in _children(node, "expected")), None)
        try:
            actual = _evaluate(graph, case, name)
        except DecisionFailed as error:
            actual = None
            if expected is not None:
                return Outcome(key, False, f"{name}: failed with {error}")
        if not same(actual, expected):
            return Outcome(key, False, f"{name}: expected {expected!r}, got {actual!r}")
    return Outcome(key, True)


def run_all(root: Path, only: str = "") -> list[Outcome]:
    """Run every test file below a TCK folder."""
    files = sorted(root.glob("compliance-level-*/*/*.xml"))
    return [outcome for path in files if only in str(path) for outcome in run_file(path)]


def camunda_passes(root: Path) -> set[tuple[str, str, str]]:
    """Return the keys of the cases that Camunda's engine passes, as published."""
    with (root / "camunda8-results.csv").open(encoding="utf-8", newline="") as file:
        return {(row[0], row[1], row[2]) for row in csv.reader(file) if row[3] == "SUCCESS"}


def main(arguments: list[str]) -> None:
    """Print the totals; with `-v` also every failure."""
    root = Path(arguments[0])
    outcomes = run_all(root, next((a for a in arguments[1:] if not a.startswith("-")), ""))
    passed = {outcome.key for outcome in outcomes if outcome.passed}
    camunda = camunda_passes(root) & {outcome.key for outcome in outcomes}
    if "-v" in arguments:
        for outcome in outcomes:
            if not outcome.passed:
                mark = "C" if outcome.key in camunda else " "
                print(f"{mark} {'/'.join(outcome.key)}: {outcome.reason}")  # noqa: T201
    print(f"{sum(outcome.passed for outcome in outcomes)} of {len(outcomes)}")  # noqa: T201
    print(f"{len(passed & camunda)} of the {len(camunda)} cases Camunda passes")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])

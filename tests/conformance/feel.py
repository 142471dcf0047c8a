"""Run the published vectors of feel-scala against our FEEL.

`python -m tests.conformance.feel FILE.json [-v]` prints `N of M`. A vector is an expression, its
variables, the expected JSON value and how the original test asserted it. A vector whose text was
cut out of its test together with Scala code does not parse anywhere; it counts as not passed.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

from aurum_engine.feel.api import FeelSyntaxError, parse_expression, to_json


def same(actual: Any, expected: Any) -> bool:
    """Compare JSON values; doubles to 15 digits, because the original compares BigDecimals."""
    if isinstance(actual, bool) or isinstance(expected, bool):
        return actual is expected
    if isinstance(actual, int | float) and isinstance(expected, int | float):
        return math.isclose(actual, expected, rel_tol=1e-15)
    if isinstance(actual, list) and isinstance(expected, list):
        return len(actual) == len(expected) and all(map(same, actual, expected))
    if isinstance(actual, dict) and isinstance(expected, dict):
        return list(actual) == list(expected) and all(same(actual[key], expected[key]) for key in actual)
    return bool(actual == expected)


def passes(vector: dict[str, Any]) -> tuple[bool, str]:
    """Return whether a vector passes, and what came out."""
    try:
        evaluation = parse_expression(vector["expression"]).evaluate(vector["variables"], now_ms=0)
    except FeelSyntaxError as error:
        return vector["assertion"] == "failWith", f"syntax: {error}"
    actual = to_json(evaluation.value)
    if vector["assertion"] == "failWith":
        return evaluation.value is None and bool(evaluation.warnings), f"{actual!r} {evaluation.warnings[:1]}"
    return same(actual, vector["expected"]), f"{actual!r} {evaluation.warnings[:1]}"


def run(path: Path, *, verbose: bool = False) -> tuple[int, int]:
    """Return (passed, all) of a vector file; prints each failure when verbose."""
    vectors = json.loads(path.read_text(encoding="utf-8"))
    passed = 0
    for vector in vectors:
        good, shown = passes(vector)
        passed += good
        if verbose and not good:
            print(f"{vector['expression']!r} expected {vector['expected']!r}, got {shown}")  # noqa: T201
    return passed, len(vectors)


if __name__ == "__main__":
    totals = run(Path(sys.argv[1]), verbose="-v" in sys.argv)
    print(f"{totals[0]} of {totals[1]}")  # noqa: T201

"""Cells of a decision table from outside, with the surprising inputs a process can deliver."""

from __future__ import annotations

from typing import Any

import pytest

from aurum_engine.feel.api import FeelSyntaxError, parse_unary_tests


@pytest.mark.parametrize(
    ("cell", "value", "expected"),
    [
        ("-", None, True),
        ("< 10", 5, True),
        ("< 10", "5", None),
        ("< 10", None, None),
        ("> 1500000", "2000000", None),
        ("> 1500000", [2000000], None),
        ("> 1500000", {"amount": 2000000}, None),
        ("]0..150000000]", 0, False),
        ("]0..150000000]", 150000000, True),
        ("]0..150000000]", 150000000.01, False),
        ("[1..10[", 10, False),
        ('"low", "medium"', "medium", True),
        ('"low", "medium"', "high", False),
        ('not("low")', "high", True),
        ("not(< 3)", None, None),
        ("not(null)", 5, True),
        ("null", None, True),
        ("null", 0, False),
        ("true", False, False),
        ("true", True, True),
        ("? > 2 and ? < 4", 3, True),
        ("? > 2", "x", None),
        ("limit", 3, True),
        ("[1, 2, 3]", 3, True),
        ("list contains([1, 2], ?)", 2, True),
        ("2 + missing", None, True),
        ("2 + missing", 2, False),
        ("? + 1", 2, 3),
    ],
)
def test_a_cell_tests_a_value(cell: str, value: Any, expected: Any) -> None:
    assert parse_unary_tests(cell).evaluate(value, {"limit": 3}).value == expected


@pytest.mark.parametrize("cell", ["", "<", "1,", "not(", "[1..", "a b"])
def test_a_faulty_cell_is_refused(cell: str) -> None:
    with pytest.raises(FeelSyntaxError):
        parse_unary_tests(cell)

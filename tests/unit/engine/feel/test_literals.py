"""What an expression says about itself, without being evaluated."""

from __future__ import annotations

from typing import Any

import pytest

from aurum_engine.feel.api import parse_tree
from aurum_engine.feel.literals import NotLiteral, calls_of, last_name, literal_value


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("null", None),
        ("-3.5", -3.5),
        ('[1, "a", true]', [1, "a", True]),
        ('{enum: ["EUR"], "with space": {}}', {"enum": ["EUR"], "with space": {}}),
    ],
)
def test_a_written_out_value_is_json(source: str, value: Any) -> None:
    assert literal_value(parse_tree(source)) == value


@pytest.mark.parametrize("source", ["x", "1 + 1", "[x]", "{a: now()}", "- x", '"a" + "b"'])
def test_what_must_be_computed_is_no_literal(source: str) -> None:
    with pytest.raises(NotLiteral):
        literal_value(parse_tree(source))


@pytest.mark.parametrize(
    ("source", "name"), [("toolCall.a.b", "b"), ("a", "a"), ("f(a).b", None), ("1", None)]
)
def test_the_last_name_of_a_reference(source: str, name: str | None) -> None:
    assert last_name(parse_tree(source)) == name


def test_calls_are_found_wherever_they_stand() -> None:
    tree = parse_tree('{a: if f(1) then [f(2)] else "f(3)", b: for i in f(4) return g(f(5))}')

    assert [literal_value(call.arguments[0]) for call in calls_of(tree, "f")] == [1, 2, 4, 5]

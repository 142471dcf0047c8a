"""Hostile expressions end with null and a warning, soon."""

from __future__ import annotations

import pytest

from aurum_engine.feel.api import FeelSyntaxError, parse_expression, to_json

_SHARED = "{a: [1,1,1,1,1,1,1,1,1,1], " + ", ".join(
    f"{name}: [{','.join([previous] * 10)}]" for previous, name in zip("abcdefg", "bcdefgh", strict=True)
)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("for x in 1..999999999 return x", id="a huge range"),
        pytest.param("{f: function(n) f(n + 1), r: f(1)}.r", id="endless recursion"),
        pytest.param("for x in 1..100000 return partial", id="quadratic results"),
        pytest.param(_SHARED + "}", id="a result that is huge as JSON"),
        pytest.param(_SHARED + ", r: h = h}.r", id="equality of shared parts"),
        pytest.param(_SHARED + ", r: string(h)}.r", id="text of shared parts"),
        pytest.param(_SHARED + ", r: flatten(h)}.r", id="flattening shared parts"),
        pytest.param("distinct values(for i in 1..100000 return i)", id="quadratic comparisons"),
    ],
)
@pytest.mark.slow  # Two million steps are spent before the budget ends, up to a second.
def test_an_evaluation_ends_within_its_budget(source: str) -> None:
    evaluation = parse_expression(source).evaluate({})

    assert evaluation.value is None
    assert evaluation.warnings[-1].kind == "BUDGET_EXCEEDED"


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a|a)*$",
        "((a+)+)+$",
        "(a*)*b",
        "a?" * 40 + "a" * 40,
        "a*a*a*a*a*a*a*b",
        "(a|ab)(c|bcd)+(d*)+",
    ],
)
def test_a_pattern_that_could_run_for_ever_is_refused(pattern: str) -> None:
    evaluation = parse_expression("matches(text, pattern)").evaluate(
        {"text": "a" * 60 + "!", "pattern": pattern}
    )

    assert evaluation.value is None
    assert "takes too long" in evaluation.warnings[-1].message


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$", "sarah.chen@example.com"),
        (r"^\d{3}-\d{2}-\d{4}$", "123-45-6789"),
        (r"\p{L}+", "Zoë"),
        ("[a-z-[aeiou]]+", "xyz"),
    ],
)
def test_a_usual_pattern_is_not_refused(pattern: str, text: str) -> None:
    assert parse_expression("matches(t, p)").evaluate({"t": text, "p": pattern}).value is True


@pytest.mark.parametrize("source", ["(" * 5000, "-" * 5000 + "1", "[" * 300 + "]" * 300, "a" + ".b" * 20_000])
def test_text_that_is_nested_too_deeply_is_a_syntax_error(source: str) -> None:
    with pytest.raises(FeelSyntaxError):
        parse_expression(source)


def test_nested_tests_are_read_once_and_not_again_per_level() -> None:
    source = "1 in (" * 60 + "1" + ")" * 60

    assert parse_expression(source).evaluate({}).value is not None


def test_json_deeper_than_any_document_is_cut_to_null() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]

    assert to_json(parse_expression("x[1] = null").evaluate({"x": deep}).value) is False

"""FEEL expressions from outside: values, three-valued logic, names, warnings."""

from __future__ import annotations

from typing import Any

import pytest

from aurum_engine.feel.api import FeelSyntaxError, parse_expression, to_json


def feel(source: str, **variables: Any) -> Any:
    return to_json(parse_expression(source).evaluate(variables, now_ms=1_700_000_000_000).value)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("2 ** 3 ** 2", 64),
        ("-2 ** 2", 4),
        ("10 / 4", 2.5),
        ("0.1 + 0.2", 0.3),
        ('"a" + "b"', "ab"),
        ('"a" + 1', None),
        ("1 / 0", None),
        ("true and null", None),
        ("false and null", False),
        ("true or null", True),
        ("null or false", None),
        ("if null then 1 else 2", 2),
        ("5 between 1 and 10", True),
        ("5 in (1..5)", False),
        ("5 in (1..5]", True),
        ("5 in ? < 10", True),
        ("5 in (< 3, > 4)", True),
        ("[1,2,3,4][item > 2]", [3, 4]),
        ("[1,2,3][-1]", 3),
        ("[1,2,3][5]", None),
        ("[{a: 1}, {a: 2}].a", [1, 2]),
        ("for x in 1..3, y in [10, 20] return x * y", [10, 20, 20, 40, 30, 60]),
        ("for x in 3..1 return x", [3, 2, 1]),
        ("for i in 1..4 return if i = 1 then 1 else sum(partial) + 1", [1, 2, 4, 8]),
        ("some x in [1, 2] satisfies x > 1", True),
        ("every x in [1, 2] satisfies x > 1", False),
        ("{a b: 1, c: a b + 1}.c", 2),
        ("{foo+bar: 1}.`foo+bar`", 1),
        ("(function(a, b) a - b)(b: 1, a: 3)", 2),
        ("{fac: function(n) if n < 2 then 1 else n * fac(n - 1), r: fac(10)}.r", 3628800),
        ('@"2024-02-28" + @"P2D"', "2024-03-01"),
        ('date("2024-01-31") + duration("P1M")', "2024-02-29"),
        ('@"2024-03-30T12:00:00@Europe/Berlin" + @"P1D"', "2024-03-31T13:00:00+02:00[Europe/Berlin]"),
        ('(@"2024-03-01" - @"2024-02-01").days', 29),
        ('time("10:00:00+02:00") = time("08:00:00Z")', True),
        ("[1,2] instance of list<number>", True),
        ('[1,"a"] instance of list<number>', False),
        ("null instance of number", False),
        ("is defined(missing.member)", False),
        ('get or else(missing, "x")', "x"),
        ('fromAi(toolCall.amount, "the amount", "number")', None),
        ("1 // comment\n + /* another */ 1", 2),
        ("today()", "2023-11-14"),
        ("now()", "2023-11-14T22:13:20Z"),
    ],
)
def test_an_expression_has_its_value(source: str, expected: Any) -> None:
    assert feel(source) == expected


def test_an_unknown_variable_is_null_with_a_warning() -> None:
    evaluation = parse_expression("amount > 5").evaluate({})

    assert evaluation.value is None
    assert evaluation.warnings[0].kind == "NO_VARIABLE_FOUND"
    assert "'amount'" in evaluation.warnings[0].message


@pytest.mark.parametrize("amount", ["2000000", "", None, True, [2000000], [1], {"amount": 1}, "1,500,001"])
def test_what_is_no_number_compares_to_null(amount: Any) -> None:
    assert feel("amount <= 1500000", amount=amount) is None
    assert feel("amount > 1500000", amount=amount) is None


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_double_that_is_no_number_is_null(number: float) -> None:
    assert feel("x = null", x=number) is True


def test_a_double_is_the_decimal_it_shows() -> None:
    assert feel("x = 1500000.01", x=1500000.01) is True
    assert feel("x = 9007199254740993", x=9007199254740993) is True


def test_a_variable_hides_a_built_in_value_but_not_a_built_in_function() -> None:
    assert feel("count", count=3) == 3
    assert feel("count([1, 2])", count=3) == 2


def test_now_without_an_instant_is_null_with_a_warning() -> None:
    evaluation = parse_expression("now()").evaluate({})

    assert evaluation.value is None
    assert "no instant" in evaluation.warnings[0].message


def test_assert_ends_the_whole_evaluation() -> None:
    evaluation = parse_expression('list contains(assert(x, x > 5, "too small"), 1)').evaluate({"x": 1})

    assert evaluation.value is None
    assert evaluation.warnings[-1].kind == "ASSERT_FAILURE"
    assert "too small" in evaluation.warnings[-1].message


def test_randomness_is_refused_rather_than_invented() -> None:
    assert feel("uuid()") is None
    assert feel("random number()") is None


@pytest.mark.parametrize(
    ("source", "position"),
    [
        ("1 +", 3),
        ("(1", 2),
        ("if a then b", 11),
        ("[1, 2", 5),
        ("a b", 2),
        ("{a 1}", 4),
        ('"open', 0),
        ("", 0),
    ],
)
def test_text_that_is_not_feel_is_refused_with_its_position(source: str, position: int) -> None:
    with pytest.raises(FeelSyntaxError) as raised:
        parse_expression(source)

    assert raised.value.position == position


def test_a_parsed_expression_is_kept() -> None:
    assert parse_expression("1 + 41") is parse_expression("1 + 41")


def test_only_what_is_named_is_converted() -> None:
    class Untouchable(dict[str, Any]):
        def items(self) -> Any:
            raise AssertionError("converted a variable that the expression does not use")

    assert feel("a.b + 1", a={"b": 1}, big=Untouchable(x=1)) == 2
    assert feel("a.b + 1", a=Untouchable(b=1)) == 2

"""Invariants of FEEL: no text and no value makes it raise, numbers and dates obey their laws."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aurum_engine.feel.api import (
    Expression,
    FeelSyntaxError,
    from_json,
    parse_expression,
    parse_unary_tests,
    to_json,
)

pytestmark = pytest.mark.slow  # Hypothesis runs each property a hundred times or more.

_WORD_TEXT = """\
if then else for in return some every satisfies between and or not instance of function true false null
x y ? item partial count sum date time duration string number date and time substring matches replace sort
( ) [ ] { } , : . .. + - * / ** = != < <= > >= @ " ` 1 2.5 .5 1e9 "a" "(a+)+" @"P1D" @"2024-01-31"
@"10:00:00" list<number> // /* \\ ' #"""
_WORDS = _WORD_TEXT.split()
feel_text = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(_WORDS), max_size=14).map(" ".join))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)
small_numbers = st.decimals(
    allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12, places=4
)
dates = st.dates(min_value=datetime.date(1, 1, 1))


def _parsed(source: str) -> Expression | None:
    try:
        return parse_expression(source)
    except FeelSyntaxError:
        return None


def _value(source: str, **variables: Any) -> Any:
    return parse_expression(source).evaluate(variables).value


@given(feel_text, json_values, json_values)
@settings(max_examples=400, deadline=None)
def test_any_text_is_an_expression_or_a_syntax_error_and_never_raises_when_evaluated(
    source: str, x: Any, y: Any
) -> None:
    expression = _parsed(source)

    if expression is not None:
        to_json(expression.evaluate({"x": x, "y": y}, now_ms=0).value)


@given(feel_text, json_values)
@settings(max_examples=200, deadline=None)
def test_any_text_is_a_unary_test_or_a_syntax_error(source: str, value: Any) -> None:
    try:
        tests = parse_unary_tests(source)
    except FeelSyntaxError:
        return

    tests.evaluate(value, {"x": 1}, now_ms=0)


@given(json_values)
def test_json_goes_through_feel_unchanged_but_for_numbers_without_json(value: Any) -> None:
    once = to_json(from_json(value))

    assert to_json(from_json(once)) == once


@given(st.integers(min_value=-(10**30), max_value=10**30))
def test_whole_numbers_go_through_feel_exactly(number: int) -> None:
    assert to_json(from_json(number)) == number


@given(small_numbers, small_numbers)
def test_arithmetic_agrees_with_decimal(a: Decimal, b: Decimal) -> None:
    variables = {"a": a, "b": b}

    assert _value("a + b", **variables) == a + b
    assert _value("a - b", **variables) == a - b
    assert _value("a * b = b * a", **variables) is True
    assert _value("a < b", **variables) is (a < b)


@given(small_numbers, small_numbers.filter(bool))
def test_modulo_has_the_sign_of_the_divisor_and_completes_the_floor(a: Decimal, b: Decimal) -> None:
    remainder = _value("modulo(a, b)", a=a, b=b)

    assert abs(remainder) < abs(b)
    assert remainder == 0 or (remainder < 0) == (b < 0)


@given(dates, st.integers(min_value=-100_000, max_value=100_000))
def test_a_date_plus_days_minus_days_is_the_date(day: datetime.date, shift: int) -> None:
    moved = _value("date(d) + duration(n) - duration(n)", d=day.isoformat(), n=f"P{abs(shift)}D")

    assert to_json(moved) == day.isoformat()


@given(dates, dates)
def test_the_difference_of_dates_is_that_of_the_standard_library(a: datetime.date, b: datetime.date) -> None:
    assert to_json(_value("(date(a) - date(b)).days", a=a.isoformat(), b=b.isoformat())) == (a - b).days


@given(dates)
def test_weekday_and_week_agree_with_the_standard_library(day: datetime.date) -> None:
    assert to_json(_value("date(d).weekday", d=day.isoformat())) == day.isoweekday()
    assert to_json(_value("week of year(date(d))", d=day.isoformat())) == day.isocalendar().week


@given(st.integers(min_value=-999_999_999, max_value=999_999_999), st.integers(1, 12), st.integers(1, 28))
def test_dates_of_any_year_go_through_text_unchanged(year: int, month: int, day: int) -> None:
    variables = {"y": year, "m": month, "d": day}

    assert _value("date(string(date(y, m, d))) = date(y, m, d)", **variables) is True
    assert _value('date(y, m, d) + duration("P1D") - duration("P1D") = date(y, m, d)', **variables) is True


@given(st.integers(min_value=-(10**15), max_value=10**15))
def test_durations_go_through_text_unchanged(seconds: int) -> None:
    source = 'string(duration(string(@"PT1S" * n))) = string(@"PT1S" * n)'

    assert _value(source, n=seconds) is True


@given(json_values)
def test_no_json_value_but_a_number_in_range_passes_a_number_test(value: Any) -> None:
    passed = parse_unary_tests("]0..150000000]").evaluate(value, {}).value is True

    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    assert passed == (is_number and 0 < value <= 150_000_000)

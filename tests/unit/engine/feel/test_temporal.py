"""Dates, times and durations from outside: odd texts, far years, zones, JSON."""

from __future__ import annotations

from typing import Any

import pytest

from aurum_engine.feel.api import parse_expression, to_json


def feel(source: str) -> Any:
    return to_json(parse_expression(source).evaluate({}).value)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('date("2023-02-29")', None),
        ('date("0000-01-01")', "0000-01-01"),
        ('date("999999999-12-31").year', 999999999),
        ('date("999999999-12-31") + duration("P1D")', None),
        ('date("-999999999-01-01").year', -999999999),
        ('date("2012-12-31T00:00:00")', None),
        ('time("24:00:00")', None),
        ('time("10:30")', None),
        ('time("10:00:00@Nowhere/City")', None),
        ('time("23:59:59") + duration("PT2S")', "00:00:01"),
        ('@"2021-01-01T24:00:00"', "2021-01-02T00:00:00"),
        ('date and time("2018-12-08")', "2018-12-08T00:00:00"),
        ('date and time("2018-12-08T10:00:00.123456789+05:30")', "2018-12-08T10:00:00.123456789+05:30"),
        ('@"2018-12-08T10:00:00" < @"2018-12-08T10:00:00Z"', None),
        ('@"2002-04-02T12:00:00-01:00" = @"2002-04-02T17:00:00+04:00"', True),
        ('date and time(@"2024-07-01T12:00:00Z", "America/Sao_Paulo").hour', 9),
        ('duration("P1Y2M")', "P1Y2M"),
        ('duration("PT36H")', "P1DT12H"),
        ('duration("P1Y1D")', None),
        ('duration("-PT0S")', "P0D"),
        ('years and months duration(date("2020-02-29"), date("2021-02-28"))', "P11M"),
        ('@"P1D" / @"PT1H"', 24),
        ('@"P1Y" / 5', "P2M"),
        ('@"P1Y" + @"P1D"', None),
        ('last day of month(date("2024-02-01"))', "2024-02-29"),
        ('day of week(date("2026-11-30"))', "Monday"),
        ('@"nonsense"', None),
    ],
)
def test_a_temporal_expression_has_its_value(source: str, expected: Any) -> None:
    assert feel(source) == expected

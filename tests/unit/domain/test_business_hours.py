"""Business hours: weekends, holidays, summer time; and that a promise is used up by open time only."""

from __future__ import annotations

import itertools
from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aurum.domain.business_hours import (
    ZONE,
    is_holiday,
    open_ms_between,
    windows_from,
    windows_of,
)

HOUR_MS = 3_600_000


def ms(year: int, month: int, day: int, hour: int, minute: int = 0) -> int:
    return int(datetime(year, month, day, hour, minute, tzinfo=ZONE).timestamp() * 1000)


@pytest.mark.parametrize(
    "day",
    [
        date(2026, 1, 1),
        date(2026, 1, 19),
        date(2026, 2, 16),
        date(2026, 5, 25),
        date(2026, 6, 19),
        date(2027, 7, 5),
        date(2026, 9, 7),
        date(2026, 10, 12),
        date(2026, 11, 11),
        date(2026, 11, 26),
        date(2026, 12, 25),
    ],
    ids=str,
)
def test_the_holidays_of_the_federal_reserve_are_closed(day: date) -> None:
    assert is_holiday(day)


def test_a_holiday_on_a_saturday_is_not_moved() -> None:
    assert not is_holiday(date(2026, 7, 3))


def test_sixteen_hours_from_friday_noon_end_on_tuesday_noon() -> None:
    windows = windows_of(ms(2026, 12, 4, 12), 16 * HOUR_MS)

    assert windows[-1].end_ms == ms(2026, 12, 8, 12)
    assert [window.start_ms for window in windows] == [
        ms(2026, 12, 4, 12),
        ms(2026, 12, 7, 9),
        ms(2026, 12, 8, 9),
    ]


def test_a_case_that_comes_at_night_starts_its_clock_in_the_morning() -> None:
    assert next(windows_from(ms(2026, 12, 1, 3))).start_ms == ms(2026, 12, 1, 9)


def test_thanksgiving_does_not_count() -> None:
    assert open_ms_between(ms(2026, 11, 25, 16), ms(2026, 11, 27, 10)) == 2 * HOUR_MS


def test_a_day_of_summer_time_change_is_as_long_as_any() -> None:
    assert open_ms_between(ms(2026, 3, 6, 9), ms(2026, 3, 9, 17)) == 16 * HOUR_MS


@settings(max_examples=60)
@given(
    since=st.integers(ms(2024, 1, 1, 0), ms(2030, 1, 1, 0)),
    hours=st.integers(1, 80),
    asked=st.integers(0, 20 * 24),
)
def test_windows_add_up_to_what_was_promised_and_time_never_runs_backwards(
    since: int, hours: int, asked: int
) -> None:
    windows = windows_of(since, hours * HOUR_MS)

    assert sum(window.end_ms - window.start_ms for window in windows) == hours * HOUR_MS
    assert open_ms_between(since, windows[-1].end_ms) == hours * HOUR_MS
    assert open_ms_between(since, since + asked * HOUR_MS) <= asked * HOUR_MS
    assert all(one.end_ms <= two.start_ms for one, two in itertools.pairwise(windows))

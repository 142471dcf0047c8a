"""Timer texts to moments."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aurum_engine.bpmn.model import TimerKind
from aurum_engine.bpmn.schedule import InvalidSchedule, next_of_cycle, parse_date, parse_duration, schedule


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1_000)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("PT1H30M", "2026-01-01T00:00:00", "2026-01-01T01:30:00"),
        ("P1M", "2026-01-31T12:00:00", "2026-02-28T12:00:00"),
        ("P1Y", "2024-02-29T00:00:00", "2025-02-28T00:00:00"),
        ("P2W", "2026-01-01T00:00:00", "2026-01-15T00:00:00"),
        ("-PT5S", "2026-01-01T00:00:05", "2026-01-01T00:00:00"),
        ("PT0.5S", "2026-01-01T00:00:00", "2026-01-01T00:00:00.5"),
    ],
)
def test_a_duration_is_added_by_calendar_and_clock(text: str, start: str, end: str) -> None:
    assert parse_duration(text).after(at(start)) == at(end)


@pytest.mark.parametrize("text", ["", "P", "PT", "1H", "P1H", "PT1H2", "P1DT", "soon"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(InvalidSchedule):
        parse_duration(text)


@pytest.mark.parametrize(
    "text",
    [
        "2026-06-01T10:00:00Z",
        "2026-06-01T12:00:00+02:00",
        "2026-06-01T12:00:00[Europe/Paris]",
        "2026-06-01T12:00:00+02:00[Europe/Paris]",
        "2026-06-01T12:00:00@Europe/Paris",
    ],
)
def test_a_date_needs_an_offset_or_a_zone(text: str) -> None:
    assert parse_date(text) == at("2026-06-01T10:00:00")


@pytest.mark.parametrize("text", ["2026-06-01", "2026-06-01T10:00:00", "tomorrow", "2026-06-01T10:00@Mars/X"])
def test_a_date_without_zone_is_refused(text: str) -> None:
    with pytest.raises(InvalidSchedule):
        parse_date(text)


def test_a_cycle_that_began_in_the_past_keeps_its_grid() -> None:
    found = schedule(TimerKind.CYCLE, "R/2026-01-01T00:00:00Z/P1D", at("2026-03-05T07:00:00"))

    assert found.due_ms == at("2026-03-06T00:00:00")
    assert next_of_cycle(found.cycle, found.due_ms) == at("2026-03-07T00:00:00")


@pytest.mark.parametrize(
    ("cron", "after", "expected"),
    [
        ("0 0 9-17 * * MON-FRI", "2026-11-28T10:00:00", "2026-11-30T09:00:00"),
        ("0 */15 * * * *", "2026-11-30T10:16:00", "2026-11-30T10:30:00"),
        ("@monthly", "2026-11-30T10:16:00", "2026-12-01T00:00:00"),
        ("0 0 0 29 2 *", "2026-11-30T10:16:00", "2028-02-29T00:00:00"),
    ],
)
def test_cron_finds_its_next_moment(cron: str, after: str, expected: str) -> None:
    assert schedule(TimerKind.CYCLE, cron, at(after)).due_ms == at(expected)


@pytest.mark.parametrize("text", ["R0/PT1H", "R/PT0S", "R/-PT1H", "0 0 0 30 2 *", "61 * * * * *", "* *"])
def test_a_cycle_that_cannot_move_is_refused(text: str) -> None:
    with pytest.raises(InvalidSchedule):
        schedule(TimerKind.CYCLE, text, 0)


@given(st.text(max_size=40), st.sampled_from(list(TimerKind)))
def test_any_text_is_a_schedule_or_refused(text: str, kind: TimerKind) -> None:
    with suppress(InvalidSchedule):
        schedule(kind, text, 0)

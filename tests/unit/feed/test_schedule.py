"""When to look again."""

import itertools

from aurum.feed.schedule import MOVING_MAX_MS, PATIENCE_MS, LookSchedule


def looks(
    schedule: LookSchedule, key: str, until_ms: int, *, changed_at: int | None, resting: bool
) -> list[int]:
    """Simulate looks that take no time; return when they happened."""
    happened: list[int] = []
    while (due := schedule.next_due_ms()) is not None and due <= until_ms:
        happened.append(due)
        changed = changed_at is not None and due >= changed_at
        if changed:
            changed_at = None
        schedule.looked(key, started_ms=due, now_ms=due, changed=changed, resting=resting)
    return happened


def test_a_hint_looks_at_once_and_again_until_the_change_shows() -> None:
    schedule = LookSchedule()
    schedule.hint("1", 1_000)

    assert looks(schedule, "1", 1_600, changed_at=None, resting=False) == [1_000, 1_050, 1_200, 1_500]


def test_a_resting_instance_costs_nothing_once_its_change_is_seen() -> None:
    schedule = LookSchedule()
    schedule.hint("1", 0)
    looks(schedule, "1", 1_000, changed_at=50, resting=True)

    assert schedule.next_due_ms() is None


def test_a_hint_outweighs_a_resting_picture_for_longer_than_the_search_lags() -> None:
    schedule = LookSchedule()
    schedule.hint("1", 0)
    happened = looks(schedule, "1", 60_000, changed_at=None, resting=True)

    assert happened[-1] >= 3_000
    assert happened[-1] <= PATIENCE_MS + 2 * MOVING_MAX_MS
    assert schedule.next_due_ms() is None


def test_a_hint_during_a_look_is_not_lost() -> None:
    schedule = LookSchedule()
    schedule.hint("1", 0)
    schedule.hint("1", 10)
    schedule.looked("1", started_ms=0, now_ms=20, changed=True, resting=True)

    assert schedule.due(20) == ["1"]


def test_a_moving_instance_is_looked_at_more_and_more_slowly() -> None:
    schedule = LookSchedule()
    schedule.wake("1", 0)
    happened = looks(schedule, "1", 30_000, changed_at=None, resting=False)

    gaps = [later - earlier for earlier, later in itertools.pairwise(happened)]
    assert gaps == sorted(gaps)
    assert gaps[-1] == MOVING_MAX_MS

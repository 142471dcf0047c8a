"""Reference rates: the last published day counts, nothing is guessed."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from aurum.domain.rates import EuroTable

FRIDAY, SUNDAY, MONDAY = date(2026, 10, 30), date(2026, 11, 1), date(2026, 11, 2)
TABLE = EuroTable(
    {
        "USD": {FRIDAY: Decimal("1.1172"), MONDAY: Decimal("1.12")},
        "JPY": {FRIDAY: Decimal("171.5"), MONDAY: Decimal("172")},
        "GBP": {FRIDAY: Decimal("0.8765")},
    }
)


def test_a_weekend_repeats_the_last_published_day() -> None:
    found = TABLE.published("EUR", "USD", SUNDAY)

    assert found is not None
    assert (found.rate, found.day) == (Decimal("1.1172"), FRIDAY)


def test_two_currencies_meet_over_the_euro() -> None:
    found = TABLE.published("USD", "JPY", FRIDAY)
    back = TABLE.published("JPY", "EUR", FRIDAY)

    assert found is not None
    assert back is not None
    assert found.rate == Decimal("153.508771929825")
    assert back.rate == Decimal("0.005830903790")


def test_what_was_not_published_that_day_has_no_rate() -> None:
    assert TABLE.published("EUR", "GBP", MONDAY) is None
    assert TABLE.published("XXX", "USD", MONDAY) is None
    assert TABLE.published("EUR", "USD", date(1998, 1, 1)) is None
    assert TABLE.symbols(MONDAY) == ("EUR", "JPY", "USD")
    assert TABLE.symbols(date(1998, 1, 1)) == ()


def test_the_dollar_needs_no_rate() -> None:
    dollar = TABLE.rate_to_usd("USD", date(1998, 1, 1))

    assert dollar is not None
    assert dollar.to_usd == 1
    assert TABLE.rate_to_usd("GBP", MONDAY) is None

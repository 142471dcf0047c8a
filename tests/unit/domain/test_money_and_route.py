"""The quote, the limits, and the second opinion on straight-through opening."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from aurum.domain.accounts import account_number, is_account_number
from aurum.domain.checks import CHECK_NAMES, worst
from aurum.domain.quotes import Rate, cross_rate, quote_deposit, rate_text
from aurum.domain.routing import may_open_without_person, needs_second_approval, within_auto_limit

DAY = date(2026, 10, 30)
HASH = "sha256:" + "a" * 64


class Table:
    """Three rates of one day."""

    def rate_to_usd(self, currency: str, day: date) -> Rate | None:
        rates = {
            "USD": Decimal(1),
            "EUR": Decimal("1.1172"),
            "JPY": cross_rate(Decimal("1.1172"), Decimal("171.33")),
        }
        return Rate(rates[currency], DAY, "table") if currency in rates and day >= DAY else None


def cents(amount: object, currency: str) -> int | None:
    return quote_deposit({"amount": amount, "currency": currency}, Table(), on=DAY).deposit_usd_cents


@pytest.mark.parametrize(
    ("amount", "currency", "expected"),
    [
        ("480000.00", "USD", 48_000_000),
        ("1342642.31", "EUR", 149_999_999),
        ("1342642.32", "EUR", 150_000_000),
        ("1342642.33", "EUR", 150_000_001),
        ("200000000", "JPY", 130_415_000),
    ],
)
def test_deposits_become_whole_cents_half_even(amount: str, currency: str, expected: int) -> None:
    assert abs((cents(amount, currency) or 0) - expected) <= (0 if currency != "JPY" else 1_000)


def test_the_stored_rate_repeats_the_multiplication() -> None:
    quote = quote_deposit({"amount": "200000000", "currency": "JPY"}, Table(), on=DAY)

    assert quote.rate is not None
    assert round(Decimal(quote.amount) * Decimal(quote.rate) * 100) == quote.deposit_usd_cents


@pytest.mark.parametrize(
    ("amount", "currency", "reason"),
    [
        ("5.00", "BRL", "RATE_UNAVAILABLE"),
        ("5.001", "USD", "AMOUNT_TOO_PRECISE"),
        (5.0, "USD", "AMOUNT_NOT_TEXT"),
        (None, "USD", "AMOUNT_NOT_TEXT"),
        ("999999999999999999", "EUR", "AMOUNT_TOO_LONG"),
    ],
)
def test_without_a_number_there_is_a_reason(amount: object, currency: str, reason: str) -> None:
    quote = quote_deposit({"amount": amount, "currency": currency}, Table(), on=DAY)

    assert (quote.deposit_usd_cents, quote.reason) == (None, reason)


def test_rates_are_plain_text() -> None:
    assert rate_text(Decimal("1.117200000000")) == "1.1172"
    assert rate_text(Decimal("1E+2")) == "100"
    assert rate_text(Decimal(1)) == "1"


VECTORS: list[tuple[object, bool]] = [
    (1, True),
    (149_999_999, True),
    (150_000_000, True),
    (150_000_001, False),
    (0, False),
    (-1, False),
    (9_007_199_254_740_993, False),
    (True, False),
    (1.0, False),
    (150_000_000.0, False),
    (1e308 * 10, False),
    ("150000000", False),
    ("1,500,001", False),
    ("", False),
    (None, False),
    ([2_000_000], False),
    ({"amount": 2_000_000}, False),
    (Decimal(5), False),
]


@pytest.mark.parametrize(("value", "allowed"), VECTORS, ids=repr)
def test_only_integers_within_the_limit_need_no_person(value: object, allowed: bool) -> None:
    assert within_auto_limit(value) is allowed


def clear_checks() -> dict[str, Any]:
    return {name: {"outcome": "clear", "basisHash": HASH} for name in CHECK_NAMES}


def test_a_clean_case_needs_no_person() -> None:
    assert may_open_without_person(
        deposit_usd_cents=48_000_000, risk_band="medium", checks=clear_checks(), application_hash=HASH
    )


@pytest.mark.parametrize("name", CHECK_NAMES)
@pytest.mark.parametrize(
    "check",
    [
        None,
        {},
        {"outcome": "review", "basisHash": HASH},
        {"outcome": "clear", "basisHash": "sha256:old"},
        "clear",
    ],
    ids=["absent", "empty", "review", "other application", "text"],
)
def test_a_check_that_is_not_clear_about_this_application_needs_a_person(name: str, check: object) -> None:
    assert not may_open_without_person(
        deposit_usd_cents=1, risk_band="low", checks=clear_checks() | {name: check}, application_hash=HASH
    )


@pytest.mark.parametrize("band", ["high", "LOW", "", None, 1, ["low"]])
def test_any_other_band_needs_a_person(band: object) -> None:
    assert not may_open_without_person(
        deposit_usd_cents=1, risk_band=band, checks=clear_checks(), application_hash=HASH
    )


def test_four_eyes_begin_strictly_above_five_million() -> None:
    assert not needs_second_approval(500_000_000)
    assert needs_second_approval(500_000_001)


def test_the_worst_outcome_counts() -> None:
    assert worst(["clear", "failed", "review"]) == "failed"
    assert worst([]) == "clear"


def test_account_numbers_are_stable_and_typos_are_found() -> None:
    number = account_number("cabc")

    assert number == account_number("cabc") != account_number("cabd")
    assert is_account_number(number)
    flipped = number[:6] + str((int(number[6]) + 1) % 10) + number[7:]
    assert not is_account_number(flipped)
    assert not is_account_number(number + "0")

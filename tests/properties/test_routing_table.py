"""The shipped routing table never says `auto` for anything but a whole, bounded, clean case."""

from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aurum.money import InvalidAmount, parse_amount, usd_cents
from aurum.resources import resource_dir
from aurum_engine.dmn.api import Drg, evaluate_decision, parse_drg

HASH = "sha256:" + "1" * 64
CLEAR = {name: {"outcome": "clear", "basisHash": HASH} for name in ("identity", "tax", "sanctions", "pep")}
LIMIT = 150_000_000

any_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.integers(LIMIT - 2, LIMIT + 2)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([150_000_000.5, 1.5e8, 0, -0.0, "150000000", "1,500,001", "auto"])
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@cache
def table() -> Drg:
    return parse_drg((resource_dir("dmn") / "onboarding-route.dmn").read_bytes())


def route(cents: Any, *, band: Any = "low", checks: Any = CLEAR, application: Any = None) -> Any:
    variables = {
        "depositUsdCents": cents,
        "risk": {"band": band, "score": 5, "factors": []},
        "checks": checks,
        "application": {"hash": HASH} if application is None else application,
    }
    result = evaluate_decision(table(), "onboarding_route", variables)
    assert result.failure is None
    return result.output["route"]


@given(cents=any_json)
@settings(max_examples=300)
def test_auto_means_a_whole_number_of_cents_within_the_limit(cents: Any) -> None:
    if route(cents) == "auto":
        assert not isinstance(cents, bool)
        assert isinstance(cents, int | float)
        assert cents == int(cents)
        assert 0 < cents <= LIMIT


@given(band=any_json, cents=st.integers(1, LIMIT))
def test_auto_means_a_low_or_medium_band(band: Any, cents: int) -> None:
    if route(cents, band=band) == "auto":
        assert band in ("low", "medium")


@given(name=st.sampled_from(sorted(CLEAR)), odd=any_json, cents=st.integers(1, LIMIT))
def test_auto_means_four_clear_checks_of_this_application(name: str, odd: Any, cents: int) -> None:
    assert route(cents, checks={**CLEAR, name: odd}) == "advisor"
    assert route(cents, checks={**CLEAR, name: {"outcome": odd, "basisHash": HASH}}) == "advisor"
    assert route(cents, checks={**CLEAR, name: {"outcome": "clear", "basisHash": odd}}) == "advisor"


@pytest.mark.parametrize(
    ("cents", "expected"),
    [
        (1, "auto"),
        (149_999_999, "auto"),
        (LIMIT, "auto"),
        (LIMIT + 1, "advisor"),
        (0, "advisor"),
        (-1, "advisor"),
    ],
)
def test_the_limit_itself_still_goes_straight_through(cents: int, expected: str) -> None:
    assert route(cents) == expected


@pytest.mark.parametrize(
    ("amount", "currency", "expected"),
    [
        ("0.01", "USD", "auto"),
        ("1499999.99", "USD", "auto"),
        ("1500000", "USD", "auto"),
        ("1500000.0", "USD", "auto"),
        ("1500000.01", "USD", "advisor"),
        ("1500001", "USD", "advisor"),
        ("9007199254740993", "USD", "refused"),
        ("1500000.004", "USD", "refused"),
        ("1.5e6", "USD", "refused"),
        ("1,500,001", "USD", "refused"),
        ("", "USD", "refused"),
        ("-1", "USD", "refused"),
        ("0", "USD", "refused"),
        (None, "USD", "refused"),
        (True, "USD", "refused"),
        ([2_000_000], "USD", "refused"),
        ({"amount": 2_000_000}, "USD", "refused"),
        (1.5e6, "USD", "refused"),
        ("1342642.32", "EUR", "auto"),
        ("1342642.33", "EUR", "advisor"),
    ],
)
def test_an_amount_is_refused_or_routed_by_its_exact_cents(amount: Any, currency: str, expected: str) -> None:
    rate = {"USD": Decimal(1), "EUR": Decimal("1.1172")}[currency]
    try:
        cents = usd_cents(parse_amount(amount, currency), rate)
    except InvalidAmount:
        assert expected == "refused"
        return
    assert route(cents) == expected

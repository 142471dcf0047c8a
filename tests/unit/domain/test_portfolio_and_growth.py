"""What the agent's illustrations promise: never bolder than what was assessed, and ordered bands."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aurum.domain import growth
from aurum.domain.growth import ASSUMPTIONS, Assumptions, contribution_cents, project, years_ahead
from aurum.domain.portfolio import ASSET_CLASSES, assessed_profile, propose
from aurum.domain.reasons import REASONS

EQUITIES = ("developedEquities", "emergingEquities")
anything: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=2),
    st.integers(-1, 7),
)
profiles = st.integers(1, 5)
answers = st.fixed_dictionaries(
    {
        "experience": st.fixed_dictionaries({"alternatives": st.sampled_from(["none", "limited", "good"])}),
        "liquidityNeed": st.sampled_from(["low", "medium", "high"]),
        "sustainability": st.sampled_from(["none", "some", "strong"]),
        "horizonYears": st.integers(0, 60),
    }
)


@given(answers, profiles, anything)
def test_an_allocation_is_whole_percents_of_exactly_a_hundred(
    suitability: dict[str, Any], assessed: int, wanted: Any
) -> None:
    proposal = propose({"suitability": suitability}, assessed, wanted, as_of="t").to_json()
    percents = [share["percent"] for share in proposal["allocation"]]

    assert sum(percents) == 100
    assert all(isinstance(percent, int) and percent > 0 for percent in percents)
    assert {share["assetClass"] for share in proposal["allocation"]} <= set(ASSET_CLASSES)
    assert set(proposal["rationaleCodes"]) <= set(REASONS)
    assert proposal["simulated"]


@given(answers, profiles, anything)
def test_whatever_is_asked_for_never_exceeds_the_assessed_profile(
    suitability: dict[str, Any], assessed: int, wanted: Any
) -> None:
    application = {"suitability": suitability}
    asked = propose(application, assessed, wanted, as_of="t")
    bold = propose(application, assessed, None, as_of="t")

    def risky(allocation: tuple[tuple[str, int], ...]) -> int:
        return sum(percent for name, percent in allocation if name in EQUITIES)

    assert 1 <= asked.profile <= assessed
    assert risky(asked.allocation) <= risky(bold.allocation)


@pytest.mark.parametrize("suitability", [None, {}, {"profile": 0}, {"profile": "3"}, {"profile": True}, [3]])
def test_what_is_no_assessment_is_none(suitability: Any) -> None:
    assert assessed_profile(suitability) is None


def test_a_lower_profile_and_a_need_for_cash_show_in_the_reasons() -> None:
    answered = {
        "experience": {"alternatives": "none"},
        "liquidityNeed": "high",
        "sustainability": "strong",
        "horizonYears": 3,
    }
    proposal = propose({"suitability": answered}, 5, 4, as_of="t")

    assert proposal.profile == 4
    assert dict(proposal.allocation)["cash"] == 15
    assert "realAssets" not in dict(proposal.allocation)
    assert proposal.rationale == (
        "PORTFOLIO_FITS_PROFILE",
        "PORTFOLIO_LOWERED",
        "PORTFOLIO_NO_REAL_ASSETS",
        "PORTFOLIO_MORE_CASH",
        "PORTFOLIO_SUSTAINABLE",
        "PORTFOLIO_SHORT_HORIZON",
    )


@settings(max_examples=25)
@given(
    initial=st.integers(0, 10**13),
    monthly=st.integers(0, growth.CONTRIBUTION_CENTS_MAX),
    years=st.integers(1, growth.YEARS_MAX),
    profile=profiles,
)
def test_bands_are_ordered_whole_and_start_today(
    initial: int, monthly: int, years: int, profile: int
) -> None:
    bands = project(initial, monthly, years, ASSUMPTIONS[profile])

    assert [band.year for band in bands] == list(range(years + 1))
    assert (bands[0].p10, bands[0].p50, bands[0].p90) == (initial,) * 3
    for band in bands:
        assert 0 <= band.p10 <= band.p50 <= band.p90 <= growth.CENTS_SHOWN_MAX


@settings(max_examples=25)
@given(
    monthly=st.integers(0, growth.CONTRIBUTION_CENTS_MAX - 1),
    more=st.integers(1, 1_000_000),
    years=st.integers(1, 20),
    profile=profiles,
)
def test_paying_in_more_never_gives_less(monthly: int, more: int, years: int, profile: int) -> None:
    less = project(48_000_000, monthly, years, ASSUMPTIONS[profile])
    rich = project(48_000_000, monthly + more, years, ASSUMPTIONS[profile])

    for a, b in zip(less, rich, strict=True):
        assert (a.p10, a.p50, a.p90) <= (b.p10, b.p50, b.p90)
        assert a.p10 <= b.p10
        assert a.p90 <= b.p90


@settings(max_examples=25)
@given(years=st.integers(1, 40), low=st.integers(0, 15))
def test_more_volatility_means_wider_bands(years: int, low: int) -> None:
    calm = project(10**8, 0, years, Assumptions(Decimal(5), Decimal(low)))[-1]
    wild = project(10**8, 0, years, Assumptions(Decimal(5), Decimal(low + 1)))[-1]

    assert calm.p90 * wild.p10 <= wild.p90 * calm.p10


def test_without_volatility_it_is_compound_interest() -> None:
    flat = Assumptions(Decimal(5), Decimal(0), fee_pct=Decimal(0))
    (*_, last) = project(100_000_00, 0, 10, flat)

    assert (last.p10, last.p50, last.p90) == (16_288_946,) * 3


def test_the_middle_course_of_a_known_case_stays_what_it_is() -> None:
    (*_, last) = project(48_000_000, 100_000, 15, ASSUMPTIONS[3])

    assert 48_000_000 + 15 * 12 * 100_000 < last.p10 < last.p50 < last.p90
    assert 100_000_000 < last.p50 < 110_000_000


@given(anything, st.integers(0, 60))
def test_years_and_contributions_are_bounded_whatever_is_asked(wanted: Any, horizon: int) -> None:
    assert 1 <= years_ahead(wanted, horizon) <= growth.YEARS_MAX
    assert 0 <= contribution_cents(wanted) <= growth.CONTRIBUTION_CENTS_MAX


def test_a_contribution_is_taken_to_the_cent() -> None:
    assert contribution_cents(250.5) == 25_050
    assert contribution_cents(0.1) == 10
    assert contribution_cents(-5) == 0
    assert years_ahead(7, 15) == 7
    assert years_ahead(7.5, 15) == 15

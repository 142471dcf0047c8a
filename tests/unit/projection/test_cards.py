"""Cards from results: every real one fits its model, an odd one becomes the fallback and never an error."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.cases import RESULTS, START_MS, check, receipt

from aurum.projection.card_models import CARD_MODELS, card_schemas
from aurum.projection.cards import (
    Card,
    card_for_result,
    case_risk_gauge,
    decision_card,
    risk_gauge,
    routing_card,
    waiting_card,
)
from aurum.projection.model import CaseModel, OpenTask

IDENTITY = {
    **check("review"),
    "reasons": ["DOCUMENT_EXPIRED"],
    "details": {
        "documentType": "passport",
        "issuingCountry": "US",
        "expiryDate": "2031-05-17",
        "mrzForm": None,
        "mrzOk": True,
        "wrongDigits": ["birthDate"],
        "nameScore": 97.5,
    },
}
IDENTITY.pop("basisHash")

PROPOSAL: dict[str, Any] = {
    "profile": 3,
    "allocation": [
        {"assetClass": "cash", "label": "Cash and money market", "percent": 5},
        {"assetClass": "governmentBonds", "label": "Government bonds", "percent": 95},
    ],
    "rationaleCodes": ["PORTFOLIO_FITS_PROFILE"],
    "horizonYears": 10,
    "asOf": "2026-11-30",
    "source": "model portfolios",
    "simulated": True,
}
PROJECTION: dict[str, Any] = {
    "currency": "USD",
    "initialCents": 48_000_000,
    "contributionCents": 0,
    "years": 1,
    "bands": [
        {"year": 0, "p10": 48_000_000, "p50": 48_000_000, "p90": 48_000_000},
        {"year": 1, "p10": 44_000_000, "p50": 49_900_000, "p90": 56_000_000},
    ],
    "assumptions": {"meanReturnPct": 4.6, "volatilityPct": 9.0, "feePct": 0.6, "inflationPct": 2.0},
    "disclaimerCode": "NOT_A_FORECAST",
    "asOf": "2026-11-30",
    "source": "assumptions",
    "simulated": True,
}
TASK = OpenTask("71", "70", "advisor_review", ("advisors",), None, START_MS)
HAND_OFF = OpenTask("73", "72", "ask_advisor", ("advisors",), None, START_MS)
MODEL = CaseModel(
    variables={"quote": {"depositUsdCents": 162_000_000}},
    evaluations={
        "onboarding_route": {
            "version": 1,
            "inputs": [{"id": "deposit", "name": "depositUsdCents", "value": 162_000_000}],
            "matchedRules": [{"ruleId": "over", "ruleIndex": 3, "outputs": {"route": "advisor"}}],
        }
    },
)

REAL: dict[str, Card | None] = {
    "IdentityResultCard": card_for_result("verify_identity_document", {"identityCheck": IDENTITY}),
    "RiskGauge": risk_gauge(
        "preview_suitability", {"profile": 3, "label": "Balanced", "contradictions": []}, START_MS
    ),
    "CaseRiskGauge": case_risk_gauge(
        "score_risk", {"score": 35, "band": "medium", "factors": [{"code": "PEP", "points": 35}]}, START_MS
    ),
    "RoutingCard": routing_card(
        "route_application",
        MODEL,
        {"route": "advisor", "group": "advisors", "reasonCode": "DEPOSIT_OVER_1_5M"},
        START_MS,
    ),
    "DecisionCard": decision_card("advisor_review", receipt("request-info")),
    "WaitingCard": waiting_card(
        TASK,
        "k1",
        "customer",
        ask={"problems": [{"field": "/email", "code": "INVALID"}], "fields": ["/email"]},
    ),
    "AdvisorQuestionCard": waiting_card(HAND_OFF, "k2", "advisor", ask={"question": "Is this usual?"}),
    "PortfolioAllocationChart": card_for_result("propose_portfolio", {"proposal": PROPOSAL}),
    "ProjectedGrowthChart": card_for_result("project_growth", {"projection": PROJECTION}),
    "AccountOpenedCard": card_for_result("open_account", RESULTS["open_account"]),
}


@pytest.mark.parametrize("component", sorted(set(CARD_MODELS) - {"FallbackCard"}))
def test_every_real_card_fits_its_model(component: str) -> None:
    card = REAL[component]

    assert card is not None
    assert card.component == component


@pytest.mark.parametrize("component", sorted(set(CARD_MODELS) - {"FallbackCard"}))
def test_every_card_says_where_it_came_from(component: str) -> None:
    card = REAL[component]

    assert card is not None
    assert card.props["source"]["elementId"]


def test_a_card_of_the_assistants_names_the_tool() -> None:
    card = card_for_result("propose_portfolio", {"proposal": PROPOSAL})

    assert card is not None
    assert card.props["source"]["tool"] == "proposePortfolio"


@pytest.mark.parametrize(
    ("element_id", "visible"),
    [
        ("propose_portfolio", {"proposal": {"status": "failed", "code": "NOT_ASSESSED"}}),
        ("project_growth", {"projection": {"status": "failed", "code": "NOT_ASSESSED"}}),
        ("verify_identity_document", {"identityCheck": None}),
        ("check_sanctions", {"sanctionsCheck": {"status": "done"}}),
    ],
)
def test_a_tool_that_has_nothing_to_show_has_no_card(element_id: str, visible: dict[str, Any]) -> None:
    assert card_for_result(element_id, visible) is None


@pytest.mark.parametrize(
    ("element_id", "visible"),
    [
        (
            "propose_portfolio",
            {
                "proposal": {
                    **PROPOSAL,
                    "allocation": [{"assetClass": "cash", "label": "Cash", "percent": 99}],
                }
            },
        ),
        ("propose_portfolio", {"proposal": {**PROPOSAL, "profile": 6}}),
        ("project_growth", {"projection": {**PROJECTION, "bands": list(reversed(PROJECTION["bands"]))}}),
        ("project_growth", {"projection": {**PROJECTION, "currency": "dollars"}}),
        ("verify_identity", {"identityCheck": {**IDENTITY, "details": {"secret": "x"}}}),
        ("open_account", {"account": {"accountNumber": 12}}),
    ],
    ids=["not whole", "no such profile", "years descend", "no currency code", "unknown detail", "wrong type"],
)
def test_props_that_do_not_fit_become_the_fallback_card(element_id: str, visible: dict[str, Any]) -> None:
    assert card_for_result(element_id, visible) == Card("FallbackCard", {"reasonCode": "CARD_REFUSED"})


def test_a_customer_sees_the_wait_for_an_advisor_without_the_question() -> None:
    card = waiting_card(HAND_OFF, "k2", "advisor", ask=None)

    assert card.component == "WaitingCard"
    assert "ask" not in card.props


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40)
@given(
    element_id=st.sampled_from(["verify_identity", "propose_portfolio", "project_growth", "open_account"]),
    visible=st.dictionaries(
        st.sampled_from(["identityCheck", "proposal", "projection", "account"]),
        st.dictionaries(
            st.sampled_from(["outcome", "allocation", "bands", "accountNumber", "profile", "years"]),
            json_values,
        ),
    ),
)
def test_no_value_whatever_breaks_a_card(element_id: str, visible: dict[str, Any]) -> None:
    card = card_for_result(element_id, visible)

    assert card is None or card.component in CARD_MODELS


def test_every_schema_names_a_version_and_refuses_other_members() -> None:
    for entry in card_schemas().values():
        assert entry["version"] >= 1
        assert entry["schema"]["additionalProperties"] is False

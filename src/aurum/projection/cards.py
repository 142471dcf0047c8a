"""Cards: pure functions from facts and model to `(component, props)`. One id per card, for ever.

Every card carries where it came from (`source`: element, tool, as of) and says when the source is
simulated. Props hold only what the view may see: `visible` is cut down before it gets here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aurum.domain.routing import AUTO_LIMIT_CENTS, FOUR_EYES_LIMIT_CENTS
from aurum.instants import iso_utc
from aurum.projection.model import CaseModel, OpenTask


@dataclass(frozen=True, slots=True)
class Card:
    """A component name of the page's registry with its props."""

    component: str
    props: dict[str, Any]


def card_for_result(element_id: str, visible: Mapping[str, Any]) -> Card | None:
    """Return the card of a completed task, if its result has one for this view."""
    match element_id:
        case "verify_identity" if "outcome" in visible.get("identityCheck", {}):
            return Card("IdentityResultCard", _checked(element_id, visible["identityCheck"]))
        case "open_account" if "accountNumber" in visible.get("account", {}):
            account = visible["account"]
            source = {"elementId": element_id, "asOf": account.get("openedAt"), "name": account.get("ledger")}
            return Card("AccountOpenedCard", {**account, "source": source})
        case _:
            return None


def _checked(element_id: str, check: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "outcome": check["outcome"],
        "reasons": check.get("reasons", []),
        "details": check.get("details", {}),
        "simulated": check.get("simulated", True),
        "source": {"elementId": element_id, "asOf": check.get("asOf"), "name": check.get("source")},
    }


def risk_gauge(element_id: str, suitability: Mapping[str, Any], at_ms: int) -> Card:
    """The customer's investment profile, 1 to 5."""
    return Card(
        "RiskGauge",
        {
            "profile": suitability.get("profile"),
            "label": suitability.get("label"),
            "contradictions": suitability.get("contradictions", []),
            "source": {"elementId": element_id, "asOf": iso_utc(at_ms), "name": "suitability.dmn"},
        },
    )


def case_risk_gauge(element_id: str, risk: Mapping[str, Any], at_ms: int) -> Card:
    """The AML risk of the case; never for the customer."""
    return Card(
        "CaseRiskGauge",
        {
            "score": risk.get("score"),
            "band": risk.get("band"),
            "factors": risk.get("factors", []),
            "source": {"elementId": element_id, "asOf": iso_utc(at_ms), "name": "risk-score.dmn"},
        },
    )


def routing_card(element_id: str, model: CaseModel, route: Mapping[str, Any], at_ms: int) -> Card:
    """Why the case went where it went: the matched rule, its inputs, and the margin to the limit."""
    evaluation = model.evaluations.get("onboarding_route", {})
    cents = model.variables.get("quote", {}).get("depositUsdCents")
    margin = cents - AUTO_LIMIT_CENTS if isinstance(cents, int) else None
    return Card(
        "RoutingCard",
        {
            "route": route.get("route"),
            "group": route.get("group"),
            "reasonCode": route.get("reasonCode"),
            "depositUsdCents": cents,
            "limitUsdCents": AUTO_LIMIT_CENTS,
            "fourEyesUsdCents": FOUR_EYES_LIMIT_CENTS,
            "marginUsdCents": margin,
            "inputs": evaluation.get("inputs", []),
            "matchedRules": evaluation.get("matchedRules", []),
            "decisionVersion": evaluation.get("version"),
            "source": {"elementId": element_id, "asOf": iso_utc(at_ms), "name": "onboarding-route.dmn"},
        },
    )


def decision_card(element_id: str, receipt: Mapping[str, Any]) -> Card:
    """What a person decided, for the bank's people."""
    shown = {name: receipt.get(name) for name in ("outcome", "reasonCode", "person", "at", "question")}
    source = {"elementId": element_id, "asOf": receipt.get("at"), "name": "signed receipt"}
    return Card("DecisionCard", {**shown, "source": source})


def waiting_card(task: OpenTask, task_id: str, who: str, *, ask: Mapping[str, Any] | None) -> Card:
    """Honest waiting: what for, since when, who acts. `ask` is the question put to the customer."""
    props: dict[str, Any] = {
        "code": f"waiting.{task.element_id}",
        "who": who,
        "since": iso_utc(task.since_ms),
        "taskId": task_id,
        "source": {"elementId": task.element_id, "asOf": iso_utc(task.since_ms), "name": "process engine"},
    }
    if ask:
        props["ask"] = dict(ask)
    return Card("WaitingCard", props)

"""Cards: pure functions from facts and model to `(component, props)`. One id per card, for ever.

Every card carries where it came from (`source`: element, tool, as of) and says when the source is
simulated. Props hold only what the view may see: `visible` is cut down before it gets here. They are
judged by `card_models` when they are made: props that do not fit become a card that says only that,
so an odd value in the process never breaks the fold or a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aurum.domain.agent_tools import TOOL_VARIABLE, tool_name
from aurum.domain.routing import AUTO_LIMIT_CENTS, FOUR_EYES_LIMIT_CENTS
from aurum.domain.tasks import AGENT_HAND_OFF
from aurum.instants import iso_utc
from aurum.projection.card_models import fits
from aurum.projection.model import CaseModel, OpenTask


@dataclass(frozen=True, slots=True)
class Card:
    """A component name of the page's registry with its props."""

    component: str
    props: dict[str, Any]


def made(component: str, props: dict[str, Any]) -> Card:
    """Return the card, or the fallback card when its props do not fit. Never raises."""
    if fits(component, props):
        return Card(component, props)
    return Card("FallbackCard", {"reasonCode": "CARD_REFUSED"})


def card_for_result(element_id: str, visible: Mapping[str, Any]) -> Card | None:
    """Return the card of a completed task or of a tool of the agent, if its result has one for this view.

    A tool that could not do it (`{"status": "failed"}`) has none: its chip says so.
    """
    match element_id:
        case "verify_identity" | "verify_identity_document" if _has(visible, "identityCheck", "outcome"):
            return made("IdentityResultCard", _checked(element_id, visible["identityCheck"]))
        case "propose_portfolio" if _has(visible, "proposal", "allocation"):
            return made("PortfolioAllocationChart", _proposed(element_id, visible["proposal"]))
        case "project_growth" if _has(visible, "projection", "bands"):
            return made("ProjectedGrowthChart", _projected(element_id, visible["projection"]))
        case "open_account" if _has(visible, "account", "accountNumber"):
            account = visible["account"]
            source = source_of(element_id, account.get("openedAt"), account.get("ledger"))
            return made("AccountOpenedCard", {**account, "source": source})
        case _:
            return None


def source_of(element_id: str, as_of: Any, name: Any) -> dict[str, Any]:
    """Return a card's provenance; the tool is named when the step is one of the agent's."""
    source = {"elementId": element_id, "asOf": as_of, "name": name}
    return {**source, "tool": tool_name(element_id)} if element_id in TOOL_VARIABLE else source


def _has(visible: Mapping[str, Any], variable: str, member: str) -> bool:
    value = visible.get(variable)
    return isinstance(value, Mapping) and value.get(member) is not None


def _checked(element_id: str, check: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "outcome": check["outcome"],
        "reasons": check.get("reasons", []),
        "details": check.get("details", {}),
        "simulated": check.get("simulated", True),
        "source": source_of(element_id, check.get("asOf"), check.get("source")),
    }


def _proposed(element_id: str, proposal: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "profile": proposal.get("profile"),
        "allocation": proposal["allocation"],
        "rationaleCodes": proposal.get("rationaleCodes", []),
        "horizonYears": proposal.get("horizonYears"),
        "simulated": proposal.get("simulated", True),
        "source": source_of(element_id, proposal.get("asOf"), proposal.get("source")),
    }


def _projected(element_id: str, projection: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "currency": projection.get("currency"),
        "initialCents": projection.get("initialCents"),
        "contributionCents": projection.get("contributionCents", 0),
        "years": projection.get("years"),
        "bands": projection["bands"],
        "assumptions": projection.get("assumptions", {}),
        "disclaimerCode": projection.get("disclaimerCode", "NOT_A_FORECAST"),
        "simulated": projection.get("simulated", True),
        "source": source_of(element_id, projection.get("asOf"), projection.get("source")),
    }


def risk_gauge(element_id: str, suitability: Mapping[str, Any], at_ms: int) -> Card:
    """The customer's investment profile, 1 to 5."""
    return made(
        "RiskGauge",
        {
            "profile": suitability.get("profile"),
            "label": suitability.get("label"),
            "contradictions": suitability.get("contradictions", []),
            "source": source_of(element_id, iso_utc(at_ms), "suitability.dmn"),
        },
    )


def case_risk_gauge(element_id: str, risk: Mapping[str, Any], at_ms: int) -> Card:
    """The AML risk of the case; never for the customer."""
    return made(
        "CaseRiskGauge",
        {
            "score": risk.get("score"),
            "band": risk.get("band"),
            "factors": risk.get("factors", []),
            "source": source_of(element_id, iso_utc(at_ms), "risk-score.dmn"),
        },
    )


def routing_card(element_id: str, model: CaseModel, route: Mapping[str, Any], at_ms: int) -> Card:
    """Why the case went where it went: the matched rule, its inputs, and the margin to the limit."""
    evaluation = model.evaluations.get("onboarding_route", {})
    cents = model.variables.get("quote", {}).get("depositUsdCents")
    margin = cents - AUTO_LIMIT_CENTS if isinstance(cents, int) else None
    return made(
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
            "source": source_of(element_id, iso_utc(at_ms), "onboarding-route.dmn"),
        },
    )


def decision_card(element_id: str, receipt: Mapping[str, Any]) -> Card:
    """What a person decided, for the bank's people."""
    shown = {name: receipt.get(name) for name in ("outcome", "reasonCode", "person", "at", "question")}
    return made(
        "DecisionCard", {**shown, "source": source_of(element_id, receipt.get("at"), "signed receipt")}
    )


def waiting_card(task: OpenTask, task_id: str, who: str, *, ask: Mapping[str, Any] | None) -> Card:
    """Honest waiting: what for, since when, who acts. `ask` is the question put to the viewer.

    The assistant's question to an advisor is a card of its own for those who may answer it.
    """
    since = iso_utc(task.since_ms)
    named = {"since": since, "taskId": task_id}
    source = {"elementId": task.element_id, "asOf": since, "name": "process engine"}
    code = f"waiting.{task.element_id}"
    if task.element_id == AGENT_HAND_OFF and ask is not None:
        question = ask.get("question", "")
        return made("AdvisorQuestionCard", {"code": code, **named, "source": source, "question": question})
    props: dict[str, Any] = {"code": code, "who": who, **named, "source": source}
    if ask:
        props["ask"] = dict(ask)
    return made("WaitingCard", props)

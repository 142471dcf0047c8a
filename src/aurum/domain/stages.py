"""Where a case stands, in the six steps a customer reads: "Step 3 of 6".

Element ids map to stages; titles are codes (the page has the words) with an English fallback. What
an advisor or a risk table does is never named to the customer beyond "review".
"""

from __future__ import annotations

from dataclasses import dataclass

from aurum.domain import tasks


@dataclass(frozen=True, slots=True)
class Stage:
    """One of the six steps. `number` counts from 1; `title` is the English fallback of `title_code`."""

    name: str
    number: int
    title_code: str
    title: str


STAGES: tuple[Stage, ...] = (
    Stage("intake", 1, "stage.intake", "Your application"),
    Stage("identity", 2, "stage.identity", "Identity and tax checks"),
    Stage("risk", 3, "stage.risk", "Your investment profile"),
    Stage("routing", 4, "stage.routing", "Final checks"),
    Stage("review", 5, "stage.review", "Personal review"),
    Stage("account", 6, "stage.account", "Your account"),
)
STAGE_COUNT = len(STAGES)

_BY_NAME = {stage.name: stage for stage in STAGES}

_STAGE_OF_ELEMENT: dict[str, str] = {
    tasks.APPLICATION_SUBMITTED: "intake",
    tasks.PARSE_APPLICATION: "intake",
    tasks.CORRECT_APPLICATION: "intake",
    tasks.ONBOARDING_AGENT: "identity",
    tasks.COLLECT_CHECKS: "identity",
    "verify_address": "identity",
    "get_fx_rate": "risk",
    "preview_suitability": "risk",
    "propose_portfolio": "risk",
    "project_growth": "risk",
    tasks.AGENT_QUESTION: "risk",
    tasks.AGENT_HAND_OFF: "risk",
    tasks.VERIFY_IDENTITY: "identity",
    tasks.VERIFY_TAX_STATUS: "identity",
    tasks.SCREEN_SANCTIONS: "identity",
    tasks.SCREEN_PEP: "identity",
    tasks.QUOTE_DEPOSIT: "risk",
    tasks.ASSESS_SUITABILITY: "risk",
    tasks.SCORE_RISK: "risk",
    tasks.ROUTE_APPLICATION: "routing",
    "route_gateway": "routing",
    tasks.ADVISOR_REVIEW: "review",
    tasks.PROVIDE_INFORMATION: "review",
    tasks.SECOND_APPROVAL: "review",
    "escalate_review": "review",
    tasks.OPEN_ACCOUNT: "account",
    tasks.WELCOME_CUSTOMER: "account",
    tasks.SEND_DECLINE: "account",
    "account_opened": "account",
    "declined": "account",
}

STEP_TITLES: dict[str, tuple[str, str]] = {
    tasks.PARSE_APPLICATION: ("step.parse", "Reading your application"),
    tasks.CORRECT_APPLICATION: ("step.correct", "Please correct your application"),
    tasks.ONBOARDING_AGENT: ("step.assistant", "Talking with you"),
    "verify_identity_document": ("step.identity", "Checking your identity document"),
    "verify_address": ("step.address", "Checking your address"),
    "check_tax_status": ("step.tax", "Checking your tax details"),
    "check_sanctions": ("step.compliance", "Standard compliance check"),
    "screen_pep_adverse_media": ("step.compliance", "Standard compliance check"),
    "get_fx_rate": ("step.quote", "Converting your deposit"),
    "convert_deposit_usd": ("step.quote", "Converting your deposit"),
    "preview_risk": ("step.internal", "Internal check"),
    "preview_suitability": ("step.suitability", "Working out your investment profile"),
    "propose_portfolio": ("step.portfolio", "Drafting a portfolio"),
    "project_growth": ("step.growth", "Projecting how it may grow"),
    "request_information": ("step.information", "We need some information from you"),
    "ask_advisor": ("step.review", "An advisor is looking at your application"),
    tasks.VERIFY_IDENTITY: ("step.identity", "Checking your identity document"),
    tasks.VERIFY_TAX_STATUS: ("step.tax", "Checking your tax details"),
    tasks.SCREEN_SANCTIONS: ("step.compliance", "Standard compliance check"),
    tasks.SCREEN_PEP: ("step.compliance", "Standard compliance check"),
    tasks.QUOTE_DEPOSIT: ("step.quote", "Converting your deposit"),
    tasks.ASSESS_SUITABILITY: ("step.suitability", "Working out your investment profile"),
    tasks.SCORE_RISK: ("step.internal", "Internal check"),
    tasks.ROUTE_APPLICATION: ("step.internal", "Internal check"),
    tasks.ADVISOR_REVIEW: ("step.review", "An advisor is looking at your application"),
    tasks.PROVIDE_INFORMATION: ("step.information", "We need some information from you"),
    tasks.SECOND_APPROVAL: ("step.review", "An advisor is looking at your application"),
    tasks.OPEN_ACCOUNT: ("step.account", "Opening your account"),
    tasks.WELCOME_CUSTOMER: ("step.welcome", "Welcome"),
    tasks.SEND_DECLINE: ("step.decline", "Our answer"),
}
"""Element id -> (code, English fallback) that a customer may read."""


def stage_of(element_id: str) -> Stage | None:
    """Return the stage an element belongs to; None for gateways and the like, which show nothing.

    A case that is withdrawn or expires stays where it stood: it never reached the account.
    """
    name = _STAGE_OF_ELEMENT.get(element_id)
    return None if name is None else _BY_NAME[name]


def customer_title(element_id: str) -> tuple[str, str]:
    """Return (code, English fallback) of a step for a customer; unknown elements stay anonymous."""
    return STEP_TITLES.get(element_id, ("step.internal", "Internal check"))

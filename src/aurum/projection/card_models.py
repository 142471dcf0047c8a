"""The shape of every card's props, with a version each. What is not named here is refused.

These models judge props when a frame is made and give the JSON Schemas by which the page judges them
again (`scripts/card_schemas.py` writes them beside the page). A field that is added, removed or means
something else raises the card's version; a page that knows only older ones shows its fallback.

The one place in the projection that knows pydantic: nothing outside sees these classes.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

PERCENT_TOLERANCE = 0.01
"""How far from 100 the percents of an allocation may sum: two decimals each, rounded."""

Number = int | float
Percent = Annotated[int, Field(gt=0, le=100)] | Annotated[float, Field(gt=0, le=100)]


class _Props(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, alias_generator=to_camel)


class Source(_Props):
    """Where content came from: the step of the process, a name for people, an ISO instant or day."""

    element_id: str
    as_of: str | None = None
    name: str | None = None
    tool: str | None = None


class CardProps(_Props):
    """What every card has."""

    VERSION: ClassVar[int] = 1

    source: Source


class FallbackCard(_Props):
    """Props were refused when the frame was made: the card says that there is something, and why not what."""

    VERSION: ClassVar[int] = 1

    reason_code: Literal["CARD_REFUSED"]


class IdentityDetails(_Props):
    """What the check of a document read; the last two are for the bank's people."""

    document_type: str | None = None
    issuing_country: str | None = None
    expiry_date: str | None = None
    mrz_form: str | None = None
    mrz_ok: bool | None = None
    wrong_digits: list[str] = []
    name_score: Number | None = None


class IdentityResultCard(CardProps):
    """The outcome of the check of the identity document, with reason codes the viewer may read."""

    outcome: str
    reasons: list[str]
    details: IdentityDetails
    simulated: bool


class RiskGauge(CardProps):
    """The customer's investment profile, 1 (most cautious) to 5."""

    profile: int = Field(ge=1, le=5)
    label: str | None
    contradictions: list[str]


class Factor(_Props):
    """One reason for points of the AML score."""

    code: str
    points: Number


class CaseRiskGauge(CardProps):
    """The AML risk of the case; bank only."""

    score: Number
    band: Literal["low", "medium", "high"]
    factors: list[Factor]


class RuleInput(_Props):
    """One input of a decision as the engine evaluated it."""

    id: str | None = None
    name: str | None = None
    value: Any = None


class MatchedRule(_Props):
    """A row of the decision table that matched; the index counts from 1."""

    rule_id: str
    rule_index: int
    outputs: dict[str, Any] = {}


class RoutingCard(CardProps):
    """Why the case went where it went: amounts in US cents, margin negative below the limit; bank only."""

    route: str
    group: str | None
    reason_code: str | None
    deposit_usd_cents: int | None
    limit_usd_cents: int
    four_eyes_usd_cents: int
    margin_usd_cents: int | None
    inputs: list[RuleInput]
    matched_rules: list[MatchedRule]
    decision_version: int | None


class DecisionCard(CardProps):
    """What a person decided; bank only."""

    outcome: str
    reason_code: str | None
    person: str
    at: str | None
    question: str | None


class Problem(_Props):
    """A field (JSON pointer) and the code of what is wrong with it."""

    field: str = ""
    code: str = ""


class Ask(_Props):
    """What somebody is asked: words, fields that may be changed, problems to correct."""

    question: str = ""
    fields: list[str] = []
    problems: list[Problem] = []


class WaitingCard(CardProps):
    """Honest waiting: a code for what, since when, who acts. `ask` is there when the viewer is asked."""

    code: str
    who: Literal["customer", "advisor", "bank"]
    since: str
    task_id: str
    ask: Ask | None = None


class AdvisorQuestionCard(CardProps):
    """The assistant asks an advisor: bank only, the customer waits."""

    code: str
    since: str
    task_id: str
    question: str


class AccountOpenedCard(CardProps):
    """The account: its number (masked for some), deposit in US cents."""

    account_number: str
    opened_at: str | None = None
    deposit_usd_cents: int | None = None
    currency: str | None = None
    ledger: str | None = None
    simulated: bool = True


class Share(_Props):
    """One asset class with its percent of the whole."""

    asset_class: str
    label: str
    percent: Percent


class PortfolioAllocationChart(CardProps):
    """An illustrative allocation; percents sum to 100."""

    profile: int = Field(ge=1, le=5)
    allocation: list[Share] = Field(min_length=1, max_length=12)
    rationale_codes: list[str]
    horizon_years: int | None
    simulated: bool

    @model_validator(mode="after")
    def _is_whole(self) -> PortfolioAllocationChart:
        total = sum(share.percent for share in self.allocation)
        if abs(total - 100) > PERCENT_TOLERANCE:
            raise ValueError("percents do not sum to 100")
        return self


class Band(_Props):
    """Values after `year` years in hundredths of the currency: cautious, middle, favourable."""

    year: int = Field(ge=0)
    p10: int
    p50: int
    p90: int


class GrowthAssumptions(_Props):
    """Percent a year."""

    mean_return_pct: Number | None = None
    volatility_pct: Number | None = None
    fee_pct: Number | None = None
    inflation_pct: Number | None = None


class ProjectedGrowthChart(CardProps):
    """How a deposit may develop; an illustration, never a forecast. The contribution is per month."""

    currency: str = Field(pattern="^[A-Z]{3}$")
    initial_cents: int = Field(ge=0)
    contribution_cents: int = Field(ge=0)
    years: int = Field(ge=1, le=60)
    bands: list[Band] = Field(min_length=2, max_length=61)
    assumptions: GrowthAssumptions
    disclaimer_code: str
    simulated: bool

    @model_validator(mode="after")
    def _is_a_fan(self) -> ProjectedGrowthChart:
        years = [band.year for band in self.bands]
        if years != sorted(set(years)):
            raise ValueError("years do not ascend")
        if any(not band.p10 <= band.p50 <= band.p90 for band in self.bands):
            raise ValueError("a band is out of order")
        return self


CARD_MODELS: dict[str, type[CardProps] | type[FallbackCard]] = {
    model.__name__: model
    for model in (
        IdentityResultCard,
        RiskGauge,
        CaseRiskGauge,
        RoutingCard,
        DecisionCard,
        WaitingCard,
        AdvisorQuestionCard,
        PortfolioAllocationChart,
        ProjectedGrowthChart,
        AccountOpenedCard,
        FallbackCard,
    )
}
"""Component name -> model of its props. The page's registry has the same names."""

CARD_VERSIONS: dict[str, int] = {name: model.VERSION for name, model in CARD_MODELS.items()}


def fits(component: str, props: dict[str, Any]) -> bool:
    """Whether these are props of that card. Never raises; unknown components do not fit."""
    model = CARD_MODELS.get(component)
    if model is None:
        return False
    try:
        model.model_validate(props, by_alias=True, by_name=False)
    except ValidationError:
        return False
    return True


def card_schemas() -> dict[str, Any]:
    """Return component -> `{"version", "schema"}` with JSON Schemas in the subset the page knows."""
    return {
        name: {"version": model.VERSION, "schema": model.model_json_schema(by_alias=True, mode="validation")}
        for name, model in sorted(CARD_MODELS.items())
    }

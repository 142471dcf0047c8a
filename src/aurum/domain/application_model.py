"""Shapes of the application record, one pydantic model per object. Every size has a bound.

Wire names are camelCase. Unknown members are refused. Numbers and yes/no are strict: `"5"` is no
number, `1` is no yes. Enumerations are closed; the decision tables read exactly these words.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    StrictBool,
    StrictInt,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    model_validator,
)
from pydantic.alias_generators import to_camel

from aurum.domain.fieldtypes import (
    Country,
    Currency,
    Day,
    Email,
    FullName,
    Iban,
    Instant,
    Line80,
    Line120,
    Name,
    Phone,
    Prose,
    Reference,
    UniqueCountries,
    refuse,
)
from aurum.domain.mrz import read_mrz, zone_lines
from aurum.domain.nationalids import NationalIdType, TinType, national_id_state
from aurum.money import InvalidAmount, parse_amount


def _zone(text: str) -> str:
    if read_mrz(text) is None:
        refuse("MRZ_UNREADABLE")
    return zone_lines(text)


MachineZone = Annotated[str, Field(max_length=100), AfterValidator(_zone)]
Percent = Annotated[StrictInt, Field(ge=0, le=100)]
IncomeBand = Literal["under50k", "50kTo100k", "100kTo250k", "250kTo1m", "over1m"]
WealthSource = Literal["inheritance", "businessSale", "salary", "property", "investments", "other"]
Experience = Literal["none", "limited", "good", "extensive"]


class Shape(BaseModel):
    """Base of all objects: camelCase on the wire, nothing unknown, immutable."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        validate_by_name=False,
    )


class MoneyField(Shape):
    """`{"amount": "480000.00", "currency": "USD"}`: exact, positive, not finer than the currency."""

    amount: Annotated[
        Decimal,
        PlainSerializer(str, return_type=str),
        WithJsonSchema({"type": "string", "pattern": r"^[0-9]{1,16}(\.[0-9]{1,3})?$"}),
    ]
    currency: Currency

    @model_validator(mode="wrap")
    @classmethod
    def _exact(cls, value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        if not isinstance(value, dict) or not {"amount", "currency"} <= value.keys():
            return handler(value)
        try:
            amount = parse_amount(value["amount"], str(value["currency"]))
        except InvalidAmount as error:
            refuse("AMOUNT_" + error.code)
        return handler({**value, "amount": amount})


class OtherName(Shape):
    kind: Literal["former", "alias", "nativeScript"]
    name: FullName


class Address(Shape):
    line1: Line120
    line2: Line120 | None = None
    city: Line80
    region: Line80 | None = None
    postal_code: Annotated[Line80, Field(max_length=16)] | None = None
    country: Country


class NationalId(Shape):
    type: NationalIdType
    value: Reference

    @model_validator(mode="after")
    def _of_its_type(self) -> Self:
        if national_id_state(self.type, self.value) == "invalid":
            refuse("NATIONAL_ID_INVALID")
        return self


class TaxResidence(Shape):
    """`tin` and its type, or the CRS reason for none: A not issued, B not obtained, C not required."""

    country: Country
    tin: Reference | None = None
    tin_type: TinType | None = None
    no_tin_reason: Literal["A", "B", "C"] | None = None

    @model_validator(mode="after")
    def _tin_or_reason(self) -> Self:
        if (self.tin is None) == (self.no_tin_reason is None):
            refuse("TIN_OR_REASON")
        if self.tin is not None and self.tin_type is None:
            refuse("TIN_TYPE_MISSING")
        return self


class TaxForm(Shape):
    form: Literal["W9", "W8BEN"]
    signed_date: Day
    treaty_country: Country | None = None
    explanation: Prose | None = None


class FundingAccount(Shape):
    """An IBAN, or US routing and account number."""

    iban: Iban | None = None
    routing_number: Annotated[str, Field(pattern=r"^[0-9]{9}$")] | None = None
    account_number: Annotated[str, Field(pattern=r"^[0-9]{4,17}$")] | None = None
    holder: FullName

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        us_parts = (self.routing_number is not None) + (self.account_number is not None)
        if (us_parts, self.iban is not None) not in ((2, False), (0, True)):
            refuse("IBAN_OR_ROUTING")
        if self.routing_number is not None and not _routing_number_ok(self.routing_number):
            refuse("ROUTING_NUMBER_INVALID")
        return self


class SourceOfWealth(Shape):
    categories: Annotated[list[WealthSource], Field(min_length=1, max_length=6)]
    text: Prose | None = None


class SourceOfFunds(Shape):
    category: WealthSource
    text: Prose | None = None


class Pep(Shape):
    """Politically exposed: declared status; `until` is the last day in office, absent if still there."""

    status: Literal["none", "self", "family", "associate"]
    role: Line120 | None = None
    country: Country | None = None
    until: Day | None = None


class AccountPurpose(Shape):
    purpose: Literal["retirement", "wealthGrowth", "income", "education", "estatePlanning", "other"]
    expected_activity: Literal["low", "medium", "high"]


class BeneficialOwner(Shape):
    name: FullName
    date_of_birth: Day
    nationality: Country
    ownership_pct: Percent
    control: StrictBool = False


class ProductExperience(Shape):
    stocks: Experience = "none"
    bonds: Experience = "none"
    funds: Experience = "none"
    alternatives: Experience = "none"


class Suitability(Shape):
    objective: Literal["preservation", "income", "balanced", "growth", "aggressiveGrowth"]
    risk_tolerance: Annotated[StrictInt, Field(ge=1, le=5)]
    horizon_years: Annotated[StrictInt, Field(ge=0, le=60)]
    liquidity_need: Literal["low", "medium", "high"]
    experience: ProductExperience
    loss_capacity_pct: Percent
    sustainability: Literal["none", "some", "strong"] = "none"


class TrustedContact(Shape):
    """A person to call, or the recorded refusal to name one."""

    refused: StrictBool = False
    name: FullName | None = None
    relationship: Line80 | None = None
    phone: Phone | None = None
    email: Email | None = None

    @model_validator(mode="after")
    def _person_or_refusal(self) -> Self:
        if not self.refused and (self.name is None or (self.phone is None and self.email is None)):
            refuse("CONTACT_INCOMPLETE")
        return self


class Consent(Shape):
    code: Literal["terms", "privacy", "eDelivery", "aiUse"]
    version: Line80
    accepted_at: Instant


class Signature(Shape):
    """`hash`, where given, is the application hash the signer saw."""

    name: FullName
    at: Instant
    hash: Annotated[str, Field(max_length=80)] | None = None


class Application(Shape):
    """39 of the 40 fields in order; the fortieth, `initialDepositUsd`, is derived by the bank."""

    application_id: Annotated[Line80, Field(max_length=40)]
    channel: Literal["web", "branch", "api"]
    preferred_language: Literal["en", "fr", "es", "pt-BR", "pt-PT"]
    given_names: Name
    family_name: Name
    other_names: Annotated[list[OtherName], Field(max_length=10)] | None = None
    date_of_birth: Day
    birth_country: Country
    nationalities: Annotated[UniqueCountries, Field(min_length=1, max_length=4)]
    residential_address: Address
    mailing_address: Address | None = None
    email: Email
    phone: Phone
    id_document_type: Literal["passport", "idCard", "drivingLicence", "residencePermit"]
    id_document_number: Reference
    id_issuing_country: Country
    id_expiry_date: Day
    mrz: MachineZone | None = None
    national_id: NationalId
    us_person: StrictBool
    tax_residences: Annotated[list[TaxResidence], Field(min_length=1, max_length=6)]
    tax_form: TaxForm
    employment_status: Literal["employed", "self", "retired", "student", "none"]
    occupation: Line120 | None = None
    employer_name: Line120 | None = None
    annual_income: IncomeBand
    net_worth: MoneyField
    liquid_net_worth: MoneyField
    initial_deposit: MoneyField
    funding_account: FundingAccount
    source_of_wealth: SourceOfWealth
    source_of_funds: SourceOfFunds
    pep: Pep
    account_purpose: AccountPurpose
    beneficial_owners: Annotated[list[BeneficialOwner], Field(max_length=10)] | None = None
    suitability: Suitability
    trusted_contact: TrustedContact | None = None
    consents: Annotated[list[Consent], Field(min_length=1, max_length=8)]
    signature: Signature


def _routing_number_ok(number: str) -> bool:
    """ABA checksum: weights 3, 7, 1 sum to a multiple of ten."""
    return sum(int(digit) * (3, 7, 1)[index % 3] for index, digit in enumerate(number)) % 10 == 0

"""Rules between fields of an application. Each looks only at fields that are valid by themselves.

A problem blocks and goes back to the applicant; a warning travels with the case. Addresses: people
move, so residence and nationality may differ freely; a post-office box is no place to live.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from aurum.domain.names import full_name, same_person
from aurum.domain.problems import Problem

ADULT_YEARS = 18
AGE_YEARS_MAX = 120

CONSENTS_REQUIRED = ("terms", "privacy")
"""Electronic delivery and the AI assistant may be refused; a person serves the case then."""

_PO_BOX = re.compile(
    r"\b(?:p\.?\s?o\.?\s?box|post office box|apartado|caixa postal|bo[iî]te postale|postfach)\b", re.I
)
_REGION_COUNTRIES = frozenset({"US", "BR"})


def age_on(born: date, day: date) -> int:
    """Return completed years. Born on 29 February: the birthday of a common year is 1 March."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def cross_field_problems(values: Mapping[str, Any], *, today: date) -> list[Problem]:
    """Return what contradicts. `values` holds the valid fields only, as model values by wire name."""
    found: list[Problem] = []
    for needed, rule in _RULES:
        if all(name in values for name in needed):
            found.extend(rule(values, today))
    return found


def warnings_about(values: Mapping[str, Any], *, application_hash: str) -> tuple[str, ...]:
    """Return codes of what is allowed but worth knowing, in a fixed order."""
    signature = values["signature"]
    applicant = full_name(values["givenNames"], values["familyName"])
    liquid, deposit = values["liquidNetWorth"], values["initialDeposit"]
    facts = {
        "SINGLE_NAME": not values["givenNames"] or not values["familyName"],
        "SIGNATURE_NAME_DIFFERS": not same_person(signature.name, applicant),
        "SIGNATURE_OUTDATED": signature.hash is not None and signature.hash != application_hash,
        "DEPOSIT_ABOVE_LIQUID_NET_WORTH": liquid.currency == deposit.currency
        and liquid.amount < deposit.amount,
        "HIGH_RETURN_NO_LOSS": _wants_growth_without_loss(values["suitability"]),
        "MRZ_ABSENT": values.get("mrz") is None,
        "AI_USE_REFUSED": all(consent.code != "aiUse" for consent in values["consents"]),
    }
    return tuple(code for code, holds in facts.items() if holds)


def _wants_growth_without_loss(suitability: Any) -> bool:
    return suitability.objective in ("growth", "aggressiveGrowth") and suitability.loss_capacity_pct < 10


def _a_name(values: Mapping[str, Any], _: date) -> Iterator[Problem]:
    if not values["givenNames"] and not values["familyName"]:
        yield Problem("/givenNames", "REQUIRED")


def _age(values: Mapping[str, Any], today: date) -> Iterator[Problem]:
    years = age_on(values["dateOfBirth"], today)
    if years < ADULT_YEARS:
        yield Problem("/dateOfBirth", "NOT_OF_AGE")
    elif years > AGE_YEARS_MAX:
        yield Problem("/dateOfBirth", "OUT_OF_RANGE")


def _address(values: Mapping[str, Any], _: date) -> Iterator[Problem]:
    address = values["residentialAddress"]
    if _PO_BOX.search(f"{address.line1} {address.line2 or ''}"):
        yield Problem("/residentialAddress/line1", "PO_BOX")
    if address.country in _REGION_COUNTRIES and address.region is None:
        yield Problem("/residentialAddress/region", "REQUIRED")
    if address.country in _REGION_COUNTRIES and address.postal_code is None:
        yield Problem("/residentialAddress/postalCode", "REQUIRED")


def _us_person(values: Mapping[str, Any], _: date) -> Iterator[Problem]:
    tied = (
        "US" in values["nationalities"]
        or values["residentialAddress"].country == "US"
        or any(entry.country == "US" for entry in values["taxResidences"])
    )
    # Birth alone can be explained (renounced citizenship); the other ties cannot.
    born_there = values["birthCountry"] == "US" and not values["taxForm"].explanation
    if not values["usPerson"] and (tied or born_there):
        yield Problem("/usPerson", "US_PERSON_CONTRADICTED")


def _tax_form(values: Mapping[str, Any], today: date) -> Iterator[Problem]:
    if values["taxForm"].form != ("W9" if values["usPerson"] else "W8BEN"):
        yield Problem("/taxForm/form", "TAX_FORM_MISMATCH")
    # Signed in Auckland, it is already tomorrow there.
    if values["taxForm"].signed_date > today + timedelta(days=1):
        yield Problem("/taxForm/signedDate", "IN_THE_FUTURE")


def _tax_residences(values: Mapping[str, Any], _: date) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, entry in enumerate(values["taxResidences"]):
        if entry.country in seen:
            yield Problem(f"/taxResidences/{index}/country", "DUPLICATE")
        seen.add(entry.country)


def _employment(values: Mapping[str, Any], _: date) -> Iterator[Problem]:
    if values["employmentStatus"] in ("employed", "self") and values.get("occupation") is None:
        yield Problem("/occupation", "REQUIRED")
    if values["employmentStatus"] == "employed" and values.get("employerName") is None:
        yield Problem("/employerName", "REQUIRED")


def _worth(values: Mapping[str, Any], _: date) -> Iterator[Problem]:
    net, liquid = values["netWorth"], values["liquidNetWorth"]
    if net.currency == liquid.currency and net.amount < liquid.amount:
        yield Problem("/netWorth", "BELOW_LIQUID_NET_WORTH")


def _deposit(values: Mapping[str, Any], _: date) -> Iterator[Problem]:
    liquid, deposit = values["liquidNetWorth"], values["initialDeposit"]
    explained = bool(values["sourceOfFunds"].text)
    if liquid.currency == deposit.currency and liquid.amount < deposit.amount and not explained:
        yield Problem("/initialDeposit", "DEPOSIT_ABOVE_LIQUID_NET_WORTH")


def _holder(values: Mapping[str, Any], _: date) -> Iterator[Problem]:
    applicant = full_name(values["givenNames"], values["familyName"])
    if not same_person(values["fundingAccount"].holder, applicant):
        yield Problem("/fundingAccount/holder", "HOLDER_NAME_DIFFERS")


def _pep(values: Mapping[str, Any], _: date) -> Iterator[Problem]:
    pep = values["pep"]
    if pep.status != "none" and pep.role is None:
        yield Problem("/pep/role", "REQUIRED")
    if pep.status != "none" and pep.country is None:
        yield Problem("/pep/country", "REQUIRED")


def _owners(values: Mapping[str, Any], _: date) -> Iterator[Problem]:
    if sum(owner.ownership_pct for owner in values["beneficialOwners"]) > 100:
        yield Problem("/beneficialOwners", "OUT_OF_RANGE")


def _consents(values: Mapping[str, Any], _: date) -> Iterator[Problem]:
    given = [consent.code for consent in values["consents"]]
    if len(set(given)) != len(given):
        yield Problem("/consents", "DUPLICATE")
    if any(code not in given for code in CONSENTS_REQUIRED):
        yield Problem("/consents", "CONSENT_MISSING")


def _wealth_explained(values: Mapping[str, Any], _: date) -> Iterator[Problem]:
    if "other" in values["sourceOfWealth"].categories and not values["sourceOfWealth"].text:
        yield Problem("/sourceOfWealth/text", "REQUIRED")


def _funds_explained(values: Mapping[str, Any], _: date) -> Iterator[Problem]:
    if values["sourceOfFunds"].category == "other" and not values["sourceOfFunds"].text:
        yield Problem("/sourceOfFunds/text", "REQUIRED")


Rule = Callable[[Mapping[str, Any], date], Iterator[Problem]]

_RULES: tuple[tuple[tuple[str, ...], Rule], ...] = (
    (("givenNames", "familyName"), _a_name),
    (("dateOfBirth",), _age),
    (("residentialAddress",), _address),
    (
        ("usPerson", "nationalities", "residentialAddress", "taxResidences", "birthCountry", "taxForm"),
        _us_person,
    ),
    (("taxForm", "usPerson"), _tax_form),
    (("taxResidences",), _tax_residences),
    (("employmentStatus",), _employment),
    (("netWorth", "liquidNetWorth"), _worth),
    (("liquidNetWorth", "initialDeposit", "sourceOfFunds"), _deposit),
    (("fundingAccount", "givenNames", "familyName"), _holder),
    (("pep",), _pep),
    (("beneficialOwners",), _owners),
    (("consents",), _consents),
    (("sourceOfWealth",), _wealth_explained),
    (("sourceOfFunds",), _funds_explained),
)

"""The shipped applicants are what their file names say."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from aurum.domain.application import ParsedApplication, application_schema, parse_application
from aurum.domain.identity import expired_problems, verify_identity
from aurum.domain.names import full_name, same_person
from aurum.domain.pep import screen_pep
from aurum.domain.quotes import quote_deposit
from aurum.domain.routing import AUTO_LIMIT_CENTS
from aurum.domain.screening import screen_sanctions
from aurum.domain.tax import verify_tax_status
from aurum.resources import resource_dir
from aurum_engine.dmn.api import evaluate_decision, parse_drg
from aurum_workers.lists import synthetic_peps, synthetic_sanctions
from aurum_workers.rates import bundled_rates

bundled_rates()  # Read once, while collecting, not inside the first test that needs it.

TODAY = date(2026, 11, 30)
FILES = sorted(resource_dir("examples").glob("*.json"))
CLEAN = (
    "sarah-chen",
    "james-rodriguez",
    "eur-at-boundary",
    "two-tax-residences",
    "ptbr-cpf-one-name",
    "contradicting-answers",
)


def record(name: str) -> dict[str, Any]:
    submitted = json.loads((resource_dir("examples") / f"{name}.json").read_text(encoding="utf-8"))
    parsed = parse_application(submitted, today=TODAY)
    assert isinstance(parsed, ParsedApplication), parsed
    return parsed.record


def outcomes(application: dict[str, Any]) -> dict[str, str]:
    sanctions = synthetic_sanctions()
    peps = synthetic_peps()
    return {
        "identity": verify_identity(application, today=TODAY, as_of="").outcome,
        "tax": verify_tax_status(application, today=TODAY, as_of="").outcome,
        "sanctions": screen_sanctions(application, sanctions.entries, as_of="", source="").outcome,
        "pep": screen_pep(application, peps.entries, today=TODAY, as_of="", source="").outcome,
    }


def cents(application: dict[str, Any]) -> int | None:
    return quote_deposit(application["initialDeposit"], bundled_rates(), on=TODAY).deposit_usd_cents


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_example_is_a_valid_application_by_its_own_account_holder(path: Path) -> None:
    application = record(path.stem)

    assert same_person(
        application["fundingAccount"]["holder"],
        full_name(application["givenNames"], application["familyName"]),
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_example_fits_the_published_schema(path: Path) -> None:
    submitted = json.loads(path.read_text(encoding="utf-8"))
    submitted.pop("initialDepositUsd", None)

    jsonschema.Draft202012Validator(application_schema()).validate(submitted)


@pytest.mark.parametrize("name", CLEAN)
def test_clean_examples_pass_all_four_checks(name: str) -> None:
    assert set(outcomes(record(name)).values()) == {"clear"}


def test_sarah_deposits_480_000_and_james_1_620_000_dollars() -> None:
    assert cents(record("sarah-chen")) == 48_000_000
    assert cents(record("james-rodriguez")) == 162_000_000


def test_the_euro_example_is_exactly_the_limit_in_dollars() -> None:
    assert cents(record("eur-at-boundary")) == AUTO_LIMIT_CENTS


def test_one_more_euro_cent_would_be_over_the_limit() -> None:
    over = record("eur-at-boundary") | {"initialDeposit": {"amount": "1342642.33", "currency": "EUR"}}

    assert cents(over) == AUTO_LIMIT_CENTS + 1


def test_the_pep_example_is_for_a_person_by_declaration() -> None:
    assert outcomes(record("pep")) == {
        "identity": "clear",
        "tax": "clear",
        "sanctions": "clear",
        "pep": "review",
    }


def test_the_sanctions_example_is_a_possible_match_and_nothing_else() -> None:
    application = record("possible-sanctions-match")

    assert outcomes(application) == {
        "identity": "clear",
        "tax": "clear",
        "sanctions": "review",
        "pep": "clear",
    }


def test_the_expired_passport_has_expired() -> None:
    assert expired_problems(record("expired-passport"), today=TODAY)


def test_two_tax_residences_are_both_checked() -> None:
    check = verify_tax_status(record("two-tax-residences"), today=TODAY, as_of="")

    assert check.reasons == ("MULTIPLE_TAX_RESIDENCES",)
    assert [row["tinState"] for row in check.details["residences"]] == ["valid", "valid"]


def decided(name: str) -> tuple[str, str]:
    """Band and route of an example by the shipped decision tables."""
    application = record(name)
    sanctions, peps = synthetic_sanctions(), synthetic_peps()
    checks = {
        "identity": verify_identity(application, today=TODAY, as_of=""),
        "tax": verify_tax_status(application, today=TODAY, as_of=""),
        "sanctions": screen_sanctions(application, sanctions.entries, as_of="", source=""),
        "pep": screen_pep(application, peps.entries, today=TODAY, as_of="", source=""),
    }
    variables: dict[str, Any] = {
        "application": application,
        "checks": {check: result.to_json() for check, result in checks.items()},
        "depositUsdCents": cents(application),
    }
    for decision, file_name in (("risk_score", "risk-score"), ("onboarding_route", "onboarding-route")):
        drg = parse_drg((resource_dir("dmn") / f"{file_name}.dmn").read_bytes())
        result = evaluate_decision(drg, decision, variables)
        assert result.failure is None
        variables["risk" if decision == "risk_score" else "route"] = result.output
    return variables["risk"]["band"], variables["route"]["reasonCode"]


@pytest.mark.parametrize(
    ("name", "band", "reason"),
    [
        ("sarah-chen", "low", "WITHIN_LIMIT"),
        ("eur-at-boundary", "low", "WITHIN_LIMIT"),
        ("two-tax-residences", "low", "WITHIN_LIMIT"),
        ("ptbr-cpf-one-name", "low", "WITHIN_LIMIT"),
        ("james-rodriguez", "low", "DEPOSIT_OVER_1_5M"),
        ("pep", "high", "PEP_FLAG"),
        ("possible-sanctions-match", "high", "SANCTIONS_FLAG"),
    ],
)
def test_each_example_goes_where_its_name_says(name: str, band: str, reason: str) -> None:
    assert decided(name) == (band, reason)


def test_the_contradicting_example_wants_growth_soon_and_without_losses() -> None:
    tables = parse_drg((resource_dir("dmn") / "suitability.dmn").read_bytes())
    application = record("contradicting-answers")

    assert evaluate_decision(tables, "suitability", {"application": application}).output == {
        "profile": 2,
        "label": "Conservative",
        "contradictions": ["HIGH_RETURN_NO_LOSS", "GROWTH_SHORT_HORIZON"],
    }

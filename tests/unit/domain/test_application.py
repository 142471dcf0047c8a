"""What a valid application is, what is refused, and that nobody's real name is."""

from __future__ import annotations

import json
import unicodedata
from datetime import date
from typing import Any

import pytest

from aurum.domain.application import FIELDS, ParsedApplication, application_hash, parse_application
from aurum.domain.application_rules import age_on
from aurum.domain.problems import Problem
from aurum.resources import resource_dir

TODAY = date(2026, 11, 30)


def sarah(**changes: Any) -> dict[str, Any]:
    record = json.loads((resource_dir("examples") / "sarah-chen.json").read_text(encoding="utf-8"))
    return {**record, **changes}


def without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in sarah().items() if name not in names}


def accepted(record: dict[str, Any], today: date = TODAY) -> ParsedApplication:
    parsed = parse_application(record, today=today)
    assert isinstance(parsed, ParsedApplication), parsed
    return parsed


def problems(record: object, today: date = TODAY) -> set[tuple[str, str]]:
    parsed = parse_application(record, today=today)
    assert not isinstance(parsed, ParsedApplication)
    return {(problem.field, problem.code) for problem in parsed}


def renamed(given: str, family: str) -> dict[str, Any]:
    holder = " ".join(part for part in (given, family) if part)
    record = without("mrz", "otherNames", "fundingAccount", "signature")
    return {
        **record,
        "givenNames": given,
        "familyName": family,
        "fundingAccount": {"routingNumber": "110000000", "accountNumber": "12345678", "holder": holder},
        "signature": {"name": holder, "at": "2026-11-28T15:04:30Z"},
    }


def test_the_record_has_forty_fields() -> None:
    assert len(FIELDS) == 40


def test_a_complete_application_counts_all_forty_fields() -> None:
    assert accepted(sarah()).fields_parsed == 40


def test_the_derived_dollar_amount_is_read_but_not_believed() -> None:
    lied = accepted(sarah(initialDepositUsd={"amount": "1.00", "currency": "USD"}))

    assert "initialDepositUsd" not in lied.record
    assert lied.hash == accepted(sarah()).hash


@pytest.mark.parametrize("name", ["hash", "initialDepositUsd"])
def test_fields_that_are_not_believed_are_still_json(name: str) -> None:
    assert problems(sarah(**{name: float("nan")})) == {(f"/{name}", "INVALID")}


def test_parsing_its_own_result_changes_nothing() -> None:
    first = accepted(sarah())

    assert accepted(first.record).record == first.record


def test_any_other_deposit_is_another_hash() -> None:
    other = accepted(sarah(initialDeposit={"amount": "480000.01", "currency": "USD"}))

    assert other.hash != accepted(sarah()).hash


def test_the_signature_is_not_part_of_the_hash() -> None:
    signed_later = accepted(sarah(signature={"name": "Sarah Chen", "at": "2026-11-29T08:00:00+01:00"}))

    assert signed_later.hash == accepted(sarah()).hash
    assert signed_later.hash == application_hash(signed_later.record)
    assert signed_later.record["signature"]["at"] == "2026-11-29T07:00:00.000Z"


def test_everything_wrong_is_said_at_once() -> None:
    wrong = sarah(
        email="nobody",
        phone="+1 555",
        netWorth={"amount": "1.005", "currency": "USD"},
        initialDeposit={"amount": "-5", "currency": "USD"},
        taxResidences=[{"country": "US", "tin": "078-05-1120"}],
        usPerson="yes",
        surprise="x",
    )
    del wrong["channel"]

    assert problems(wrong) == {
        ("", "UNKNOWN_FIELD"),
        ("/channel", "REQUIRED"),
        ("/email", "EMAIL_INVALID"),
        ("/phone", "PHONE_INVALID"),
        ("/netWorth", "AMOUNT_TOO_PRECISE"),
        ("/initialDeposit", "AMOUNT_NOT_A_NUMBER"),
        ("/taxResidences/0", "TIN_TYPE_MISSING"),
        ("/usPerson", "NOT_A_YES_OR_NO"),
    }


@pytest.mark.parametrize(
    "submitted",
    [None, [], "text", 5, True, {1: 2}],
    ids=["null", "list", "text", "number", "yes", "number as key"],
)
def test_what_is_no_object_is_refused_with_a_reason(submitted: object) -> None:
    assert problems(submitted)


def test_a_huge_application_is_refused_as_a_whole() -> None:
    assert problems(sarah(occupation="x" * 40_000)) == {("", "TOO_LARGE")}


def test_a_bottomless_application_is_refused_as_a_whole() -> None:
    deep: dict[str, Any] = {}
    for _ in range(5_000):
        deep = {"pep": deep}

    assert problems(deep) == {("", "TOO_LARGE")}


@pytest.mark.parametrize(
    ("given", "family"),
    [
        ("Mary", "O'Neill"),
        ("Mary", "O’Neill"),
        ("Iñaki", "Nuñez"),
        ("Thị", "Đặng"),
        ("Eva", "Müller-Lüdenscheidt"),
        ("李", "王"),
        ("Åse", "van der Berg"),
        ("Владимир", "Ёлкин"),
        ("محمد", "الفاسي"),
        ("Jean-Luc A.", "d'Été"),
        ("X", "Y"),
        ("Null", "True"),
        ("A" * 100, "None"),
    ],
)
def test_real_names_are_accepted_unchanged(given: str, family: str) -> None:
    record = accepted(renamed(given, family)).record

    assert (record["givenNames"], record["familyName"]) == (given, family)


def test_composed_and_decomposed_spellings_are_one_application() -> None:
    composed = renamed(unicodedata.normalize("NFC", "Åse"), unicodedata.normalize("NFC", "Đặng"))
    decomposed = renamed(unicodedata.normalize("NFD", "Åse"), unicodedata.normalize("NFD", "Đặng"))

    assert accepted(composed).hash == accepted(decomposed).hash


@pytest.mark.parametrize(("given", "family"), [("Suharto", ""), ("", "Suharto")])
def test_a_person_with_one_name_is_accepted_with_a_note(given: str, family: str) -> None:
    assert "SINGLE_NAME" in accepted(renamed(given, family)).warnings


def test_a_person_without_any_name_is_refused() -> None:
    record = renamed("Suharto", "") | {"givenNames": ""}

    assert ("/givenNames", "REQUIRED") in problems(record)


@pytest.mark.parametrize("name", ["Sa\u0000rah", "Sarah<b>", "=1+1", "\ud800", "123", "a\nb" * 90])
def test_what_is_no_name_is_refused(name: str) -> None:
    assert {field for field, _ in problems(sarah(givenNames=name))} == {"/givenNames"}


def test_namibia_is_not_missing() -> None:
    abroad = sarah(birthCountry="NA", nationalities=["NA", "US"])

    record = accepted(abroad).record

    assert record["birthCountry"] == "NA"
    assert record["nationalities"] == ["NA", "US"]


@pytest.mark.parametrize(
    ("day", "years"),
    [
        (date(2026, 2, 27), 17),
        (date(2026, 2, 28), 17),
        (date(2026, 3, 1), 18),
        (date(2028, 2, 28), 19),
        (date(2028, 2, 29), 20),
    ],
)
def test_a_leap_day_child_has_its_birthday_on_the_first_of_march(day: date, years: int) -> None:
    assert age_on(date(2008, 2, 29), day) == years


def test_minors_are_refused_until_their_birthday() -> None:
    young = sarah(dateOfBirth="2008-02-29")

    assert ("/dateOfBirth", "NOT_OF_AGE") in problems(young, date(2026, 2, 28))
    assert accepted(young, date(2026, 3, 1))


@pytest.mark.parametrize(
    "day", ["2026-02-29", "20260101", "2026-W01-1", 0, "2026-1-1", "٢٠٢٦-01-01", None, True]
)
def test_only_calendar_days_are_dates(day: object) -> None:
    assert any(field == "/dateOfBirth" for field, _ in problems(sarah(dateOfBirth=day)))


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("+39 06 5685 1242", "+390656851242"),
        ("+41 (0)44 668 18 00", "+41446681800"),
        ("0041 44 668 18 00", "+41446681800"),
        ("+1 416 555 0123", "+14165550123"),
        ("+٤١٤٤٦٦٨١٨٠٠", "+41446681800"),
    ],
)
def test_phone_numbers_become_e164(written: str, stored: str) -> None:
    assert accepted(sarah(phone=written)).record["phone"] == stored


@pytest.mark.parametrize(
    "written",
    ["gb29 nwbk 6016 1331 9268 19", "GB29\u00a0NWBK\u00a060161331926819", "\u200eGB29NWBK60161331926819"],
    ids=["lower case", "no-break space", "direction mark"],
)
def test_pasted_ibans_become_one_form(written: str) -> None:
    record = accepted(sarah(fundingAccount={"iban": written, "holder": "Sarah Chen"})).record

    assert record["fundingAccount"]["iban"] == "GB29NWBK60161331926819"


@pytest.mark.parametrize("iban", ["GB29NWBK60161331926818", "GB29NWBK6016133192681", "XX00", "GB29-NWBK", ""])
def test_wrong_ibans_are_refused(iban: str) -> None:
    found = problems(sarah(fundingAccount={"iban": iban, "holder": "Sarah Chen"}))

    assert ("/fundingAccount/iban", "IBAN_INVALID") in found


@pytest.mark.parametrize(
    ("amount", "currency", "code"),
    [
        (480000.0, "USD", "AMOUNT_NOT_TEXT"),
        (True, "USD", "AMOUNT_NOT_TEXT"),
        ("1e6", "USD", "AMOUNT_NOT_A_NUMBER"),
        ("1,500,001", "USD", "AMOUNT_NOT_A_NUMBER"),
        ("1.500.000,00", "EUR", "AMOUNT_NOT_A_NUMBER"),
        ("9" * 5000, "USD", "AMOUNT_TOO_LONG"),
        ("0", "USD", "AMOUNT_NOT_POSITIVE"),
        ("1.5", "JPY", "AMOUNT_TOO_PRECISE"),
        ("1.2345", "KWD", "AMOUNT_TOO_PRECISE"),
    ],
)
def test_amounts_are_exact_or_refused(amount: object, currency: str, code: str) -> None:
    found = problems(sarah(initialDeposit={"amount": amount, "currency": currency}))

    assert ("/initialDeposit", code) in found


@pytest.mark.parametrize("currency", ["usd", "XXX", "XAU", "QQQ", "", None, 5])
def test_only_money_has_a_currency(currency: object) -> None:
    found = problems(sarah(initialDeposit={"amount": "5.00", "currency": currency}))

    assert any(field.startswith("/initialDeposit") for field, _ in found)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"usPerson": False}, Problem("/usPerson", "US_PERSON_CONTRADICTED")),
        (
            {"taxForm": {"form": "W8BEN", "signedDate": "2026-11-28"}},
            Problem("/taxForm/form", "TAX_FORM_MISMATCH"),
        ),
        (
            {"taxForm": {"form": "W9", "signedDate": "2026-12-02"}},
            Problem("/taxForm/signedDate", "IN_THE_FUTURE"),
        ),
        ({"netWorth": {"amount": "1.00", "currency": "USD"}}, Problem("/netWorth", "BELOW_LIQUID_NET_WORTH")),
        ({"occupation": None}, Problem("/occupation", "REQUIRED")),
        ({"pep": {"status": "self"}}, Problem("/pep/role", "REQUIRED")),
        (
            {"consents": [{"code": "terms", "version": "1", "acceptedAt": "2026-11-28T15:04:00Z"}]},
            Problem("/consents", "CONSENT_MISSING"),
        ),
        (
            {
                "fundingAccount": {
                    "routingNumber": "110000000",
                    "accountNumber": "12345678",
                    "holder": "Peter Pan",
                }
            },
            Problem("/fundingAccount/holder", "HOLDER_NAME_DIFFERS"),
        ),
        (
            {
                "fundingAccount": {
                    "routingNumber": "110000001",
                    "accountNumber": "12345678",
                    "holder": "Sarah Chen",
                }
            },
            Problem("/fundingAccount", "ROUTING_NUMBER_INVALID"),
        ),
        (
            {"nationalId": {"type": "SSN", "value": "078-05-1120"}},
            Problem("/nationalId", "NATIONAL_ID_INVALID"),
        ),
        ({"nationalities": ["US", "US"]}, Problem("/nationalities", "DUPLICATE")),
        ({"mrz": "P<USACHEN"}, Problem("/mrz", "MRZ_UNREADABLE")),
    ],
    ids=lambda value: value.field + " " + value.code if isinstance(value, Problem) else "",
)
def test_contradictions_are_named(changes: dict[str, Any], problem: Problem) -> None:
    assert (problem.field, problem.code) in problems(sarah(**changes))


def test_nobody_lives_in_a_post_office_box() -> None:
    boxed = sarah()["residentialAddress"] | {"line1": "P.O. Box 5"}

    assert ("/residentialAddress/line1", "PO_BOX") in problems(sarah(residentialAddress=boxed))


def test_an_expired_document_is_left_to_the_identity_check() -> None:
    assert accepted(sarah(idExpiryDate="2020-01-01"))


def test_a_signature_over_an_older_version_is_noted() -> None:
    signature = {"name": "Sarah Chen", "at": "2026-11-28T15:04:30Z", "hash": "sha256:old"}

    assert accepted(sarah(signature=signature)).warnings == ("SIGNATURE_OUTDATED",)

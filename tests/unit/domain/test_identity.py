"""Machine zones of ICAO Doc 9303 and what the identity check concludes from them."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from aurum.domain.application import ParsedApplication, parse_application
from aurum.domain.identity import expired_problems, verify_identity
from aurum.domain.mrz import Mrz, build_td3, check_digit, full_date, read_mrz
from aurum.resources import resource_dir

TODAY = date(2026, 11, 30)

SPECIMEN_TD3 = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10"
SPECIMEN_TD1 = (
    "I<UTOD231458907<<<<<<<<<<<<<<<\n7408122F1204159UTO<<<<<<<<<<<6\nERIKSSON<<ANNA<MARIA<<<<<<<<<<"
)


def application(**changes: Any) -> dict[str, Any]:
    record = json.loads((resource_dir("examples") / "sarah-chen.json").read_text(encoding="utf-8"))
    parsed = parse_application({**record, **changes}, today=TODAY)
    assert isinstance(parsed, ParsedApplication), parsed
    return parsed.record


def read(text: str) -> Mrz:
    zone = read_mrz(text)
    assert zone is not None
    return zone


@pytest.mark.parametrize("zone", [SPECIMEN_TD3, SPECIMEN_TD1], ids=["passport", "card"])
def test_the_specimens_of_doc_9303_add_up(zone: str) -> None:
    assert read(zone).wrong_digits == ()
    assert read(zone).names == "ERIKSSON ANNA MARIA"


def test_the_printed_example_of_a_check_digit_holds() -> None:
    assert check_digit("520727") == 3


def test_a_long_card_number_continues_in_the_optional_data() -> None:
    digit = check_digit("D23145890734")
    first = f"I<UTOD23145890<734{digit}".ljust(30, "<")
    composite = check_digit(first[5:30] + "7408122" + "1204159" + "<" * 11)

    zone = read(f"{first}\n7408122F1204159UTO<<<<<<<<<<<{composite}\nERIKSSON<<ANNA<MARIA<<<<<<<<<<")

    assert (zone.document_number, zone.wrong_digits) == ("D23145890734", ())


@pytest.mark.parametrize("position", [44, 47, 53, 57, 63, 65, 71, 73, 86, 87])
def test_one_changed_digit_is_found(position: int) -> None:
    flat = SPECIMEN_TD3.replace("\n", "")
    changed = flat[:position] + ("A" if flat[position] != "A" else "B") + flat[position + 1 :]

    assert read(changed).wrong_digits


@pytest.mark.parametrize("text", ["", "P<UTO", "x" * 88, "P<UTOÉRIKSSON".ljust(88, "<"), "V" * 88])
def test_what_is_no_zone_is_not_read(text: str) -> None:
    assert read_mrz(text) is None


def test_birth_years_are_never_in_the_future() -> None:
    assert full_date("261201", today=TODAY, future=False) == date(1926, 12, 1)
    assert full_date("261130", today=TODAY, future=False) == date(2026, 11, 30)
    assert full_date("330819", today=TODAY, future=True) == date(2033, 8, 19)
    assert full_date("260230", today=TODAY, future=True) is None


def test_a_document_that_agrees_is_clear() -> None:
    check = verify_identity(application(), today=TODAY, as_of="2026-11-30T10:00:00.000Z")

    assert (check.outcome, check.reasons) == ("clear", ())
    assert check.to_json()["simulated"] is True
    assert check.basis_hash == application()["hash"]


@pytest.mark.parametrize(
    ("changes", "outcome", "reason"),
    [
        ({"mrz": None}, "review", "MRZ_ABSENT"),
        ({"idDocumentNumber": "C03005989"}, "failed", "DOCUMENT_NUMBER_DIFFERS"),
        ({"dateOfBirth": "1988-04-13"}, "failed", "BIRTH_DATE_DIFFERS"),
        ({"idExpiryDate": "2033-08-20"}, "review", "EXPIRY_DATE_DIFFERS"),
        ({"idIssuingCountry": "CA"}, "review", "ISSUER_DIFFERS"),
        ({"nationalId": {"type": "OTHER", "value": "QQ123456C"}}, "review", "NATIONAL_ID_UNVERIFIED"),
    ],
)
def test_what_differs_is_named(changes: dict[str, Any], outcome: str, reason: str) -> None:
    check = verify_identity(application(**changes), today=TODAY, as_of="")

    assert (check.outcome, check.reasons) == (outcome, (reason,))


def test_a_wrong_check_digit_fails() -> None:
    zone = application()["mrz"]
    broken = zone[:-1] + str((int(zone[-1]) + 1) % 10)

    check = verify_identity(application(mrz=broken), today=TODAY, as_of="")

    assert (check.outcome, check.reasons) == ("failed", ("MRZ_CHECK_DIGIT",))
    assert check.details["wrongDigits"] == ["composite"]


def test_another_name_in_the_zone_is_for_a_person() -> None:
    zone = build_td3(
        issuer="USA",
        names="SMITH<<JOHN",
        number="C03005988",
        nationality="USA",
        birth="880412",
        sex="F",
        expiry="330819",
    )

    check = verify_identity(application(mrz=zone), today=TODAY, as_of="")

    assert (check.outcome, check.reasons) == ("review", ("NAME_DIFFERS",))


@pytest.mark.parametrize(
    ("given", "family", "printed"),
    [
        ("Élodie", "Müller-Lüdenscheidt", "MUELLER<LUEDENSCHEIDT<<ELODIE"),
        ("Élodie", "Müller-Lüdenscheidt", "MULLER<LUDENSCHEIDT<<ELODIE"),
        ("Oliver", "O’Neill", "ONEILL<<OLIVER"),
        ("Iracema", "", "IRACEMA"),
        ("Владимир", "Ёлкин", "ELKIN<<VLADIMIR"),
        (
            "Anna Maria Theodora Wilhelmina",
            "Vandenbergh-Oosterhuizen",
            "VANDENBERGH<OOSTERHUIZEN<<ANNA<MARIA<TH",
        ),
    ],
)
def test_printed_spellings_of_a_name_agree_with_it(given: str, family: str, printed: str) -> None:
    holder = f"{given} {family}".strip()
    zone = build_td3(
        issuer="USA",
        names=printed,
        number="C03005988",
        nationality="USA",
        birth="880412",
        sex="F",
        expiry="330819",
    )

    record = application(
        givenNames=given,
        familyName=family,
        mrz=zone,
        fundingAccount={"routingNumber": "110000000", "accountNumber": "12345678", "holder": holder},
    )

    assert verify_identity(record, today=TODAY, as_of="").reasons == ()


def test_a_document_is_valid_through_its_last_day() -> None:
    assert expired_problems(application(idExpiryDate="2026-11-30"), today=TODAY) == ()
    assert expired_problems(application(idExpiryDate="2026-11-29"), today=TODAY)[0].code == "DOCUMENT_EXPIRED"


def test_a_document_about_to_expire_is_noted_but_clear() -> None:
    zone = build_td3(
        issuer="USA",
        names="CHEN<<SARAH",
        number="C03005988",
        nationality="USA",
        birth="880412",
        sex="F",
        expiry="261210",
    )

    check = verify_identity(application(mrz=zone, idExpiryDate="2026-12-10"), today=TODAY, as_of="")

    assert (check.outcome, check.reasons) == ("clear", ("DOCUMENT_EXPIRES_SOON",))

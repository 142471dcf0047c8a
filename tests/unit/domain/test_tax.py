"""Tax status by form, residence and declared type of number."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from aurum.domain.nationalids import tin_state
from aurum.domain.tax import verify_tax_status
from aurum.resources import resource_dir


def check(today: date = date(2026, 11, 30), **changes: Any) -> tuple[str, tuple[str, ...]]:
    record = json.loads((resource_dir("examples") / "eur-at-boundary.json").read_text(encoding="utf-8"))
    found = verify_tax_status({**record, "hash": "h", **changes}, today=today, as_of="")
    return found.outcome, found.reasons


@pytest.mark.parametrize(
    ("residence", "outcome", "reasons"),
    [
        ({"country": "FR", "tin": "3023217600053", "tinType": "SPI"}, "clear", ()),
        ({"country": "FR", "tin": "3023217600054", "tinType": "SPI"}, "review", ("TIN_INVALID",)),
        ({"country": "FR", "tin": "111-22-3333", "tinType": "SSN"}, "review", ("TIN_INVALID",)),
        ({"country": "FR", "noTinReason": "A"}, "clear", ("TIN_NOT_ISSUED",)),
        ({"country": "FR", "noTinReason": "B"}, "review", ("TIN_NOT_OBTAINED",)),
        ({"country": "FR", "noTinReason": "C"}, "clear", ("TIN_NOT_REQUIRED",)),
    ],
)
def test_each_residence_has_a_number_or_a_reason(
    residence: dict[str, str], outcome: str, reasons: tuple[str, ...]
) -> None:
    assert check(taxResidences=[residence]) == (outcome, reasons)


def test_a_country_without_a_checker_is_for_a_person() -> None:
    namibia = [
        {"country": "FR", "tin": "3023217600053", "tinType": "SPI"},
        {"country": "NA", "tin": "1234567", "tinType": "OTHER"},
    ]

    assert check(taxResidences=namibia) == ("review", ("MULTIPLE_TAX_RESIDENCES", "TIN_UNVERIFIED"))


def test_the_home_country_is_a_tax_residence() -> None:
    elsewhere = [{"country": "CH", "tin": "756.9217.0769.85", "tinType": "AHV"}]

    assert check(taxResidences=elsewhere) == ("review", ("TAX_RESIDENCE_HOME_MISSING",))


def test_a_w8ben_lasts_through_the_third_calendar_year() -> None:
    signed = {"form": "W8BEN", "signedDate": "2026-01-02"}

    assert check(date(2029, 12, 31), taxForm=signed) == ("clear", ())
    assert check(date(2030, 1, 1), taxForm=signed) == ("review", ("TAX_FORM_OUTDATED",))


def test_a_number_that_another_library_would_accept_as_some_us_number_is_no_ssn() -> None:
    assert tin_state("US", "SSN", "078-05-1120") == "invalid"
    assert tin_state("US", "SSN", "666-12-1234") == "invalid"

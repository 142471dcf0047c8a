"""Addresses in one spelling, post-office boxes in five languages, and reports that only make worse."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aurum.domain.address import is_po_box, normalise, verify_address
from aurum.domain.adverse_media import with_adverse_media
from aurum.domain.checks import Check, Outcome, worst
from aurum.domain.reasons import REASONS
from aurum.domain.screening import ListEntry
from aurum.resources import resource_dir

EXAMPLES = sorted(path.stem for path in resource_dir("examples").glob("*.json"))


def example(name: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((resource_dir("examples") / f"{name}.json").read_text("utf-8"))
    return record | {"hash": "sha256:h"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_live_somewhere_usable(name: str) -> None:
    check = verify_address(example(name)["residentialAddress"], as_of="t")

    assert (check.outcome, check.reasons, check.po_box) == ("clear", (), False)


@pytest.mark.parametrize(
    "line",
    ["PO Box 12", "P.O. Box 4711", "Post Office Box 3", "Apartado de Correos 7", "Apartado 12",
     "Caixa Postal 99", "Boîte postale 4", "BP 123", "B.P. 40", "CS 30001", "Casilla postal 8",
     "Postfach 55", "po box 9"],
)  # fmt: skip
def test_a_post_office_box_is_seen_in_every_language(line: str) -> None:
    check = verify_address({"line1": line, "city": "X", "postalCode": "75001", "country": "FR"}, as_of="t")

    assert (check.po_box, check.outcome) == (True, "review")


@pytest.mark.parametrize(
    "line", ["12 Boxwood Road", "3 Poboxer Straat", "Calle Casillas 4", "5 Rue de la Poste", "BP Street 4"]
)
def test_a_street_is_no_post_office_box(line: str) -> None:
    assert not is_po_box(line)


@pytest.mark.parametrize(
    ("country", "written", "spelled"),
    [
        ("GB", "sw1a1aa", "SW1A 1AA"),
        ("PT", "1000205", "1000-205"),
        ("BR", "01310 100", "01310-100"),
        ("US", "981010001", "98101-0001"),
        ("US", "98101", "98101"),
        ("NL", "1012ab", "1012 AB"),
        ("FR", " 75001 ", "75001"),
    ],
)
def test_postal_codes_are_spelled_as_their_country_does(country: str, written: str, spelled: str) -> None:
    assert normalise({"postalCode": written, "country": country})["postalCode"] == spelled


def test_what_is_wrong_costs_points_and_has_a_name() -> None:
    check = verify_address(
        {"line1": "Main Street", "city": "12", "postalCode": "1", "country": "US"}, as_of="t"
    ).to_json()

    assert check["reasons"] == [
        "ADDRESS_POSTAL_CODE",
        "ADDRESS_REGION_MISSING",
        "ADDRESS_NO_NUMBER",
        "ADDRESS_CITY_UNCLEAR",
    ]
    assert (check["outcome"], check["score"]) == ("review", 10)
    assert set(check["reasons"]) <= set(REASONS)


def test_a_country_without_a_known_postal_code_is_said_and_passes() -> None:
    check = verify_address({"line1": "Shibuya 2-21-1", "city": "Tokyo", "country": "JP"}, as_of="t")

    assert (check.outcome, check.reasons) == ("clear", ("ADDRESS_COUNTRY_UNCHECKED",))


lines = st.text(max_size=30)
countries = st.sampled_from(["US", "GB", "PT", "BR", "CA", "NL", "FR", "JP", ""])


@settings(max_examples=50)
@given(
    st.fixed_dictionaries(
        {"line1": lines, "city": lines, "country": countries},
        optional={"line2": st.none() | lines, "region": lines, "postalCode": lines},
    )
)
def test_any_address_gets_a_score_and_normalising_twice_changes_nothing(address: dict[str, Any]) -> None:
    check = verify_address(address, as_of="t")

    assert 0 <= check.score <= 100
    assert normalise(check.normalised) == check.normalised


REPORT = ListEntry("1", "MEDIA", ("Sarah Chen",), (1988,), ("US",), "SYNTHETIC", "invented")


@pytest.mark.parametrize("outcome", ["clear", "review", "failed"])
def test_a_report_makes_an_outcome_worse_or_leaves_it(outcome: Outcome) -> None:
    before = Check(outcome, "sha256:h", ("PEP_LISTED",), "t", "s", {"hits": []})
    application = example("sarah-chen")

    quiet = with_adverse_media(before, application, [])
    named = with_adverse_media(before, application, [REPORT])

    assert (quiet.outcome, quiet.reasons, quiet.details) == (
        outcome,
        ("PEP_LISTED",),
        {"hits": [], "media": []},
    )
    assert (named.outcome, named.reasons) == (worst([outcome, "review"]), ("PEP_LISTED", "ADVERSE_MEDIA"))
    assert named.details["media"][0]["name"] == "Sarah Chen"

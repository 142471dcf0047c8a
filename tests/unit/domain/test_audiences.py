"""Who sees what, field by field."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from aurum.domain.application import FIELDS
from aurum.domain.audience_tables import APPLICATION_FIELDS, VARIABLES
from aurum.domain.audiences import may_see, visible_to, visible_variables
from aurum.domain.masking import mask_value
from aurum.keys import VIEWS
from aurum.resources import resource_dir

CONTRACT = Path(__file__).parents[3] / "docs" / "process-variables.md"

HIT = {
    "list": "SYNTHETIC-SDN",
    "entryId": "90001",
    "name": "Viktor Maralenko",
    "score": 89,
    "level": "possible",
}
SANCTIONS = {
    "outcome": "review",
    "basisHash": "sha256:1",
    "reasons": ["SANCTIONS_POSSIBLE"],
    "asOf": "2026-11-30T10:00:00.000Z",
    "source": "list",
    "simulated": True,
    "details": {"screenedEntries": 40, "hits": [HIT]},
}
RECEIPT = {
    "v": 1,
    "outcome": "request-info",
    "reasonCode": "MORE_INFORMATION",
    "person": "maria.advisor",
    "question": "Where does it come from?",
    "fields": ["/sourceOfFunds/text"],
    "signature": "ff" * 32,
}


def sarah() -> dict[str, Any]:
    record: dict[str, Any] = json.loads(
        (resource_dir("examples") / "sarah-chen.json").read_text(encoding="utf-8")
    )
    return record


def test_every_field_of_the_application_has_an_audience() -> None:
    assert set(FIELDS) | {"hash"} == set(APPLICATION_FIELDS)


def test_every_variable_of_the_contract_has_an_audience() -> None:
    rows = [
        line.split("|")
        for line in CONTRACT.read_text(encoding="utf-8").splitlines()
        if line.startswith("| `")
    ]
    created = {name for row in rows if len(row) == 4 for name in re.findall(r"`([A-Za-z]+)`", row[1])}
    returned = {name for row in rows if len(row) == 8 for name in re.findall(r"`([a-z][A-Za-z]+)`", row[4])}

    assert len(created | returned) >= 25
    assert created | returned <= set(VARIABLES) | {"hash"}


@pytest.mark.parametrize("check", [SANCTIONS, {**SANCTIONS, "outcome": "clear", "reasons": []}])
def test_screening_looks_the_same_to_a_customer_whatever_it_found(check: dict[str, Any]) -> None:
    assert visible_to("customer", "sanctionsCheck", check) == {"status": "done"}
    assert visible_to("customer", "pepCheck", check) == {"status": "done"}
    assert visible_to("customer", "checks", {"sanctions": check}) == {"sanctions": {"status": "done"}}


@pytest.mark.parametrize("name", ["risk", "route", "decisions", "editors", "submitter", "agent", "refusal"])
def test_a_customer_sees_nothing_of_what_the_bank_thinks(name: str) -> None:
    assert not may_see("customer", name)
    assert visible_to("customer", name, {"score": 70}) is None


def test_a_customer_sees_the_question_and_not_who_asked() -> None:
    assert visible_to("customer", "review", RECEIPT) == {
        "question": "Where does it come from?",
        "fields": ["/sourceOfFunds/text"],
    }
    assert visible_to("customer", "review", {**RECEIPT, "outcome": "decline"}) is None
    assert visible_to("customer", "approval", RECEIPT) == {"by": "an advisor"}


def test_a_customer_reads_only_reasons_meant_for_customers() -> None:
    check = {"outcome": "review", "reasons": ["NAME_DIFFERS", "SANCTIONS_MATCH", "NO_SUCH_CODE"]}

    assert visible_to("customer", "identityCheck", check) == {
        "outcome": "review",
        "reasons": ["NAME_DIFFERS"],
    }


def test_an_advisor_sees_hits_but_no_signatures() -> None:
    assert visible_to("advisor", "sanctionsCheck", SANCTIONS)["details"]["hits"] == [HIT]
    assert "signature" not in visible_to("advisor", "review", RECEIPT)


def test_an_operator_sees_every_field_with_personal_values_masked() -> None:
    shown = visible_to("operator", "application", sarah())

    assert set(shown) == set(sarah())
    assert (shown["givenNames"], shown["familyName"]) == ("S…", "C…")
    assert shown["nationalId"] == {"type": "SSN", "value": "***-**-3333"}
    assert shown["initialDeposit"] == {"amount": "480000.00", "currency": "USD"}
    text = json.dumps(shown, ensure_ascii=False)
    for secret in (
        "Sarah",
        "Chen",
        "111-22",
        "sarah.chen",
        "2065550142",
        "1988-04-12",
        "Example Avenue",
        "000123456789",
    ):
        assert secret not in text


def test_an_operator_may_be_shown_everything_after_an_audited_reason() -> None:
    assert visible_to("operator", "application", sarah(), unmasked=True) == sarah()


@pytest.mark.parametrize("view", VIEWS)
def test_unknown_variables_and_fields_are_dropped(view: Any) -> None:
    assert visible_to(view, "surprise", {"a": 1}) is None
    assert visible_to(view, "quote", {"surprise": 1, "rate": "1"}) == {"rate": "1"}
    assert visible_to(view, "application", {"givenNames": {"nested": "x"}}) == {}
    assert visible_to(view, "application", "text instead of an object") is None
    assert visible_variables(view, {"surprise": 1, "caseId": "c1"}) == {"caseId": "c1"}


@pytest.mark.parametrize(
    ("kind", "value", "masked"),
    [
        ("name", "Sarah Chen", "S… C…"),
        ("name", "李 王", "李… 王…"),
        ("last4", "111-22-1234", "***-**-1234"),
        ("last4", "FR1420041010050500013M02606", "…2606"),
        ("last4", "1234567", "…"),
        ("email", "sarah@example.com", "s…@example.com"),
        ("email", "nobody", "…"),
        ("phone", "+12065550142", "…42"),
        ("date", "1988-04-12", "1988-…"),
        ("date", "twelfth of April", "…"),
        ("text", "Enter by the back", "[17 characters]"),
        ("hidden", "x", "…"),
        ("name", None, None),
    ],
)
def test_masks(kind: Any, value: object, masked: str | None) -> None:
    assert mask_value(kind, value) == masked

"""Decision receipts: who can make one, and what makes one worthless."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from aurum.domain.basis import basis_hash
from aurum.domain.receipts import Receipt, sign_receipt, verify_receipt
from aurum.errors import IntegrityBroken

SECRET = b"s" * 32
RECEIPT = Receipt(
    case_id="c1",
    task_key="2251799813685300",
    element_id="advisor_review",
    outcome="approve",
    reason_code="APPROVED",
    person="advisor",
    deposit_usd_cents=162_000_000,
    basis_hash="sha256:1",
    at="2026-11-30T10:00:00.000Z",
)


def test_a_receipt_survives_the_wire() -> None:
    travelled = json.loads(json.dumps(sign_receipt(SECRET, RECEIPT)))

    assert verify_receipt(SECRET, travelled) == RECEIPT


def test_questions_and_fields_are_signed_too() -> None:
    asked = replace(RECEIPT, outcome="request-info", question="Why?", fields=("/sourceOfFunds/text",))

    signed = sign_receipt(SECRET, asked)

    assert verify_receipt(SECRET, signed) == asked
    with pytest.raises(IntegrityBroken):
        verify_receipt(SECRET, {**signed, "fields": []})


def test_another_secret_signs_nothing() -> None:
    with pytest.raises(IntegrityBroken):
        verify_receipt(b"x" * 32, sign_receipt(SECRET, RECEIPT))


@pytest.mark.parametrize("name", sorted(sign_receipt(SECRET, RECEIPT)))
def test_a_receipt_without_one_field_is_refused(name: str) -> None:
    signed = sign_receipt(SECRET, RECEIPT)
    del signed[name]

    with pytest.raises(IntegrityBroken):
        verify_receipt(SECRET, signed)


@pytest.mark.parametrize(
    "value",
    [None, True, 1.0, 162_000_000.0, "162000000", [], {}, 2, "approve"],
    ids=repr,
)
@pytest.mark.parametrize("name", sorted(sign_receipt(SECRET, RECEIPT)))
def test_a_field_of_another_value_or_type_is_refused(name: str, value: object) -> None:
    signed = sign_receipt(SECRET, RECEIPT)
    if signed[name] == value and type(signed[name]) is type(value):
        return

    with pytest.raises(IntegrityBroken):
        verify_receipt(SECRET, {**signed, name: value})


def test_extra_fields_are_refused() -> None:
    with pytest.raises(IntegrityBroken):
        verify_receipt(SECRET, {**sign_receipt(SECRET, RECEIPT), "note": ""})


@pytest.mark.parametrize("forged", [None, [], "receipt", 5, {}])
def test_what_is_no_receipt_is_refused(forged: object) -> None:
    with pytest.raises(IntegrityBroken):
        verify_receipt(SECRET, forged)


def test_short_secrets_are_refused() -> None:
    with pytest.raises(ValueError, match="32"):
        sign_receipt(b"short", RECEIPT)


def test_the_basis_changes_with_everything_a_person_saw() -> None:
    seen = (
        "sha256:1",
        {"tax": {"outcome": "clear"}},
        {"depositUsdCents": 5},
        {"score": 10},
        {"route": "auto"},
        "77",
    )

    hashes = {basis_hash(*seen)}
    for position in range(len(seen)):
        changed = [*seen]
        changed[position] = "other"
        hashes.add(basis_hash(*changed))  # type: ignore[arg-type]

    assert len(hashes) == 7


def test_a_number_that_came_back_as_a_float_is_the_same_basis() -> None:
    assert basis_hash("h", {}, {}, {"score": 30}, {}, "1") == basis_hash(
        "h", {}, {}, {"score": 30.0}, {}, "1"
    )

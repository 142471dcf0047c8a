"""What must hold of the domain for any JSON whatever."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aurum.domain.application import FIELDS, ParsedApplication, application_hash, parse_application
from aurum.domain.audience_tables import VARIABLES
from aurum.domain.audiences import visible_to
from aurum.domain.canonical import canonical_json
from aurum.domain.checks import CHECK_NAMES
from aurum.domain.grants import Grant
from aurum.domain.masking import mask_value
from aurum.domain.mrz import read_mrz
from aurum.domain.names import similarity
from aurum.domain.receipts import Receipt, sign_receipt, verify_receipt
from aurum.domain.routing import AUTO_LIMIT_CENTS, may_open_without_person
from aurum.errors import IntegrityBroken
from aurum.keys import VIEWS
from aurum.resources import resource_dir

pytestmark = pytest.mark.slow
"""Hundreds of generated examples each: up to 1.2 s a test."""

TODAY = date(2026, 11, 30)
SECRET = b"k" * 32
SARAH: dict[str, Any] = json.loads((resource_dir("examples") / "sarah-chen.json").read_text(encoding="utf-8"))
CANARY = "CANARY-7f3a"

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)
field_values = json_values | st.builds(lambda inner: {"amount": inner, "currency": "USD"}, scalars)
objects = st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=8), field_values, max_size=8)


@settings(max_examples=150, deadline=None)
@given(submitted=objects | json_values)
def test_parsing_never_raises_and_always_answers(submitted: Any) -> None:
    parsed = parse_application(submitted, today=TODAY)

    assert isinstance(parsed, ParsedApplication) or len(parsed) >= 1


@settings(max_examples=150, deadline=None)
@given(field=st.sampled_from(FIELDS), value=field_values)
def test_one_changed_field_is_refused_at_that_field_or_accepted_unhurt(field: str, value: Any) -> None:
    parsed = parse_application({**SARAH, field: value}, today=TODAY)

    if isinstance(parsed, ParsedApplication):
        again = parse_application(parsed.record, today=TODAY)
        assert isinstance(again, ParsedApplication)
        assert again.record == parsed.record
        assert parsed.hash == application_hash(parsed.record)


def _planted(value: object) -> Any:
    """Put the canary into every text of a JSON value, and as an extra member of every object."""
    match value:
        case dict():
            return {name: _planted(item) for name, item in value.items()} | {CANARY: CANARY}
        case list():
            return [*(_planted(item) for item in value), CANARY]
        case str():
            return CANARY + value
        case _:
            return CANARY


def test_problems_never_echo_what_was_submitted() -> None:
    for submitted in (_planted(SARAH), {**SARAH, **dict.fromkeys(FIELDS, CANARY)}):
        parsed = parse_application(submitted, today=TODAY)

        assert not isinstance(parsed, ParsedApplication)
        assert CANARY not in json.dumps([problem.to_json() for problem in parsed])


def _leaves(grant: Grant, *, hidden: bool) -> Any:
    """Build a value in the grant's shape, with the canary in each leaf outside the customer's audience."""
    outside = hidden or "customer" not in grant.views or "customer" in grant.projections
    if grant.codes:
        return [CANARY]
    if grant.fields is not None:
        shaped = {name: _leaves(inner, hidden=outside) for name, inner in grant.fields.items()}
        return {**shaped, "unknown": CANARY, "nested": {"deep": [CANARY]}}
    if grant.item is not None:
        return [_leaves(grant.item, hidden=outside) for _ in range(2)]
    return CANARY if outside else "public"


def test_no_value_outside_the_customers_audience_reaches_the_customer() -> None:
    assert len(VARIABLES) > 30
    for name, grant in VARIABLES.items():
        shown = visible_to("customer", name, _leaves(grant, hidden=False))

        assert CANARY not in json.dumps(shown), name


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(sorted(VARIABLES)) | st.text(max_size=5),
    value=json_values,
    view=st.sampled_from(VIEWS),
)
def test_audiences_are_total_and_never_show_a_container_where_a_value_belongs(
    name: str, value: Any, view: Any
) -> None:
    shown = visible_to(view, name, value)

    if isinstance(shown, dict):
        assert isinstance(value, dict) or name in ("approval", "approvalDecision")
    if view == "customer" and name in ("sanctionsCheck", "pepCheck"):
        assert shown in (None, {"status": "done"})


@settings(max_examples=300, deadline=None)
@given(
    cents=json_values | st.integers(-10, 10) | st.integers(149_999_990, 150_000_010),
    band=json_values | st.sampled_from(["low", "medium", "high"]),
)
def test_straight_through_implies_an_integer_within_the_limit_and_a_known_band(cents: Any, band: Any) -> None:
    checks = {name: {"outcome": "clear", "basisHash": "h"} for name in CHECK_NAMES}

    if may_open_without_person(deposit_usd_cents=cents, risk_band=band, checks=checks, application_hash="h"):
        assert type(cents) is int
        assert 0 < cents <= AUTO_LIMIT_CENTS
        assert band in ("low", "medium")


@settings(max_examples=200, deadline=None)
@given(
    checks=json_values | st.dictionaries(st.sampled_from(CHECK_NAMES), json_values),
    application_hash=json_values,
)
def test_no_json_in_checks_stands_for_four_clear_ones(checks: Any, application_hash: Any) -> None:
    assert not may_open_without_person(
        deposit_usd_cents=1, risk_band="low", checks=checks, application_hash=application_hash
    )


receipts = st.builds(
    Receipt,
    case_id=st.text(max_size=10),
    task_key=st.text("0123456789", min_size=1, max_size=19),
    element_id=st.sampled_from(["advisor_review", "second_approval"]),
    outcome=st.sampled_from(["approve", "decline", "request-info"]),
    reason_code=st.text(max_size=10),
    person=st.text(max_size=10),
    deposit_usd_cents=st.none() | st.integers(0, 10**15),
    basis_hash=st.text(max_size=10),
    at=st.text(max_size=10),
    question=st.text(st.characters(codec="utf-8"), max_size=20),
    fields=st.lists(st.text(max_size=5), max_size=3).map(tuple),
)


@settings(max_examples=100, deadline=None)
@given(receipt=receipts, data=st.data())
def test_any_changed_byte_of_a_receipt_is_refused(receipt: Receipt, data: st.DataObject) -> None:
    raw = bytearray(canonical_json(sign_receipt(SECRET, receipt)))
    assert verify_receipt(SECRET, json.loads(raw)) == receipt

    position = data.draw(st.integers(0, len(raw) - 1))
    raw[position] ^= data.draw(st.integers(1, 255))

    try:
        changed = json.loads(raw)
    except (ValueError, UnicodeDecodeError):
        return
    try:
        verified = verify_receipt(SECRET, changed)
    except IntegrityBroken:
        return
    # The bytes differ but say the same JSON, such as other white space or an escape.
    assert verified == receipt


@settings(max_examples=150, deadline=None)
@given(value=json_values, kind=st.sampled_from(["name", "last4", "email", "phone", "date", "text", "hidden"]))
def test_masks_are_total_and_never_show_a_long_value(value: Any, kind: Any) -> None:
    masked = mask_value(kind, value)

    if isinstance(value, str) and len(value) > 4 and kind in ("text", "hidden", "phone", "last4"):
        assert masked is not None
        assert value not in masked


@settings(max_examples=150, deadline=None)
@given(one=st.text(max_size=30), other=st.text(max_size=30))
def test_similarity_is_symmetric_and_bounded(one: str, other: str) -> None:
    assert similarity(one, other) == similarity(other, one)
    assert 0 <= similarity(one, other) <= 100


@settings(max_examples=150, deadline=None)
@given(text=st.text("P<ACI0123456789XYZ\n ", min_size=80, max_size=95) | st.text(max_size=95))
def test_reading_a_machine_zone_never_raises(text: str) -> None:
    read_mrz(text)
    for filled in (text.ljust(88, "<")[:88], text.ljust(90, "<")[:90]):
        read_mrz("P" + filled[1:])
        read_mrz("I" + filled[1:])

"""Signed evidence that a person decided: made by the BFF, believed by the account worker.

HMAC-SHA256 over the canonical JSON of all fields, with a key derived per version from a secret that
the engine never holds. Whoever can write process variables can therefore not invent an approval.
A receipt names case, task, person, amount and the basis the person saw, so it fits nowhere else.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from aurum.domain.canonical import NotCanonical, canonical_json
from aurum.errors import IntegrityBroken

RECEIPT_VERSION = 1
SECRET_BYTES_MIN = 32

DecisionOutcome = Literal["approve", "decline", "request-info"]
DECISION_OUTCOMES: tuple[DecisionOutcome, ...] = get_args(DecisionOutcome)


@dataclass(frozen=True, slots=True)
class Receipt:
    """One decision. `at` is an ISO instant; `fields` are JSON pointers asked for in `question`."""

    case_id: str
    task_key: str
    element_id: str
    outcome: DecisionOutcome
    reason_code: str
    person: str
    deposit_usd_cents: int | None
    basis_hash: str
    at: str
    question: str = ""
    fields: tuple[str, ...] = ()

    def unsigned_json(self) -> dict[str, Any]:
        """Return the signed content in wire names."""
        return {
            "v": RECEIPT_VERSION,
            "caseId": self.case_id,
            "taskKey": self.task_key,
            "elementId": self.element_id,
            "outcome": self.outcome,
            "reasonCode": self.reason_code,
            "person": self.person,
            "depositUsdCents": self.deposit_usd_cents,
            "basisHash": self.basis_hash,
            "at": self.at,
            "question": self.question,
            "fields": list(self.fields),
        }


_TEXT_FIELDS = (
    "caseId",
    "taskKey",
    "elementId",
    "outcome",
    "reasonCode",
    "person",
    "basisHash",
    "at",
    "question",
)
_FIELDS = frozenset({*_TEXT_FIELDS, "v", "depositUsdCents", "fields", "signature"})


def sign_receipt(secret: bytes, receipt: Receipt) -> dict[str, Any]:
    """Return the process variable: all fields and `signature` (64 hex characters).

    Raises ValueError for a secret under 32 bytes.
    """
    content = receipt.unsigned_json()
    return {**content, "signature": _signature(secret, content)}


def verify_receipt(secret: bytes, receipt: object) -> Receipt:
    """Return the receipt if every byte of it is as signed. Raises `IntegrityBroken` otherwise."""
    if not isinstance(receipt, Mapping) or set(receipt) != _FIELDS:
        raise IntegrityBroken("a decision receipt does not have the shape of one")
    content = {name: receipt[name] for name in receipt if name != "signature"}
    _require_types(content)
    given = receipt["signature"]
    if not isinstance(given, str) or not given.isascii():
        raise IntegrityBroken("a decision receipt has no readable signature")
    try:
        expected = _signature(secret, content)
    except NotCanonical as error:
        raise IntegrityBroken("a decision receipt has no canonical form") from error
    if not hmac.compare_digest(expected, given):
        raise IntegrityBroken("the signature of a decision receipt does not hold")
    return Receipt(
        case_id=content["caseId"],
        task_key=content["taskKey"],
        element_id=content["elementId"],
        outcome=content["outcome"],
        reason_code=content["reasonCode"],
        person=content["person"],
        deposit_usd_cents=content["depositUsdCents"],
        basis_hash=content["basisHash"],
        at=content["at"],
        question=content["question"],
        fields=tuple(content["fields"]),
    )


def _require_types(content: Mapping[str, Any]) -> None:
    """Canonical form treats `1` and `1.0` alike, so types are checked before the signature is."""
    cents, fields = content["depositUsdCents"], content["fields"]
    fits = (
        type(content["v"]) is int
        and content["v"] == RECEIPT_VERSION
        and all(isinstance(content[name], str) for name in _TEXT_FIELDS)
        and content["outcome"] in DECISION_OUTCOMES
        and (cents is None or type(cents) is int)
        and isinstance(fields, list)
        and all(isinstance(field, str) for field in fields)
    )
    if not fits:
        raise IntegrityBroken("a decision receipt holds values of another type")


def _signature(secret: bytes, content: Mapping[str, Any]) -> str:
    if len(secret) < SECRET_BYTES_MIN:
        raise ValueError(f"a receipt secret has at least {SECRET_BYTES_MIN} bytes")
    key = hmac.digest(secret, b"aurum/decision-receipt/v%d" % RECEIPT_VERSION, hashlib.sha256)
    return hmac.digest(key, canonical_json(dict(content)), hashlib.sha256).hex()

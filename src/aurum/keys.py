"""Names for the identifiers that cross module borders, and the hash that hides engine keys.

Engine keys are 64-bit numbers that travel as strings (JavaScript would round them). A customer
never sees one: `opaque_key` gives the same short public name for the same key, always.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Literal, NewType

CaseId = NewType("CaseId", str)
"""Random, public name of one onboarding; equals AG-UI `threadId`."""

ProcessInstanceKey = NewType("ProcessInstanceKey", str)
ElementInstanceKey = NewType("ElementInstanceKey", str)
UserTaskKey = NewType("UserTaskKey", str)
PersonId = NewType("PersonId", str)

View = Literal["customer", "advisor", "operator"]
VIEWS: tuple[View, ...] = ("customer", "advisor", "operator")

OPAQUE_KEY_CHARS = 12
"""60 bits of a keyed hash: no collision among a case's few hundred keys, and short on the wire."""


def opaque_key(secret: bytes, key: str) -> str:
    """Return the public name of an engine key: 12 lower-case base32 characters, keyed by `secret`."""
    digest = hmac.digest(secret, key.encode(), hashlib.sha256)
    return base64.b32encode(digest).decode().lower()[:OPAQUE_KEY_CHARS]


def case_id_for(secret: bytes, subject: str, idempotency_key: str) -> CaseId:
    """Return the case id of one submission: same subject and key, same case. 26 characters, `c` first."""
    message = f"{len(subject)}:{subject}{idempotency_key}".encode()
    digest = hmac.digest(secret, message, hashlib.sha256)
    return CaseId("c" + base64.b32encode(digest).decode().lower()[:25])

"""Every code that AURUM writes anywhere, in words, with who may read it.

A code without a customer text is never shown to a customer: not as a code, not as a sentence. Pages
translate by code; the English texts here are the fallback and the source of docs/reasons.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from aurum.domain import reason_texts
from aurum.keys import View


@dataclass(frozen=True, slots=True)
class Reason:
    """One code. `customer` is None when customers may not know it; `advisor` is always there."""

    code: str
    family: str
    advisor: str
    customer: str | None

    @property
    def audience(self) -> frozenset[View]:
        """The views that may read the code."""
        staff: frozenset[View] = frozenset(("advisor", "operator"))
        return staff if self.customer is None else staff | {"customer"}


REASONS: dict[str, Reason] = {
    code: Reason(code, family, advisor, customer)
    for family, rows in reason_texts.FAMILIES.items()
    for code, (advisor, customer) in rows.items()
}
"""Code -> reason, in the order of the catalogue."""

UNKNOWN_TEXT = "Please ask our team."
"""What is said for a code that is not in the catalogue."""

DECLINE_CODES: tuple[str, ...] = tuple(reason_texts.FAMILIES["decline"])
APPROVE_CODES: tuple[str, ...] = tuple(reason_texts.FAMILIES["approve"])
REQUEST_CODES: tuple[str, ...] = tuple(reason_texts.FAMILIES["request"])
"""What an advisor may give as `reasonCode` for each outcome."""


def reason_text(code: str, view: View) -> str:
    """Return the words for a code; a neutral sentence when the view may not know or nobody does."""
    reason = REASONS.get(code)
    if reason is None:
        return UNKNOWN_TEXT
    return reason.customer or UNKNOWN_TEXT if view == "customer" else reason.advisor


def visible_codes(view: View, codes: object) -> list[str]:
    """Return those codes of a list that the view may read. Anything that is no known code is dropped."""
    if not isinstance(codes, list | tuple):
        return []
    return [
        code for code in codes if isinstance(code, str) and code in REASONS and view in REASONS[code].audience
    ]

"""Home addresses: one spelling, post-office boxes, and how usable the whole is. Pure.

Nothing is looked up: the rules are the shapes of postal codes and the words for a post-office box in
the languages served. A score is shown with its reasons; below the mark a person looks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

CLEAR_MIN = 70
"""Score from which an address needs no second look."""

SOURCE = "AURUM address rules (simulated)"

_PO_BOX = re.compile(
    r"\b(?:p\.?\s?o\.?\s?box|post(?:al)?\s+(?:office\s+)?box|po\s?b(?:ox)?\s*\d+|locked\s+bag"
    r"|apartado|apdo|casilla\s+(?:postal|de\s+correo|\d+)|caixa\s+postal"
    r"|bo[iî]te\s+postale|b\.?\s?p\.?\s*\d+|cs\s+\d{5}|postfach)\b",
    re.IGNORECASE,
)

_POSTAL_CODES: Mapping[str, str] = {
    "AT": r"\d{4}", "AU": r"\d{4}", "BE": r"\d{4}", "BR": r"\d{5}-\d{3}", "CA": r"[A-Z]\d[A-Z] \d[A-Z]\d",
    "CH": r"\d{4}", "DE": r"\d{5}", "ES": r"\d{5}", "FR": r"\d{5}", "GB": r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}",
    "IE": r"[A-Z]\d[\dW] [A-Z\d]{4}", "IT": r"\d{5}", "LU": r"\d{4}", "MX": r"\d{5}", "NL": r"\d{4} [A-Z]{2}",
    "PT": r"\d{4}-\d{3}", "SG": r"\d{6}", "US": r"\d{5}(?:-\d{4})?",
}  # fmt: skip
"""Country -> shape of a postal code as it is written there, after `_spelled`."""

_SPLIT_AT: Mapping[str, tuple[int, str]] = {
    "BR": (5, "-"), "CA": (3, " "), "GB": (-3, " "), "IE": (3, " "), "NL": (4, " "), "PT": (4, "-"),
}  # fmt: skip
"""Country -> where its postal code is parted, and by what."""

_REGION_NEEDED = frozenset({"AU", "BR", "CA", "MX", "US"})

_POINTS: Mapping[str, int] = {
    "ADDRESS_PO_BOX": 60,
    "ADDRESS_POSTAL_CODE": 35,
    "ADDRESS_REGION_MISSING": 15,
    "ADDRESS_NO_NUMBER": 15,
    "ADDRESS_CITY_UNCLEAR": 25,
    "ADDRESS_COUNTRY_UNCHECKED": 10,
}
"""Reason -> points it takes off a hundred."""


@dataclass(frozen=True, slots=True)
class AddressCheck:
    """The `addressCheck` variable. Not one of the four required checks: it has no basis to be counted by."""

    outcome: Literal["clear", "review"]
    reasons: tuple[str, ...]
    normalised: Mapping[str, Any]
    po_box: bool
    score: int
    as_of: str

    def to_json(self) -> dict[str, Any]:
        """Return the process variable's shape."""
        return {
            "outcome": self.outcome,
            "reasons": list(self.reasons),
            "normalised": dict(self.normalised),
            "poBox": self.po_box,
            "score": self.score,
            "asOf": self.as_of,
            "source": SOURCE,
            "simulated": True,
        }


def is_po_box(line: str) -> bool:
    """Whether a line names a post-office box, in English, French, Spanish, Portuguese or German."""
    return _PO_BOX.search(line) is not None


def normalise(address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the address in one spelling; normalising twice changes nothing. Empty fields are left out."""
    plain = {name: " ".join(str(value).split()) for name, value in address.items() if value is not None}
    country = plain.get("country", "").upper()
    made = {**plain, "country": country}
    if "postalCode" in made:
        made["postalCode"] = _spelled(made["postalCode"], country)
    if "region" in made and len(made["region"]) <= 3:
        made["region"] = made["region"].upper()
    return {name: value for name, value in made.items() if value}


def verify_address(address: Mapping[str, Any], *, as_of: str) -> AddressCheck:
    """Return how usable an address of a parsed application is."""
    normalised = normalise(address)
    lines = f"{normalised.get('line1', '')} {normalised.get('line2', '')}"
    po_box = is_po_box(lines)
    reasons = tuple(_reasons(normalised, lines, po_box=po_box))
    score = max(0, 100 - sum(_POINTS[reason] for reason in reasons))
    return AddressCheck(
        outcome="clear" if score >= CLEAR_MIN and not po_box else "review",
        reasons=reasons,
        normalised=normalised,
        po_box=po_box,
        score=score,
        as_of=as_of,
    )


def _reasons(address: Mapping[str, Any], lines: str, *, po_box: bool) -> list[str]:
    found = ["ADDRESS_PO_BOX"] if po_box else []
    country = address.get("country", "")
    shape = _POSTAL_CODES.get(country)
    if shape is None:
        found.append("ADDRESS_COUNTRY_UNCHECKED")
    elif re.fullmatch(shape, str(address.get("postalCode", ""))) is None:
        found.append("ADDRESS_POSTAL_CODE")
    if country in _REGION_NEEDED and "region" not in address:
        found.append("ADDRESS_REGION_MISSING")
    if not any(char.isdigit() for char in lines):
        found.append("ADDRESS_NO_NUMBER")
    if not any(char.isalpha() for char in address.get("city", "")):
        found.append("ADDRESS_CITY_UNCLEAR")
    return found


def _spelled(code: str, country: str) -> str:
    """Return a postal code in capitals, parted where its country parts it."""
    compact = code.upper().replace(" ", "").replace("-", "")
    if country == "US":
        return f"{compact[:5]}-{compact[5:]}" if len(compact) == 9 else compact
    if country not in _SPLIT_AT:
        return code.upper()
    at, mark = _SPLIT_AT[country]
    return f"{compact[:at]}{mark}{compact[at:]}" if len(compact) > abs(at) else compact

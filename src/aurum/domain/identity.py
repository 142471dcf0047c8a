"""Does the identity document belong to the applicant, and does it hold? (31 CFR 1020.220: CIP)

Works on stored data only. A check digit that fails or a number that differs is `failed`; a spelling
or a date that differs, or no machine zone at all, is for a person (`review`). Expiry is not an
outcome: the caller throws DOCUMENT_EXPIRED so that the applicant can bring another document.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from aurum.domain.checks import Check, Outcome, worst
from aurum.domain.fieldtypes import COUNTRIES_ALPHA_3
from aurum.domain.mrz import Mrz, full_date, read_mrz
from aurum.domain.names import SAME_PERSON_MIN, full_name, similarity
from aurum.domain.problems import Problem

SOURCE = "AURUM document check (simulated)"
EXPIRES_SOON_DAYS = 30

_ZONE_COUNTRIES = {"D": "DE", "GBD": "GB", "GBN": "GB", "GBO": "GB", "GBP": "GB", "GBS": "GB", "RKS": "XK"}
"""Issuer codes of Doc 9303 that are not ISO 3166-1 alpha-3."""

_OUTCOMES: Mapping[str, Outcome] = {
    "MRZ_CHECK_DIGIT": "failed",
    "DOCUMENT_NUMBER_DIFFERS": "failed",
    "MRZ_ABSENT": "review",
    "NAME_DIFFERS": "review",
    "BIRTH_DATE_DIFFERS": "failed",
    "EXPIRY_DATE_DIFFERS": "review",
    "ISSUER_DIFFERS": "review",
    "NATIONAL_ID_UNVERIFIED": "review",
    "DOCUMENT_EXPIRES_SOON": "clear",
}


def expired_problems(application: Mapping[str, Any], *, today: date) -> tuple[Problem, ...]:
    """Return the problem to throw when the document is no longer valid on `today`, else nothing.

    Valid through its last day: the printed date itself still counts.
    """
    if date.fromisoformat(application["idExpiryDate"]) < today:
        return (Problem("/idExpiryDate", "DOCUMENT_EXPIRED"),)
    return ()


def verify_identity(application: Mapping[str, Any], *, today: date, as_of: str) -> Check:
    """Return the check of a normalised, unexpired application. `as_of` is the instant as text."""
    zone = read_mrz(application["mrz"]) if application.get("mrz") else None
    reasons = ["MRZ_ABSENT"] if zone is None else _zone_reasons(zone, application, today)
    days_left = (date.fromisoformat(application["idExpiryDate"]) - today).days
    if days_left < EXPIRES_SOON_DAYS:
        reasons.append("DOCUMENT_EXPIRES_SOON")
    if application["nationalId"]["type"] == "OTHER":
        reasons.append("NATIONAL_ID_UNVERIFIED")
    return Check(
        outcome=worst([_OUTCOMES[reason] for reason in reasons]),
        basis_hash=application["hash"],
        reasons=tuple(reasons),
        as_of=as_of,
        source=SOURCE,
        details={
            "documentType": application["idDocumentType"],
            "issuingCountry": application["idIssuingCountry"],
            "expiryDate": application["idExpiryDate"],
            "mrzForm": zone.form if zone else None,
            "mrzOk": zone is not None and not zone.wrong_digits,
            "wrongDigits": list(zone.wrong_digits) if zone else [],
            "nameScore": _name_score(zone, application) if zone else None,
        },
    )


def _zone_reasons(zone: Mrz, application: Mapping[str, Any], today: date) -> list[str]:
    born = full_date(zone.birth, today=today, future=False)
    expires = full_date(zone.expiry, today=today, future=True)
    number = "".join(char for char in application["idDocumentNumber"] if char.isalnum())
    issuer = _ZONE_COUNTRIES.get(zone.issuer) or COUNTRIES_ALPHA_3.get(zone.issuer)
    found = {
        "MRZ_CHECK_DIGIT": bool(zone.wrong_digits),
        "DOCUMENT_NUMBER_DIFFERS": zone.document_number != number,
        # Two printed year digits: a centenarian's century is not in the zone, so compare as printed.
        "BIRTH_DATE_DIFFERS": born is None or zone.birth != _printed(application["dateOfBirth"]),
        "EXPIRY_DATE_DIFFERS": expires is None or zone.expiry != _printed(application["idExpiryDate"]),
        "NAME_DIFFERS": _name_score(zone, application) < SAME_PERSON_MIN,
        "ISSUER_DIFFERS": issuer != application["idIssuingCountry"],
    }
    return [reason for reason, holds in found.items() if holds]


def _printed(iso_day: str) -> str:
    return iso_day[2:4] + iso_day[5:7] + iso_day[8:10]


def _name_score(zone: Mrz, application: Mapping[str, Any]) -> int:
    """Compare both orders; a zone that was cut at its 39 (30) characters is compared as far as it goes."""
    given, family = str(application["givenNames"]), str(application["familyName"])
    spellings = [full_name(family, given)]
    # Doc 9303 part 3, section 6: some states print umlauts as two letters.
    spellings.append(_two_letters(spellings[0]))
    if zone.names_cut:
        spellings.extend(spelling[: len(zone.names)] for spelling in tuple(spellings))
    return max(similarity(zone.names, spelling) for spelling in spellings)


def _two_letters(name: str) -> str:
    for letter, pair in {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "ñ": "nxx"}.items():
        name = name.replace(letter, pair).replace(letter.upper(), pair.upper())
    return name

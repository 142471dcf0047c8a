"""Demo account numbers: the same case always has the same number, and a typo is found.

Shape `AURM-dddd-dddd-dddd-cc`: twelve digits from a hash of the case id, two ISO 7064 mod 97-10
check digits. Deliberately no IBAN: it must never be taken for a real account.
"""

from __future__ import annotations

import hashlib
import re

_SHAPE = re.compile(r"AURM-([0-9]{4})-([0-9]{4})-([0-9]{4})-([0-9]{2})\Z")


def account_number(case_id: str) -> str:
    """Return the account number of a case, e.g. `AURM-0421-9953-1207-64`."""
    number = int.from_bytes(hashlib.sha256(b"aurum/account/v1:" + case_id.encode()).digest()[:16]) % 10**12
    digits = f"{number:012d}"
    return f"AURM-{digits[:4]}-{digits[4:8]}-{digits[8:]}-{_check_digits(digits)}"


def is_account_number(text: str) -> bool:
    """Whether the text has the shape and its check digits hold."""
    match = _SHAPE.match(text)
    return match is not None and _check_digits("".join(match.groups()[:3])) == match.group(4)


def _check_digits(digits: str) -> str:
    return f"{98 - int(digits + '00') % 97:02d}"

"""The kinds of value an application field can hold: each normalises or refuses with a code.

A refusal is a `PydanticCustomError` whose type is the code of `reasons.py`; its message is fixed
text, so no validation error can ever carry what the applicant typed.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime
from typing import Annotated, NoReturn

import phonenumbers
import pycountry
import schwifty
from email_validator import EmailNotValidError, validate_email
from pydantic import AfterValidator, BeforeValidator, PlainSerializer, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError
from schwifty.exceptions import SchwiftyException

NAME_CHARS_MAX = 100
"""Longest name part. Real ones of 80 and more exist; passports cut them at 39, we do not."""

_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_NAME_PUNCTUATION = frozenset("'’‘ʼ`´-‐‑–.·,/()\u200c\u200d ")
_INVISIBLE = dict.fromkeys([0x200B, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2060, 0xFEFF])
_FUNDS_CODES = frozenset({"BOV", "CHE", "CHW", "CLF", "COU", "MXV", "USN", "UYI", "UYW"})
_X_CURRENCIES = frozenset({"XAF", "XOF", "XPF", "XCD", "XCG"})

COUNTRIES = frozenset(country.alpha_2 for country in pycountry.countries)
COUNTRIES_ALPHA_3 = {country.alpha_3: country.alpha_2 for country in pycountry.countries}
CURRENCIES = frozenset(
    currency.alpha_3
    for currency in pycountry.currencies
    if currency.alpha_3 not in _FUNDS_CODES
    and (not currency.alpha_3.startswith("X") or currency.alpha_3 in _X_CURRENCIES)
)


def refuse(code: str) -> NoReturn:
    """Refuse the value under validation; `code` is a key of the reason catalogue."""
    raise PydanticCustomError(code, "refused")


def tidy(text: str) -> str:
    """Return NFC text without invisible direction marks, outer or repeated white space."""
    return " ".join(unicodedata.normalize("NFC", text.translate(_INVISIBLE)).split())


def _text(value: object) -> str:
    if not isinstance(value, str):
        refuse("NOT_TEXT")
    if len(value) > 4_000:
        refuse("TOO_LONG")
    if any(unicodedata.category(char) in ("Cs", "Cn") for char in value):
        refuse("NOT_ALLOWED_CHARACTERS")
    return value


def _line(value: object) -> str:
    line = tidy(_text(value))
    if any(unicodedata.category(char) in ("Cc", "Co") for char in line):
        refuse("NOT_ALLOWED_CHARACTERS")
    return line


def _name(value: object) -> str:
    name = _line(value)
    for char in name:
        if char not in _NAME_PUNCTUATION and unicodedata.category(char)[0] not in "LMN":
            refuse("NOT_ALLOWED_CHARACTERS")
    if name and not any(unicodedata.category(char)[0] == "L" for char in name):
        refuse("NOT_A_NAME")
    return name


def _country(value: object) -> str:
    if not isinstance(value, str) or value not in COUNTRIES:
        refuse("COUNTRY_UNKNOWN")
    return value


def _currency(value: object) -> str:
    if not isinstance(value, str) or value not in CURRENCIES:
        refuse("CURRENCY_UNKNOWN")
    return value


def _date(value: object) -> date:
    """A calendar day stays a calendar day: it never passes through an instant or a time zone."""
    if isinstance(value, datetime):
        refuse("NOT_A_DATE")
    if isinstance(value, date):
        return value
    if not isinstance(value, str) or not _ISO_DATE.match(value):
        refuse("NOT_A_DATE")
    try:
        return date.fromisoformat(value)
    except ValueError:
        refuse("NOT_A_DATE")


def _instant(value: object) -> str:
    if not isinstance(value, str) or not 16 <= len(value) <= 40 or "T" not in value:
        refuse("NOT_AN_INSTANT")
    try:
        instant = datetime.fromisoformat(value)
        if instant.tzinfo is None:
            refuse("NOT_AN_INSTANT")
        at = instant.astimezone(UTC)
    except (ValueError, OverflowError):
        refuse("NOT_AN_INSTANT")
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def _email(value: object) -> str:
    try:
        return validate_email(_line(value), check_deliverability=False).normalized
    except EmailNotValidError:
        refuse("EMAIL_INVALID")


def _phone(value: object) -> str:
    written = unicodedata.normalize("NFKC", _line(value))
    if len(written) > 40:
        refuse("PHONE_INVALID")
    if written.startswith("00"):
        written = "+" + written[2:]
    try:
        number = phonenumbers.parse(written, None)
    except phonenumbers.NumberParseException:
        refuse("PHONE_INVALID")
    if not phonenumbers.is_valid_number(number):
        refuse("PHONE_INVALID")
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def _iban(value: object) -> str:
    written = "".join(_line(value).split()).upper()
    if len(written) > 34 or not written.isascii():
        refuse("IBAN_INVALID")
    try:
        return str(schwifty.IBAN(written))
    except (SchwiftyException, ValueError):
        refuse("IBAN_INVALID")


def _letters_and_digits(value: object) -> str:
    written = "".join(_line(value).upper().split())
    if not written.isascii() or not all(char.isalnum() or char in "-./" for char in written):
        refuse("NOT_ALLOWED_CHARACTERS")
    return written


_TEXT_SCHEMA = WithJsonSchema({"type": "string"})

Name = Annotated[str, BeforeValidator(_name), StringConstraints(max_length=NAME_CHARS_MAX)]
"""A name part in any script; empty means "this person has no such part"."""

FullName = Annotated[str, BeforeValidator(_name), StringConstraints(min_length=1, max_length=200)]
Line80 = Annotated[str, BeforeValidator(_line), StringConstraints(min_length=1, max_length=80)]
Line120 = Annotated[str, BeforeValidator(_line), StringConstraints(min_length=1, max_length=120)]
Prose = Annotated[str, BeforeValidator(_line), StringConstraints(max_length=1_000)]
Reference = Annotated[
    str, BeforeValidator(_letters_and_digits), StringConstraints(min_length=1, max_length=40)
]
Country = Annotated[str, BeforeValidator(_country), _TEXT_SCHEMA]
Currency = Annotated[str, BeforeValidator(_currency), _TEXT_SCHEMA]
Day = Annotated[
    date,
    BeforeValidator(_date),
    PlainSerializer(lambda day: day.isoformat(), return_type=str),
    WithJsonSchema({"type": "string", "format": "date"}),
]
Instant = Annotated[str, BeforeValidator(_instant), WithJsonSchema({"type": "string", "format": "date-time"})]
Email = Annotated[str, BeforeValidator(_email), WithJsonSchema({"type": "string", "format": "email"})]
Phone = Annotated[str, BeforeValidator(_phone), _TEXT_SCHEMA]
Iban = Annotated[str, BeforeValidator(_iban), _TEXT_SCHEMA]


def unique(items: list[str]) -> list[str]:
    """Refuse a list that names the same thing twice."""
    if len(set(items)) != len(items):
        refuse("DUPLICATE")
    return items


UniqueCountries = Annotated[list[Country], AfterValidator(unique)]

"""Machine-readable zone of ICAO Doc 9303: TD3 (passports, 2 x 44) and TD1 (cards, 3 x 30).

Check digit: characters valued 0-9, A-Z = 10-35, filler `<` = 0; weights 7, 3, 1; sum modulo 10
(Doc 9303 part 3, 4.9). Reading never raises; a zone whose digits do not add up is still read, with
the names of the failing digits, so that a reviewer can see which part disagrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

_ALPHABET = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<")
_WEIGHTS = (7, 3, 1)


@dataclass(frozen=True, slots=True)
class Mrz:
    """What the zone says. Dates are `YYMMDD` as printed; `wrong_digits` names failing check digits."""

    form: Literal["TD1", "TD3"]
    issuer: str
    document_number: str
    nationality: str
    birth: str
    expiry: str
    names: str
    names_cut: bool
    wrong_digits: tuple[str, ...]


def check_digit(text: str) -> int:
    """Return the ICAO 9303 check digit (0-9) of a field."""
    return sum(_value(char) * _WEIGHTS[index % 3] for index, char in enumerate(text)) % 10


def read_mrz(text: str) -> Mrz | None:
    """Return the parsed zone, or None when it is neither TD3 nor TD1 in shape and alphabet.

    Line breaks and spaces between lines do not matter.
    """
    joined = "".join(text.split()).upper()
    if not set(joined) <= _ALPHABET:
        return None
    if len(joined) == 88 and joined[0] == "P":
        return _td3(joined[:44], joined[44:])
    if len(joined) == 90 and joined[0] in "ACI":
        return _td1(joined[:30], joined[30:60], joined[60:])
    return None


def zone_lines(text: str) -> str:
    """Return a readable zone in its printed form: upper case, lines of 44 or 30 joined by a line break."""
    joined = "".join(text.split()).upper()
    width = 44 if len(joined) == 88 else 30
    return "\n".join(joined[start : start + width] for start in range(0, len(joined), width))


def full_date(yymmdd: str, *, today: date, future: bool) -> date | None:
    """Return the calendar day of a two-digit-year date, or None when there is no such day.

    Expiry dates may lie up to 50 years ahead; birth dates are never in the future.
    """
    if not (yymmdd.isascii() and yymmdd.isdigit()):
        return None
    year = today.year // 100 * 100 + int(yymmdd[:2])
    if future and year > today.year + 50:
        year -= 100
    if not future and year > today.year:
        year -= 100
    try:
        day = date(year, int(yymmdd[2:4]), int(yymmdd[4:]))
        return day.replace(year=year - 100) if not future and day > today else day
    except ValueError:
        return None


def build_td3(
    *,
    issuer: str,
    names: str,
    number: str,
    nationality: str,
    birth: str,
    sex: str,
    expiry: str,
    personal: str = "",
) -> str:
    """Return a TD3 zone with correct check digits, lines joined by a line break.

    `names` is already in zone form (`CHEN<<SARAH<WEI`); `issuer` and `nationality` are alpha-3.
    """
    number, personal = number.ljust(9, "<")[:9], personal.ljust(14, "<")[:14]
    numbered = f"{number}{check_digit(number)}"
    born, expires = f"{birth}{check_digit(birth)}", f"{expiry}{check_digit(expiry)}"
    extra = f"{personal}{check_digit(personal)}"
    composite = check_digit(numbered + born + expires + extra)
    first = f"P<{issuer.ljust(3, '<')}{names.ljust(39, '<')[:39]}"
    return f"{first}\n{numbered}{nationality.ljust(3, '<')}{born}{sex}{expires}{extra}{composite}"


def _value(char: str) -> int:
    if char == "<":
        return 0
    return int(char) if char.isdigit() else ord(char) - 55


def _td3(first: str, second: str) -> Mrz:
    personal, personal_digit = second[28:42], second[42]
    checks = {
        "documentNumber": (second[0:9], second[9]),
        "birth": (second[13:19], second[19]),
        "expiry": (second[21:27], second[27]),
        "composite": (second[0:10] + second[13:20] + second[21:43], second[43]),
    }
    if not (personal.strip("<") == "" and personal_digit == "<"):
        checks["personalNumber"] = (personal, personal_digit)
    return _mrz(
        "TD3", first[2:5], second[0:9], second[10:13], second[13:19], second[21:27], first[5:], checks
    )


def _td1(first: str, second: str, third: str) -> Mrz:
    number, digit, optional = first[5:14], first[14], first[15:30]
    if digit == "<" and optional.strip("<"):
        # A longer number continues in the optional data; its check digit is the last character there.
        rest = optional.split("<", 1)[0]
        number, digit = number + rest[:-1], rest[-1]
    checks = {
        "documentNumber": (number, digit),
        "birth": (second[0:6], second[6]),
        "expiry": (second[8:14], second[14]),
        "composite": (first[5:30] + second[0:7] + second[8:15] + second[18:29], second[29]),
    }
    return _mrz("TD1", first[2:5], number, second[15:18], second[0:6], second[8:14], third, checks)


def _mrz(
    form: Literal["TD1", "TD3"],
    issuer: str,
    number: str,
    nationality: str,
    birth: str,
    expiry: str,
    names: str,
    checks: dict[str, tuple[str, str]],
) -> Mrz:
    wrong = tuple(name for name, (field, digit) in checks.items() if str(check_digit(field)) != digit)
    return Mrz(
        form=form,
        issuer=issuer.strip("<"),
        document_number=number.replace("<", ""),
        nationality=nationality.strip("<"),
        birth=birth,
        expiry=expiry,
        names=" ".join(names.replace("<", " ").split()),
        names_cut=not names.endswith("<"),
        wrong_digits=wrong,
    )

"""National and tax numbers, checked by their *declared* type, never by "some number of that country".

`us.tin` of stdnum accepts numbers that `us.ssn` refuses (078-05-1120), so each type has its own
checker. A number of a country we have no checker for is "unverified", which a person looks at.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Literal

from stdnum import exceptions
from stdnum.br import cpf
from stdnum.ca import sin
from stdnum.ch import ssn as ahv
from stdnum.de import idnr
from stdnum.es import dni, nie
from stdnum.fr import nif as spi
from stdnum.fr import nir
from stdnum.gb import utr
from stdnum.ie import pps
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.pt import nif
from stdnum.us import itin, ssn

NationalIdType = Literal["SSN", "ITIN", "CPF", "NIF", "DNI", "NIR", "AHV", "OTHER"]
TinType = Literal[
    "SSN",
    "ITIN",
    "CPF",
    "NIF",
    "DNI",
    "NIE",
    "SPI",
    "AHV",
    "UTR",
    "IDNR",
    "CODICE_FISCALE",
    "BSN",
    "SIN",
    "PPS",
    "OTHER",
]
NumberState = Literal["valid", "invalid", "unverified"]

_NATIONAL: Mapping[str, ModuleType] = {
    "SSN": ssn, "ITIN": itin, "CPF": cpf, "NIF": nif, "DNI": dni, "NIR": nir, "AHV": ahv,
}  # fmt: skip
_TAX: Mapping[tuple[str, str], ModuleType] = {
    ("US", "SSN"): ssn, ("US", "ITIN"): itin, ("BR", "CPF"): cpf, ("PT", "NIF"): nif, ("ES", "DNI"): dni,
    ("ES", "NIE"): nie, ("FR", "SPI"): spi, ("CH", "AHV"): ahv, ("GB", "UTR"): utr, ("DE", "IDNR"): idnr,
    ("IT", "CODICE_FISCALE"): codicefiscale, ("NL", "BSN"): bsn, ("CA", "SIN"): sin, ("IE", "PPS"): pps,
}  # fmt: skip

CHECKED_COUNTRIES = frozenset(country for country, _ in _TAX)
"""Countries whose tax numbers we can check offline."""


def national_id_state(kind: str, value: str) -> NumberState:
    """Say whether a national number of the declared kind is well formed (check digits included)."""
    return _state(_NATIONAL.get(kind), value)


def tin_state(country: str, kind: str, value: str) -> NumberState:
    """Say whether a tax number is well formed for the country *and* the declared kind.

    A kind that does not belong to a country we can check is "invalid"; a country we cannot check
    is "unverified".
    """
    checker = _TAX.get((country, kind))
    if checker is None and country in CHECKED_COUNTRIES:
        return "invalid"
    return _state(checker, value)


def _state(checker: ModuleType | None, value: str) -> NumberState:
    if checker is None:
        return "unverified"
    try:
        checker.validate(value)
    except exceptions.ValidationError:
        return "invalid"
    return "valid"

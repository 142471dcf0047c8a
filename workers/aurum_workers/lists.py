"""Reads lists of persons in the shape of OFAC's `sdn.csv`, `alt.csv` and `add.csv`.

No header line, `-0-` (often with a space) for empty, joined on the entity number, Windows-1252 or
UTF-8, sometimes a Ctrl-Z at the end. Only individuals are kept. A file that does not have this shape
is refused loudly: screening against half a list would be a silent "clear".
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pycountry

from aurum.domain.screening import ListEntry

SDN_COLUMNS = 12
ALT_COLUMNS = 5
ADD_COLUMNS = 6

DATA = Path(__file__).parent / "data"

_BIRTH_YEAR = re.compile(r"\bDOB (?:circa )?(?:[0-9]{1,2} )?(?:[A-Z][a-z]{2} )?([0-9]{4})\b")
_NATIONALITY = re.compile(r"\b(?:nationality|citizen) ([A-Z][A-Za-z ,'-]+?)(?:[;.]|$)")
_COUNTRY_NAMES = {
    "burma": "MM", "congo": "CG", "iran": "IR", "korea, north": "KP", "north korea": "KP", "russia": "RU",
    "syria": "SY", "turkey": "TR", "venezuela": "VE", "cote d ivoire": "CI", "palestinian": "PS",
}  # fmt: skip
"""Names that the published files use and ISO spells otherwise."""


class ListUnreadable(ValueError):
    """A list file does not have the published shape; `line` is where."""

    def __init__(self, file_name: str, line: int, why: str) -> None:
        super().__init__(f"{file_name}, line {line}: {why}")
        self.line = line


@dataclass(frozen=True, slots=True)
class ScreeningList:
    """Listed persons and the label that results carry: where from, and whether it is real."""

    source: str
    simulated: bool
    entries: tuple[ListEntry, ...]


def synthetic_sanctions() -> ScreeningList:
    """Return the invented list that ships with AURUM."""
    entries = load_entries(DATA, "sdn.csv", list_name="SYNTHETIC-SDN")
    return ScreeningList("AURUM synthetic sanctions list (simulated)", True, entries)


def synthetic_peps() -> ScreeningList:
    """Return the invented list of politically exposed persons."""
    entries = load_entries(DATA, "pep.csv", list_name="SYNTHETIC-PEP", joined=False)
    return ScreeningList("AURUM synthetic PEP list (simulated)", True, entries)


def synthetic_media() -> ScreeningList:
    """Return the invented list of persons about whom something bad was reported."""
    entries = load_entries(DATA, "media.csv", list_name="SYNTHETIC-MEDIA", joined=False)
    return ScreeningList("AURUM synthetic adverse media (simulated)", True, entries)


def load_entries(folder: Path, primary: str, *, list_name: str, joined: bool = True) -> tuple[ListEntry, ...]:
    """Return the individuals of a list folder in file order.

    `joined` adds the aliases of `alt.csv` and the countries of `add.csv`. Raises `ListUnreadable`
    or `FileNotFoundError`; an empty list is unreadable too.
    """
    aliases: dict[str, list[str]] = {}
    countries: dict[str, list[str]] = {}
    if joined:
        for row in _rows(folder / "alt.csv", ALT_COLUMNS):
            aliases.setdefault(row[0], []).append(_natural(row[3]))
        for row in _rows(folder / "add.csv", ADD_COLUMNS):
            if (code := country_code(row[4])) is not None:
                countries.setdefault(row[0], []).append(code)
    entries = tuple(
        _entry(row, list_name, aliases.get(row[0], []), countries.get(row[0], []))
        for row in _rows(folder / primary, SDN_COLUMNS)
        if row[2].lower() == "individual"
    )
    if not entries:
        raise ListUnreadable(primary, 1, "no individual in it")
    return entries


def country_code(name: str) -> str | None:
    """Return the ISO code for a country name as lists write it; None when nobody knows it."""
    if not name:
        return None
    if (code := _COUNTRY_NAMES.get(name.lower())) is not None:
        return code
    try:
        return str(pycountry.countries.lookup(name).alpha_2)
    except LookupError:
        return None


def _entry(row: list[str], list_name: str, aliases: list[str], countries: list[str]) -> ListEntry:
    remarks = row[11]
    nationalities = [code for name in _NATIONALITY.findall(remarks) if (code := country_code(name.strip()))]
    return ListEntry(
        entry_id=row[0],
        list_name=list_name,
        names=tuple(dict.fromkeys([_natural(row[1]), *aliases])),
        birth_years=tuple(sorted({int(year) for year in _BIRTH_YEAR.findall(remarks)})),
        countries=tuple(sorted({*countries, *nationalities})),
        programme=row[3],
        remarks=remarks,
    )


def _natural(listed: str) -> str:
    """`MARALENKO, Viktor` -> `Viktor MARALENKO`."""
    family, comma, given = listed.partition(",")
    return f"{given.strip()} {family.strip()}".strip() if comma else listed.strip()


def _rows(path: Path, columns: int) -> Iterator[list[str]]:
    text = _decoded(path.read_bytes()).rstrip("\x1a\r\n ")
    for number, row in enumerate(csv.reader(io.StringIO(text)), start=1):
        if not row:
            continue
        if len(row) != columns:
            raise ListUnreadable(path.name, number, f"{len(row)} columns instead of {columns}")
        if not row[0].strip().isdigit():
            raise ListUnreadable(path.name, number, "the first column is no entity number")
        yield ["" if cell.strip() == "-0-" else cell.strip() for cell in row]


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="strict")

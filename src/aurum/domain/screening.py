"""Name screening against lists of persons, and what a score means.

Score = similarity of the folded names (0-100) plus fixed, shown shifts for birth year and country,
kept within 0-100. From 92 a match, from 80 possible, below nothing. Neither is a verdict: both are
for a person. Deterministic: same application, same list, same hits in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from aurum.domain.checks import Check, Outcome
from aurum.domain.names import names_on_file, similarity

MATCH_MIN = 92
POSSIBLE_MIN = 80

BIRTH_YEAR_SAME_POINTS = 4
BIRTH_YEAR_DIFFERS_POINTS = -12
COUNTRY_SAME_POINTS = 2
COUNTRY_DIFFERS_POINTS = -6
"""Chosen so that an identical name never drops below POSSIBLE_MIN (100 - 12 - 6 = 82), and that
birth year and country together cannot lift an unlike name by more than six points."""

BIRTH_YEAR_TOLERANCE = 1
"""Listed birth years are often approximate."""

HITS_MAX = 10
NAMES_MAX = 20
"""Spellings screened per applicant; the record holds at most eleven, a model may add variants."""


Subject = Literal["applicant", "owner"]
"""Whose name a hit is about: the applicant's, or a beneficial owner's."""


@dataclass(frozen=True, slots=True)
class ListEntry:
    """One listed person. `names[0]` is the primary name; `birth_years` and `countries` may be empty."""

    entry_id: str
    list_name: str
    names: tuple[str, ...]
    birth_years: tuple[int, ...] = ()
    countries: tuple[str, ...] = ()
    programme: str = ""
    remarks: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """One listed person that is alike enough. `shifts` explain `score - name_score`."""

    entry: ListEntry
    listed_name: str
    name_score: int
    score: int
    shifts: tuple[tuple[str, int], ...]
    subject: Subject = "applicant"

    @property
    def level(self) -> Literal["match", "possible"]:
        """From 92 a match, else possible."""
        return "match" if self.score >= MATCH_MIN else "possible"

    def to_json(self) -> dict[str, Any]:
        """Return what advisor and operator may read."""
        return {
            "subject": self.subject,
            "list": self.entry.list_name,
            "entryId": self.entry.entry_id,
            "name": self.listed_name,
            "programme": self.entry.programme,
            "nameScore": self.name_score,
            "score": self.score,
            "shifts": [{"why": why, "points": points} for why, points in self.shifts],
            "level": self.level,
        }


def find_hits(
    names: Sequence[str],
    entries: Sequence[ListEntry],
    *,
    birth_year: int | None = None,
    countries: frozenset[str] = frozenset(),
) -> tuple[Hit, ...]:
    """Return the best hit per listed person, highest score first, at most `HITS_MAX`."""
    screened = list(dict.fromkeys(name for name in names if name))[:NAMES_MAX]
    found = []
    for entry in entries:
        scored = [(similarity(name, listed), listed) for name in screened for listed in entry.names]
        name_score, listed_name = max(scored, default=(0, ""), key=lambda pair: pair[0])
        if name_score == 0:
            continue
        shifts = _shifts(entry, birth_year, countries)
        score = max(0, min(100, name_score + sum(points for _, points in shifts)))
        if score >= POSSIBLE_MIN:
            found.append(Hit(entry, listed_name, name_score, score, shifts))
    return _best(found)


def screen_sanctions(
    application: Mapping[str, Any],
    entries: Sequence[ListEntry],
    *,
    as_of: str,
    source: str,
    name_variants: Sequence[str] = (),
) -> Check:
    """Return the sanctions check. `name_variants` only add to the names on file, never replace them."""
    hits = hits_about(application, entries, name_variants=name_variants)
    outcome, reasons = _verdict(hits)
    return Check(
        outcome=outcome,
        basis_hash=application["hash"],
        reasons=reasons,
        as_of=as_of,
        source=source,
        details={"screenedEntries": len(entries), "hits": [hit.to_json() for hit in hits]},
    )


def hits_about(
    application: Mapping[str, Any], entries: Sequence[ListEntry], *, name_variants: Sequence[str] = ()
) -> tuple[Hit, ...]:
    """Return the hits of the applicant under all names on file, and of every beneficial owner."""
    found = list(
        find_hits(
            (*names_on_file(application), *name_variants),
            entries,
            birth_year=int(application["dateOfBirth"][:4]),
            countries=countries_of(application),
        )
    )
    for owner in application.get("beneficialOwners") or []:
        owner_hits = find_hits(
            (owner["name"],),
            entries,
            birth_year=int(owner["dateOfBirth"][:4]),
            countries=frozenset([owner["nationality"]]),
        )
        found.extend(replace(hit, subject="owner") for hit in owner_hits)
    return _best(found)


def countries_of(application: Mapping[str, Any]) -> frozenset[str]:
    """Return every country the applicant is tied to by birth, nationality or residence."""
    return frozenset(
        [
            *application["nationalities"],
            application["birthCountry"],
            application["residentialAddress"]["country"],
        ]
    )


def _best(hits: list[Hit]) -> tuple[Hit, ...]:
    """Highest score first; equal scores in list order, so that the same input gives the same hits."""
    ranked = sorted(hits, key=lambda hit: (-hit.score, hit.subject, hit.entry.list_name, hit.entry.entry_id))
    return tuple(ranked[:HITS_MAX])


def _verdict(hits: Sequence[Hit]) -> tuple[Outcome, tuple[str, ...]]:
    if any(hit.level == "match" for hit in hits):
        return "failed", ("SANCTIONS_MATCH",)
    return ("review", ("SANCTIONS_POSSIBLE",)) if hits else ("clear", ())


def _shifts(
    entry: ListEntry, birth_year: int | None, countries: frozenset[str]
) -> tuple[tuple[str, int], ...]:
    shifts: list[tuple[str, int]] = []
    if birth_year is not None and entry.birth_years:
        near = any(abs(birth_year - year) <= BIRTH_YEAR_TOLERANCE for year in entry.birth_years)
        shifts.append(
            ("BIRTH_YEAR_SAME", BIRTH_YEAR_SAME_POINTS)
            if near
            else ("BIRTH_YEAR_DIFFERS", BIRTH_YEAR_DIFFERS_POINTS)
        )
    if countries and entry.countries:
        shared = not countries.isdisjoint(entry.countries)
        shifts.append(
            ("COUNTRY_SAME", COUNTRY_SAME_POINTS) if shared else ("COUNTRY_DIFFERS", COUNTRY_DIFFERS_POINTS)
        )
    return tuple(shifts)

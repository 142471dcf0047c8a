"""Names as people write them, and how alike two of them are. Any script, any order, any accent.

Comparison folds to ASCII letters first (`anyascii` transliterates: without it a Cyrillic or accented
spelling of the same name scores far lower) and then compares sorted tokens. `token_set_ratio` would
call "Chen Wei" and "Chen Sarah Wei" equal, so it never decides alone.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from anyascii import anyascii
from rapidfuzz import fuzz

SAME_PERSON_MIN = 80
"""Similarity from which two spellings count as the same person's name (holder, document)."""


def full_name(given_names: str, family_name: str) -> str:
    """Return the parts that exist, given first. One-name persons have only one."""
    return " ".join(part for part in (given_names, family_name) if part)


FOLDED_NAMES_MAX = 65_536
"""Folded names kept: a published list with its aliases (about 40,000), some 10 MB."""


@functools.lru_cache(maxsize=FOLDED_NAMES_MAX)
def fold(name: str) -> str:
    """Return lower-case ASCII words: `"RODRÍGUEZ, James"` -> `"rodriguez james"`."""
    ascii_name = anyascii(name).lower()
    for joined in ("'", "`", "."):
        ascii_name = ascii_name.replace(joined, "")
    return " ".join("".join(char if char.isalnum() else " " for char in ascii_name).split())


def similarity(one: str, other: str) -> int:
    """Return 0..100: token-sort ratio of the folded names, rounded down. Empty names are unlike anything."""
    left, right = fold(one), fold(other)
    if not left or not right:
        return 0
    # Joining the words makes "Mei Ling" and "Meiling" alike, whichever way they were transliterated.
    joined = fuzz.ratio(left.replace(" ", ""), right.replace(" ", "")) if left[0] == right[0] else 0.0
    return int(max(fuzz.token_sort_ratio(left, right), joined))


def same_person(one: str, other: str) -> bool:
    """Whether two spellings may be the same person: also initials kept, or a second holder named."""
    return max(similarity(one, other), int(fuzz.token_set_ratio(fold(one), fold(other)))) >= SAME_PERSON_MIN


def names_on_file(application: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the applicant's full name and every other name declared, first the legal one."""
    legal = full_name(str(application.get("givenNames", "")), str(application.get("familyName", "")))
    others = [str(other["name"]) for other in application.get("otherNames") or []]
    return tuple(dict.fromkeys(name for name in (legal, *others) if name))

"""Name screening: the published similarity figures, the shifts, and who decides."""

from __future__ import annotations

import pytest

from aurum.domain.names import similarity
from aurum.domain.screening import ListEntry, find_hits, hits_about


@pytest.mark.parametrize(
    ("listed", "applicant", "score"),
    [
        ("RODRÍGUEZ, James", "James Rodriguez", 100),
        ("Владимир Путин", "Vladimir Putin", 100),
        ("Jim Rodriguez", "James Rodriguez", 86),
        ("CHEN Sarah Wei", "Sarah Chen", 83),
    ],
)
def test_similarity_is_token_sorted_after_transliteration(listed: str, applicant: str, score: int) -> None:
    assert abs(similarity(listed, applicant) - score) <= 1


def test_an_unlike_name_is_no_hit() -> None:
    assert find_hits(["Jaime Rodriguez Orejuela"], [ListEntry("1", "L", ("James Rodriguez",))]) == ()


def entry(**changes: object) -> ListEntry:
    return ListEntry("1", "L", ("Sarah Chen",), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("listed", "score", "level"),
    [
        (entry(), 100, "match"),
        (entry(birth_years=(1988,), countries=("US",)), 100, "match"),
        (entry(birth_years=(1989,)), 100, "match"),
        (entry(birth_years=(1960,)), 88, "possible"),
        (entry(countries=("MD",)), 94, "match"),
        (entry(birth_years=(1960,), countries=("MD",)), 82, "possible"),
    ],
    ids=["unknown", "same", "year near", "year differs", "country differs", "both differ"],
)
def test_birth_year_and_country_shift_the_score_by_shown_amounts(
    listed: ListEntry, score: int, level: str
) -> None:
    (hit,) = find_hits(["Sarah Chen"], [listed], birth_year=1988, countries=frozenset({"US"}))

    assert (hit.score, hit.level) == (score, level)
    assert hit.name_score == 100


def test_an_identical_name_is_never_cleared_by_other_details() -> None:
    far = entry(birth_years=(1900,), countries=("KP",))

    assert find_hits(["Sarah Chen"], [far], birth_year=1988, countries=frozenset({"US"}))


def test_variants_only_add_to_the_names() -> None:
    listed = [ListEntry("1", "L", ("Zoltan Quirk",))]

    assert find_hits(["Sarah Chen"], listed) == ()
    assert find_hits(["Sarah Chen", "Zoltan Quirk"], listed)[0].level == "match"


def test_hits_come_in_the_same_order_whatever_the_list_order() -> None:
    entries = [ListEntry(str(number), "L", ("Sarah Chen",)) for number in range(30)]

    assert find_hits(["Sarah Chen"], entries) == find_hits(["Sarah Chen"], entries[::-1])
    assert len(find_hits(["Sarah Chen"], entries)) == 10


def test_beneficial_owners_are_screened_by_their_own_birth_year_and_nationality() -> None:
    owner = {"name": "Zoltan Quirk", "dateOfBirth": "1950-01-01", "nationality": "HU", "ownershipPct": 30}
    application = {
        "givenNames": "Sarah",
        "familyName": "Chen",
        "dateOfBirth": "1988-04-12",
        "nationalities": ["US"],
        "birthCountry": "US",
        "residentialAddress": {"country": "US"},
        "beneficialOwners": [owner],
    }
    listed = [ListEntry("1", "L", ("Zoltan Quirk",), (1950,), ("HU",))]

    (hit,) = hits_about(application, listed)

    assert (hit.subject, hit.score, dict(hit.shifts)) == (
        "owner",
        100,
        {"BIRTH_YEAR_SAME": 4, "COUNTRY_SAME": 2},
    )

"""Paging is a partition: whatever the sort, following cursors shows every match exactly once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aurum_engine.core.state import State
from aurum_engine.rest.bodies import Body
from aurum_engine.rest.conditions import FieldType, condition
from aurum_engine.rest.problems import Problem
from aurum_engine.rest.query import Field, Kind, parse_query, run


@dataclass(frozen=True)
class Thing:
    key: int
    name: str | None
    size: int | None


def kind(things: list[Thing]) -> Kind:
    return Kind(
        name="things",
        candidates=lambda *_: things,
        key=lambda thing: thing.key,
        row=lambda _, thing: {"key": thing.key},
        fields={
            "name": Field(FieldType.TEXT, lambda _, thing: thing.name),
            "size": Field(FieldType.INT, lambda _, thing: thing.size),
        },
    )


def search(things: list[Thing], **body: Any) -> tuple[list[int], dict[str, Any]]:
    answer = run(kind(things), parse_query(kind(things), Body(body)), State())
    return [item["key"] for item in answer["items"]], answer["page"]


things = st.lists(
    st.tuples(st.none() | st.sampled_from("abc"), st.none() | st.integers(-2, 2)), max_size=12
).map(lambda pairs: [Thing(n, name, size) for n, (name, size) in enumerate(pairs)])
sorts = st.lists(
    st.fixed_dictionaries(
        {"field": st.sampled_from(("name", "size")), "order": st.sampled_from(("ASC", "DESC"))}
    ),
    max_size=2,
)


@pytest.mark.slow  # A property over a hundred lists, each paged through twice.
@given(things=things, sort=sorts, limit=st.integers(1, 5))
def test_cursors_forward_and_backward_show_each_match_once(
    things: list[Thing], sort: list[dict[str, str]], limit: int
) -> None:
    everything, _ = search(things, sort=sort)
    assert sorted(everything) == [thing.key for thing in things]

    forward, page = search(things, sort=sort, page={"limit": limit})
    while page["endCursor"] is not None:
        keys, page = search(things, sort=sort, page={"limit": limit, "after": page["endCursor"]})
        forward += keys
    assert forward == everything

    keys, page = search(things, sort=sort, page={"from": max(0, len(things) - 1)})
    backward = keys
    while page["startCursor"] is not None:
        keys, page = search(things, sort=sort, page={"limit": limit, "before": page["startCursor"]})
        backward = keys + backward
    assert backward == everything


def test_unset_values_come_last_in_both_directions() -> None:
    things = [Thing(0, None, None), Thing(1, "b", None), Thing(2, "a", None)]

    assert search(things, sort=[{"field": "name"}])[0] == [2, 1, 0]
    assert search(things, sort=[{"field": "name", "order": "DESC"}])[0] == [1, 2, 0]


def test_a_cursor_of_another_sort_is_refused() -> None:
    _, page = search([Thing(0, "a", 1)], sort=[{"field": "name"}])

    with pytest.raises(Problem, match="cursor"):
        search([Thing(0, "a", 1)], sort=[{"field": "size"}], page={"after": page["endCursor"]})


CASES: dict[str, tuple[FieldType, Any, list[Any], list[Any]]] = {
    "like with stars": (FieldType.TEXT, {"$like": "a*c"}, ["ac", "abbc", "a\nc"], ["abcd", None]),
    "like with a mark": (FieldType.TEXT, {"$like": "a?c"}, ["abc"], ["ac", "abbc"]),
    "like taken literally": (FieldType.TEXT, {"$like": r"a\*.c"}, ["a*.c"], ["axyc", "a*xc"]),
    "like for an enum": (FieldType.ENUM, {"$like": "act*"}, ["ACTIVE"], ["COMPLETED"]),
    "any of a list": (FieldType.TEXTS, "a", [("a", "b")], [("b",), ()]),
    "none of a list": (FieldType.TEXTS, {"$neq": "a"}, [("b",), ()], [("a", "b")]),
    "a list that is empty": (FieldType.TEXTS, {"$exists": False}, [()], [("a",)]),
    "several operators": (FieldType.INT, {"$gt": 1, "$lte": 3}, [2, 3], [1, 4, None]),
    "dates with any offset": (FieldType.DATE, "1970-01-01T01:00:01+01:00", [1_000], [0, None]),
    "keys as text": (FieldType.KEY, {"$in": ["2251799813685249"]}, [1 << 51 | 1], [1, None]),
}


@pytest.mark.parametrize(("field", "wanted", "yes", "no"), CASES.values(), ids=CASES.keys())
def test_conditions(field: FieldType, wanted: Any, yes: list[Any], no: list[Any]) -> None:
    test, _ = condition(field, wanted, "filter.f", frozenset({"ACTIVE", "COMPLETED"}))

    assert [test(value) for value in yes] == [True] * len(yes)
    assert [test(value) for value in no] == [False] * len(no)

"""The search language: filters with operators, sort orders, pages and cursors. Sans-IO.

A `Kind` says which fields a thing has, how to read them, and how to find candidates without looking
at everything. Unknown fields, operators and values are a 400. Unset values sort last.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import orjson

from aurum_engine.core.state import StateView
from aurum_engine.rest.bodies import Body
from aurum_engine.rest.conditions import FieldType, condition
from aurum_engine.rest.problems import invalid

LIMIT_DEFAULT = 100
LIMIT_MAX = 10_000
"""Camunda's page sizes."""

Predicate = Callable[[StateView, Any], bool]


@dataclass(frozen=True, slots=True)
class Field:
    """A field one can filter or sort by. `read` gives an int for keys and dates (ms), None when unset."""

    type: FieldType
    read: Callable[[StateView, Any], Any]
    values: frozenset[str] = frozenset()
    sortable: bool = True


@dataclass(frozen=True, slots=True)
class Kind:
    """One searchable thing. `candidates` may use the filter's plain equalities to narrow the search.

    `key` identifies a record and orders those that are equal otherwise. `special` are filter fields
    with a meaning of their own: they get the raw value and return a predicate.
    """

    name: str
    candidates: Callable[[StateView, Mapping[str, Any]], Iterable[Any]]
    key: Callable[[Any], Any]
    row: Callable[[StateView, Any], dict[str, Any]]
    fields: Mapping[str, Field]
    special: Mapping[str, Callable[[Any], Predicate]] = field(default_factory=dict)
    any_of: bool = False


class Order(StrEnum):
    """Direction of a sort."""

    ASC = "ASC"
    DESC = "DESC"


class _Descending:
    """Turns an order round."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Descending) and self.value == other.value

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: _Descending) -> bool:
        return bool(other.value < self.value)


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of the matches to return; at most one of the last three is set."""

    limit: int
    start: int = 0
    after: str | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A search request that was understood."""

    predicate: Predicate
    equalities: Mapping[str, Any]
    sort: tuple[tuple[str, Order], ...]
    page: Page

    def within(self, predicate: Predicate) -> Query:
        """Return this query for those records only that also satisfy `predicate`."""
        inner = self.predicate
        return replace(self, predicate=lambda view, record: predicate(view, record) and inner(view, record))


def parse_query(kind: Kind, body: Body, fixed: Mapping[str, Any] | None = None) -> Query:
    """Read a search request; `fixed` filter values win over those of the body. Raises Problem 400."""
    predicate, equalities = _filter(kind, body.document("filter") | dict(fixed or {}))
    query = Query(predicate, equalities, _sort(kind, body.objects("sort")), _page(body.child("page")))
    body.done()
    return query


def _filter(kind: Kind, raw: Mapping[str, Any]) -> tuple[Predicate, dict[str, Any]]:
    tests: list[Predicate] = []
    equalities: dict[str, Any] = {}
    for name, wanted in raw.items():
        if wanted is None:
            continue
        if name == "$or" and kind.any_of:
            tests.append(_any_of(kind, wanted))
        elif name in kind.special:
            tests.append(kind.special[name](wanted))
        elif name in kind.fields:
            found = kind.fields[name]
            test, equal = condition(found.type, wanted, f"filter.{name}", found.values)
            if equal is not None:
                equalities[name] = equal
            tests.append(_field_test(found.read, test))
        else:
            raise invalid(f"filter.{name} is not a field one can search {kind.name} by")
    return (lambda view, record: all(test(view, record) for test in tests)), equalities


def _field_test(read: Callable[[StateView, Any], Any], test: Callable[[Any], bool]) -> Predicate:
    return lambda view, record: test(read(view, record))


def _any_of(kind: Kind, wanted: Any) -> Predicate:
    if not isinstance(wanted, list) or not all(isinstance(item, dict) for item in wanted):
        raise invalid("filter.$or must be a list of filters")
    parts = [_filter(kind, item)[0] for item in wanted]
    return lambda view, record: any(part(view, record) for part in parts)


def _sort(kind: Kind, raw: list[dict[str, Any]]) -> tuple[tuple[str, Order], ...]:
    orders = []
    for index, item in enumerate(raw):
        body = Body(item, f"sort[{index}].")
        name = body.required_text("field")
        order = (body.text("order") or "ASC").upper()
        body.done()
        if name not in kind.fields or not kind.fields[name].sortable:
            raise invalid(f"sort[{index}].field: {kind.name} cannot be sorted by {name!r}")
        if order not in Order.__members__:
            raise invalid(f"sort[{index}].order must be ASC or DESC")
        orders.append((name, Order[order]))
    return tuple(orders)


def _page(body: Body) -> Page:
    limit, start = body.integer("limit"), body.integer("from")
    after, before = body.text("after"), body.text("before")
    body.done()
    limit = LIMIT_DEFAULT if limit is None else limit
    if not 0 <= limit <= LIMIT_MAX:
        raise invalid(f"page.limit must be between 0 and {LIMIT_MAX}")
    if sum(part is not None for part in (start, after, before)) > 1:
        raise invalid("page may have only one of from, after and before")
    if start is not None and start < 0:
        raise invalid("page.from must not be negative")
    return Page(limit, start or 0, after, before)


def _position(sort: tuple[tuple[str, Order], ...], values: list[Any], key: Any) -> tuple[Any, ...]:
    """Return what records are ordered by; unset values come last in both directions."""
    parts: list[Any] = []
    for (_, order), value in zip(sort, values, strict=True):
        if value is None:
            parts.append((1,))
        else:
            parts.append((0, _Descending(value) if order is Order.DESC else value))
    parts.append(key)
    return tuple(parts)


def _cursor(sort: tuple[tuple[str, Order], ...], values: list[Any], key: Any) -> str:
    raw = [[f"{name}:{order}" for name, order in sort], values, key]
    return urlsafe_b64encode(orjson.dumps(raw)).rstrip(b"=").decode()


def _from_cursor(sort: tuple[tuple[str, Order], ...], text: str, name: str) -> tuple[Any, ...]:
    try:
        orders, values, key = orjson.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if orders != [f"{field}:{order}" for field, order in sort]:
            raise ValueError("it belongs to a search with another sort")
        return _position(sort, values, tuple(key) if isinstance(key, list) else key)
    except (ValueError, TypeError) as error:
        raise invalid(f"page.{name} is not a cursor of this search: {error}") from None


def run(kind: Kind, query: Query, view: StateView) -> dict[str, Any]:
    """Return the answer to a search: the rows of one page, and where the page stands."""
    sort, page = query.sort, query.page
    readers = [kind.fields[name].read for name, _ in sort]
    found = []
    for record in kind.candidates(view, query.equalities):
        if query.predicate(view, record):
            values = [read(view, record) for read in readers]
            found.append((_position(sort, values, kind.key(record)), values, record))
    positions = [item[0] for item in found]
    order = sorted(range(len(found)), key=positions.__getitem__)
    try:
        if page.after is not None:
            edge = _from_cursor(sort, page.after, "after")
            first = bisect_right(order, edge, key=positions.__getitem__)
            last = first + page.limit
        elif page.before is not None:
            edge = _from_cursor(sort, page.before, "before")
            last = bisect_left(order, edge, key=positions.__getitem__)
            first = max(0, last - page.limit)
        else:
            first, last = page.start, page.start + page.limit
    except TypeError:  # A forged cursor: its values cannot be compared with those of the field.
        raise invalid("the page's cursor is not one of this search") from None
    shown = [found[index] for index in order[first:last]]
    return {
        "items": [kind.row(view, record) for _, _, record in shown],
        "page": {
            "totalItems": len(found),
            "hasMoreTotalItems": False,
            "startCursor": _cursor(sort, shown[0][1], kind.key(shown[0][2])) if shown else None,
            "endCursor": _cursor(sort, shown[-1][1], kind.key(shown[-1][2])) if shown else None,
        },
    }

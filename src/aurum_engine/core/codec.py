"""Events as bytes and back: the only place that knows the stored form.

A step (all events of one command) is a JSON array of `[kind, version, field, ...]` in field order.
`UPCASTERS` lift older versions one step at a time, so that a log of any age replays.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable
from typing import Any

import orjson

from aurum_engine.core.events import Event
from aurum_engine.core.structs import fields_of, values_of

KINDS: dict[str, type[Event]] = {cls.__name__: cls for cls in typing.get_args(Event)}
"""Stored name of each event class. A class is never renamed without an upcaster."""

VERSIONS: dict[str, int] = {"Audited": 2, "ProcessInstanceCreated": 2}
"""Schema version of an event kind where it is not 1."""

UPCASTERS: dict[tuple[str, int], Callable[[list[Any]], list[Any]]] = {
    # 2: people. Before them every actor was a service.
    ("Audited", 1): lambda fields: [*fields, False],
    # 2: call activities. Before them every instance was its own root.
    ("ProcessInstanceCreated", 1): lambda fields: [*fields, None, None, fields[0]],
}
"""(kind, version) -> function from the fields of that version to those of the next one."""


class UnknownEvent(ValueError):
    """A stored event has a kind or a version that this program does not know."""


def _tuple_fields(cls: type[Event]) -> tuple[tuple[int, bool], ...]:
    """Return (index, nested) of the fields that JSON turned from tuples into lists."""
    hints = typing.get_type_hints(cls)
    found = []
    for index, name in enumerate(hints):
        if typing.get_origin(hints[name]) is tuple:
            nested = typing.get_origin(typing.get_args(hints[name])[0]) is tuple
            found.append((index, nested))
    return tuple(found)


_TUPLES = {name: _tuple_fields(cls) for name, cls in KINDS.items()}
_FORMS = {
    name: (cls, VERSIONS.get(name, 1), len(fields_of(cls)) + 2, _TUPLES[name]) for name, cls in KINDS.items()
}
"""(class, version, length of a stored row, fields to turn into tuples) by stored name."""


def encode_step(events: Iterable[Event]) -> bytes:
    """Return the stored form of the events of one command."""
    rows = []
    for event in events:
        name = type(event).__name__
        rows.append((name, VERSIONS.get(name, 1), *values_of(event)))
    return orjson.dumps(rows)


def decode_step(payload: bytes) -> list[Event]:
    """Return the events of one stored step; raises UnknownEvent for what cannot be read."""
    return [_decode(row) for row in orjson.loads(payload)]


def _decode(row: list[Any]) -> Event:
    kind, version = row[0], row[1]
    form = _FORMS.get(kind)
    if form is None or version != form[1] or len(row) != form[2]:
        return _decode_other(kind, version, row[2:])
    fields = row[2:]
    for index, nested in form[3]:
        values = fields[index]
        fields[index] = tuple(map(tuple, values)) if nested else tuple(values)
    return form[0](*fields)


def _decode_other(kind: str, version: int, fields: list[Any]) -> Event:
    """Return an event that is not stored in its current form, lifted version by version."""
    upcast = UPCASTERS.get((kind, version))
    if upcast is None:
        raise UnknownEvent(f"event {kind!r} version {version} with {len(fields)} fields")
    return _decode([kind, version + 1, *upcast(fields)])

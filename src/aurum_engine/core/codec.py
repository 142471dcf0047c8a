"""Events as bytes and back: the only place that knows the stored form.

A step (all events of one command) is a JSON array of `[kind, version, field, ...]` in field order.
`UPCASTERS` lift older versions one step at a time, so that a log of any age replays.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

import orjson

from aurum_engine.core import events as _events
from aurum_engine.core.events import Event

KINDS: dict[str, type[Event]] = {cls.__name__: cls for cls in typing.get_args(Event)}
"""Stored name of each event class. A class is never renamed without an upcaster."""

VERSIONS: dict[str, int] = {}
"""Schema version of an event kind where it is not 1."""

UPCASTERS: dict[tuple[str, int], Callable[[list[Any]], list[Any]]] = {}
"""(kind, version) -> function from the fields of that version to those of the next one."""


class UnknownEvent(ValueError):
    """A stored event has a kind or a version that this program does not know."""


def _tuple_fields(cls: type[Event]) -> tuple[tuple[int, bool], ...]:
    """Return (index, nested) of the fields that JSON turned from tuples into lists."""
    hints = typing.get_type_hints(cls, vars(_events))
    found = []
    for index, name in enumerate(hints):
        if typing.get_origin(hints[name]) is tuple:
            nested = typing.get_origin(typing.get_args(hints[name])[0]) is tuple
            found.append((index, nested))
    return tuple(found)


_SLOTS = {name: tuple(cls.__dataclass_fields__) for name, cls in KINDS.items()}
_TUPLES = {name: _tuple_fields(cls) for name, cls in KINDS.items()}
_VALUES = {name: attrgetter(*slots) for name, slots in _SLOTS.items()}


def encode_step(events: Iterable[Event]) -> bytes:
    """Return the stored form of the events of one command."""
    rows = []
    for event in events:
        name = type(event).__name__
        values = _VALUES[name](event)
        fields = values if len(_SLOTS[name]) > 1 else (values,)
        rows.append((name, VERSIONS.get(name, 1), *fields))
    return orjson.dumps(rows)


def decode_step(payload: bytes) -> list[Event]:
    """Return the events of one stored step; raises UnknownEvent for what cannot be read."""
    return [_decode(row[0], row[1], row[2:]) for row in orjson.loads(payload)]


def _decode(kind: str, version: int, fields: list[Any]) -> Event:
    current = VERSIONS.get(kind, 1)
    while version < current or kind not in KINDS:
        upcast = UPCASTERS.get((kind, version))
        if upcast is None:
            raise UnknownEvent(f"event {kind!r} version {version}")
        fields = upcast(fields)
        version += 1
    if version > current or len(fields) != len(_SLOTS[kind]):
        raise UnknownEvent(f"event {kind!r} version {version} with {len(fields)} fields")
    for index, nested in _TUPLES[kind]:
        values = fields[index]
        fields[index] = tuple(tuple(v) for v in values) if nested else tuple(values)
    return KINDS[kind](*fields)

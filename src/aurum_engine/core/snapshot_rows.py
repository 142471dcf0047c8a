"""Records of the state as rows of JSON and back, by the names of their fields.

A snapshot says which fields its rows have (`shapes`), so that one written before a field was added
can be read after: `ADDED` gives the field's value. A field it does not know keeps it from being read.
"""

from __future__ import annotations

import typing
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from sys import intern
from typing import Any, NamedTuple

from aurum_engine.core import records as r
from aurum_engine.core import waits as w
from aurum_engine.core.structs import fields_of, values_of

Row = list[Any]

RECORDS: tuple[type, ...] = (
    r.ProcessDefinition,
    r.DecisionRequirements,
    r.DecisionDefinition,
    r.Form,
    r.Deployment,
    r.ProcessInstance,
    r.ElementInstance,
    r.Loop,
    r.Variable,
    r.Job,
    r.UserTask,
    r.Incident,
    r.DecisionInstance,
    r.AuditEntry,
    r.FlowTaken,
    w.Timer,
    w.MessageSubscription,
    w.MessageStartSubscription,
    w.Message,
    w.SignalSubscription,
    w.SignalStart,
)

ADDED: dict[tuple[str, str], Any] = {}
"""(class, field) -> value in snapshots that were written before the class had the field."""

_REPEATED = frozenset(
    {
        *("element_id", "element_name", "element_type", "bpmn_process_id", "type", "name", "worker"),
        *("target_id", "flow_id", "message_name", "signal_name", "operation", "entity_type", "cycle"),
    }
)
"""Fields whose texts are few and come again in every instance; each is kept once."""


class SnapshotUnreadable(ValueError):
    """A snapshot is damaged or of a form this program does not know."""


def shapes() -> dict[str, list[str]]:
    """Return the fields of the rows that `row_of` makes, by class name."""
    return {cls.__name__: list(fields_of(cls)) for cls in RECORDS}


def _reader(hint: Any, name: str) -> Callable[[Any], Any] | None:
    """Return what turns a JSON value into a field's value; None when it is the same."""
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint._value2member_map_.__getitem__
    if hint is bytes:
        return b64decode
    if typing.get_origin(hint) is tuple:
        nested = typing.get_origin(typing.get_args(hint)[0]) is tuple
        return (lambda value: tuple(map(tuple, value))) if nested else tuple
    return intern if hint is str and name in _REPEATED else None


_HINTS = {cls: typing.get_type_hints(cls) for cls in RECORDS}
_WITH_BYTES = {cls for cls in RECORDS if bytes in _HINTS[cls].values()}


def row_of(record: Any) -> Any:
    """Return the row of a record; its values are shared with it."""
    values = values_of(record)
    if type(record) in _WITH_BYTES:
        return [b64encode(value).decode() if isinstance(value, bytes) else value for value in values]
    return values


class RowReader:
    """Makes records from the rows of one snapshot."""

    def __init__(self, stored: Mapping[str, list[str]]) -> None:
        """Raises SnapshotUnreadable when the snapshot's shapes cannot be brought to today's."""
        self._plans = {cls: _plan(cls, stored.get(cls.__name__)) for cls in RECORDS}

    def record(self, cls: type, row: Row) -> Any:
        """Return one record; the row is used up. Raises ValueError or LookupError for what does not fit."""
        plan = self._plans[cls]
        if len(row) != plan.width:
            raise SnapshotUnreadable(f"a row of {cls.__name__} has {len(row)} fields instead of {plan.width}")
        for index, read in plan.readers:
            if row[index] is not None:
                row[index] = read(row[index])
        if plan.order is not None:
            row = [(*row, *plan.added)[index] for index in plan.order]
        return cls(*row)

    def records(self, cls: type, rows: Iterable[Row]) -> list[Any]:
        """Return the records of rows, in order."""
        return [self.record(cls, row) for row in rows]


class _Plan(NamedTuple):
    """How a stored row becomes a record."""

    width: int
    readers: list[tuple[int, Callable[[Any], Any]]]
    added: tuple[Any, ...]
    """Values of fields that the row does not have; they follow it."""
    order: list[int] | None
    """Where in row and added values each field is; None when the row has them all in order."""


def _plan(cls: type, stored: list[str] | None) -> _Plan:
    if stored is None:
        raise SnapshotUnreadable(f"the snapshot has no {cls.__name__}")
    hints = _HINTS[cls]
    if unknown := set(stored) - set(hints):
        raise SnapshotUnreadable(f"{cls.__name__} has fields that are not known here: {sorted(unknown)}")
    missing = [name for name in hints if name not in stored]
    for name in missing:
        if (cls.__name__, name) not in ADDED:
            raise SnapshotUnreadable(f"the snapshot does not say what {cls.__name__}.{name} is")
    found = [(index, _reader(hints[name], name)) for index, name in enumerate(stored)]
    readers = [(index, read) for index, read in found if read is not None]
    names = [*stored, *missing]
    order = None if names == list(hints) else [names.index(name) for name in hints]
    return _Plan(len(stored), readers, tuple(ADDED[cls.__name__, name] for name in missing), order)

"""What events and records are made of: frozen structs that cost little to make, to copy and to keep.

Rule 1: a struct is never changed; `changed` makes another one.
Rule 2: structs hold JSON values, texts and numbers and never each other in a ring, so the garbage
collector does not look at them (`gc=False`): a hundred thousand open instances do not slow it down.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

T = TypeVar("T", bound="Record")


class Record(msgspec.Struct, frozen=True, gc=False):
    """Base of all events and records; equal when class and fields are."""


def changed(record: T, **changes: Any) -> T:
    """Return a copy of a record with some fields changed. An unknown field name raises TypeError."""
    return msgspec.structs.replace(record, **changes)


values_of = msgspec.structs.astuple
"""The values of a record's fields, in order, shared with it."""


def fields_of(cls: type) -> tuple[str, ...]:
    """Return the names of a class's fields, in order."""
    return cls.__struct_fields__  # type: ignore[attr-defined,no-any-return]

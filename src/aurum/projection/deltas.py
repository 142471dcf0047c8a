"""JSON Patch (RFC 6902) from one JSON value to another: add, remove, replace. Pure.

Own code because the delta is on the hot path: proven against `jsonpatch` as judge by a property
(`tests/properties/test_deltas.py`) and an order of magnitude faster. `True` and `1` are different
values here, as they are in JSON, although Python calls them equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Operation = dict[str, Any]


def escape(token: str) -> str:
    """Return a JSON Pointer token: `~` first, then `/` (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1")


def same(one: object, other: object) -> bool:
    """Are these equal as JSON values?"""
    if one is other:
        return True
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def diff(before: object, after: object) -> list[Operation]:
    """Return the operations that turn `before` into `after`; empty when they are equal."""
    return list(_diff(before, after, ""))


def _diff(before: object, after: object, path: str) -> Iterator[Operation]:
    if before is after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _diff_objects(before, after, path)
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple):
        yield from _diff_lists(before, after, path)
    elif not same(before, after):
        yield {"op": "replace", "path": path, "value": after}


def _diff_objects(before: Mapping[str, Any], after: Mapping[str, Any], path: str) -> Iterator[Operation]:
    for key in before:
        if key not in after:
            yield {"op": "remove", "path": f"{path}/{escape(key)}"}
    for key, value in after.items():
        pointer = f"{path}/{escape(key)}"
        if key in before:
            yield from _diff(before[key], value, pointer)
        else:
            yield {"op": "add", "path": pointer, "value": value}


def _diff_lists(before: Sequence[Any], after: Sequence[Any], path: str) -> Iterator[Operation]:
    """Skip equal heads and tails, pair the middle in order, then drop or add the rest."""
    head, old, new = 0, len(before), len(after)
    while head < old and head < new and same(before[head], after[head]):
        head += 1
    while old > head and new > head and same(before[old - 1], after[new - 1]):
        old, new = old - 1, new - 1
    for index in range(head, min(old, new)):
        yield from _diff(before[index], after[index], f"{path}/{index}")
    for index in range(old - 1, new - 1, -1):
        yield {"op": "remove", "path": f"{path}/{index}"}
    for index in range(old, new):
        yield {"op": "add", "path": f"{path}/{index}", "value": after[index]}

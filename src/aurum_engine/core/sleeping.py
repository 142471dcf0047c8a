"""Instances that are asleep: known by their outline, their insides still as bytes of a snapshot.

Rule 1: before anything of a call tree changes, and before anything inside it is read, it wakes.
Rule 2: what is needed without waking anybody (instances, user tasks, incidents, timers, backlogs, who
waits for what) is not in sleeping tables.
Rule 3: to look at all entries of a sleeping table is to wake everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")

_MISSING: Any = object()


@dataclass(frozen=True, slots=True)
class Sleeping:
    """A sleeping call tree: a chunk of the snapshot, and where its outline and then its insides are."""

    chunk: bytes
    start: int
    middle: int
    end: int

    def outline(self) -> bytes:
        """Return the outline's bytes."""
        return self.chunk[self.start : self.middle]

    def insides(self) -> bytes:
        """Return the bytes of the insides."""
        return self.chunk[self.middle : self.end]


class SleepingTable(dict[K, V]):
    """A table whose missing entries may be asleep. `wake(key)` wakes whom a key belongs to, if he sleeps."""

    __slots__ = ("_wake", "_wake_all")

    def __init__(self, wake: Callable[[K], bool], wake_all: Callable[[], None]) -> None:
        super().__init__()
        self._wake = wake
        self._wake_all = wake_all

    def __missing__(self, key: K) -> V:
        if self._wake(key):
            found = super().get(key, _MISSING)
            if found is not _MISSING:
                return found  # type: ignore[no-any-return]
        raise KeyError(key)

    def get(self, key: K, default: Any = None) -> Any:
        """Return an entry, or the default."""
        found = super().get(key, _MISSING)
        if found is not _MISSING:
            return found
        return super().get(key, default) if self._wake(key) else default

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or (self._wake(key) and super().__contains__(key))  # type: ignore[arg-type]

    def setdefault(self, key: K, default: Any = None) -> Any:
        """Return an entry, made from the default if there was none."""
        if not super().__contains__(key):
            self._wake(key)
        return super().setdefault(key, default)

    def pop(self, key: K, *default: Any) -> Any:
        """Remove an entry and return it."""
        if not super().__contains__(key):
            self._wake(key)
        return super().pop(key, *default)

    def __delitem__(self, key: K) -> None:
        if not super().__contains__(key):
            self._wake(key)
        super().__delitem__(key)

    def keys(self) -> Any:
        """Return all keys."""
        self._wake_all()
        return super().keys()

    def values(self) -> Any:
        """Return all values."""
        self._wake_all()
        return super().values()

    def items(self) -> Any:
        """Return all entries."""
        self._wake_all()
        return super().items()

    def __iter__(self) -> Iterator[K]:
        self._wake_all()
        return super().__iter__()

    def __len__(self) -> int:
        self._wake_all()
        return super().__len__()

    def __eq__(self, other: object) -> bool:
        self._wake_all()
        if isinstance(other, SleepingTable):
            other._wake_all()  # The comparison of dicts looks into both without asking.
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

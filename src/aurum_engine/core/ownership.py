"""Whose a key is: the call tree (by the key of its root instance) that each key was made for.

Rule 1: an instance and all it called are one unit, named by the root's key; definitions, messages and
what belongs to no instance are shared (NO_KEY).
Rule 2: keys come from one counter, and a step makes them in a row; so runs of keys are stored, not keys.

The unit is what is hashed as a chain, kept apart when damaged, and left asleep in a snapshot.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable

from aurum_engine.core import events as e
from aurum_engine.core.records import NO_KEY

FIRST_KEY = 1 << 51
"""Camunda's keys of partition 1 begin here, so ours look and sort like theirs."""

DEFINING: frozenset[type[e.Event]] = frozenset(
    {
        e.ProcessDeployed,
        e.DrgDeployed,
        e.DecisionDeployed,
        e.FormDeployed,
        e.Deployed,
        e.MessageStartOpened,
        e.MessageStartClosed,
        e.SignalStartOpened,
        e.SignalStartClosed,
    }
)
"""Events of a deployment: what they say concerns every instance to come."""

_NEW_OF_INSTANCE: frozenset[type[e.Event]] = frozenset(
    {
        e.ElementActivated,
        e.VariableCreated,
        e.JobCreated,
        e.IncidentCreated,
        e.UserTaskCreated,
        e.DecisionEvaluated,
        e.Audited,
        e.TimerCreated,
        e.SubscriptionOpened,
    }
)
"""Events that make a thing and name its instance; a None or NO_KEY there means nobody's."""

_NEW_SHARED: frozenset[type[e.Event]] = DEFINING | {e.MessagePublished, e.SignalBroadcast}

NEW: frozenset[type[e.Event]] = _NEW_OF_INSTANCE | _NEW_SHARED | {e.ProcessInstanceCreated, e.SignalOpened}
"""Events that make the thing they are about."""


class Owners:
    """Maps keys to roots, as runs: from each start until the next one, all keys have one root."""

    __slots__ = ("_last", "_roots", "_starts")

    def __init__(self, starts: Iterable[int] = (), roots: Iterable[int] = (), last_key: int = 0) -> None:
        self._starts = array("q", starts)
        self._roots = array("q", roots)
        self._last = last_key

    def root_of(self, key: int) -> int:
        """Return the root of a key's call tree; NO_KEY when it is shared or was never made."""
        index = bisect_right(self._starts, key) - 1
        return NO_KEY if index < 0 else self._roots[index]

    def note(self, key: int, root: int) -> None:
        """Say whose a new key is. Keys nearly always come in order; others are put in their place."""
        starts, roots = self._starts, self._roots
        if key > self._last:
            self._last = key
            if not roots or roots[-1] != root:
                starts.append(key)
                roots.append(root)
            return
        index = bisect_right(starts, key) - 1
        before = roots[index] if index >= 0 else NO_KEY
        if before == root:
            return
        following = starts[index + 1] if index + 1 < len(starts) else None
        if key < self._last and following != key + 1:
            starts.insert(index + 1, key + 1)
            roots.insert(index + 1, before)
        if index >= 0 and starts[index] == key:
            roots[index] = root
        else:
            starts.insert(index + 1, key)
            roots.insert(index + 1, root)

    def runs(self) -> tuple[array[int], array[int]]:
        """Return the starts and the roots of all runs."""
        return self._starts, self._roots

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Owners):
            return NotImplemented
        return self._starts == other._starts and self._roots == other._roots

    __hash__ = None  # type: ignore[assignment]


def root_of_event(owners: Owners, event: e.Event) -> int:
    """Return whom an event concerns, before or after it was applied; NO_KEY when nobody alone."""
    kind = type(event)
    if isinstance(event, e.ProcessInstanceCreated):
        return event.root_key
    if kind in _NEW_OF_INSTANCE:
        key = event.process_instance_key  # type: ignore[union-attr]
        return NO_KEY if key is None or key == NO_KEY else owners.root_of(key)
    if isinstance(event, e.SignalOpened):
        return owners.root_of(event.element_instance_key)
    if kind in _NEW_SHARED:
        return NO_KEY
    return owners.root_of(event.key)

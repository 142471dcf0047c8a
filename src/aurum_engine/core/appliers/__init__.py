"""The only code that changes a `State`: one applier per event kind, live and in replay alike.

Rule 1: an applier decides nothing; it writes what the event says and keeps the indexes true.
Rule 2: it reads no clock and no model; `at_ms` is the time of the command.
Rule 3: it never fails for an event that was emitted by a processor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from aurum_engine.core.appliers import definitions, instances, waits, work
from aurum_engine.core.events import Event
from aurum_engine.core.ownership import NEW, root_of_event
from aurum_engine.core.state import State

_APPLIERS: Mapping[type[Event], Callable[[State, Any, int], None]] = {
    **definitions.APPLIERS,
    **instances.APPLIERS,
    **work.APPLIERS,
    **waits.APPLIERS,
}


def apply(state: State, event: Event, at_ms: int) -> None:
    """Change `state` as `event` says; `at_ms` is when its command was processed."""
    if type(event) in NEW or state.before_change is not None:
        root = root_of_event(state.owners, event)
        if state.before_change is not None:
            state.before_change(root)
        if type(event) in NEW:
            state.owners.note(event.key, root)
    if event.key > state.last_key:
        state.last_key = event.key
    _APPLIERS[type(event)](state, event, at_ms)

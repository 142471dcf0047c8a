"""What can be said about a log that no engine has open: whether it is whole, and one instance's records.

Values of variables are personal data: a line names a variable and its size, and its value only when asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson

from aurum_engine.core import events as e
from aurum_engine.core.codec import decode_step
from aurum_engine.core.ownership import root_of_event
from aurum_engine.core.records import NO_KEY
from aurum_engine.core.state import StateView
from aurum_engine.errors import LogCorrupt
from aurum_engine.history import History
from aurum_engine.log.reading import LogReader

_PLACES = ("element_id", "flow_id", "message_name", "signal_name", "name", "operation", "type", "target_id")
"""Fields that say best where or what something is; the first that an event or its thing has is shown."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is in a log, and what is wrong with it: one line for each finding, empty when it is whole."""

    first_position: int
    last_position: int
    instances: int
    snapshots: int
    findings: tuple[str, ...]


def folded(log: LogReader) -> History:
    """Return the history of a log, from its first record or else from the oldest snapshot that is good.

    Raises LogCorrupt.
    """
    history = History()
    first = log.first_position()
    if first > 1:
        for snapshot in reversed(list(log.snapshots())):
            if snapshot.position >= first - 1 and history.begin_with(snapshot):
                break
    for record in log.read_from(history.position + 1):
        history.take(record)
        history.unlinked.clear()
    return history


def verify(log: LogReader) -> Verdict:
    """Check order, checksums, chains and snapshots of a whole log."""
    findings: list[str] = []
    first, last = log.first_position(), log.last_position()
    snapshots = list(log.snapshots())
    for snapshot in snapshots:
        fault = snapshot.fault or _unlike_its_records(log, snapshot.position)
        if fault:
            findings.append(f"the snapshot after record {snapshot.position} is damaged: {fault}")
    instances = 0
    try:
        if last:
            # Records that a snapshot stands for are not folded again; they are checked all the same.
            findings += [
                f"record {record.position} is damaged: {record.fault}"
                for record in log.read_from(first)
                if record.fault and first > 1
            ]
        view = folded(log).processor.view
        instances = len(view.process_instances)
        findings += [
            f"process instance {root}: record {damage.position} is damaged: {damage.reason}"
            for root, damage in view.quarantined.items()
        ]
    except LogCorrupt as error:
        findings.append(str(error))
    return Verdict(first, last, instances, len(snapshots), tuple(findings))


def _unlike_its_records(log: LogReader, position: int) -> str:
    """Say how a snapshot differs from what the records up to it mean, as far as those are kept."""
    found = History()
    snapshot = next(one for one in log.snapshots() if one.position == position)
    if not found.begin_with(snapshot):
        return "it cannot be read"
    if log.first_position() > 1:
        return ""
    made = History()
    for record in log.read_from(1):
        if record.position > position or record.fault:
            break
        made.take(record)
    if made.position != position:
        return ""
    differences = made.processor.differences(found.processor)
    if made.chains != found.chains:
        differences.append("chains")
    return f"it differs from the records in {', '.join(differences)}" if differences else ""


def case_root(view: StateView, case: str) -> int | None:
    """Return the root instance of a case, by an instance key or a business id; None when there is none."""
    if case.isdecimal() and int(case) in view.process_instances:
        return view.process_instances[int(case)].root_key
    found = [i for i in view.process_instances.values() if i.business_id == case]
    return found[-1].root_key if found else None


def history_lines(log: LogReader, root: int, view: StateView, *, values: bool) -> Iterator[str]:
    """Yield a line for each record that concerns a call tree: position, instant, what happened."""
    for record in log.read_from(log.first_position()):
        if record.fault:
            damage = view.quarantined.get(root)
            if damage is not None and damage.position == record.position:
                yield f"{record.position:>8}  DAMAGED: {record.fault}; what follows was not applied"
            continue
        events = [event for event in decode_step(record.payload) if root_of_event(view.owners, event) == root]
        if events:
            instant = datetime.fromtimestamp(record.at_ms / 1_000, UTC).isoformat(timespec="milliseconds")
            told = "; ".join(_told(view, event, values=values) for event in events)
            yield f"{record.position:>8}  {instant.replace('+00:00', 'Z')}  {told}"


def _told(view: StateView, event: e.Event, *, values: bool) -> str:
    kind = type(event).__name__
    if isinstance(event, e.VariableCreated | e.VariableUpdated):
        stored = orjson.dumps(event.value)
        shown = stored.decode() if values else f"{len(stored)} bytes"
        return f"{kind} {event.name} ({shown})"
    place = _place(event) or _place(_thing(view, event.key))
    return f"{kind} {place}" if place else kind


def _place(thing: Any) -> str:
    return next((str(getattr(thing, name)) for name in _PLACES if getattr(thing, name, None)), "")


def _thing(view: StateView, key: int) -> Any:
    """Return what a key stands for, if it is still known."""
    if view.owners.root_of(key) == NO_KEY:
        return None
    tables = (view.elements, view.jobs, view.user_tasks, view.incidents, view.subscriptions, view.timers)
    return next((table[key] for table in tables if key in table), None)

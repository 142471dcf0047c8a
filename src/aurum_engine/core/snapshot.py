"""The state as bytes: what is shared, and for each call tree an outline and its insides.

Rule 1: the outline is all that is needed without waking the tree; the insides stay bytes until then.
Rule 2: outline and insides are made from the tables alone, and putting both back gives equal tables.
Rule 3: nothing here knows where a snapshot is kept or when it is taken; `capture.py` takes it.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from aurum_engine.core import records as r
from aurum_engine.core import waits as w
from aurum_engine.core.deadlines import Due, DueKind
from aurum_engine.core.ownership import Owners
from aurum_engine.core.snapshot_rows import RowReader, row_of
from aurum_engine.core.state import State

FORMAT = 1
"""Version of the arrangement of tables below; the fields of records have their own, by name."""

COMPRESSION = 1
"""Level of zlib for insides: rows of keys and words shrink to a quarter, for some 50 microseconds a tree."""

SHARED_RECORDS: dict[str, type] = {
    "process_definitions": r.ProcessDefinition,
    "decision_requirements": r.DecisionRequirements,
    "decision_definitions": r.DecisionDefinition,
    "forms": r.Form,
    "deployments": r.Deployment,
    "messages": w.Message,
}
"""Tables of things that belong to no instance, by key."""

VERSIONS = ("process_versions", "decision_versions", "drg_versions", "form_versions")

INSIDE_RECORDS: dict[str, type] = {
    "elements": r.ElementInstance,
    "jobs": r.Job,
    "subscriptions": w.MessageSubscription,
    "signal_subscriptions": w.SignalSubscription,
    "audit_entries": r.AuditEntry,
    "decision_instances": r.DecisionInstance,
}
"""Tables of things inside an instance that are only reached by way of it."""

OF_ELEMENT = (
    *("children", "tokens", "fulfilled", "payloads", "called", "loop_counters"),
    *("element_jobs", "element_user_tasks", "element_subscriptions", "element_signals"),
)
"""Indexes by element instance whose values are JSON as they are, or sets of keys."""

OF_INSTANCE = (
    *("instance_elements", "instance_jobs", "instance_decisions"),
    *("instance_subscriptions", "instance_audits"),
)
"""Lists of keys by instance."""

SETS = frozenset({"children", "element_subscriptions", "element_signals"})
"""Indexes whose values are ordered sets: lists in a snapshot."""

SLEEPING = (
    *INSIDE_RECORDS,
    *OF_ELEMENT,
    *OF_INSTANCE,
    *("loops", "scopes", "variable_scopes", "instance_scopes", "instance_flows"),
)
"""All tables of the insides; those of an opened snapshot wake their owners."""


def tree(state: State, root: int) -> list[int]:
    """Return the instances of a call tree, callers first and siblings in the order of their calls."""
    found = [root]
    for key in found:
        found += state.called_instances.get(key, ())
    return found


# --- what is shared --------------------------------------------------------------------------


def encode_shared(state: State) -> dict[str, Any]:
    """Return everything that belongs to no instance, as JSON."""
    nobody = r.NO_KEY
    starts, roots = state.owners.runs()
    return {
        "last_key": state.last_key,
        "owners": [b64encode(starts.tobytes()).decode(), b64encode(roots.tobytes()).decode()],
        "records": {
            name: [row_of(record) for record in getattr(state, name).values()] for name in SHARED_RECORDS
        },
        "versions": {name: getattr(state, name) for name in VERSIONS},
        "message_starts": [row_of(s) for starts in state.message_starts.values() for s in starts.values()],
        "signal_starts": [row_of(s) for starts in state.signal_starts.values() for s in starts.values()],
        "timers": [row_of(t) for t in state.timers.values() if t.process_instance_key == nobody],
        "audits": [row_of(state.audit_entries[key]) for key in state.instance_audits.get(nobody, ())],
        "decisions": [
            row_of(state.decision_instances[key]) for key in state.instance_decisions.get(nobody, ())
        ],
    }


def decode_shared(state: State, stored: dict[str, Any], rows: RowReader) -> None:
    """Put into an empty state what `encode_shared` took from another."""
    state.last_key = stored["last_key"]
    state.owners = Owners(last_key=state.last_key)
    for own, text in zip(state.owners.runs(), stored["owners"], strict=True):
        own.frombytes(b64decode(text))
    for name, cls in SHARED_RECORDS.items():
        getattr(state, name).update(
            (found.key, found) for found in rows.records(cls, stored["records"][name])
        )
    for name in VERSIONS:
        getattr(state, name).update(stored["versions"][name])
    for start in rows.records(w.MessageStartSubscription, stored["message_starts"]):
        state.message_starts.setdefault(start.message_name, {})[start.bpmn_process_id] = start
    for start in rows.records(w.SignalStart, stored["signal_starts"]):
        state.signal_starts.setdefault(start.signal_name, {})[start.bpmn_process_id] = start
    _put_timers(state, rows.records(w.Timer, stored["timers"]))
    for message in state.messages.values():
        place = (message.name, message.correlation_key)
        state.buffered.setdefault(place, {})[message.key] = None
        if message.message_id:
            state.message_ids[(*place, message.message_id)] = message.key
    for audit in rows.records(r.AuditEntry, stored["audits"]):
        state.audit_entries[audit.key] = audit
        state.instance_audits.setdefault(r.NO_KEY, []).append(audit.key)
    for decision in rows.records(r.DecisionInstance, stored["decisions"]):
        state.decision_instances[decision.id] = decision
        state.instance_decisions.setdefault(r.NO_KEY, []).append(decision.id)


def _put_timers(state: State, timers: Iterable[w.Timer]) -> None:
    for timer in timers:
        state.timers[timer.key] = timer
        state.element_timers.setdefault(timer.element_instance_key, {})[timer.key] = None


# --- outlines --------------------------------------------------------------------------------


def encode_outline(state: State, root: int) -> list[Any]:
    """Return what is known of a call tree while it sleeps. The tree must be awake."""
    instances = tree(state, root)
    jobs = [state.jobs[key] for instance in instances for key in state.instance_jobs.get(instance, ())]
    elements = [key for instance in instances for key in state.instance_elements.get(instance, ())]
    waiting = [
        state.subscriptions[key]
        for element in elements
        for key in state.element_subscriptions.get(element, ())
    ]
    signals = [
        state.signal_subscriptions[key]
        for element in elements
        for key in state.element_signals.get(element, ())
    ]
    tasks = [key for instance in instances for key in state.instance_user_tasks.get(instance, ())]
    incidents = [key for instance in instances for key in state.instance_incidents.get(instance, ())]
    timers = [key for element in elements for key in state.element_timers.get(element, ())]
    leased = {r.JobState.ACTIVATED, r.JobState.BACKING_OFF}
    return [
        [row_of(state.process_instances[key]) for key in instances],
        [row_of(state.user_tasks[key]) for key in tasks],
        [row_of(state.incidents[key]) for key in incidents],
        [row_of(state.timers[key]) for key in timers],
        [[job.type, job.key] for job in jobs if job.state is r.JobState.ACTIVATABLE],
        [[job.deadline_ms, job.key] for job in jobs if job.state in leased and job.deadline_ms is not None],
        [[s.message_name, s.correlation_key, s.key] for s in waiting],
        [[s.signal_name, s.key] for s in signals],
    ]


def put_outline(state: State, outline: list[Any], rows: RowReader, due: list[Due]) -> None:
    """Make a sleeping call tree known, and add to `due` when its leases end.

    Call `settle_outlines` after the last one.
    """
    instances, tasks, incidents, timers, backlog, leases, waiting, signals = outline
    for instance in rows.records(r.ProcessInstance, instances):
        key = instance.key
        state.process_instances[key] = instance
        if instance.parent_key is not None:
            state.called_instances.setdefault(instance.parent_key, []).append(key)
        if instance.state is r.LifecycleState.ACTIVE:
            process = instance.bpmn_process_id
            if instance.business_id is not None:
                state.business_ids.setdefault((process, instance.business_id), {})[key] = None
            if instance.start_correlation_key is not None:
                state.started_by_key.setdefault((process, instance.start_correlation_key), {})[key] = None
    for task in rows.records(r.UserTask, tasks):
        state.user_tasks[task.key] = task
        state.instance_user_tasks.setdefault(task.process_instance_key, []).append(task.key)
    for incident in rows.records(r.Incident, incidents):
        state.incidents[incident.key] = incident
        state.instance_incidents.setdefault(incident.process_instance_key, []).append(incident.key)
        if incident.state is r.IncidentState.ACTIVE:
            state.active_incidents.setdefault(incident.process_instance_key, {})[incident.key] = None
    _put_timers(state, rows.records(w.Timer, timers))
    for job_type, key in backlog:
        state.activatable.setdefault(job_type, []).append(key)
    due += ((deadline_ms, int(DueKind.JOB), key) for deadline_ms, key in leases)
    for name, correlation_key, key in waiting:
        state.waiting.setdefault((name, correlation_key), {})[key] = None
    for name, key in signals:
        state.signal_waiting.setdefault(name, {})[key] = None


def settle_outlines(state: State, due: list[Due]) -> None:
    """Bring into the order of their keys what several trees share, and into that of time what is due."""
    due += ((timer.due_ms, int(DueKind.TIMER), timer.key) for timer in state.timers.values())
    due += ((message.deadline_ms, int(DueKind.MESSAGE), message.key) for message in state.messages.values())
    state.deadlines.load(due)
    for backlog in state.activatable.values():
        backlog.sort()
    for sets in (state.waiting, state.signal_waiting):
        for place, keys in sets.items():
            if len(keys) > 1:
                sets[place] = dict.fromkeys(sorted(keys))  # type: ignore[index]


# --- insides ---------------------------------------------------------------------------------


def encode_insides(state: State, root: int) -> bytes:
    """Return everything of a call tree that its outline does not say. The tree must be awake."""
    instances = tree(state, root)
    elements = [key for instance in instances for key in state.instance_elements.get(instance, ())]
    keys = {name: [*_members(state, name, instances)] for name in INSIDE_RECORDS}
    scopes = [scope for instance in instances for scope in state.instance_scopes.get(instance, ())]
    parts = orjson.dumps(
        [
            [[row_of(getattr(state, name)[key]) for key in found] for name, found in keys.items()],
            [_of_element(getattr(state, name), elements, is_set=name in SETS) for name in OF_ELEMENT],
            [_present(getattr(state, name), instances) for name in OF_INSTANCE],
            [[key, row_of(state.loops[key])] for key in elements if key in state.loops],
            [[row_of(variable) for variable in state.scopes[scope].values()] for scope in scopes],
            [[key, list(state.instance_scopes[key])] for key in instances if key in state.instance_scopes],
            [
                [key, [(flow.flow_id, flow.at_ms) for flow in state.instance_flows[key]]]
                for key in instances
                if key in state.instance_flows
            ],
        ]
    )
    return zlib.compress(parts, COMPRESSION)


_INDEX = {
    "elements": "instance_elements",
    "jobs": "instance_jobs",
    "subscriptions": "instance_subscriptions",
    "audit_entries": "instance_audits",
    "decision_instances": "instance_decisions",
}


def _members(state: State, name: str, instances: list[int]) -> Iterator[Any]:
    """Yield the keys of a table's entries that belong to these instances."""
    for instance in instances:
        if name == "signal_subscriptions":
            for element in state.instance_elements.get(instance, ()):
                yield from state.element_signals.get(element, ())
        else:
            yield from getattr(state, _INDEX[name]).get(instance, ())


def _of_element(index: dict[int, Any], elements: list[int], *, is_set: bool) -> list[Any]:
    return [[key, list(index[key]) if is_set else index[key]] for key in elements if key in index]


def _present(index: dict[int, Any], instances: list[int]) -> list[Any]:
    return [[key, index[key]] for key in instances if key in index]


def put_insides(state: State, insides: bytes, rows: RowReader) -> None:
    """Put a call tree's insides back into the tables. Raises ValueError for bytes that do not fit."""
    records, of_element, of_instance, loops, scopes, instance_scopes, flows = orjson.loads(
        zlib.decompress(insides)
    )
    for (name, cls), stored in zip(INSIDE_RECORDS.items(), records, strict=True):
        table, field = getattr(state, name), "id" if name == "decision_instances" else "key"
        for record in rows.records(cls, stored):
            table[getattr(record, field)] = record
    for name, stored in zip(OF_ELEMENT, of_element, strict=True):
        table = getattr(state, name)
        for key, value in stored:
            table[key] = dict.fromkeys(value) if name in SETS else value
    for name, stored in zip(OF_INSTANCE, of_instance, strict=True):
        getattr(state, name).update(stored)
    for key, row in loops:
        state.loops[key] = rows.record(r.Loop, row)
    for stored in scopes:
        for variable in rows.records(r.Variable, stored):
            dict.setdefault(state.scopes, variable.scope_key, {})[variable.name] = variable
            state.variable_scopes[variable.key] = (variable.scope_key, variable.name)
    for key, found in instance_scopes:
        state.instance_scopes[key] = dict.fromkeys(found)
    for key, taken in flows:
        state.instance_flows[key] = [r.FlowTaken(key, flow_id, at_ms) for flow_id, at_ms in taken]

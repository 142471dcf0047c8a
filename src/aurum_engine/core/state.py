"""The state of the engine: tables and indexes, as readers see them and as appliers write them.

Rule 1: processors, gateways and tests read a `StateView`; only `appliers.py` gets a `State`.
Rule 2: tables keep ended things for search; indexes hold what is alive and are what the engine uses.
Rule 3: records in tables are frozen and replaced. Tables grow in key order, so "newest last" is free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from aurum_engine.core.deadlines import Deadlines, Due, DueKind
from aurum_engine.core.ownership import FIRST_KEY, Owners
from aurum_engine.core.records import (
    NO_KEY,
    AuditEntry,
    Damage,
    DecisionDefinition,
    DecisionInstance,
    DecisionRequirements,
    Deployment,
    ElementInstance,
    FlowTaken,
    Form,
    Incident,
    Job,
    JobState,
    LifecycleState,
    Loop,
    ProcessDefinition,
    ProcessInstance,
    UserTask,
    Variable,
)
from aurum_engine.core.sleeping import Sleeping
from aurum_engine.core.waits import (
    Message,
    MessageStartSubscription,
    MessageSubscription,
    SignalStart,
    SignalSubscription,
    Timer,
)


class StateView:
    """Read-only state. Tables map keys to frozen records and keep ended things; finders use indexes.

    `asleep` are the roots whose insides are still bytes of a snapshot; reading them wakes them.
    """

    last_key: int
    asleep: Mapping[int, Sleeping]
    process_definitions: Mapping[int, ProcessDefinition]
    decision_requirements: Mapping[int, DecisionRequirements]
    decision_definitions: Mapping[int, DecisionDefinition]
    forms: Mapping[int, Form]
    deployments: Mapping[int, Deployment]
    process_instances: Mapping[int, ProcessInstance]
    elements: Mapping[int, ElementInstance]
    jobs: Mapping[int, Job]
    user_tasks: Mapping[int, UserTask]
    incidents: Mapping[int, Incident]
    timers: Mapping[int, Timer]
    subscriptions: Mapping[int, MessageSubscription]
    messages: Mapping[int, Message]
    signal_subscriptions: Mapping[int, SignalSubscription]
    decision_instances: Mapping[str, DecisionInstance]
    audit_entries: Mapping[int, AuditEntry]

    # Indexes. Values are keys; a dict with None values is an ordered set.
    process_versions: Mapping[str, Sequence[int]]
    decision_versions: Mapping[str, Sequence[int]]
    drg_versions: Mapping[str, Sequence[int]]
    form_versions: Mapping[str, Sequence[int]]
    children: Mapping[int, Mapping[int, None]]
    tokens: Mapping[int, Mapping[str, int]]
    fulfilled: Mapping[int, None]
    loops: Mapping[int, Loop]
    payloads: Mapping[int, Mapping[str, Any]]
    called: Mapping[int, int]
    called_instances: Mapping[int, Sequence[int]]
    loop_counters: Mapping[int, int]
    scopes: Mapping[int, Mapping[str, Variable]]
    variable_scopes: Mapping[int, tuple[int, str]]
    element_jobs: Mapping[int, int]
    element_user_tasks: Mapping[int, int]
    element_timers: Mapping[int, Mapping[int, None]]
    element_subscriptions: Mapping[int, Mapping[int, None]]
    activatable: Mapping[str, Sequence[int]]
    waiting: Mapping[tuple[str, str], Mapping[int, None]]
    buffered: Mapping[tuple[str, str], Mapping[int, None]]
    message_ids: Mapping[tuple[str, str, str], int]
    element_signals: Mapping[int, Mapping[int, None]]
    signal_waiting: Mapping[str, Mapping[int, None]]
    signal_starts: Mapping[str, Mapping[str, SignalStart]]
    message_starts: Mapping[str, Mapping[str, MessageStartSubscription]]
    started_by_key: Mapping[tuple[str, str], Mapping[int, None]]
    business_ids: Mapping[tuple[str, str], Mapping[int, None]]
    active_incidents: Mapping[int, Mapping[int, None]]
    instance_elements: Mapping[int, Sequence[int]]
    instance_scopes: Mapping[int, Mapping[int, None]]
    instance_jobs: Mapping[int, Sequence[int]]
    instance_user_tasks: Mapping[int, Sequence[int]]
    instance_incidents: Mapping[int, Sequence[int]]
    instance_decisions: Mapping[int, Sequence[str]]
    instance_flows: Mapping[int, Sequence[FlowTaken]]
    instance_subscriptions: Mapping[int, Sequence[int]]
    instance_audits: Mapping[int, Sequence[int]]
    quarantined: Mapping[int, Damage]
    owners: Owners
    deadlines: Deadlines

    def latest_process(self, bpmn_process_id: str) -> ProcessDefinition | None:
        """Return the newest version of a process."""
        keys = self.process_versions.get(bpmn_process_id)
        return self.process_definitions[keys[-1]] if keys else None

    def process_version(self, bpmn_process_id: str, version: int) -> ProcessDefinition | None:
        """Return one version of a process; versions are dense from 1."""
        keys = self.process_versions.get(bpmn_process_id, ())
        return self.process_definitions[keys[version - 1]] if 1 <= version <= len(keys) else None

    def latest_decision(self, decision_id: str) -> DecisionDefinition | None:
        """Return the newest version of a decision."""
        keys = self.decision_versions.get(decision_id)
        return self.decision_definitions[keys[-1]] if keys else None

    def latest_form(self, form_id: str) -> Form | None:
        """Return the newest version of a form."""
        keys = self.form_versions.get(form_id)
        return self.forms[keys[-1]] if keys else None

    def variable(self, key: int) -> Variable | None:
        """Return a variable by its key."""
        place = self.variable_scopes.get(key)
        return None if place is None else self.scopes[place[0]][place[1]]

    def variables_of(self, process_instance_key: int) -> Iterator[Variable]:
        """Yield all variables of an instance, of all its scopes, also of ended ones."""
        for scope_key in self.instance_scopes.get(process_instance_key, ()):
            yield from self.scopes[scope_key].values()

    def scope_chain(self, element_instance_key: int) -> Iterator[int]:
        """Yield the scope keys from an element instance up to its process instance."""
        key = element_instance_key
        while key in self.elements:
            yield key
            key = self.elements[key].scope_key

    def caller_of(self, element: ElementInstance) -> int:
        """Return the key of what surrounds an element instance: its scope, or the call activity; NO_KEY."""
        if element.scope_key != NO_KEY:
            return element.scope_key
        return self.process_instances[element.key].parent_element_key or NO_KEY

    def effective_variables(self, element_instance_key: int) -> dict[str, Any]:
        """Return all variables visible at an element instance, inner ones hiding outer ones."""
        merged: dict[str, Any] = {}
        for scope_key in self.scope_chain(element_instance_key):
            for name, variable in self.scopes.get(scope_key, {}).items():
                merged.setdefault(name, variable.value)
        return merged

    def has_activatable(self, job_type: str) -> bool:
        """Tell whether a job of that type can be leased now."""
        return bool(self.activatable.get(job_type))

    def has_incident(self, process_instance_key: int) -> bool:
        """Tell whether the instance, or one it called, has an unresolved incident."""
        return any(self.active_incidents.get(key) for key in self.with_called(process_instance_key))

    def with_called(self, process_instance_key: int) -> Iterator[int]:
        """Yield the key of an instance and of all it called, over all levels."""
        pending = [process_instance_key]
        while pending:
            key = pending.pop()
            yield key
            pending += self.called_instances.get(key, ())

    def is_active(self, element_instance_key: int) -> bool:
        """Tell whether the element instance exists and has not ended."""
        element = self.elements.get(element_instance_key)
        return element is not None and element.state is LifecycleState.ACTIVE

    def next_due_ms(self) -> int | None:
        """Return when the next TICK has something to do; None when nothing waits for time."""
        due = self.deadlines.first()
        return None if due is None else due[0]

    def is_live(self, due: Due) -> bool:
        """Tell whether a due entry still describes something that waits."""
        due_ms, kind, key = due
        if self.owners.root_of(key) in self.asleep:
            return True
        if kind == DueKind.TIMER:
            timer = self.timers.get(key)
            return timer is not None and timer.due_ms == due_ms
        if kind == DueKind.JOB:
            job = self.jobs.get(key)
            waits = job is not None and job.state in {JobState.ACTIVATED, JobState.BACKING_OFF}
            return waits and job is not None and job.deadline_ms == due_ms
        message = self.messages.get(key)
        return message is not None and message.deadline_ms == due_ms


_NOT_COMPARED = {"deadlines", "asleep", "before_change"}
"""Parts of a state that say how it is held and not what it is; deadlines are compared by what is next."""


class State(StateView):
    """The state as appliers write it. Two states are equal when every table and index is."""

    def __init__(self) -> None:
        self.last_key: int = FIRST_KEY
        self.process_definitions: dict[int, ProcessDefinition] = {}
        self.decision_requirements: dict[int, DecisionRequirements] = {}
        self.decision_definitions: dict[int, DecisionDefinition] = {}
        self.forms: dict[int, Form] = {}
        self.deployments: dict[int, Deployment] = {}
        self.process_instances: dict[int, ProcessInstance] = {}
        self.elements: dict[int, ElementInstance] = {}
        self.jobs: dict[int, Job] = {}
        self.user_tasks: dict[int, UserTask] = {}
        self.incidents: dict[int, Incident] = {}
        self.timers: dict[int, Timer] = {}
        self.subscriptions: dict[int, MessageSubscription] = {}
        self.messages: dict[int, Message] = {}
        self.signal_subscriptions: dict[int, SignalSubscription] = {}
        self.decision_instances: dict[str, DecisionInstance] = {}
        self.audit_entries: dict[int, AuditEntry] = {}
        self.process_versions: dict[str, list[int]] = {}
        self.decision_versions: dict[str, list[int]] = {}
        self.drg_versions: dict[str, list[int]] = {}
        self.form_versions: dict[str, list[int]] = {}
        self.children: dict[int, dict[int, None]] = {}
        self.tokens: dict[int, dict[str, int]] = {}
        self.fulfilled: dict[int, None] = {}
        self.loops: dict[int, Loop] = {}
        self.payloads: dict[int, dict[str, Any]] = {}
        self.called: dict[int, int] = {}
        self.called_instances: dict[int, list[int]] = {}
        self.loop_counters: dict[int, int] = {}
        self.scopes: dict[int, dict[str, Variable]] = {}
        self.variable_scopes: dict[int, tuple[int, str]] = {}
        self.element_jobs: dict[int, int] = {}
        self.element_user_tasks: dict[int, int] = {}
        self.element_timers: dict[int, dict[int, None]] = {}
        self.element_subscriptions: dict[int, dict[int, None]] = {}
        self.activatable: dict[str, list[int]] = {}
        self.waiting: dict[tuple[str, str], dict[int, None]] = {}
        self.buffered: dict[tuple[str, str], dict[int, None]] = {}
        self.message_ids: dict[tuple[str, str, str], int] = {}
        self.element_signals: dict[int, dict[int, None]] = {}
        self.signal_waiting: dict[str, dict[int, None]] = {}
        self.signal_starts: dict[str, dict[str, SignalStart]] = {}
        self.message_starts: dict[str, dict[str, MessageStartSubscription]] = {}
        self.started_by_key: dict[tuple[str, str], dict[int, None]] = {}
        self.business_ids: dict[tuple[str, str], dict[int, None]] = {}
        self.active_incidents: dict[int, dict[int, None]] = {}
        self._index_instances()
        self.quarantined: dict[int, Damage] = {}
        self.owners = Owners()
        self.asleep: dict[int, Sleeping] = {}
        self.deadlines = Deadlines(self.is_live)
        self.before_change: Callable[[int], None] | None = None
        """Called with a root before anything of its call tree is changed: to wake it, or to copy it."""

    def _index_instances(self) -> None:
        """Make the indexes by process instance."""
        self.instance_elements: dict[int, list[int]] = {}
        self.instance_scopes: dict[int, dict[int, None]] = {}
        self.instance_jobs: dict[int, list[int]] = {}
        self.instance_user_tasks: dict[int, list[int]] = {}
        self.instance_incidents: dict[int, list[int]] = {}
        self.instance_decisions: dict[int, list[str]] = {}
        self.instance_flows: dict[int, list[FlowTaken]] = {}
        self.instance_subscriptions: dict[int, list[int]] = {}
        self.instance_audits: dict[int, list[int]] = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return not self.differences(other) and self.next_due_ms() == other.next_due_ms()

    __hash__ = None  # type: ignore[assignment]

    def differences(self, other: State) -> list[str]:
        """Return the names of the tables and indexes in which two states differ."""
        names = [name for name in vars(self) if name not in _NOT_COMPARED]
        return [name for name in names if getattr(self, name) != getattr(other, name)]

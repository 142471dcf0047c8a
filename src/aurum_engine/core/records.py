"""What the state holds: one frozen record per thing that has a key.

Rule 1: a record is replaced, never changed; a reader may keep it across an await.
Rule 2: times are Unix milliseconds, keys are ints; None means "not set".
Rule 3: JSON values inside are shared, and nobody may change them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from aurum_engine.core.structs import Record

NO_KEY = -1
"""Camunda's value for "no such key" in places that cannot be null."""


class LifecycleState(StrEnum):
    """State of a process instance and of an element instance, as REST names it."""

    ACTIVE = "ACTIVE"
    COMPLETED = "COMPLETED"
    TERMINATED = "TERMINATED"


class JobState(StrEnum):
    """Where a job stands.

    ACTIVATABLE: waits for a worker. ACTIVATED: leased until its deadline. BACKING_OFF: failed, returns
    by itself. FAILED and ERROR_THROWN: stopped by an incident. COMPLETED and CANCELED: over, and
    so is ERROR_THROWN when the error was caught; `Job.is_live` tells.
    """

    ACTIVATABLE = "ACTIVATABLE"
    ACTIVATED = "ACTIVATED"
    BACKING_OFF = "BACKING_OFF"
    FAILED = "FAILED"
    ERROR_THROWN = "ERROR_THROWN"
    COMPLETED = "COMPLETED"
    CANCELED = "CANCELED"


class UserTaskState(StrEnum):
    """Resting states of a user task; without listeners the transitional ones are never seen."""

    CREATED = "CREATED"
    COMPLETED = "COMPLETED"
    CANCELED = "CANCELED"


class IncidentState(StrEnum):
    """An incident is there until it is resolved or its element ends."""

    ACTIVE = "ACTIVE"
    RESOLVED = "RESOLVED"


class ErrorType(StrEnum):
    """Incident types, by Camunda's REST names."""

    UNKNOWN = "UNKNOWN"
    IO_MAPPING_ERROR = "IO_MAPPING_ERROR"
    JOB_NO_RETRIES = "JOB_NO_RETRIES"
    CONDITION_ERROR = "CONDITION_ERROR"
    EXTRACT_VALUE_ERROR = "EXTRACT_VALUE_ERROR"
    UNHANDLED_ERROR_EVENT = "UNHANDLED_ERROR_EVENT"
    MESSAGE_SIZE_EXCEEDED = "MESSAGE_SIZE_EXCEEDED"
    CALLED_DECISION_ERROR = "CALLED_DECISION_ERROR"
    DECISION_EVALUATION_ERROR = "DECISION_EVALUATION_ERROR"
    FORM_NOT_FOUND = "FORM_NOT_FOUND"
    CALLED_ELEMENT_ERROR = "CALLED_ELEMENT_ERROR"
    AD_HOC_SUB_PROCESS_NO_RETRIES = "AD_HOC_SUB_PROCESS_NO_RETRIES"


class Retry(StrEnum):
    """Which step resolving an incident repeats."""

    ACTIVATE = "ACTIVATE"
    SUBSCRIBE = "SUBSCRIBE"
    COMPLETE = "COMPLETE"
    JOB = "JOB"
    CONTINUE = "CONTINUE"
    NEVER = "NEVER"


class ProcessDefinition(Record, frozen=True):
    """One version of a deployed process; `resource` is the XML as it was deployed."""

    key: int
    bpmn_process_id: str
    version: int
    version_tag: str | None
    name: str
    resource_name: str
    checksum: str
    deployment_key: int
    resource: bytes
    deployed_ms: int


class DecisionRequirements(Record, frozen=True):
    """One version of a deployed DMN resource."""

    key: int
    drg_id: str
    name: str
    namespace: str
    version: int
    resource_name: str
    checksum: str
    deployment_key: int
    resource: bytes


class DecisionDefinition(Record, frozen=True):
    """One decision of a DMN resource; versions count per decision id."""

    key: int
    decision_id: str
    name: str
    version: int
    version_tag: str | None
    drg_key: int
    drg_id: str
    deployment_key: int


class Form(Record, frozen=True):
    """One version of a deployed form."""

    key: int
    form_id: str
    version: int
    version_tag: str | None
    resource_name: str
    checksum: str
    deployment_key: int
    resource: bytes


class Deployment(Record, frozen=True):
    """What one deploy command brought, by key; identical resources appear with their old keys."""

    key: int
    process_keys: tuple[int, ...]
    decision_keys: tuple[int, ...]
    drg_keys: tuple[int, ...]
    form_keys: tuple[int, ...]
    deployed_ms: int


class ProcessInstance(Record, frozen=True):
    """One run of a process. Its key is also the key of its root scope.

    One that a call activity started has the keys of that element instance and of its instance;
    `root_key` is the instance that nobody called, often the own key.
    """

    key: int
    process_definition_key: int
    bpmn_process_id: str
    version: int
    version_tag: str | None
    name: str
    state: LifecycleState
    started_ms: int
    ended_ms: int | None
    business_id: str | None
    tags: tuple[str, ...]
    start_event_id: str
    start_correlation_key: str | None
    parent_element_key: int | None
    parent_key: int | None
    root_key: int


class ElementInstance(Record, frozen=True):
    """One visit of one element. `scope_key` is the surrounding element instance (NO_KEY for the process).

    `interrupted` is true for a scope whose ordinary flow was ended by an interrupting event.
    """

    key: int
    element_id: str
    element_name: str
    element_type: str
    process_instance_key: int
    process_definition_key: int
    bpmn_process_id: str
    scope_key: int
    state: LifecycleState
    started_ms: int
    ended_ms: int | None
    incident_key: int | None
    interrupted: bool


class Loop(Record, frozen=True):
    """The items of an active multi-instance body, and for how many of them an instance was begun."""

    items: tuple[Any, ...]
    begun: int


class Variable(Record, frozen=True):
    """One variable in one scope (`scope_key` is an element instance key)."""

    key: int
    name: str
    value: Any
    scope_key: int
    process_instance_key: int


class Job(Record, frozen=True):
    """Work for a worker. `deadline_ms` is the end of the lease, or of the back-off."""

    key: int
    type: str
    state: JobState
    retries: int
    headers: tuple[tuple[str, str], ...]
    worker: str
    deadline_ms: int | None
    error_message: str
    error_code: str
    element_id: str
    element_instance_key: int
    process_instance_key: int
    process_definition_key: int
    bpmn_process_id: str
    process_definition_version: int
    incident_key: int | None
    created_ms: int
    ended_ms: int | None

    @property
    def is_live(self) -> bool:
        """Tell whether the job still exists for workers; otherwise commands on it get NOT_FOUND."""
        return self.ended_ms is None


class UserTask(Record, frozen=True):
    """Work for a person. Dates are ISO 8601 texts as they were modelled or set."""

    key: int
    state: UserTaskState
    element_id: str
    name: str
    element_instance_key: int
    process_instance_key: int
    process_definition_key: int
    bpmn_process_id: str
    process_definition_version: int
    assignee: str | None
    candidate_users: tuple[str, ...]
    candidate_groups: tuple[str, ...]
    due_date: str | None
    follow_up_date: str | None
    priority: int
    form_key: int | None
    external_form_reference: str | None
    headers: tuple[tuple[str, str], ...]
    created_ms: int
    completed_ms: int | None


class Incident(Record, frozen=True):
    """A stuck element. `retry` is what resolving repeats."""

    key: int
    error_type: ErrorType
    message: str
    state: IncidentState
    element_id: str
    element_instance_key: int
    process_instance_key: int
    process_definition_key: int
    bpmn_process_id: str
    job_key: int | None
    retry: Retry
    created_ms: int
    resolved_ms: int | None


class DecisionInstance(Record, frozen=True):
    """One evaluated decision. `id` is `<key>-<index>`; inputs and rules are JSON-shaped audit records.

    An input is {inputId, inputName, inputValue}; a rule is {ruleId, ruleIndex, evaluatedOutputs}, whose
    outputs are {outputId, outputName, outputValue}.
    """

    id: str
    key: int
    index: int
    state: str
    failure: str | None
    decision_id: str
    decision_name: str
    decision_type: str
    decision_key: int
    decision_version: int
    drg_key: int
    root_decision_key: int
    process_definition_key: int | None
    process_instance_key: int | None
    element_instance_key: int | None
    result: Any
    inputs: tuple[Any, ...]
    rules: tuple[Any, ...]
    evaluated_ms: int


class AuditEntry(Record, frozen=True):
    """Who did what: one entry per accepted command on something a person may ask about."""

    key: int
    operation: str
    entity_type: str
    entity_key: int
    process_instance_key: int | None
    process_definition_key: int | None
    actor: str | None
    at_ms: int
    details: Any
    is_person: bool = False


class Damage(Record, frozen=True):
    """Why a call tree is quarantined: the record of the log that is damaged, and what is wrong with it."""

    position: int
    reason: str


class FlowTaken(Record, frozen=True):
    """A sequence flow that was taken, in order."""

    process_instance_key: int
    flow_id: str
    at_ms: int

"""What happened: past-participle records, the only input of `appliers.apply` and of replay.

Rule 1: `key` is the key of the thing the event is about; a new thing has a new key.
Rule 2: an event carries what the applier needs, so that replay reads no model and no clock.
Rule 3: changing the fields of a class raises its VERSIONS entry in `codec.py` and adds an upcaster.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ProcessDeployed:
    key: int
    bpmn_process_id: str
    version: int
    version_tag: str | None
    name: str
    resource_name: str
    checksum: str
    deployment_key: int
    resource_base64: str


@dataclass(frozen=True, slots=True)
class DrgDeployed:
    key: int
    drg_id: str
    name: str
    namespace: str
    version: int
    resource_name: str
    checksum: str
    deployment_key: int
    resource_base64: str


@dataclass(frozen=True, slots=True)
class DecisionDeployed:
    key: int
    decision_id: str
    name: str
    version: int
    version_tag: str | None
    drg_key: int
    drg_id: str
    deployment_key: int


@dataclass(frozen=True, slots=True)
class FormDeployed:
    key: int
    form_id: str
    version: int
    version_tag: str | None
    resource_name: str
    checksum: str
    deployment_key: int
    resource_base64: str


@dataclass(frozen=True, slots=True)
class Deployed:
    key: int
    process_keys: tuple[int, ...]
    decision_keys: tuple[int, ...]
    drg_keys: tuple[int, ...]
    form_keys: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MessageStartOpened:
    key: int
    message_name: str
    bpmn_process_id: str
    process_definition_key: int
    start_event_id: str


@dataclass(frozen=True, slots=True)
class MessageStartClosed:
    key: int
    message_name: str
    bpmn_process_id: str


@dataclass(frozen=True, slots=True)
class ProcessInstanceCreated:
    key: int
    process_definition_key: int
    bpmn_process_id: str
    version: int
    version_tag: str | None
    name: str
    business_id: str | None
    tags: tuple[str, ...]
    start_event_id: str
    start_correlation_key: str | None


@dataclass(frozen=True, slots=True)
class ElementActivated:
    """An element was entered. `consumed` are the flows whose tokens it took from its scope."""

    key: int
    element_id: str
    element_name: str
    element_type: str
    process_instance_key: int
    process_definition_key: int
    bpmn_process_id: str
    scope_key: int
    consumed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ElementCompleted:
    key: int


@dataclass(frozen=True, slots=True)
class ElementTerminated:
    key: int


@dataclass(frozen=True, slots=True)
class ScopeInterrupted:
    """An interrupting event ended the ordinary flow of scope `key`: its waiting tokens are gone."""

    key: int


@dataclass(frozen=True, slots=True)
class SequenceFlowTaken:
    """`key` is the process instance; the token waits in `scope_key` until an element consumes it."""

    key: int
    flow_id: str
    scope_key: int


@dataclass(frozen=True, slots=True)
class VariableCreated:
    key: int
    name: str
    value: Any
    scope_key: int
    process_instance_key: int


@dataclass(frozen=True, slots=True)
class VariableUpdated:
    key: int
    name: str
    value: Any
    scope_key: int


@dataclass(frozen=True, slots=True)
class JobCreated:
    key: int
    type: str
    retries: int
    headers: tuple[tuple[str, str], ...]
    element_id: str
    element_instance_key: int
    process_instance_key: int
    process_definition_key: int
    bpmn_process_id: str
    process_definition_version: int


@dataclass(frozen=True, slots=True)
class JobActivated:
    key: int
    worker: str
    deadline_ms: int


@dataclass(frozen=True, slots=True)
class JobCompleted:
    key: int


@dataclass(frozen=True, slots=True)
class JobCanceled:
    key: int


@dataclass(frozen=True, slots=True)
class JobFailed:
    """`back_off_until_ms` None: activatable at once when retries are left, else stopped."""

    key: int
    retries: int
    message: str
    back_off_until_ms: int | None


@dataclass(frozen=True, slots=True)
class JobMadeActivatable:
    """The lease or the back-off ended, or the incident was resolved; `reason` says which."""

    key: int
    reason: str


@dataclass(frozen=True, slots=True)
class JobErrorThrown:
    key: int
    error_code: str
    message: str


@dataclass(frozen=True, slots=True)
class JobRetriesUpdated:
    key: int
    retries: int


@dataclass(frozen=True, slots=True)
class JobTimeoutUpdated:
    key: int
    deadline_ms: int


@dataclass(frozen=True, slots=True)
class IncidentCreated:
    key: int
    error_type: str
    message: str
    element_id: str
    element_instance_key: int
    process_instance_key: int
    process_definition_key: int
    bpmn_process_id: str
    job_key: int | None
    retry: str


@dataclass(frozen=True, slots=True)
class IncidentResolved:
    key: int


@dataclass(frozen=True, slots=True)
class TimerCreated:
    key: int
    element_instance_key: int
    process_instance_key: int
    target_id: str
    due_ms: int
    repetitions: int
    cycle: str


@dataclass(frozen=True, slots=True)
class TimerTriggered:
    key: int


@dataclass(frozen=True, slots=True)
class TimerCanceled:
    key: int


@dataclass(frozen=True, slots=True)
class SubscriptionOpened:
    key: int
    message_name: str
    correlation_key: str
    target_id: str
    interrupting: bool
    element_instance_key: int
    process_instance_key: int
    process_definition_key: int
    bpmn_process_id: str


@dataclass(frozen=True, slots=True)
class SubscriptionCorrelated:
    """The subscription `key` received a message; when interrupting, it is over."""

    key: int
    message_key: int


@dataclass(frozen=True, slots=True)
class SubscriptionClosed:
    key: int


@dataclass(frozen=True, slots=True)
class MessagePublished:
    key: int
    name: str
    correlation_key: str
    message_id: str
    variables: Any
    deadline_ms: int


@dataclass(frozen=True, slots=True)
class MessageCorrelated:
    """The message `key` went to a process; it will not go to that process id again."""

    key: int
    bpmn_process_id: str


@dataclass(frozen=True, slots=True)
class MessageExpired:
    key: int


@dataclass(frozen=True, slots=True)
class UserTaskCreated:
    key: int
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


@dataclass(frozen=True, slots=True)
class UserTaskAssigned:
    """`assignee` None: unassigned."""

    key: int
    assignee: str | None


@dataclass(frozen=True, slots=True)
class UserTaskUpdated:
    """All changeable attributes as they are afterwards."""

    key: int
    candidate_users: tuple[str, ...]
    candidate_groups: tuple[str, ...]
    due_date: str | None
    follow_up_date: str | None
    priority: int


@dataclass(frozen=True, slots=True)
class UserTaskCompleted:
    key: int


@dataclass(frozen=True, slots=True)
class UserTaskCanceled:
    key: int


@dataclass(frozen=True, slots=True)
class DecisionEvaluated:
    """One evaluation; `decisions` are JSON-shaped audits in requirement order, see `decisions.py`."""

    key: int
    root_decision_key: int
    drg_key: int
    process_definition_key: int | None
    process_instance_key: int | None
    element_instance_key: int | None
    failure: str | None
    failed_decision_id: str | None
    decisions: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Audited:
    key: int
    operation: str
    entity_type: str
    entity_key: int
    process_instance_key: int | None
    process_definition_key: int | None
    actor: str | None
    details: Any


Event = (
    ProcessDeployed
    | DrgDeployed
    | DecisionDeployed
    | FormDeployed
    | Deployed
    | MessageStartOpened
    | MessageStartClosed
    | ProcessInstanceCreated
    | ElementActivated
    | ElementCompleted
    | ElementTerminated
    | ScopeInterrupted
    | SequenceFlowTaken
    | VariableCreated
    | VariableUpdated
    | JobCreated
    | JobActivated
    | JobCompleted
    | JobCanceled
    | JobFailed
    | JobMadeActivatable
    | JobErrorThrown
    | JobRetriesUpdated
    | JobTimeoutUpdated
    | IncidentCreated
    | IncidentResolved
    | TimerCreated
    | TimerTriggered
    | TimerCanceled
    | SubscriptionOpened
    | SubscriptionCorrelated
    | SubscriptionClosed
    | MessagePublished
    | MessageCorrelated
    | MessageExpired
    | UserTaskCreated
    | UserTaskAssigned
    | UserTaskUpdated
    | UserTaskCompleted
    | UserTaskCanceled
    | DecisionEvaluated
    | Audited
)

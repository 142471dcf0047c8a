"""Work for workers and people, and what came of it. See the rules in the package."""

from __future__ import annotations

from typing import Any

from aurum_engine.core.structs import Record


class JobCreated(Record, frozen=True):
    """A task waits for a worker."""

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


class JobActivated(Record, frozen=True):
    """A worker has the job until the deadline."""

    key: int
    worker: str
    deadline_ms: int


class JobCompleted(Record, frozen=True):
    """A worker has done the job."""

    key: int


class JobCanceled(Record, frozen=True):
    """The task of the job was terminated."""

    key: int


class JobFailed(Record, frozen=True):
    """`back_off_until_ms` None: activatable at once when retries are left, else stopped."""

    key: int
    retries: int
    message: str
    back_off_until_ms: int | None


class JobMadeActivatable(Record, frozen=True):
    """The lease or the back-off ended, or the incident was resolved; `reason` says which."""

    key: int
    reason: str


class JobErrorThrown(Record, frozen=True):
    """The worker threw a BPMN error."""

    key: int
    error_code: str
    message: str


class JobRetriesUpdated(Record, frozen=True):
    """The job has another number of retries."""

    key: int
    retries: int


class JobTimeoutUpdated(Record, frozen=True):
    """The lease ends at another time."""

    key: int
    deadline_ms: int


class IncidentCreated(Record, frozen=True):
    """An element is stuck."""

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


class IncidentResolved(Record, frozen=True):
    """The incident is over: resolved, or its element ended."""

    key: int


class UserTaskCreated(Record, frozen=True):
    """A person has something to do."""

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


class UserTaskAssigned(Record, frozen=True):
    """`assignee` None: unassigned."""

    key: int
    assignee: str | None


class UserTaskUpdated(Record, frozen=True):
    """All changeable attributes as they are afterwards."""

    key: int
    candidate_users: tuple[str, ...]
    candidate_groups: tuple[str, ...]
    due_date: str | None
    follow_up_date: str | None
    priority: int


class UserTaskCompleted(Record, frozen=True):
    """It was done."""

    key: int


class UserTaskCanceled(Record, frozen=True):
    """Its element was terminated."""

    key: int


class DecisionEvaluated(Record, frozen=True):
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


class Audited(Record, frozen=True):
    """Somebody did something that may be asked about."""

    key: int
    operation: str
    entity_type: str
    entity_key: int
    process_instance_key: int | None
    process_definition_key: int | None
    actor: str | None
    details: Any
    is_person: bool = False

"""Orders to the engine: imperative, frozen, one class each; their replies are in `replies.py`.

Rule 1: `actor` is who asked (for the audit log); None is anonymous. It grants nothing here. `caller` is
a person whose identity was checked; user task commands carried by one are judged by what he may do.
Rule 2: variables are JSON-shaped Python values; a document that is no object is refused.
Rule 3: times and durations are milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aurum_engine.core.replies import (
    ActivatedJob,
    CreatedReply,
    DecisionReply,
    DeploymentReply,
    EmptyReply,
    JobsReply,
    MessageReply,
    Reply,
    SignalReply,
    TickReply,
    VariablesReply,
)

__all__ = [
    "ActivatedJob",
    "CreatedReply",
    "DecisionReply",
    "DeploymentReply",
    "EmptyReply",
    "JobsReply",
    "MessageReply",
    "Reply",
    "SignalReply",
    "TickReply",
    "VariablesReply",
]
# The replies; everything below is public as well.


LATEST_VERSION = -1
"""Version number that means the latest one."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A person who was recognised, with the groups he is in."""

    username: str
    groups: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Resource:
    """One file of a deployment; its kind follows from the name: .bpmn, .dmn or .form."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class DeployResources:
    """Deploy all or nothing. Replies DeploymentReply; INVALID_ARGUMENT lists every problem."""

    resources: tuple[Resource, ...]
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class CreateProcessInstance:
    """Start an instance at the none start event, by key, or by id and version. Replies CreatedReply.

    NOT_FOUND: no such definition. INVALID_STATE: no none start event. ALREADY_EXISTS: an active
    instance of the same process has this business id and the engine was opened with `business_id_unique`.
    """

    bpmn_process_id: str = ""
    process_definition_key: int | None = None
    version: int = LATEST_VERSION
    variables: Mapping[str, Any] = field(default_factory=dict)
    business_id: str | None = None
    tags: tuple[str, ...] = ()
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class ActivateJobs:
    """Lease up to `max_jobs` jobs of a type. Replies JobsReply, empty when there are none.

    An empty `fetch_variables` gives all visible variables. `timeout_ms` is the lease, > 0.
    """

    job_type: str
    worker: str
    timeout_ms: int
    max_jobs: int
    fetch_variables: tuple[str, ...] = ()
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class PushJob:
    """Lease this one job for an open stream. Replies JobsReply, empty when it cannot be leased (any more)."""

    job_key: int
    worker: str
    timeout_ms: int
    fetch_variables: tuple[str, ...] = ()
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class YieldJob:
    """Give back a lease whose job never reached its worker; retries stay as they are. Replies EmptyReply.

    `deadline_ms` says which lease: once that one is over the command changes nothing.
    """

    job_key: int
    deadline_ms: int
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class AdHocResult:
    """What the worker of an ad-hoc sub-process decided: activate elements, or be fulfilled, or neither.

    `activations` are (element id, local variables). `cancel_remaining` ends what is active inside first.
    """

    activations: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    is_fulfilled: bool = False
    cancel_remaining: bool = False


@dataclass(frozen=True, slots=True)
class CompleteJob:
    """Replies EmptyReply. NOT_FOUND: no such job (any more). INVALID_STATE: it has an incident.

    `result` is only for the job of an ad-hoc sub-process; INVALID_ARGUMENT for any other job.
    """

    job_key: int
    variables: Mapping[str, Any] = field(default_factory=dict)
    result: AdHocResult | None = None
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class ActivateAdHoc:
    """Activate elements inside an ad-hoc sub-process. Replies EmptyReply.

    `activations` as in AdHocResult, each element once. NOT_FOUND: no such ad-hoc sub-process.
    INVALID_STATE: it has ended, is about to, or is stuck.
    """

    ad_hoc_key: int
    activations: tuple[tuple[str, Mapping[str, Any]], ...]
    cancel_remaining: bool = False
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class FailJob:
    """Report failure with the retries left; 0 or less raises an incident. Replies EmptyReply."""

    job_key: int
    retries: int
    error_message: str = ""
    retry_back_off_ms: int = 0
    variables: Mapping[str, Any] = field(default_factory=dict)
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class ThrowError:
    """Throw a BPMN error at the job's task. Replies EmptyReply; uncaught, it becomes an incident."""

    job_key: int
    error_code: str
    error_message: str = ""
    variables: Mapping[str, Any] = field(default_factory=dict)
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class UpdateJobRetries:
    """Replies EmptyReply. INVALID_ARGUMENT: retries < 1."""

    job_key: int
    retries: int
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class UpdateJobTimeout:
    """Set the lease to now + `timeout_ms`. Replies EmptyReply. INVALID_STATE: the job is not leased."""

    job_key: int
    timeout_ms: int
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class UpdateJob:
    """Both of the above in one step, either left None; refused as they are, with nothing changed."""

    job_key: int
    retries: int | None = None
    timeout_ms: int | None = None
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class PublishMessage:
    """Publish, buffered for `time_to_live_ms`. Replies MessageReply.

    ALREADY_EXISTS: the same message id is still buffered for this name and correlation key.
    """

    name: str
    correlation_key: str = ""
    time_to_live_ms: int = 0
    message_id: str = ""
    variables: Mapping[str, Any] = field(default_factory=dict)
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class CorrelateMessage:
    """Correlate now or never. Replies MessageReply with the instance; NOT_FOUND when nobody waits."""

    name: str
    correlation_key: str = ""
    variables: Mapping[str, Any] = field(default_factory=dict)
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class BroadcastSignal:
    """Trigger everything that waits for the signal now. Replies SignalReply."""

    name: str
    variables: Mapping[str, Any] = field(default_factory=dict)
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class CancelProcessInstance:
    """Terminate everything. Replies EmptyReply. NOT_FOUND: unknown or ended."""

    process_instance_key: int
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class SetVariables:
    """Set variables at an element instance: in its own scope when `local`, else propagated upwards."""

    element_instance_key: int
    variables: Mapping[str, Any]
    local: bool = False
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class ResolveIncident:
    """Repeat the failed step. Replies EmptyReply. INVALID_STATE: cannot be resolved (yet)."""

    incident_key: int
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class EvaluateDecision:
    """Evaluate a deployed decision by id (latest) or key. Replies DecisionReply, also for a failure."""

    decision_id: str = ""
    decision_key: int | None = None
    variables: Mapping[str, Any] = field(default_factory=dict)
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class AssignUserTask:
    """Replies EmptyReply. INVALID_STATE: assigned already and `allow_override` is false, or not CREATED.

    FORBIDDEN: a caller for whom the task is not, or who assigns to somebody else.
    """

    user_task_key: int
    assignee: str
    allow_override: bool = True
    actor: str | None = None
    caller: Caller | None = None


@dataclass(frozen=True, slots=True)
class UnassignUserTask:
    """Replies EmptyReply. FORBIDDEN: a caller who is not the assignee."""

    user_task_key: int
    actor: str | None = None
    caller: Caller | None = None


@dataclass(frozen=True, slots=True)
class UpdateUserTask:
    """Change attributes; those left None stay, "" clears a date, () clears a list. Replies EmptyReply.

    FORBIDDEN: a caller for whom the task is not, or who changes the candidates.
    """

    user_task_key: int
    candidate_users: tuple[str, ...] | None = None
    candidate_groups: tuple[str, ...] | None = None
    due_date: str | None = None
    follow_up_date: str | None = None
    priority: int | None = None
    actor: str | None = None
    caller: Caller | None = None


@dataclass(frozen=True, slots=True)
class CompleteUserTask:
    """Replies EmptyReply. `action` is free text for the audit log. FORBIDDEN: not the caller's task."""

    user_task_key: int
    variables: Mapping[str, Any] = field(default_factory=dict)
    action: str = "complete"
    actor: str | None = None
    caller: Caller | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """Do what is due: timers, leases, back-offs, message expiry. Replies TickReply. Sent by the service."""

    actor: str | None = None


Command = (
    DeployResources
    | CreateProcessInstance
    | ActivateJobs
    | PushJob
    | YieldJob
    | CompleteJob
    | ActivateAdHoc
    | FailJob
    | ThrowError
    | UpdateJobRetries
    | UpdateJobTimeout
    | UpdateJob
    | PublishMessage
    | CorrelateMessage
    | BroadcastSignal
    | CancelProcessInstance
    | SetVariables
    | ResolveIncident
    | EvaluateDecision
    | AssignUserTask
    | UnassignUserTask
    | UpdateUserTask
    | CompleteUserTask
    | Tick
)

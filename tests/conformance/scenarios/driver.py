"""What a scenario may do to an engine: only what public gRPC and REST interfaces can do too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


class Refused(Exception):
    """The engine refused a command; `kind` is the rejection type."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind = kind
        self.reason = reason


@dataclass(frozen=True)
class LeasedJob:
    """A job as a worker sees it."""

    key: int
    element_id: str
    retries: int
    headers: dict[str, str]
    variables: dict[str, Any]


@dataclass(frozen=True)
class FoundElement:
    """An element instance as search returns it."""

    key: int
    element_id: str
    type: str
    state: str


@dataclass(frozen=True)
class FoundVariable:
    """A variable as search returns it."""

    name: str
    value: Any
    scope_key: int


@dataclass(frozen=True)
class FoundIncident:
    """An incident as search returns it."""

    key: int
    error_type: str
    element_id: str
    message: str
    is_active: bool


@dataclass(frozen=True)
class FoundUserTask:
    """A user task as search returns it."""

    key: int
    element_id: str
    state: str
    assignee: str | None
    candidate_groups: tuple[str, ...]
    candidate_users: tuple[str, ...]
    due_date: str | None
    priority: int


class Driver(Protocol):
    """One engine, empty or at least without the scenario's processes."""

    async def deploy(self, resources: dict[str, bytes]) -> dict[str, tuple[int, int]]:
        """Deploy files; return (key, version) per process, decision and form id."""

    async def create(
        self, process_id: str, variables: Any, *, version: int = -1, business_id: str | None = None
    ) -> int:
        """Create an instance and return its key."""

    async def result(self, instance_key: int) -> dict[str, Any]:
        """Return the root variables of an instance that has ended."""

    async def cancel(self, instance_key: int) -> None:
        """Cancel an instance."""

    async def set_variables(self, element_key: int, variables: Any, *, local: bool) -> None:
        """Set variables at an element instance."""

    async def activate(self, job_type: str, count: int, lease_ms: int, fetch: list[str]) -> list[LeasedJob]:
        """Lease jobs, without waiting."""

    async def complete(self, job_key: int, variables: Any, result: dict[str, Any] | None) -> None:
        """Complete a job; `result` is that of an ad-hoc sub-process as REST takes it, without its type."""

    async def activate_inside(
        self, ad_hoc_key: int, elements: list[dict[str, Any]], *, cancel_remaining: bool
    ) -> None:
        """Activate elements, as REST takes them, inside an ad-hoc sub-process."""

    async def fail(self, job_key: int, retries: int, back_off_ms: int, message: str, variables: Any) -> None:
        """Fail a job."""

    async def throw(self, job_key: int, code: str, variables: Any) -> None:
        """Throw a BPMN error."""

    async def set_retries(self, job_key: int, retries: int) -> None:
        """Set the retries of a job."""

    async def set_timeout(self, job_key: int, timeout_ms: int) -> None:
        """Set the lease of a job."""

    async def publish(self, name: str, key: str, ttl_ms: int, message_id: str, variables: Any) -> None:
        """Publish a message."""

    async def correlate(self, name: str, key: str, variables: Any) -> int:
        """Correlate a message and return the instance that took it."""

    async def broadcast(self, name: str, variables: Any) -> None:
        """Broadcast a signal."""

    async def advance(self, milliseconds: int) -> None:
        """Let time pass."""

    async def resolve(self, incident_key: int) -> None:
        """Resolve an incident."""

    async def assign(self, task_key: int, assignee: str | None, *, allow_override: bool) -> None:
        """Assign a user task, or unassign it."""

    async def update_task(self, task_key: int, changes: dict[str, Any]) -> None:
        """Change candidate_groups, candidate_users, due_date, follow_up_date or priority."""

    async def complete_task(self, task_key: int, variables: Any) -> None:
        """Complete a user task."""

    async def instances(self, process_id: str) -> list[tuple[int, str]]:
        """Return (key, state) of all instances of a process."""

    async def elements(self, instance_key: int) -> list[FoundElement]:
        """Return the element instances of an instance, oldest first, without the process itself."""

    async def variables(self, instance_key: int) -> list[FoundVariable]:
        """Return all variables of an instance."""

    async def incidents(self, instance_key: int) -> list[FoundIncident]:
        """Return all incidents of an instance, oldest first."""

    async def user_tasks(self, instance_key: int) -> list[FoundUserTask]:
        """Return all user tasks of an instance, oldest first."""

"""REST v2 client of any Camunda 8 engine: the commands and searches that AURUM uses.

Search answers are eventually consistent: a missing row means "not yet". Errors become
`CommandRejected` (the engine said no), `NotPermitted` (the token was refused) or
`EngineUnavailable` (nobody knows what happened).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import httpx

from aurum.camunda.models import (
    CreatedInstance,
    DecisionInstanceRow,
    ElementInstanceRow,
    IncidentRow,
    ProcessInstanceRow,
    Row,
    SearchPage,
    UserTaskRow,
    VariableRow,
)
from aurum.errors import CommandRejected, EngineUnavailable, NotPermitted
from aurum.instants import iso_utc

PAGE_LIMIT = 1_000
"""Rows per search page; one case has a few hundred elements, so nearly always one page."""

PAGES_MAX = 100
"""Pages read per search: bounds a loop over an engine that never stops offering cursors."""

_REJECTION_OF_STATUS = {400: "INVALID_ARGUMENT", 404: "NOT_FOUND", 409: "INVALID_STATE"}
_KNOWN_REJECTIONS = frozenset(
    {"INVALID_ARGUMENT", "NOT_FOUND", "ALREADY_EXISTS", "INVALID_STATE", "PROCESSING_ERROR"}
)

R = TypeVar("R", bound=Row)


def rejection_of(response: httpx.Response) -> Exception:
    """Translate an error answer; the problem's `title` carries the engine's own reason word."""
    title, detail = "", ""
    if "json" in response.headers.get("content-type", ""):
        body = response.json()
        if isinstance(body, dict):
            title, detail = str(body.get("title", "")), str(body.get("detail", ""))
    if response.status_code in (401, 403):
        return NotPermitted(f"the engine refused the token ({response.status_code})")
    if response.status_code in _REJECTION_OF_STATUS:
        kind = title if title in _KNOWN_REJECTIONS else _REJECTION_OF_STATUS[response.status_code]
        return CommandRejected(kind, detail or title)
    return EngineUnavailable(f"engine answered {response.status_code}")


def _as_person(bearer: str | None) -> dict[str, str] | None:
    """Return the header that replaces the service's token by a person's; None leaves it."""
    return None if bearer is None else {"Authorization": f"Bearer {bearer}"}


class CamundaRest:
    """One engine's REST v2 surface. `client` has the base address (ending in /v2) and the credentials."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _call(self, method: str, path: str, json: object = None, **kwargs: Any) -> httpx.Response:
        try:
            response = await self._client.request(method, path, json=json, **kwargs)
        except httpx.HTTPError as error:
            raise EngineUnavailable(f"{method} {path}: {type(error).__name__}") from error
        if response.status_code >= 400:
            raise rejection_of(response)
        return response

    async def _search(self, path: str, row: type[R], criteria: Mapping[str, object], sort: str) -> list[R]:
        """Return every matching row, oldest first by `sort`, following cursors."""
        rows: list[R] = []
        page: dict[str, object] = {"limit": PAGE_LIMIT}
        for _ in range(PAGES_MAX):
            body = {"filter": criteria, "sort": [{"field": sort, "order": "ASC"}], "page": page}
            answer = SearchPage.model_validate((await self._call("POST", path, body)).json())
            rows.extend(row.model_validate(item) for item in answer.items)
            if len(answer.items) < PAGE_LIMIT or answer.page.end_cursor is None:
                return rows
            page = {"limit": PAGE_LIMIT, "after": answer.page.end_cursor}
        raise EngineUnavailable(f"{path}: more than {PAGES_MAX} pages")

    # --- commands ---------------------------------------------------------------------------

    async def topology(self) -> dict[str, Any]:
        """Return the cluster's topology; the readiness probe."""
        answer: dict[str, Any] = (await self._call("GET", "/topology")).json()
        return answer

    async def deploy(self, files: Sequence[Path]) -> list[dict[str, Any]]:
        """Deploy all files atomically. Raises CommandRejected INVALID_ARGUMENT naming elements."""
        parts = [("resources", (path.name, path.read_bytes())) for path in files]
        answer = (await self._call("POST", "/deployments", files=parts)).json()
        deployed: list[dict[str, Any]] = answer["deployments"]
        return deployed

    async def create_instance(
        self, bpmn_process_id: str, variables: Mapping[str, object], *, business_id: str
    ) -> CreatedInstance:
        """Start an instance of the latest version. A known business id raises ALREADY_EXISTS."""
        body = {"processDefinitionId": bpmn_process_id, "variables": variables, "businessId": business_id}
        try:
            answer = await self._call("POST", "/process-instances", body)
        except CommandRejected as error:
            if error.rejection_type == "INVALID_STATE":
                raise CommandRejected("ALREADY_EXISTS", error.reason) from error
            raise
        return CreatedInstance.model_validate(answer.json())

    async def assign_user_task(self, user_task_key: str, assignee: str, *, bearer: str | None = None) -> None:
        """Claim for `assignee`; never takes it from somebody else (409 -> INVALID_STATE).

        `bearer`: the person's own token, here and below. NotPermitted when the engine says it is not his.
        """
        body = {"assignee": assignee, "allowOverride": False, "action": "claim"}
        path = f"/user-tasks/{user_task_key}/assignment"
        await self._call("POST", path, body, headers=_as_person(bearer))

    async def unassign_user_task(self, user_task_key: str, *, bearer: str | None = None) -> None:
        """Give the task back to its groups."""
        path = f"/user-tasks/{user_task_key}/assignee"
        await self._call("DELETE", path, headers=_as_person(bearer))

    async def complete_user_task(
        self,
        user_task_key: str,
        variables: Mapping[str, object],
        *,
        action: str = "complete",
        bearer: str | None = None,
    ) -> None:
        """Complete the task. Raises CommandRejected: INVALID_STATE no longer open, NOT_FOUND unknown."""
        body = {"variables": variables, "action": action}
        path = f"/user-tasks/{user_task_key}/completion"
        await self._call("POST", path, body, headers=_as_person(bearer))

    async def publish_message(
        self,
        name: str,
        correlation_key: str,
        variables: Mapping[str, object],
        *,
        message_id: str,
        time_to_live_ms: int,
    ) -> None:
        """Publish a message once (the id dedupes while it is buffered)."""
        body = {
            "name": name,
            "correlationKey": correlation_key,
            "variables": variables,
            "messageId": message_id,
            "timeToLive": time_to_live_ms,
        }
        await self._call("POST", "/messages/publication", body)

    async def correlate_message(
        self, name: str, correlation_key: str, variables: Mapping[str, object]
    ) -> None:
        """Correlate at once. Raises CommandRejected NOT_FOUND when nothing waits for it."""
        body = {"name": name, "correlationKey": correlation_key, "variables": variables}
        await self._call("POST", "/messages/correlation", body)

    async def resolve_incident(self, incident_key: str) -> None:
        """Mark the incident resolved; the engine runs the failed step again."""
        await self._call("POST", f"/incidents/{incident_key}/resolution")

    async def update_job_retries(self, job_key: str, retries: int) -> None:
        """Give a failed job new retries (before resolving its incident)."""
        await self._call("PATCH", f"/jobs/{job_key}", {"changeset": {"retries": retries}})

    async def cancel_instance(self, process_instance_key: str) -> None:
        """Terminate the instance."""
        await self._call("POST", f"/process-instances/{process_instance_key}/cancellation", {})

    async def set_variables(self, element_instance_key: str, variables: Mapping[str, object]) -> None:
        """Set variables in exactly this scope (a process instance is the scope of its case)."""
        body = {"variables": dict(variables), "local": True}
        await self._call("PUT", f"/element-instances/{element_instance_key}/variables", body)

    # --- reads ------------------------------------------------------------------------------

    async def process_instances(
        self,
        bpmn_process_id: str,
        *,
        state: str | None = None,
        started_since_ms: int = 0,
        business_id: str | None = None,
    ) -> list[ProcessInstanceRow]:
        """Return instances of a process that started at or after a Unix millisecond, oldest first."""
        criteria: dict[str, object] = {"processDefinitionId": bpmn_process_id}
        if business_id is not None:
            criteria["businessId"] = business_id
        if state is not None:
            criteria["state"] = state
        if started_since_ms > 0:
            criteria["startDate"] = {"$gte": iso_utc(started_since_ms)}
        return await self._search("/process-instances/search", ProcessInstanceRow, criteria, "startDate")

    async def process_instance(self, process_instance_key: str) -> ProcessInstanceRow | None:
        """Return one instance, or None when it is not visible (yet)."""
        try:
            answer = await self._call("GET", f"/process-instances/{process_instance_key}")
        except CommandRejected as error:
            if error.rejection_type == "NOT_FOUND":
                return None
            raise
        return ProcessInstanceRow.model_validate(answer.json())

    async def process_definition_xml(self, process_definition_key: str) -> bytes:
        """Return the BPMN file of a deployed version. Raises CommandRejected NOT_FOUND."""
        return (await self._call("GET", f"/process-definitions/{process_definition_key}/xml")).content

    async def element_instances(self, process_instance_key: str) -> list[ElementInstanceRow]:
        """Return every element instance of one process instance."""
        criteria = {"processInstanceKey": process_instance_key}
        return await self._search("/element-instances/search", ElementInstanceRow, criteria, "startDate")

    async def variables(
        self, process_instance_key: str, *, names: Sequence[str] | None = None
    ) -> list[VariableRow]:
        """Return the variables of all scopes of one instance, untruncated."""
        criteria: dict[str, object] = {"processInstanceKey": process_instance_key}
        if names is not None:
            criteria["name"] = {"$in": list(names)}
        return await self._search("/variables/search?truncateValues=false", VariableRow, criteria, "name")

    async def user_tasks(
        self, *, process_instance_key: str | None = None, state: str | None = None
    ) -> list[UserTaskRow]:
        """Return user tasks of one instance, or of all."""
        criteria: dict[str, object] = {}
        if process_instance_key is not None:
            criteria["processInstanceKey"] = process_instance_key
        if state is not None:
            criteria["state"] = state
        return await self._search("/user-tasks/search", UserTaskRow, criteria, "creationDate")

    async def user_task(self, user_task_key: str) -> UserTaskRow | None:
        """Return one user task, or None when it is not visible (yet)."""
        try:
            answer = await self._call("GET", f"/user-tasks/{user_task_key}")
        except CommandRejected as error:
            if error.rejection_type == "NOT_FOUND":
                return None
            raise
        return UserTaskRow.model_validate(answer.json())

    async def incidents(
        self, *, process_instance_key: str | None = None, state: str | None = None
    ) -> list[IncidentRow]:
        """Return incidents of one instance, or of all."""
        criteria: dict[str, object] = {}
        if process_instance_key is not None:
            criteria["processInstanceKey"] = process_instance_key
        if state is not None:
            criteria["state"] = state
        return await self._search("/incidents/search", IncidentRow, criteria, "creationTime")

    async def decision_instances(self, process_instance_key: str) -> list[DecisionInstanceRow]:
        """Return the evaluated decisions of one instance, without inputs and rules."""
        criteria = {"processInstanceKey": process_instance_key}
        return await self._search(
            "/decision-instances/search", DecisionInstanceRow, criteria, "evaluationDate"
        )

    async def decision_instance(self, decision_evaluation_instance_key: str) -> DecisionInstanceRow | None:
        """Return one evaluated decision with its inputs and matched rules, or None when not visible (yet)."""
        try:
            answer = await self._call("GET", f"/decision-instances/{decision_evaluation_instance_key}")
        except CommandRejected as error:
            if error.rejection_type == "NOT_FOUND":
                return None
            raise
        return DecisionInstanceRow.model_validate(answer.json())

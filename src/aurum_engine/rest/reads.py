"""The operations that only look: searches, single reads, and the cluster's description.

Everything but the cluster comes from the read model, so it may be late by the search lag.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from aurum_engine.core.records import UserTask
from aurum_engine.core.state import StateView
from aurum_engine.errors import EngineStopped
from aurum_engine.rest import rows, rows_decisions
from aurum_engine.rest.bodies import parse_key
from aurum_engine.rest.guard import caller_of
from aurum_engine.rest.http import json_body, json_response, no_content
from aurum_engine.rest.kinds import INCIDENTS, VARIABLES, VARIABLES_TRUNCATED
from aurum_engine.rest.kinds_definitions import AUDIT_LOG
from aurum_engine.rest.problems import Problem, invalid, not_found, problem_of
from aurum_engine.rest.query import Kind, parse_query, run
from aurum_engine.rest.readmodel import ReadModel
from aurum_engine.surface import CAMUNDA_VERSION, DEFAULT_TENANT

Handler = Callable[[Request], Awaitable[Response]]
Lookup = Callable[[StateView, int], Any]


def _wants_whole_values(request: Request) -> bool:
    text = request.query_params.get("truncateValues", "true").lower()
    if text not in {"true", "false"}:
        raise invalid("truncateValues must be true or false")
    return text == "false"


class Reads:
    """Handlers of all reading operations."""

    def __init__(self, model: ReadModel, *, username: str) -> None:
        self._model = model
        self._username = username
        self.address: tuple[str, int] = ("127.0.0.1", 0)

    async def _settled(self) -> None:
        try:
            await self._model.settled()
        except EngineStopped as error:
            raise problem_of(error) from error

    def _view(self) -> StateView:
        try:
            return self._model.view()
        except EngineStopped as error:
            raise problem_of(error) from error

    async def _answer(self, kind: Kind, request: Request, fixed: Mapping[str, Any] | None = None) -> Response:
        """Carry out a search; `fixed` equalities come from the path."""
        query = parse_query(kind, await json_body(request), fixed or {})
        answer = run(kind, query, self._view())
        await self._settled()
        return json_response(answer)

    def search(self, kind: Kind) -> Handler:
        """Return the handler of a search."""

        async def handle(request: Request) -> Response:
            return await self._answer(kind, request)

        return handle

    async def search_variables(self, request: Request) -> Response:
        """POST /variables/search; whole values with truncateValues=false."""
        return await self._answer(VARIABLES if _wants_whole_values(request) else VARIABLES_TRUNCATED, request)

    async def search_user_task_variables(self, request: Request) -> Response:
        """POST /user-tasks/{key}/variables/search: variables visible at the task, outer ones included."""
        whole = _wants_whole_values(request)
        query = parse_query(VARIABLES if whole else VARIABLES_TRUNCATED, await json_body(request))
        view = self._view()
        task: UserTask = self._found(view, request, lambda seen, key: seen.user_tasks.get(key), "user task")
        scopes = set(view.scope_chain(task.element_instance_key))
        kind = VARIABLES if whole else VARIABLES_TRUNCATED
        answer = run(kind, query.within(lambda _, record: record.scope_key in scopes), view)
        await self._settled()
        return json_response(answer)

    async def search_user_task_audit(self, request: Request) -> Response:
        """POST /user-tasks/{key}/audit-logs/search: who did what with this task."""
        key = parse_key(request.path_params["key"], "the key in the path")
        return await self._answer(AUDIT_LOG, request, {"userTaskKey": str(key)})

    async def search_instance_incidents(self, request: Request) -> Response:
        """POST /process-instances/{key}/incidents/search: also those of called instances."""
        key = parse_key(request.path_params["key"], "the key in the path")
        keys = [str(found) for found in self._view().with_called(key)]
        return await self._answer(INCIDENTS, request, {"processInstanceKey": {"$in": keys}})

    def get(self, lookup: Lookup, row: Callable[[StateView, Any], rows.Row], what: str) -> Handler:
        """Return the handler of a single read."""

        async def handle(request: Request) -> Response:
            view = self._view()
            answer = row(view, self._found(view, request, lookup, what))
            await self._settled()
            return json_response(answer)

        return handle

    def _found(self, view: StateView, request: Request, lookup: Lookup, what: str) -> Any:
        key = parse_key(request.path_params["key"], "the key in the path")
        record = lookup(view, key)
        if record is None:
            raise not_found(f"no {what} with key '{key}' was found")
        return record

    async def decision_instance(self, request: Request) -> Response:
        """GET /decision-instances/{key}-{index}, with inputs and matched rules."""
        view = self._view()
        record = view.decision_instances.get(request.path_params["key"])
        if record is None:
            raise not_found(f"no decision instance with key '{request.path_params['key']}' was found")
        answer = rows_decisions.decision_instance_with_audit(view, record)
        await self._settled()
        return json_response(answer)

    def xml(self, lookup: Lookup, what: str) -> Handler:
        """Return the handler that gives a deployed resource as it was deployed."""

        async def handle(request: Request) -> Response:
            resource: bytes = self._found(self._view(), request, lookup, what).resource
            await self._settled()
            return Response(resource, media_type="text/xml")

        return handle

    # --- the cluster ------------------------------------------------------------------------

    async def topology(self, _: Request) -> Response:
        """GET /topology: one broker that leads its one partition."""
        await self._settled()
        host, port = self.address
        health = "healthy" if self._model.write_problem is None else "unhealthy"
        partition = {"partitionId": 1, "role": "leader", "health": health}
        broker = {
            "nodeId": 0,
            "host": host,
            "port": port,
            "partitions": [partition],
            "version": CAMUNDA_VERSION,
        }
        return json_response(
            {
                "brokers": [broker],
                "clusterId": None,
                "clusterSize": 1,
                "partitionsCount": 1,
                "replicationFactor": 1,
                "gatewayVersion": CAMUNDA_VERSION,
                "lastCompletedChangeId": "-1",
            }
        )

    async def status(self, _: Request) -> Response:
        """GET /status: 204, or 503 with the reason when the engine has stopped or cannot write its log."""
        await self._settled()
        if self._model.write_problem is not None:
            raise Problem(503, "UNAVAILABLE", self._model.write_problem)
        return no_content()

    async def me(self, request: Request) -> Response:
        """GET /authentication/me: the person, or the service that holds the token."""
        caller = caller_of(request.scope)
        tenant = {"tenantId": DEFAULT_TENANT, "name": "Default", "description": None}
        return json_response(
            {
                "username": self._username if caller is None else caller.username,
                "displayName": None,
                "email": None,
                "authorizedComponents": ["*"],
                "tenants": [tenant],
                "groups": [] if caller is None else sorted(caller.groups),
                "roles": [],
                "salesPlanType": None,
                "c8Links": {},
                "canLogout": False,
            }
        )

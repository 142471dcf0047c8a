"""The REST application: routes below /v2, the bearer token, and every error as a problem body."""

from __future__ import annotations

import logging

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from aurum_engine.identity import Identity
from aurum_engine.rest import kinds, kinds_definitions, rows, rows_decisions
from aurum_engine.rest.clock import ClockControl
from aurum_engine.rest.commands import Commands
from aurum_engine.rest.guard import PREFIX, Guard
from aurum_engine.rest.problems import Problem, problem_response
from aurum_engine.rest.query import Kind
from aurum_engine.rest.reads import Reads

logger = logging.getLogger(__name__)


def _routes(commands: Commands, reads: Reads) -> list[Route]:
    def post(path: str, handler: object) -> Route:
        return Route(PREFIX + path, handler, methods=["POST"])  # type: ignore[arg-type]

    def get(path: str, handler: object) -> Route:
        return Route(PREFIX + path, handler, methods=["GET"])  # type: ignore[arg-type]

    return [
        get("/topology", reads.topology),
        get("/status", reads.status),
        get("/authentication/me", reads.me),
        post("/deployments", commands.deploy),
        post("/process-instances", commands.create_instance),
        post("/process-instances/search", reads.search(kinds.PROCESS_INSTANCES)),
        get(
            "/process-instances/{key}",
            reads.get(
                lambda view, key: view.process_instances.get(key), rows.process_instance, "process instance"
            ),
        ),
        post("/process-instances/{key}/cancellation", commands.cancel_instance),
        post("/process-instances/{key}/incidents/search", reads.search_instance_incidents),
        post("/element-instances/search", reads.search(kinds.ELEMENT_INSTANCES)),
        get(
            "/element-instances/{key}",
            reads.get(lambda view, key: view.elements.get(key), rows.element_instance, "element instance"),
        ),
        post("/element-instances/ad-hoc-activities/{key}/activation", commands.activate_ad_hoc),
        Route(f"{PREFIX}/element-instances/{{key}}/variables", commands.set_variables, methods=["PUT"]),
        post("/variables/search", reads.search_variables),
        get("/variables/{key}", reads.get(lambda view, key: view.variable(key), rows.variable, "variable")),
        post("/user-tasks/search", reads.search(kinds.USER_TASKS)),
        get(
            "/user-tasks/{key}",
            reads.get(lambda view, key: view.user_tasks.get(key), rows.user_task, "user task"),
        ),
        Route(f"{PREFIX}/user-tasks/{{key}}", commands.user_tasks.update, methods=["PATCH"]),
        post("/user-tasks/{key}/assignment", commands.user_tasks.assign),
        Route(f"{PREFIX}/user-tasks/{{key}}/assignee", commands.user_tasks.unassign, methods=["DELETE"]),
        post("/user-tasks/{key}/completion", commands.user_tasks.complete),
        post("/user-tasks/{key}/variables/search", reads.search_user_task_variables),
        post("/user-tasks/{key}/audit-logs/search", reads.search_user_task_audit),
        post("/jobs/activation", commands.activate_jobs),
        post("/jobs/search", reads.search(kinds.JOBS)),
        Route(f"{PREFIX}/jobs/{{key}}", commands.update_job, methods=["PATCH"]),
        post("/jobs/{key}/completion", commands.complete_job),
        post("/jobs/{key}/failure", commands.fail_job),
        post("/jobs/{key}/error", commands.throw_error),
        post("/incidents/search", reads.search(kinds.INCIDENTS)),
        get(
            "/incidents/{key}",
            reads.get(lambda view, key: view.incidents.get(key), rows.incident, "incident"),
        ),
        post("/incidents/{key}/resolution", commands.resolve_incident),
        post("/messages/publication", commands.publish_message),
        post("/signals/broadcast", commands.broadcast_signal),
        post("/messages/correlation", commands.correlate_message),
        *_definition_routes(commands, reads),
    ]


def _definition_routes(commands: Commands, reads: Reads) -> list[Route]:
    def search(path: str, kind: Kind) -> Route:
        return Route(f"{PREFIX}/{path}/search", reads.search(kind), methods=["POST"])

    return [
        search("process-definitions", kinds_definitions.PROCESS_DEFINITIONS),
        Route(
            f"{PREFIX}/process-definitions/{{key}}",
            reads.get(
                lambda view, key: view.process_definitions.get(key),
                rows.process_definition,
                "process definition",
            ),
        ),
        Route(
            f"{PREFIX}/process-definitions/{{key}}/xml",
            reads.xml(lambda view, key: view.process_definitions.get(key), "process definition"),
        ),
        Route(f"{PREFIX}/decision-definitions/evaluation", commands.evaluate_decision, methods=["POST"]),
        search("decision-definitions", kinds_definitions.DECISION_DEFINITIONS),
        Route(
            f"{PREFIX}/decision-definitions/{{key}}",
            reads.get(
                lambda view, key: view.decision_definitions.get(key),
                rows_decisions.decision_definition,
                "decision definition",
            ),
        ),
        search("decision-instances", kinds_definitions.DECISION_INSTANCES),
        Route(f"{PREFIX}/decision-instances/{{key}}", reads.decision_instance),
        search("audit-logs", kinds_definitions.AUDIT_LOG),
    ]


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return problem_response(error, request.url.path)


_TITLES = {404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED"}


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    title = _TITLES.get(error.status_code, "INVALID_ARGUMENT")
    detail = f"{request.method} {request.url.path} is not an operation of this engine"
    return problem_response(Problem(error.status_code, title, detail), request.url.path)


async def _unexpected(request: Request, error: Exception) -> Response:
    # The server's own log has the traceback: Starlette raises the error again after this answer.
    return problem_response(Problem(500, "INTERNAL", "internal error of the REST surface"), request.url.path)


def rest_app(
    commands: Commands,
    reads: Reads,
    clock: ClockControl | None,
    *,
    token: str | None,
    identity: Identity | None = None,
) -> ASGIApp:
    """Return the ASGI application. Without a token everybody may do everything.

    With an `identity` people may work on their user tasks, each with a token of his own.

    `clock` adds the operations that set the time; for tests only.
    """
    routes = _routes(commands, reads)
    if clock is not None:
        routes.append(Route(f"{PREFIX}/clock", clock.pin, methods=["PUT"]))
        routes.append(Route(f"{PREFIX}/clock/reset", clock.reset, methods=["POST"]))
    handlers = {Problem: _problem, HTTPException: _http_error, Exception: _unexpected}
    app = Starlette(routes=routes, exception_handlers=handlers)
    return app if token is None and identity is None else Guard(app, token, identity)

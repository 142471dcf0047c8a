"""RFC 9457 problem documents for everything that goes wrong, and nothing a person typed in them.

`type` is a stable URI reference, `instance` a random id that the log has too. Validation errors
name fields and codes, never values.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from aurum.bff.auth.tokens import TokenRefused
from aurum.errors import CommandRejected, EngineUnavailable, NotPermitted

_log = structlog.get_logger("aurum.bff")

TITLES = {
    "bad-request": "The request cannot be read",
    "not-signed-in": "Sign in first",
    "not-permitted": "You may not do this",
    "not-found": "There is no such thing",
    "method-not-allowed": "This is not how it is done",
    "conflict": "Somebody was faster",
    "changed": "It has changed since you looked",
    "precondition-required": "Say which state you saw (If-Match)",
    "too-large": "That is too large",
    "invalid": "Some fields need correcting",
    "engine-unavailable": "The process engine does not answer",
    "internal": "Something broke on our side",
}
_STATUS_OF = {
    "bad-request": 400,
    "not-signed-in": 401,
    "not-permitted": 403,
    "not-found": 404,
    "method-not-allowed": 405,
    "conflict": 409,
    "changed": 412,
    "too-large": 413,
    "invalid": 422,
    "precondition-required": 428,
    "internal": 500,
    "engine-unavailable": 503,
}
_KIND_OF_STATUS = {status: kind for kind, status in _STATUS_OF.items()}


class Problem(Exception):
    """Raise to answer with a problem document. `extra` members go into the document as they are."""

    def __init__(self, kind: str, detail: str = "", **extra: Any) -> None:
        super().__init__(kind)
        self.kind = kind
        self.detail = detail
        self.extra = extra


def document(kind: str, detail: str = "", extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the members of a problem document."""
    return {
        "type": f"urn:aurum:problem:{kind}",
        "title": TITLES[kind],
        "status": _STATUS_OF[kind],
        "detail": detail or TITLES[kind],
        "instance": f"urn:aurum:occurrence:{secrets.token_hex(8)}",
        **(extra or {}),
    }


def respond(kind: str, detail: str = "", extra: Mapping[str, Any] | None = None) -> JSONResponse:
    """Return the problem as a response."""
    headers = {"Cache-Control": "no-store"}
    if kind == "not-signed-in":
        headers["WWW-Authenticate"] = "Bearer"
    if kind == "engine-unavailable":
        headers["Retry-After"] = "2"
    body = document(kind, detail, extra)
    return JSONResponse(
        body, status_code=_STATUS_OF[kind], media_type="application/problem+json", headers=headers
    )


def refused_fields(errors: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return pydantic's errors as `{field, code}`; inputs and messages are dropped unread.

    An unknown member is reported at its parent: its name is the sender's text, too.
    """
    found = []
    for error in errors:
        path = tuple(error.get("loc", ()))
        if error.get("type") == "extra_forbidden":
            path = path[:-1]
        where = [str(step) for step in path if step not in ("body", "query", "path")]
        pointer = "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in where)
        found.append({"field": pointer, "code": str(error.get("type", "invalid")).upper()})
    return found


def of_rejection(error: CommandRejected) -> JSONResponse:
    """Translate the engine's no. The engine's own words stay in the log."""
    match error.rejection_type:
        case "NOT_FOUND":
            return respond("not-found")
        case "INVALID_STATE" | "ALREADY_EXISTS":
            return respond("conflict", "The process has moved on; look again.")
        case _:
            return respond("invalid", "The process engine did not accept this.")


def install(app: FastAPI) -> None:
    """Make every error of the app a problem document."""

    @app.exception_handler(Problem)
    async def on_problem(_request: Request, error: Problem) -> JSONResponse:
        return respond(error.kind, error.detail, error.extra)

    @app.exception_handler(TokenRefused)
    async def on_token(_request: Request, _error: TokenRefused) -> JSONResponse:
        return respond("not-signed-in")

    @app.exception_handler(NotPermitted)
    async def on_permission(_request: Request, _error: NotPermitted) -> JSONResponse:
        return respond("not-permitted")

    @app.exception_handler(CommandRejected)
    async def on_rejection(_request: Request, error: CommandRejected) -> JSONResponse:
        _log.info("engine_rejected", rejection=error.rejection_type, reason=error.reason)
        return of_rejection(error)

    @app.exception_handler(EngineUnavailable)
    async def on_engine(_request: Request, error: EngineUnavailable) -> JSONResponse:
        _log.warning("engine_unavailable", reason=str(error))
        return respond("engine-unavailable", "Nothing is lost; try again in a moment.")

    @app.exception_handler(RequestValidationError)
    async def on_validation(_request: Request, error: RequestValidationError) -> JSONResponse:
        errors = error.errors()
        if any(item.get("type") == "json_invalid" for item in errors):
            return respond("bad-request", "The body is not JSON.")
        return respond("invalid", extra={"problems": refused_fields(errors)})

    @app.exception_handler(HTTPException)
    async def on_http(_request: Request, error: HTTPException) -> JSONResponse:
        return respond(_KIND_OF_STATUS.get(error.status_code, "bad-request"))

    @app.exception_handler(Exception)
    async def on_bug(request: Request, error: Exception) -> JSONResponse:
        _log.error("unhandled", method=request.method, path=request.scope.get("route_path"), exc_info=error)
        return respond("internal")

"""Errors of the REST surface: RFC 9457 bodies whose `title` is the engine's rejection type."""

from __future__ import annotations

import orjson
from starlette.responses import Response

from aurum_engine.errors import EngineBusy, EngineStopped, LogNotWritable, Rejection, RejectionType

_STATUS = {
    RejectionType.INVALID_ARGUMENT: 400,
    RejectionType.NOT_FOUND: 404,
    RejectionType.ALREADY_EXISTS: 409,
    RejectionType.INVALID_STATE: 409,
    RejectionType.FORBIDDEN: 403,
    RejectionType.PROCESSING_ERROR: 500,
    RejectionType.EXCEEDED_BATCH_RECORD_SIZE: 500,
}


class Problem(Exception):
    """A request is answered with an error. `detail` is one sentence for the caller."""

    def __init__(self, status: int, title: str, detail: str) -> None:
        super().__init__(f"{status} {title}: {detail}")
        self.status = status
        self.title = title
        self.detail = detail


def invalid(detail: str) -> Problem:
    """Return a 400."""
    return Problem(400, "INVALID_ARGUMENT", detail)


def not_found(detail: str) -> Problem:
    """Return a 404."""
    return Problem(404, "NOT_FOUND", detail)


def problem_of(error: Rejection | EngineStopped | EngineBusy) -> Problem:
    """Return the REST form of what the engine raised. Camunda says 503 for back-pressure, too."""
    if isinstance(error, EngineBusy) or (isinstance(error, LogNotWritable) and error.is_full):
        return Problem(503, "RESOURCE_EXHAUSTED", str(error))
    if isinstance(error, Rejection):
        return Problem(_STATUS[error.rejection_type], error.rejection_type.value, error.reason)
    return Problem(503, "UNAVAILABLE", str(error))


def problem_response(problem: Problem, instance: str) -> Response:
    """Return the body with all five members; `instance` is the path that was asked."""
    body = {
        "type": "about:blank",
        "title": problem.title,
        "status": problem.status,
        "detail": problem.detail,
        "instance": instance,
    }
    headers = {"WWW-Authenticate": 'Bearer realm="aurum-engine"'} if problem.status == 401 else {}
    return Response(
        orjson.dumps(body),
        status_code=problem.status,
        headers=headers,
        media_type="application/problem+json",
    )

"""Who is calling REST: the service by its token, a person by his own, or nobody; everybody else gets 401.

A person may do what a person does: work on user tasks, and ask who he is. All else is for services.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from aurum_engine.core.commands import Caller
from aurum_engine.identity import BadToken, Identity
from aurum_engine.rest.problems import Problem, problem_response

PREFIX = "/v2"

OPEN_PATHS = frozenset({f"{PREFIX}/status"})
"""Paths that need no token: whether the engine is alive is no secret."""

_TASK = rf"{PREFIX}/user-tasks/[^/]+"
_TASK_COMMANDS = re.compile(rf"POST {_TASK}/(assignment|completion)|DELETE {_TASK}/assignee|PATCH {_TASK}")
_OF_PEOPLE = re.compile(rf"{_TASK_COMMANDS.pattern}|GET {PREFIX}/authentication/me")

_CALLER = "aurum_engine.caller"
"""Key in the request's scope."""


def caller_of(scope: Mapping[str, Any]) -> Caller | None:
    """Return the person whose request it is; None for a service or nobody in particular."""
    caller: Caller | None = scope.get(_CALLER)
    return caller


class Guard:
    """Recognises callers. Without a token and without an identity everybody may do everything."""

    def __init__(self, app: ASGIApp, token: str | None, identity: Identity | None) -> None:
        self._app = app
        self._token = None if token is None else token.encode()
        self._identity = identity

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its caller noted, or answer it."""
        if scope["type"] != "http" or scope["path"] in OPEN_PATHS:
            await self._app(scope, receive, send)
            return
        try:
            caller = self._recognise(scope)
        except Problem as problem:
            await problem_response(problem, scope["path"])(scope, receive, send)
            return
        await self._app({**scope, _CALLER: caller}, receive, send)

    def _recognise(self, scope: Scope) -> Caller | None:
        """Return the person, or None for a service. Raises Problem 401, 403."""
        operation = f"{scope['method']} {scope['path']}"
        given = _bearer(scope)
        is_service = self._token is None or (
            given is not None and hmac.compare_digest(given.encode(), self._token)
        )
        if self._identity is not None and given is not None and not (is_service and self._token is not None):
            try:
                caller = self._identity.verify(given)
            except BadToken as error:
                raise _unauthenticated("the token is not valid") from error
            if not _OF_PEOPLE.fullmatch(operation):
                raise Problem(403, "FORBIDDEN", "this operation is for services, not for people")
            return caller
        if not is_service:
            raise _unauthenticated("expected the service token as bearer token")
        required = self._identity is not None and self._identity.required
        if required and _TASK_COMMANDS.fullmatch(operation):
            raise _unauthenticated("expected a person's token: user tasks are for people")
        return None


def _unauthenticated(detail: str) -> Problem:
    return Problem(401, "UNAUTHENTICATED", detail)


def _bearer(scope: Scope) -> str | None:
    """Return the bearer token of a request; None when there is none, or more than one."""
    given = [value for name, value in scope["headers"] if name == b"authorization"]
    if len(given) != 1:
        return None
    scheme, _, token = given[0].partition(b" ")
    return token.decode("latin-1") if scheme.lower() == b"bearer" else None

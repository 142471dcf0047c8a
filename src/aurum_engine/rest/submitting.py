"""What all handlers of commands share: submit, and say no in REST's words."""

from __future__ import annotations

from typing import TypeVar

from starlette.requests import Request

from aurum_engine.core import commands as c
from aurum_engine.errors import REFUSALS
from aurum_engine.rest.bodies import parse_key
from aurum_engine.rest.problems import problem_of
from aurum_engine.service import EngineService

R = TypeVar("R", bound=c.Reply)


def path_key(request: Request) -> int:
    """Return the key in the path. Raises Problem 400."""
    return parse_key(request.path_params["key"], "the key in the path")


class Submitting:
    """Handlers that submit commands. `actor` is whom the audit log names."""

    def __init__(self, service: EngineService, *, actor: str | None) -> None:
        self._service = service
        self._actor = actor

    async def _submit(self, command: c.Command, expected: type[R]) -> R:
        try:
            reply = await self._service.submit(command)
        except REFUSALS as error:
            raise problem_of(error) from error
        assert isinstance(reply, expected)
        return reply

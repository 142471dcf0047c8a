"""Setting the engine's time over REST; exists only on engines with a manual clock, for tests."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from aurum_engine.clock import ManualClock, SystemClock
from aurum_engine.errors import REFUSALS
from aurum_engine.rest.http import json_body, no_content
from aurum_engine.rest.problems import Problem, problem_of
from aurum_engine.service import EngineService


class ClockControl:
    """Moves a manual clock forward; it never goes back, because what has happened has happened."""

    def __init__(self, service: EngineService, clock: ManualClock) -> None:
        self._service = service
        self._clock = clock

    async def pin(self, request: Request) -> Response:
        """PUT /clock {"timestamp": Unix ms}; answers when everything due until then is done."""
        body = await json_body(request)
        timestamp = body.required_integer("timestamp")
        body.done()
        await self._advance(timestamp)
        return no_content()

    async def reset(self, _: Request) -> Response:
        """POST /clock/reset: set the clock to the machine's time."""
        await self._advance(SystemClock().now_ms())
        return no_content()

    async def _advance(self, timestamp_ms: int) -> None:
        now_ms = self._clock.now_ms()
        if timestamp_ms < now_ms:
            detail = f"the clock stands at {now_ms} and cannot go back to {timestamp_ms}"
            raise Problem(409, "INVALID_STATE", detail)
        try:
            await self._service.advance_to(timestamp_ms)
        except REFUSALS as error:
            raise problem_of(error) from error

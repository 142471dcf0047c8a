"""What the account worker learns about a user task over REST."""

from __future__ import annotations

import httpx
import pytest

from aurum.camunda.rest import CamundaRest
from aurum.errors import EngineUnavailable
from aurum_workers.task_lookup import task_lookup

ROW = {
    "userTaskKey": "9",
    "elementId": "advisor_review",
    "elementInstanceKey": "8",
    "processInstanceKey": "77",
    "state": "COMPLETED",
    "creationDate": "2026-11-30T10:00:00.000Z",
    "assignee": "advisor",
}


def engine(status: int, body: object) -> CamundaRest:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/v2/user-tasks/9"
        return httpx.Response(status, json=body)

    return CamundaRest(httpx.AsyncClient(transport=httpx.MockTransport(answer), base_url="http://engine/v2"))


async def test_a_task_is_told_with_its_state_and_place() -> None:
    assert await task_lookup(engine(200, ROW))("9") == {
        "state": "COMPLETED",
        "processInstanceKey": "77",
        "elementId": "advisor_review",
        "assignee": "advisor",
    }


async def test_an_unknown_task_is_none() -> None:
    assert await task_lookup(engine(404, {"title": "NOT_FOUND"}))("9") is None


async def test_an_engine_that_is_down_is_not_a_missing_task() -> None:
    with pytest.raises(EngineUnavailable):
        await task_lookup(engine(503, {}))("9")

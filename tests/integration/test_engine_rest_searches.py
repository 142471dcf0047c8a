"""Each search, each of its fields: a row is found by its own values, and sorting runs both ways."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from tests.conformance.scenarios.builder import build

from aurum_engine.rest import kinds, kinds_definitions
from aurum_engine.rest.query import Kind
from aurum_engine.testing import EngineBench

pytest_plugins = ["aurum_engine.testing"]

DMN = b"""<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="d" namespace="n">
<decision id="ask" name="Ask"><variable name="ask"/>
<literalExpression><text>n * 2</text></literalExpression></decision>
</definitions>"""
MODEL = build(
    {
        "id": "p",
        "name": "A process",
        "flow": "start -> ask -> work -> end",
        "elements": {
            "ask": {
                "type": "userTask",
                "assignmentDefinition": {"candidateGroups": "advisors", "candidateUsers": "zoe"},
                "taskSchedule": {"dueDate": "2027-01-01T00:00:00Z"},
                "inputs": {"inner": "=n"},
            },
            "work": {"type": "serviceTask", "job": "work"},
        },
    }
)
SEARCHES: dict[str, Kind] = {
    "process-instances": kinds.PROCESS_INSTANCES,
    "element-instances": kinds.ELEMENT_INSTANCES,
    "variables": kinds.VARIABLES,
    "user-tasks": kinds.USER_TASKS,
    "incidents": kinds.INCIDENTS,
    "jobs": kinds.JOBS,
    "process-definitions": kinds_definitions.PROCESS_DEFINITIONS,
    "decision-definitions": kinds_definitions.DECISION_DEFINITIONS,
    "decision-instances": kinds_definitions.DECISION_INSTANCES,
    "audit-logs": kinds_definitions.AUDIT_LOG,
}
pytestmark = pytest.mark.slow  # Every field of every search for every row: some hundred requests a test.

IN_ROWS = {"candidateGroup": "candidateGroups", "candidateUser": "candidateUsers"}
"""Filter fields that a row has under another name."""


@pytest.fixture
async def http(engine_bench: EngineBench) -> AsyncIterator[httpx.AsyncClient]:
    await engine_bench.deploy(("p.bpmn", MODEL), ("ask.dmn", DMN))
    async with engine_bench.http() as client:
        for n in range(3):
            body = {
                "processDefinitionId": "p",
                "variables": {"n": n},
                "businessId": f"b{n}",
                "tags": [f"t{n}"],
            }
            await client.post("/process-instances", json=body)
            await client.post(
                "/decision-definitions/evaluation",
                json={"decisionDefinitionId": "ask", "variables": {"n": n}},
            )
            await engine_bench.advance(seconds=1)
        tasks = (await client.post("/user-tasks/search", json={})).json()["items"]
        for task in tasks[:2]:
            await client.post(f"/user-tasks/{task['userTaskKey']}/completion", json={})
        poll = {"type": "work", "timeout": 60_000, "maxJobsToActivate": 2}
        jobs = (await client.post("/jobs/activation", json=poll)).json()["jobs"]
        await client.post(f"/jobs/{jobs[0]['jobKey']}/failure", json={"retries": 0, "errorMessage": "broken"})
        await client.post(f"/jobs/{jobs[1]['jobKey']}/error", json={"errorCode": "E", "errorMessage": "no"})
        yield client


async def items(http: httpx.AsyncClient, path: str, **body: Any) -> list[dict[str, Any]]:
    answer = await http.post(f"/{path}/search", json=body)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


async def test_a_row_is_found_by_each_of_its_own_values(http: httpx.AsyncClient) -> None:
    missed = []
    for path, kind in SEARCHES.items():
        rows = await items(http, path)
        assert rows, path
        for field in kind.fields:
            name = IN_ROWS.get(field, field)
            for row in (row for row in rows if name in row):  # Some fields are for filters only.
                values = row[name]
                for value in values if isinstance(values, list) else [values]:
                    wanted = {"$exists": False} if value is None else value
                    if row not in await items(http, path, filter={field: wanted}):
                        missed.append((path, field, value))

    assert missed == []


async def test_sorting_runs_both_ways_and_unset_values_come_last(http: httpx.AsyncClient) -> None:
    wrong = []
    for path, kind in SEARCHES.items():
        for field in (name for name, found in kind.fields.items() if found.sortable):
            for order in ("asc", "DESC"):
                rows = await items(http, path, sort=[{"field": field, "order": order}])
                values = [row.get(field) for row in rows]
                known = [value for value in values if value is not None]
                ordered = sorted(known, key=sort_key, reverse=order == "DESC")
                if values != ordered + [None] * (len(values) - len(known)):
                    wrong.append((path, field, values))

    assert wrong == []


def sort_key(value: Any) -> Any:
    """Keys are texts of numbers and sort as numbers."""
    return int(value) if isinstance(value, str) and value.isdigit() else value


FOUND: dict[str, tuple[str, dict[str, Any], int]] = {
    "tasks by a variable of their instance": (
        "user-tasks",
        {"processInstanceVariables": [{"name": "n", "value": "1"}]},
        1,
    ),
    "tasks by a local variable": ("user-tasks", {"localVariables": [{"name": "inner", "value": "2"}]}, 1),
    "no task has it locally": ("user-tasks", {"localVariables": [{"name": "n", "value": "2"}]}, 0),
    "tasks by tags": ("user-tasks", {"tags": ["t0"]}, 1),
    "instances by variable and operator": (
        "process-instances",
        {"variables": [{"name": "n", "value": {"$in": ["0", "2"]}}]},
        2,
    ),
    "latest versions only": ("process-definitions", {"isLatestVersion": True}, 1),
    "jobs that no listener made": ("jobs", {"listenerEventType": "UNSPECIFIED", "kind": "bpmn_element"}, 2),
    "jobs that were denied": ("jobs", {"isDenied": True}, 0),
}


async def test_members_with_a_meaning_of_their_own(http: httpx.AsyncClient) -> None:
    counts = {name: len(await items(http, path, filter=wanted)) for name, (path, wanted, _) in FOUND.items()}

    assert counts == {name: count for name, (_, _, count) in FOUND.items()}


MALFORMED: list[dict[str, Any]] = [
    {"localVariables": {}},
    {"localVariables": [{"name": "n"}]},
    {"processInstanceVariables": [{"name": 1, "value": "1"}]},
    {"tags": "t0"},
]


async def test_malformed_members_are_refused(http: httpx.AsyncClient) -> None:
    answers = [await http.post("/user-tasks/search", json={"filter": wanted}) for wanted in MALFORMED]

    assert {(answer.status_code, answer.json()["title"]) for answer in answers} == {(400, "INVALID_ARGUMENT")}

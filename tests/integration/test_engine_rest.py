"""REST v2 over a loopback socket: each operation's answer, its errors, and the search language."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.conformance.scenarios.builder import build

from aurum.camunda.rest import CamundaRest
from aurum.errors import CommandRejected
from aurum_engine.clock import ManualClock
from aurum_engine.server import EngineServer

START_MS = 1_796_000_000_000
DMN = Path(__file__).parents[2] / "dmn"
PROCESS = build(
    {
        "id": "p",
        "name": "A process",
        "flow": "start -> work -> ask -> end",
        "elements": {
            "work": {"type": "serviceTask", "job": "work"},
            "ask": {"type": "userTask", "groups": "advisors,seniors"},
        },
    }
)
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")

# Each test starts and stops a server, and uvicorn's shutdown waits in tenths of a second.
pytestmark = pytest.mark.slow


class Rest:
    """Calls and checks statuses."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def __call__(self, method: str, path: str, body: Any = None, *, status: int = 200) -> Any:
        response = await self.http.request(method, path, json=body)
        assert response.status_code == status, response.text
        return response.json() if response.content else None

    async def search(self, path: str, **body: Any) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = (await self("POST", f"/{path}/search", body))["items"]
        return items

    async def create(self, **fields: Any) -> str:
        body = {"processDefinitionId": "p"} | fields
        key: str = (await self("POST", "/process-instances", body))["processInstanceKey"]
        return key

    async def lease(self) -> dict[str, Any]:
        body = {"type": "work", "timeout": 60_000, "maxJobsToActivate": 1, "requestTimeout": -1}
        (job,) = (await self("POST", "/jobs/activation", body))["jobs"]
        return job

    async def at_user_task(self, **fields: Any) -> tuple[str, str]:
        """Create an instance, do its job, and return the keys of instance and task."""
        instance = await self.create(**fields)
        await self("POST", f"/jobs/{(await self.lease())['jobKey']}/completion", {}, status=204)
        (task,) = await self.search("user-tasks", filter={"processInstanceKey": instance})
        return instance, task["userTaskKey"]


@pytest.fixture
async def rest() -> AsyncIterator[Rest]:
    async with (
        EngineServer(clock=ManualClock(START_MS), token="secret") as server,
        httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{server.rest_port}/v2",
            headers={"Authorization": "Bearer secret"},
            verify=False,
        ) as http,
    ):
        await http.post("/deployments", files=[("resources", ("p.bpmn", PROCESS))])
        yield Rest(http)


async def test_a_user_task_is_claimed_changed_and_completed(rest: Rest) -> None:
    instance, task = await rest.at_user_task(variables={"x": 1}, businessId="case-1")
    path = f"/user-tasks/{task}"

    await rest("POST", f"{path}/assignment", {"assignee": "anna", "allowOverride": False}, status=204)
    taken = await rest("POST", f"{path}/assignment", {"assignee": "b", "allowOverride": False}, status=409)
    changes = {"priority": 80, "candidateGroups": ["heads"], "dueDate": "2026-12-24T13:00:00+01:00"}
    await rest("PATCH", path, {"changeset": changes}, status=204)
    changed = await rest("GET", path)
    await rest("DELETE", f"{path}/assignee", status=204)
    await rest("POST", f"{path}/completion", {"variables": {"ok": True}}, status=204)
    again = await rest("POST", f"{path}/completion", {}, status=409)
    ended = await rest("GET", f"/process-instances/{instance}")

    assert taken["title"] == again["title"] == "INVALID_STATE"
    assert (changed["assignee"], changed["priority"], changed["candidateGroups"]) == ("anna", 80, ["heads"])
    assert changed["dueDate"] == "2026-12-24T12:00:00.000Z"
    assert (ended["state"], ended["businessId"]) == ("COMPLETED", "case-1")
    assert DATE.fullmatch(ended["startDate"])
    assert DATE.fullmatch(ended["endDate"])


async def test_a_failed_job_is_repaired_by_retries_and_resolution(rest: Rest) -> None:
    instance = await rest.create()
    job = await rest.lease()
    path = f"/jobs/{job['jobKey']}"
    await rest("POST", f"{path}/failure", {"retries": 0, "errorMessage": "broken"}, status=204)
    (incident,) = await rest.search("incidents", filter={"processInstanceKey": instance, "state": "active"})
    early = await rest("POST", f"/incidents/{incident['incidentKey']}/resolution", status=409)

    await rest("PATCH", path, {"changeset": {"retries": 2}}, status=204)
    await rest("POST", f"/incidents/{incident['incidentKey']}/resolution", status=204)

    resolved = await rest("GET", f"/incidents/{incident['incidentKey']}")
    assert (incident["errorType"], incident["errorMessage"]) == ("JOB_NO_RETRIES", "broken")
    assert (early["title"], resolved["state"]) == ("INVALID_STATE", "RESOLVED")
    assert (await rest.lease())["retries"] == 2
    (found,) = await rest.search("jobs", filter={"jobKey": job["jobKey"]})
    assert (found["state"], found["deadline"] is None) == ("CREATED", False)
    (listed,) = (await rest("POST", f"/process-instances/{instance}/incidents/search", {}))["items"]
    assert listed == resolved


async def test_an_uncaught_error_is_an_incident_and_a_cancelled_instance_is_terminated(rest: Rest) -> None:
    instance = await rest.create()
    job = await rest.lease()
    await rest("POST", f"/jobs/{job['jobKey']}/error", {"errorCode": "E1"}, status=204)
    (incident,) = await rest.search("incidents")

    await rest("POST", f"/process-instances/{instance}/cancellation", status=204)
    again = await rest("POST", f"/process-instances/{instance}/cancellation", status=404)

    assert (incident["errorType"], again["title"]) == ("UNHANDLED_ERROR_EVENT", "NOT_FOUND")
    assert (await rest("GET", f"/process-instances/{instance}"))["state"] == "TERMINATED"


async def test_variables_are_json_text_and_long_ones_are_cut_unless_asked(rest: Rest) -> None:
    instance = await rest.create(variables={"long": "x" * 9_000, "list": [1, {"a": None}]})

    cut = {v["name"]: v for v in await rest.search("variables", filter={"processInstanceKey": instance})}
    answer = await rest("POST", "/variables/search?truncateValues=false", {"filter": {"name": "long"}})
    (found,) = await rest.search("variables", filter={"value": json.dumps([1, {"a": None}]).replace(" ", "")})

    assert (len(cut["long"]["value"]), cut["long"]["isTruncated"]) == (8_191, True)
    assert (cut["list"]["value"], cut["list"]["isTruncated"]) == ('[1,{"a":null}]', False)
    assert json.loads(answer["items"][0]["value"]) == "x" * 9_000
    assert found["name"] == "list"
    assert await rest("GET", f"/variables/{found['variableKey']}") == {
        name: value for name, value in found.items() if name != "isTruncated"
    }


async def test_task_variables_are_those_visible_at_the_task(rest: Rest) -> None:
    _, task = await rest.at_user_task(variables={"x": 1})
    await rest.create(variables={"other": 2})

    answer = await rest("POST", f"/user-tasks/{task}/variables/search", {"filter": {"name": {"$like": "*"}}})

    assert [item["name"] for item in answer["items"]] == ["x"]


async def test_decisions_are_evaluated_and_kept_with_inputs_and_rules(rest: Rest) -> None:
    files = [("resources", (path.name, path.read_bytes())) for path in sorted(DMN.glob("*.dmn"))]
    await rest.http.post("/deployments", files=files)
    definitions = await rest.search("decision-definitions", filter={"isLatestVersion": True})
    definition = next(d for d in definitions if d["decisionRequirementsId"])

    answer = await rest(
        "POST",
        "/decision-definitions/evaluation",
        {"decisionDefinitionKey": definition["decisionDefinitionKey"]},
    )
    rows = await rest.search("decision-instances", sort=[{"field": "evaluationDate", "order": "desc"}])
    single = await rest("GET", f"/decision-instances/{rows[0]['decisionEvaluationInstanceKey']}")

    assert answer["decisionEvaluationKey"] == rows[0]["decisionEvaluationKey"]
    assert [d["decisionEvaluationInstanceKey"] for d in answer["evaluatedDecisions"]] == [
        row["decisionEvaluationInstanceKey"] for row in rows
    ]
    assert single.keys() - rows[0].keys() == {"evaluatedInputs", "matchedRules"}
    assert (await rest("GET", "/decision-instances/1-1", status=404))["title"] == "NOT_FOUND"
    assert await rest("GET", f"/decision-definitions/{definition['decisionDefinitionKey']}") == definition


async def test_a_definition_gives_its_xml_back(rest: Rest) -> None:
    (definition,) = await rest.search("process-definitions", filter={"isLatestVersion": True})

    xml = await rest.http.get(f"/process-definitions/{definition['processDefinitionKey']}/xml")

    assert (definition["name"], definition["version"], definition["hasStartForm"]) == ("A process", 1, False)
    assert xml.content == PROCESS
    assert await rest("GET", f"/process-definitions/{definition['processDefinitionKey']}") == definition


async def test_messages_are_buffered_or_correlated_at_once(rest: Rest) -> None:
    body = {"name": "go", "correlationKey": "k", "messageId": "1", "timeToLive": 60_000}

    published = await rest("POST", "/messages/publication", body)
    twice = await rest("POST", "/messages/publication", body, status=409)
    nobody = await rest("POST", "/messages/correlation", {"name": "go", "correlationKey": "k"}, status=404)

    assert published.keys() == {"messageKey", "tenantId"}
    assert (twice["title"], nobody["title"]) == ("ALREADY_EXISTS", "NOT_FOUND")


async def test_a_business_id_is_taken_while_its_instance_is_active(rest: Rest) -> None:
    client = CamundaRest(rest.http)
    await client.create_instance("p", {}, business_id="b")

    with pytest.raises(CommandRejected, match="ALREADY_EXISTS"):
        await client.create_instance("p", {}, business_id="b")


async def test_a_result_can_be_awaited(rest: Rest) -> None:
    body = {"processDefinitionId": "p", "awaitCompletion": True, "requestTimeout": 10}

    late = await rest("POST", "/process-instances", body, status=504)

    assert late["title"] == "DEADLINE_EXCEEDED"


async def test_the_audit_log_tells_who_did_what(rest: Rest) -> None:
    _, task = await rest.at_user_task()
    await rest("POST", f"/user-tasks/{task}/assignment", {"assignee": "anna"}, status=204)

    (entry,) = await rest.search("audit-logs", filter={"userTaskKey": task, "operationType": "ASSIGN"})

    assert (entry["actorId"], entry["actorType"], entry["category"]) == ("service", "CLIENT", "USER_TASKS")
    assert (await rest("GET", "/authentication/me"))["username"] == "service"


async def test_the_clock_moves_forward_only_and_lets_leases_end(rest: Rest) -> None:
    await rest.create()
    await rest.lease()

    await rest("PUT", "/clock", {"timestamp": START_MS + 61_000}, status=204)
    back = await rest("PUT", "/clock", {"timestamp": START_MS}, status=409)

    assert (await rest.lease())["retries"] == 3
    assert back["title"] == "INVALID_STATE"


async def test_pages_follow_cursors_in_both_directions(rest: Rest) -> None:
    keys = [await rest.create(businessId=f"b{n}") for n in range(5)]
    sort = [{"field": "businessId", "order": "DESC"}]

    async def page(**place: Any) -> tuple[list[str], dict[str, Any]]:
        body = {"sort": sort, "page": {"limit": 2} | place}
        answer = await rest("POST", "/process-instances/search", body)
        return [item["processInstanceKey"] for item in answer["items"]], answer["page"]

    first, at_first = await page()
    second, at_second = await page(after=at_first["endCursor"])
    back, _ = await page(before=at_second["startCursor"])
    offset, _ = await page(**{"from": 3})

    assert (first, second, back) == ([keys[4], keys[3]], [keys[2], keys[1]], first)
    assert offset == [keys[1], keys[0]]
    assert (at_first["totalItems"], at_first["hasMoreTotalItems"]) == (5, False)


FILTERS: dict[str, tuple[dict[str, Any], list[int]]] = {
    "plain": ({"businessId": "b1"}, [1]),
    "in": ({"businessId": {"$in": ["b0", "b2", "b9"]}}, [0, 2]),
    "not in": ({"businessId": {"$notIn": ["b0"]}}, [1, 2]),
    "not equal": ({"businessId": {"$neq": "b1"}}, [0, 2]),
    "like": ({"businessId": {"$like": "b?"}, "tags": ["odd"]}, [1]),
    "exists": ({"endDate": {"$exists": True}}, []),
    "a range": (
        {"startDate": {"$gte": "2026-11-30T00:53:20.000Z", "$lt": "2026-11-30T00:53:20.002Z"}},
        [0, 1],
    ),
    "an enum in small letters": ({"state": "active", "businessId": "b0"}, [0]),
    "a variable": ({"variables": [{"name": "n", "value": "2"}]}, [2]),
    "an element": ({"elementId": "work"}, [0, 1, 2]),
    "either": ({"$or": [{"businessId": "b0"}, {"businessId": "b2"}]}, [0, 2]),
    "null means not set": ({"businessId": None}, [0, 1, 2]),
}


async def test_filters_find_what_they_say(rest: Rest) -> None:
    created = []
    for n in range(3):
        await rest("PUT", "/clock", {"timestamp": START_MS + n}, status=204)
        tags = ["odd"] if n % 2 else []
        created.append(await rest.create(businessId=f"b{n}", variables={"n": n}, tags=tags))

    found = {
        name: [
            created.index(row["processInstanceKey"])
            for row in await rest.search("process-instances", filter=f)
        ]
        for name, (f, _) in FILTERS.items()
    }

    assert found == {name: wanted for name, (_, wanted) in FILTERS.items()}


BAD: dict[str, tuple[str, str, Any]] = {
    "unknown filter field": ("POST", "/user-tasks/search", {"filter": {"nope": 1}}),
    "unknown operator": ("POST", "/user-tasks/search", {"filter": {"name": {"$regex": "a"}}}),
    "operator of another type": ("POST", "/user-tasks/search", {"filter": {"name": {"$gt": "a"}}}),
    "key as a number": ("POST", "/user-tasks/search", {"filter": {"userTaskKey": 5}}),
    "unknown state": ("POST", "/process-instances/search", {"filter": {"state": "RUNNING"}}),
    "date without offset": ("POST", "/process-instances/search", {"filter": {"startDate": "2026-01-01"}}),
    "unknown sort field": ("POST", "/variables/search", {"sort": [{"field": "value2"}]}),
    "unknown order": ("POST", "/variables/search", {"sort": [{"field": "name", "order": "UP"}]}),
    "limit too high": ("POST", "/jobs/search", {"page": {"limit": 10_001}}),
    "two places": ("POST", "/jobs/search", {"page": {"from": 1, "after": "x"}}),
    "forged cursor": ("POST", "/jobs/search", {"page": {"after": "bm9uc2Vuc2U"}}),
    "unknown body field": ("POST", "/jobs/search", {"filters": {}}),
    "key in the path": ("GET", "/user-tasks/abc", None),
    "key too long": ("GET", f"/user-tasks/{'9' * 20}", None),
    "no assignee": ("POST", "/user-tasks/1/assignment", {}),
    "misspelt field": ("POST", "/user-tasks/1/completion", {"variable": {}}),
    "variables that are a list": ("POST", "/user-tasks/1/completion", {"variables": [1]}),
    "neither id nor key": ("POST", "/process-instances", {}),
    "a foreign tenant": ("POST", "/process-instances", {"processDefinitionId": "p", "tenantId": "t"}),
    "no lease": ("POST", "/jobs/activation", {"type": "work", "maxJobsToActivate": 1}),
    "empty changeset": ("PATCH", "/jobs/1", {"changeset": {}}),
    "result without type": ("POST", "/jobs/1/completion", {"result": {"activateElements": []}}),
    "result of another type": ("POST", "/jobs/1/completion", {"result": {"type": "userTask"}}),
    "misspelt result": ("POST", "/jobs/1/completion", {"result": {"type": "adHocSubProcess", "done": True}}),
    "element without id": (
        "POST",
        "/jobs/1/completion",
        {"result": {"type": "adHocSubProcess", "activateElements": [{"variables": {}}]}},
    ),
    "elements as texts": ("POST", "/element-instances/ad-hoc-activities/1/activation", {"elements": ["a"]}),
    "deployment without a form": ("POST", "/deployments", {}),
    "too deep": ("POST", "/jobs/search", json.loads('{"filter":' * 70 + "1" + "}" * 70)),
    "truncateValues": ("POST", "/variables/search?truncateValues=maybe", {}),
}


async def test_every_bad_request_is_a_problem_that_says_what_is_wrong(rest: Rest) -> None:
    for name, (method, path, body) in BAD.items():
        response = await rest.http.request(method, path, json=body)
        problem = response.json()

        assert response.status_code == 400, (name, response.text)
        assert response.headers["content-type"] == "application/problem+json", name
        assert problem.keys() == {"type", "title", "status", "detail", "instance"}, name
        assert (problem["title"], problem["status"]) == ("INVALID_ARGUMENT", 400), name
        assert problem["instance"] == "/v2" + path.partition("?")[0], name


async def test_what_is_absent_or_no_operation_is_a_problem_too(rest: Rest) -> None:
    for path in ("process-instances", "user-tasks", "incidents", "variables", "process-definitions"):
        assert (await rest("GET", f"/{path}/1", status=404))["title"] == "NOT_FOUND"
    assert (await rest("GET", "/batch-operations/1", status=404))["title"] == "NOT_FOUND"
    assert (await rest("DELETE", "/topology", status=405))["title"] == "METHOD_NOT_ALLOWED"


async def test_a_body_above_the_limit_is_refused_unread(rest: Rest) -> None:
    response = await rest.http.post("/jobs/search", content=b" " * (4 * 1024 * 1024 + 1))

    assert (response.status_code, response.json()["title"]) == (413, "PAYLOAD_TOO_LARGE")


async def test_a_refused_deployment_names_the_element(rest: Rest) -> None:
    bad = PROCESS.replace(b"bpmn:userTask", b"bpmn:transaction")

    response = await rest.http.post("/deployments", files=[("resources", ("bad.bpmn", bad))])

    assert (response.status_code, response.json()["title"]) == (400, "INVALID_ARGUMENT")
    assert "ask" in response.json()["detail"]

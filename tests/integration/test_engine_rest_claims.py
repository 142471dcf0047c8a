"""Every REST operation that is claimed, one by one: what it refuses, to whom, and that the page lists it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from aurum_engine.clock import ManualClock
from aurum_engine.core.commands import Caller
from aurum_engine.engine import Engine, EngineOptions
from aurum_engine.identity import BadToken, Identity

PAGE = (Path(__file__).parents[2] / "docs" / "supported-api.md").read_text(encoding="utf-8")
# Each test asks all operations, some of them often.
pytestmark = pytest.mark.slow

MEMBERS = {"type", "title", "status", "detail", "instance"}
Operation = tuple[str, str]


def people(token: str) -> Caller:
    if token != "anna":
        raise BadToken("refused")
    return Caller("anna")


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    options = EngineOptions(clock=ManualClock(1_000), token="secret", identity=Identity(people))
    async with Engine(options) as running:
        yield running


@pytest.fixture
async def http(engine: Engine) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=engine.app)
    headers = {"Authorization": "Bearer secret"}
    async with httpx.AsyncClient(transport=transport, base_url="http://engine", headers=headers) as client:
        yield client


async def operations() -> list[Operation]:
    """Return (method, path) of all routes, as an engine with a manual clock has them."""
    async with Engine(EngineOptions(clock=ManualClock(0))) as running:
        app = running.app
    assert isinstance(app, Starlette)
    routes = [route for route in app.routes if isinstance(route, Route)]
    return sorted((m, route.path) for route in routes for m in (route.methods or ()) if m != "HEAD")


def problem(answer: httpx.Response) -> tuple[int, str]:
    """Return status and title of a problem body, which must be whole."""
    body = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert set(body) == MEMBERS
    assert (body["status"], body["instance"]) == (answer.status_code, answer.request.url.path)
    return answer.status_code, body["title"]


async def test_the_page_and_the_engine_have_the_same_operations() -> None:
    rows = re.findall(r"^\| ((?:GET|POST|PUT|PATCH|DELETE) [^|]*) \|", PAGE, re.MULTILINE)
    listed: list[Operation] = []
    for cell in rows:
        method = ""
        for word in re.findall(r"GET|POST|PUT|PATCH|DELETE|`/[^`]+`", cell):
            if word.startswith("`"):
                listed.append((method, "/v2" + word.strip("`")))
            else:
                method = word

    assert sorted(listed) == await operations()


async def test_every_operation_that_takes_a_body_refuses_unknown_members_and_no_json(
    http: httpx.AsyncClient,
) -> None:
    met = {}
    for method, path in await operations():
        if method in {"POST", "PUT", "PATCH"} and path != "/v2/clock/reset":
            address = path.replace("{key}", "1")
            unknown = await http.request(method, address, json={"nonsense": True, "filter": {"nonsense": 1}})
            broken = await http.request(method, address, content=b"{")
            met[method, path] = (problem(unknown), problem(broken))

    assert {found for pair in met.values() for found in pair} == {(400, "INVALID_ARGUMENT")}
    assert len(met) >= 30


async def test_every_operation_on_one_thing_knows_keys_and_what_is_absent(http: httpx.AsyncClient) -> None:
    absent, wrong = {}, {}
    for method, path in await operations():
        if "{key}" in path:
            body = BODIES.get(path, {}) if method != "GET" and method != "DELETE" else None
            answer = await http.request(method, path.replace("{key}", "1"), json=body)
            absent[method, path] = answer.status_code if answer.is_success else problem(answer)[0]
            bad = await http.request(method, path.replace("{key}", "x1"), json=body)
            wrong[method, path] = problem(bad)[0]

    empty = {operation for operation, status in absent.items() if status == 200}
    assert empty == {
        ("POST", "/v2/process-instances/{key}/incidents/search"),
        ("POST", "/v2/user-tasks/{key}/audit-logs/search"),
    }
    assert {status for operation, status in absent.items() if operation not in empty} == {404}
    assert {status for (_, path), status in wrong.items() if "decision-instances" not in path} == {400}


BODIES: dict[str, dict[str, object]] = {
    "/v2/element-instances/{key}/variables": {"variables": {}},
    "/v2/element-instances/ad-hoc-activities/{key}/activation": {"elements": [{"elementId": "a"}]},
    "/v2/jobs/{key}": {"changeset": {"retries": 1}},
    "/v2/jobs/{key}/error": {"errorCode": "E"},
    "/v2/user-tasks/{key}/assignment": {"assignee": "anna"},
}
"""Bodies that are good but for the key, of the operations that demand something."""


async def test_other_methods_and_other_paths_are_problems(http: httpx.AsyncClient) -> None:
    methods: dict[str, set[str]] = {}
    for method, path in await operations():
        methods.setdefault(path.replace("{key}", "1"), set()).add(method)
    refused = [
        problem(await http.request(method, path))
        for path, known in methods.items()
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - known
    ]
    outside = re.findall(r"`(/[a-z][^`]*)`", PAGE.split("Everything else answers 404")[1].split("\n\n")[1])

    # GET /incidents/search asks for the incident with the key "search".
    assert set(refused) == {(405, "METHOD_NOT_ALLOWED"), (400, "INVALID_ARGUMENT"), (404, "NOT_FOUND")}
    assert len(outside) > 10
    for path in outside:
        assert problem(await http.post("/v2" + path.replace("{key}", "1"), json={})) == (404, "NOT_FOUND")


async def test_every_operation_wants_a_token_and_people_may_do_what_people_do(
    http: httpx.AsyncClient,
) -> None:
    stranger, person = {}, {}
    for method, path in await operations():
        address = path.replace("{key}", "1")
        for token, met in ((None, stranger), ("anna", person)):
            headers = {"Authorization": f"Bearer {token}"} if token else {"Authorization": ""}
            answer = await http.request(method, address, headers=headers)
            met[method, path] = answer.status_code

    assert {operation for operation, status in stranger.items() if status != 401} == {("GET", "/v2/status")}
    assert {operation for operation, status in person.items() if status != 403} == {
        ("DELETE", "/v2/user-tasks/{key}/assignee"),
        ("GET", "/v2/authentication/me"),
        ("GET", "/v2/status"),
        ("PATCH", "/v2/user-tasks/{key}"),
        ("POST", "/v2/user-tasks/{key}/assignment"),
        ("POST", "/v2/user-tasks/{key}/completion"),
    }

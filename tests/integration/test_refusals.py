"""Every route at once: what is foreign looks absent, what is hostile is refused and repeated nowhere."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.support.world import World, example, world

pytestmark = pytest.mark.slow  # Every test starts the whole product: about half a second each.

CANARY = "Zanzibar-4711-canary"
ABSENT = "a" * 26
MEMBERS = {"type", "title", "status", "detail", "instance"}


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path) as running:
        yield running


async def parked_james(product: World) -> tuple[str, str]:
    """Return case and task."""
    case_id = await product.submit("james", example("james-rodriguez"))
    state = await product.until("james", case_id, "waiting", "advisor_review")
    return case_id, state["openTasks"][0]["taskId"]


async def routes(product: World) -> list[tuple[str, str]]:
    paths = (await (await product.person(None)).get("/openapi.json")).json()["paths"]
    return [(method.upper(), path) for path, methods in paths.items() for method in methods]


def body_for(path: str) -> dict[str, Any]:
    """Return a body that the route takes, so that the case decides the answer."""
    ends = {"/answer": {"answer": "x"}, "/decision": {"outcome": "approve"}, "/token": {"view": "customer"}}
    return next((body for end, body in ends.items() if path.endswith(end)), {})


def but_instance(answer: httpx.Response) -> tuple[int, str, dict[str, str]]:
    """Return all of a response that another request's response may be compared with."""
    text = re.sub(r"urn:aurum:occurrence:\w+", "", answer.text)
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    return answer.status_code, text, headers


async def test_on_every_route_of_a_case_a_foreign_one_and_an_absent_one_look_the_same(product: World) -> None:
    case_id, task = await parked_james(product)
    sarah = await product.person("sarah")
    asked = 0
    for method, path in await routes(product):
        if "{case_id}" not in path:
            continue
        answers = [
            await sarah.request(
                method,
                path.format(case_id=name, task_id=task, incident_key="1", index="1"),
                json=None if method == "GET" else body_for(path),
            )
            for name in (case_id, ABSENT)
        ]
        asked += 1
        assert answers[0].status_code == 404, (method, path)
        assert but_instance(answers[0]) == but_instance(answers[1]), (method, path)

    assert asked >= 9
    foreign, absent = [
        (await sarah.post("/agui/customer", json={"threadId": name})).text for name in (case_id, ABSENT)
    ]
    assert foreign.replace(case_id, "") == absent.replace(ABSENT, "") or "not-found" in foreign


HOSTILE: dict[str, bytes] = {
    "not json": b"{" + CANARY.encode(),
    "empty": b"",
    "NaN": b'{"outcome": NaN}',
    "1e400": b'{"answer": 1e400}',
    "very deep": b'{"changes":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    "200 KB": json.dumps({"answer": CANARY * 10_000}).encode(),
    "a list": b"[1, 2, 3]",
    "a text": json.dumps(CANARY).encode(),
    "null": b"null",
    "not utf-8": b'{"answer": "\xff\xfe"}',
    "lone surrogate": b'{"answer": "\\ud800"}',
    "NUL": b'{"answer": "\\u0000", "threadId": "\\u0000"}',
    "wrong types": json.dumps({"answer": [CANARY], "outcome": {CANARY: 1}, "view": [], CANARY: 1}).encode(),
    "deep changes": b'{"answer": "x", "changes": {"occupation": ' + b"[" * 60 + b"]" * 60 + b"}}",
    "huge number": b'{"answer": "x", "changes": {"initialDeposit": {"amount": ' + b"9" * 400 + b"}}}",
}


@pytest.mark.parametrize("person", ["james", "advisor", "operator"])
async def test_no_hostile_body_breaks_any_route_or_is_repeated(
    product: World, person: str, capfd: pytest.CaptureFixture[str]
) -> None:
    case_id, task = await parked_james(product)
    client = await product.person(person)
    broken: list[str] = []
    for method, path in await routes(product):
        if method != "POST" or path.endswith("/withdrawal"):
            continue
        filled = path.format(case_id=case_id, task_id=task, view="customer", incident_key="1", index="1")
        for name, body in HOSTILE.items():
            headers = {"Content-Type": "application/json", "If-Match": f'"{CANARY}"'}
            answer = await client.post(filled, content=body, headers=headers)
            is_problem = answer.headers["content-type"] == "application/problem+json"
            if answer.status_code >= 500 or CANARY in answer.text:
                broken.append(f"{path} {name}: {answer.status_code} {answer.text[:200]}")
            if answer.status_code >= 400 and not (is_problem and set(answer.json()) >= MEMBERS):
                broken.append(f"{path} {name}: no problem document")

    assert broken == []
    printed = capfd.readouterr()
    assert CANARY not in printed.out + printed.err


ODD: list[tuple[str, str, dict[str, str]]] = [
    ("GET", "/cases/%00", {}),
    ("GET", "/cases/%ff%fe", {}),
    ("GET", "/cases/" + "x" * 5_000, {}),
    ("GET", "/cases/..%2f..%2fsecrets.json", {}),
    ("GET", "/..%2f..%2fsecrets.json", {}),
    ("GET", "/app/..%2f..%2f..%2f..%2fpyproject.toml", {}),
    ("GET", "/streams/{case_id}?view=everything", {}),
    ("GET", "/streams/{case_id}?view=customer&view=operator", {}),
    ("GET", "/streams/{case_id}?after=" + "9" * 500, {}),
    ("GET", "/streams/{case_id}?dialect=" + "x" * 500, {}),
    ("GET", "/cases/{case_id}?view=operator", {}),
    ("GET", "/operator/instances/9" + "9" * 60, {}),
    ("POST", "/applications", {"Idempotency-Key": "k" * 5_000}),
    ("POST", "/applications", {"Idempotency-Key": "\xe9"}),
    ("PUT", "/applications", {}),
    ("PATCH", "/cases/{case_id}", {}),
    ("OPTIONS", "/cases", {}),
    ("POST", "/internal/facts", {}),
]


async def test_odd_addresses_and_headers_are_refused_with_a_problem(product: World) -> None:
    case_id, _ = await parked_james(product)
    sarah = await product.person("sarah")
    for method, path, headers in ODD:
        raw = {name: value.encode("latin-1") for name, value in headers.items()}

        answer = await sarah.request(method, path.format(case_id=case_id), headers=raw)

        assert 400 <= answer.status_code < 500, (path, answer.text)
        assert answer.headers["content-type"] == "application/problem+json", path
        assert set(answer.json()) >= MEMBERS, path
        assert "content-security-policy" in answer.headers, path


async def test_streams_carry_the_security_headers_too(product: World) -> None:
    case_id, _ = await parked_james(product)
    james = await product.person("james")
    advisor = await product.person("advisor")
    for client, path in ((james, f"/streams/{case_id}"), (advisor, "/queue/stream")):
        async with client.stream("GET", path) as opened:
            assert opened.headers["content-type"].startswith("text/event-stream")
            assert opened.headers["cache-control"] == "no-store"
            assert opened.headers["x-content-type-options"] == "nosniff"
            assert "default-src 'self'" in opened.headers["content-security-policy"]
            assert opened.headers["referrer-policy"] == "no-referrer"


async def test_answers_about_people_are_never_stored_by_a_cache(product: World) -> None:
    case_id, _ = await parked_james(product)
    james = await product.person("james")
    for path in ("/cases", f"/cases/{case_id}", "/session", "/openapi.json"):
        answer = await james.get(path)
        assert answer.headers.get_list("cache-control") == ["no-store"], path
    token = await james.post(f"/streams/{case_id}/token", json={"view": "customer"})
    assert token.headers.get_list("cache-control") == ["no-store"]
    page = await james.get("/")
    assert page.headers.get_list("cache-control") == ["no-cache"]
    again = await james.get("/", headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.headers.get_list("cache-control")) == (304, ["no-cache"])

"""Every refusal is a problem document, says nothing that was sent, and is never a 5xx."""

import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.world import World, example, world

pytestmark = pytest.mark.slow  # Starts the whole product: about half a second each.

CANARY = "Zanzibar-4711-canary"


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path) as running:
        yield running


HOSTILE = {
    "not json": b"{" + CANARY.encode(),
    "empty": b"",
    "NaN": b'{"initialDeposit": NaN}',
    "1e400": b'{"initialDeposit": {"amount": 1e400, "currency": "USD"}}',
    "deep": b"[" * 200 + b"]" * 200,
    "very deep": b"[" * 5_000 + b"]" * 5_000,
    "huge": json.dumps({"occupation": "x" * 300_000}).encode(),
    "a list": b"[1, 2, 3]",
    "a text": json.dumps(CANARY).encode(),
    "null": b"null",
    "not utf-8": b'{"occupation": "\xff\xfe"}',
    "lone surrogate": b'{"occupation": "\\ud800"}',
    "wrong types": json.dumps({"givenNames": {"x": CANARY}, "pep": [CANARY], CANARY: 1}).encode(),
}


@pytest.mark.parametrize("path", ["/applications", "/agui/customer", "/session"])
async def test_hostile_bodies_are_refused_with_a_problem_that_echoes_nothing(
    product: World, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    sarah = await product.person("sarah")
    for name, body in HOSTILE.items():
        answer = await sarah.post(path, content=body, headers={"Content-Type": "application/json"})

        assert 400 <= answer.status_code < 500, (name, answer.status_code, answer.text)
        assert answer.headers["content-type"] == "application/problem+json", name
        assert set(answer.json()) >= {"type", "title", "status", "detail", "instance"}, name
        assert CANARY not in answer.text, name
    assert CANARY not in caplog.text
    assert (await sarah.get("/cases")).json() == {"cases": [], "total": 0}


async def test_each_wrong_field_is_named_and_nothing_is_started(product: World) -> None:
    record = {
        **example("sarah-chen"),
        "email": CANARY,
        "dateOfBirth": "2020-01-01",
        "initialDeposit": {"amount": "-5", "currency": "USD"},
    }
    sarah = await product.person("sarah")

    answer = await sarah.post("/applications", json=record)

    assert answer.status_code == 422
    fields = {problem["field"] for problem in answer.json()["problems"]}
    assert {"/email", "/dateOfBirth", "/initialDeposit"} <= fields
    assert CANARY not in answer.text
    assert await product.services.client.process_instances("wealth-onboarding") == []


@pytest.mark.parametrize("path", ["/", "/app/main.js", "/health/live", "/nothing/here", "/openapi.json"])
async def test_every_response_carries_the_security_headers(product: World, path: str) -> None:
    answer = await (await product.person(None)).get(path)

    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "token",
    [
        "",
        "Bearer",
        "Bearer x",
        "Basic c2FyYWg6",
        "Bearer " + "a" * 5_000,
        "Bearer e30.e30.e30",
        "bearer null",
    ],
)
async def test_hostile_tokens_are_all_refused_alike(product: World, token: str) -> None:
    stranger = await product.person(None)
    headers = {"Authorization": token} if token else {}

    for path in ("/cases", "/session", "/queue", "/streams/c1"):
        answer = await stranger.get(path, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_stream_token_is_no_session_and_a_session_of_another_key_is_nothing(product: World) -> None:
    case_id = await product.submit("sarah", example("sarah-chen"))
    sarah, stranger = await product.person("sarah"), await product.person(None)
    token = (await sarah.post(f"/streams/{case_id}/token", json={"view": "customer"})).json()["token"]

    answer = await stranger.get("/cases", headers={"Authorization": f"Bearer {token}"})

    assert answer.status_code == 401

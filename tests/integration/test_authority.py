"""Authority sits where the action happens: BFF, engine port, account worker. Ownership on every route."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.world import WAIT_SECONDS, World, example, world

from aurum.domain.receipts import Receipt, sign_receipt

pytestmark = pytest.mark.slow  # Every test starts the whole product: about half a second each.


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path) as running:
        yield running


async def parked_james(product: World) -> str:
    case_id = await product.submit("james", example("james-rodriguez"))
    await product.until("james", case_id, "waiting", "advisor_review")
    return case_id


async def open_task(product: World, case_id: str) -> str:
    """Return the engine's key of the open task."""
    entry = product.services.registry.by_case(case_id)
    assert entry is not None
    rows = await product.services.client.user_tasks(
        process_instance_key=entry.process_instance_key, state="CREATED"
    )
    return rows[0].user_task_key


def forged(case_id: str, task_key: str) -> dict[str, Any]:
    return sign_receipt(
        b"not the bank's secret, but 32 bytes",
        Receipt(
            case_id=case_id,
            task_key=task_key,
            element_id="advisor_review",
            outcome="approve",
            reason_code="",
            person="advisor",
            deposit_usd_cents=162_000_000,
            basis_hash="sha256:" + "0" * 64,
            at="2026-11-30T22:00:00.000Z",
        ),
    )


async def test_the_engines_port_wants_the_service_token(product: World) -> None:
    case_id = await parked_james(product)
    async with product.rest() as stranger:
        answer = await stranger.post(f"/user-tasks/{await open_task(product, case_id)}/completion", json={})

    assert answer.status_code == 401
    assert "www-authenticate" in answer.headers


@pytest.mark.parametrize(
    "how",
    [
        "review receipt",
        "decisions",
        *(pytest.param(how, marks=pytest.mark.deep) for how in ("both", "nothing")),
    ],
)
async def test_a_task_completed_past_the_bff_opens_no_account(product: World, how: str) -> None:
    case_id = await parked_james(product)
    key = await open_task(product, case_id)
    receipt = forged(case_id, key)
    variables: dict[str, Any] = {}
    if how in ("review receipt", "both"):
        variables["reviewDecision"] = receipt
    if how in ("decisions", "both"):
        variables["decisions"] = [receipt]
    async with product.rest() as thief:
        thief.headers["Authorization"] = f"Bearer {product.engine.token}"
        answer = await thief.post(f"/user-tasks/{key}/completion", json={"variables": variables})
        assert answer.status_code == 204

    entry = product.services.registry.by_case(case_id)
    assert entry is not None
    await product.services.poller.hint(entry.process_instance_key)
    state = await settled(product, case_id, key)

    assert state["status"] in ("delayed", "waiting")
    assert "account" not in state
    if how in ("review receipt", "both"):
        inside = await product.state("operator", case_id)
        assert [item["elementId"] for item in inside["incidents"]] == ["open_account"]


async def settled(product: World, case_id: str, old_task: str) -> dict[str, Any]:
    """Wait until the case rests somewhere else than at the old task."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            inside = await product.state("operator", case_id)
            open_tasks = [task["taskId"] for task in inside["openTasks"]]
            if inside["status"] in ("delayed", "waiting") and old_task not in open_tasks:
                return await product.state("james", case_id)
            await asyncio.sleep(0.05)


async def test_a_receipt_of_another_case_is_worth_nothing(product: World) -> None:
    first, second = await parked_james(product), await parked_james(product)
    await product.decide("advisor", first, "approve")
    await product.until("james", first, "account_opened")
    entry = product.services.registry.by_case(first)
    assert entry is not None
    rows = await product.services.client.variables(entry.process_instance_key, names=["decisions"])
    real = rows[0].parsed()[0]
    key = await open_task(product, second)
    async with product.rest() as thief:
        thief.headers["Authorization"] = f"Bearer {product.engine.token}"
        await thief.post(f"/user-tasks/{key}/completion", json={"variables": {"reviewDecision": real}})

    other = product.services.registry.by_case(second)
    assert other is not None
    await product.services.poller.hint(other.process_instance_key)
    state = await settled(product, second, key)

    assert state["status"] == "delayed"
    assert "account" not in state


# --- ownership matrix ---------------------------------------------------------------------------

PEOPLE = ("owner", "other", "advisor", "operator", "auditor", "nobody")

MATRIX: dict[str, tuple[int, int, int, int, int, int]] = {
    # route: owner, other customer, advisor, operator, auditor, nobody
    "GET /session": (200, 200, 200, 200, 200, 401),
    "POST /applications": (422, 422, 403, 403, 403, 401),
    "POST /applications/validation": (200, 200, 403, 403, 403, 401),
    "GET /demo/examples": (200, 200, 200, 200, 200, 200),
    "GET /demo/examples/{name}": (404, 404, 404, 404, 404, 404),
    "GET /cases": (200, 200, 200, 200, 200, 401),
    "GET /cases/{case_id}": (200, 404, 200, 200, 200, 401),
    "POST /cases/{case_id}/tasks/{task_id}/answer": (404, 404, 404, 403, 403, 401),
    "POST /cases/{case_id}/withdrawal": (-1, 404, 403, 403, 403, 401),
    "GET /queue": (403, 403, 200, 403, 403, 401),
    "GET /queue/stream": (403, 403, -1, 403, 403, 401),
    "GET /cases/{case_id}/tasks/{task_id}": (403, 404, 200, 403, 403, 401),
    "POST /cases/{case_id}/tasks/{task_id}/claim": (403, 404, 200, 403, 403, 401),
    "POST /cases/{case_id}/tasks/{task_id}/release": (403, 404, 200, 403, 403, 401),
    "POST /cases/{case_id}/tasks/{task_id}/decision": (403, 404, 428, 403, 403, 401),
    "GET /cases/{case_id}/tasks/{task_id}/form": (403, 404, 200, 403, 403, 401),
    "GET /pipeline": (403, 403, 200, 200, 200, 401),
    "GET /decision-tables/{name}": (403, 403, 404, 404, 404, 401),
    "GET /operator/instances/{process_instance_key}": (403, 403, 403, 200, 200, 401),
    "POST /operator/search": (403, 403, 403, 200, 200, 401),
    "GET /cases/{case_id}/facts": (403, 404, 403, 200, 200, 401),
    "GET /cases/{case_id}/at/{index}": (403, 404, 403, 200, 200, 401),
    "GET /cases/{case_id}/wire": (403, 404, 403, 200, 200, 401),
    "GET /cases/{case_id}/diagram": (403, 404, 403, 200, 200, 401),
    "POST /cases/{case_id}/variables": (403, 404, 403, 422, 403, 401),
    "POST /cases/{case_id}/cancellation": (403, 404, 403, -1, 403, 401),
    "POST /cases/{case_id}/unmasked": (403, 404, 403, 200, 200, 401),
    "POST /cases/{case_id}/incidents/{incident_key}/retry": (403, 404, 403, 404, 403, 401),
    "POST /cases/{case_id}/evidence": (403, 404, 403, 403, 200, 401),
    "POST /evidence/verification": (403, 403, 403, 403, 200, 401),
    "GET /evidence/public-key": (403, 403, 403, 403, 200, 401),
    "GET /cases/{case_id}/accesses": (403, 404, 403, 200, 200, 401),
    "POST /streams/{case_id}/token": (201, 404, 201, 403, 403, 401),
    "GET /streams/{case_id}": (-1, 404, -1, 403, 403, 401),
    "POST /watch": (422, 422, 422, 422, 422, 422),
    "POST /agui/{view}": (-1, -1, -1, 403, 403, 401),
    "GET /fx/latest": (200, 200, 200, 200, 200, 200),
    "GET /health/live": (200, 200, 200, 200, 200, 200),
    "GET /health/ready": (200, 200, 200, 200, 200, 200),
    "GET /session/people": (200, 200, 200, 200, 200, 200),
    "POST /session": (404, 404, 404, 404, 404, 404),
    "DELETE /session": (-1, -1, -1, -1, -1, 401),
}
"""-1: allowed, and not called here (it streams, signs out or ends the case); other tests do."""


def routes_of(document: dict[str, Any]) -> set[str]:
    return {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}


async def test_every_route_answers_each_person_as_the_matrix_says(product: World) -> None:
    case_id = await parked_james(product)
    entry = product.services.registry.by_case(case_id)
    task = (await product.state("advisor", case_id))["openTasks"][0]["taskId"]
    stranger = await product.person(None)
    assert routes_of((await stranger.get("/openapi.json")).json()) == set(MATRIX)
    names = {"owner": "james", "other": "sarah", "nobody": None}
    assert entry is not None

    wrong: list[str] = []
    for route, expected in MATRIX.items():
        method, path = route.split(" ")
        for person, status in zip(PEOPLE, expected, strict=True):
            if status == -1:
                continue
            client = await product.person(names.get(person, person))
            filled = path.format(
                case_id=case_id,
                task_id=task,
                name="nobody",
                view="customer",
                process_instance_key=entry.process_instance_key,
                incident_key="1",
                index=1,
            )
            answer = await client.request(
                method,
                filled,
                json=body_of(route),
                params={"view": "customer"} if "/streams/" in path else None,
            )
            if answer.status_code != status:
                wrong.append(f"{route} as {person}: {answer.status_code}, not {status}")
            if answer.status_code >= 400:
                assert answer.headers["content-type"] == "application/problem+json", route

    assert wrong == []


def body_of(route: str) -> dict[str, Any] | None:
    if route.startswith(("GET", "DELETE")):
        return None
    bodies: dict[str, dict[str, Any]] = {
        "/answer": {"answer": "x"},
        "/evidence": {"reason": "matrix"},
        "/operator/search": {"name": "Nobody Here"},
        "/unmasked": {"reason": "matrix"},
        "/variables": {"name": "decisions", "value": [], "reason": "matrix"},
        "/cancellation": {"reason": "matrix"},
        "/decision": {"outcome": "approve"},
        "/token": {"view": "customer"},
        "/session": {"personId": "mallory"},
        "/{view}": {"threadId": "t"},
    }
    return next((body for end, body in bodies.items() if route.endswith(end)), {})


async def test_a_foreign_case_and_an_absent_one_look_the_same(product: World) -> None:
    case_id = await parked_james(product)
    sarah = await product.person("sarah")
    seen = set()
    for path in (f"/cases/{case_id}", "/cases/c" + "a" * 25):
        answer = await sarah.get(path)
        seen.add((answer.status_code, re.sub(r"urn:aurum:occurrence:\w+", "", answer.text)))

    assert len(seen) == 1


async def test_a_retry_repeats_the_step_and_what_is_forged_stays_stuck(product: World) -> None:
    case_id = await parked_james(product)
    key = await open_task(product, case_id)
    async with product.rest() as thief:
        thief.headers["Authorization"] = f"Bearer {product.engine.token}"
        body = {"variables": {"reviewDecision": forged(case_id, key)}}
        await thief.post(f"/user-tasks/{key}/completion", json=body)
    first = (await until_incident(product, case_id, other_than=None))["incidentId"]
    operator = await product.person("operator")

    answer = await operator.post(f"/cases/{case_id}/incidents/{first}/retry")

    assert answer.status_code == 202
    second = await until_incident(product, case_id, other_than=first)
    assert second["elementId"] == "open_account"
    assert "account" not in await product.state("james", case_id)


async def until_incident(product: World, case_id: str, *, other_than: str | None) -> dict[str, Any]:
    """Wait for an open incident of the case that is not the given one."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            incidents = (await product.state("operator", case_id))["incidents"]
            found = [item for item in incidents if item["incidentId"] != other_than]
            if found:
                return dict(found[0])
            await asyncio.sleep(0.05)

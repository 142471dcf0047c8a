"""The pipeline counts every case once and agrees with the engine; tables and forms are the deployed ones."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.world import WAIT_SECONDS, World, example, world

pytestmark = pytest.mark.slow  # Every test starts the whole product: about half a second each.


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path) as running:
        yield running


async def test_the_pipeline_has_every_case_once_with_the_engines_totals(product: World) -> None:
    sarah = await product.submit("sarah", example("sarah-chen"))
    james = await product.submit("james", example("james-rodriguez"))
    await product.until("sarah", sarah, "account_opened")
    await product.until("james", james, "waiting", "advisor_review")

    book = (await (await product.person("advisor")).get("/pipeline")).json()

    running = await product.services.client.process_instances(
        product.services.bpmn_process_id, state="ACTIVE"
    )
    listed = [case["caseId"] for stage in book["stages"] for case in stage["cases"]]
    assert listed == [james]
    assert book["totals"] == {"active": 1, "ended": 1, "valueUsdCents": 162_000_000}
    assert book["engine"]["active"] == len(running) == book["totals"]["active"]
    assert book["ended"] == {"account_opened": 1}
    review = next(stage for stage in book["stages"] if stage["id"] == "review")
    assert review["cases"][0]["applicant"] == "James Rodriguez"
    assert review["cases"][0]["waitingFor"] == "advisor"


async def test_an_operators_pipeline_has_no_names(product: World) -> None:
    james = await product.submit("james", example("james-rodriguez"))
    await product.until("james", james, "waiting", "advisor_review")

    answer = await (await product.person("operator")).get("/pipeline")

    assert "Rodriguez" not in answer.text


async def test_a_task_in_the_queue_has_its_clock_and_its_deployed_form(product: World) -> None:
    james = await product.submit("james", example("james-rodriguez"))
    await product.until("james", james, "waiting", "advisor_review")
    advisor = await product.person("advisor")

    for _ in range(int(WAIT_SECONDS / 0.02)):
        if tasks := (await advisor.get("/queue")).json()["tasks"]:
            break
        await asyncio.sleep(0.02)
    task = tasks[0]
    form = (await advisor.get(f"/cases/{james}/tasks/{task['taskId']}/form")).json()
    table = (await advisor.get("/decision-tables/onboarding_route")).json()

    assert task["sla"]["targetMinutes"] == 960
    assert task["sla"]["dueAt"] == task["sla"]["windows"][-1][1]
    assert form["id"] == "advisor-review"
    assert table["hitPolicy"] == "FIRST"
    assert table["rules"][0]["ruleId"] == "auto_within_limit"
    assert len(table["rules"][0]["inputEntries"]) == len(table["inputs"])

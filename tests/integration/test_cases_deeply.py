"""The rarer turns of a case: corrected to the end, withdrawn anywhere, raced for, replayed."""

import asyncio
import copy
import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.world import WAIT_SECONDS, World, example, world

from aurum.bff.submissions import submit
from aurum.domain.mrz import check_digit
from aurum.feed.poller import Poller
from aurum.feed.registry import CaseRegistry
from aurum.keys import PersonId

pytestmark = pytest.mark.slow  # Every test starts the whole product: about half a second each.


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path) as running:
        yield running


def rich_james() -> dict[str, Any]:
    """James with six million: two people have to agree."""
    record = copy.deepcopy(example("james-rodriguez"))
    for name in ("initialDeposit", "initialDepositUsd", "liquidNetWorth"):
        record[name] = {"amount": "6000000.00", "currency": "USD"}
    record["netWorth"] = {"amount": "20000000.00", "currency": "USD"}
    return record


async def parked(product: World, record: dict[str, Any], element: str = "advisor_review") -> str:
    case_id = await product.submit("james", record)
    await product.until("james", case_id, "waiting", element)
    return case_id


def renewed(mrz: str, expiry: str) -> str:
    """Return a TD3 zone with another expiry date (YYMMDD) and the check digits that it needs."""
    first, second = mrz.split("\n")
    body = f"{second[:21]}{expiry}{check_digit(expiry)}{second[28:43]}"
    return f"{first}\n{body}{check_digit(body[:10] + body[13:20] + body[21:43])}"


async def test_a_renewed_passport_takes_the_case_to_its_account_without_a_person(product: World) -> None:
    good = example("sarah-chen")
    expired = {"idExpiryDate": "2024-05-31", "mrz": renewed(good["mrz"], "240531")}
    case_id = await product.submit("sarah", {**good, **expired})
    state = await product.until("sarah", case_id, "waiting", "correct_application")
    sarah = await product.person("sarah")
    changes = {name: good[name] for name in expired}

    answer = await sarah.post(
        f"/cases/{case_id}/tasks/{state['openTasks'][0]['taskId']}/answer", json={"changes": changes}
    )

    assert answer.status_code == 202, answer.text
    state = await product.until("sarah", case_id, "account_opened")
    assert state["checks"]["identity"]["outcome"] == "clear"
    inside = await product.state("advisor", case_id)
    assert inside["route"]["route"] == "auto"


@pytest.mark.parametrize("where", ["second_approval", "provide_information"])
async def test_a_case_is_withdrawn_wherever_it_rests_and_nobody_can_decide_it_after(
    product: World, where: str
) -> None:
    case_id = await parked(product, rich_james())
    if where == "second_approval":
        await product.decide("advisor", case_id, "approve")
    else:
        await product.decide("advisor", case_id, "request-info", question="Which sale?")
    state = await product.until("james", case_id, "waiting", where)
    inside = await product.state("advisor", case_id)
    task = inside["openTasks"][0]["taskId"]
    james, senior = await product.person("james"), await product.person("senior.advisor")
    etag = (await senior.get(f"/cases/{case_id}/tasks/{task}")).headers.get("etag", '"none"')

    assert (await james.post(f"/cases/{case_id}/withdrawal")).status_code == 202

    state = await product.until("james", case_id, "withdrawn")
    assert state["openTasks"] == []
    assert "account" not in state
    late = await senior.post(
        f"/cases/{case_id}/tasks/{task}/decision", json={"outcome": "approve"}, headers={"If-Match": etag}
    )
    answered = await james.post(f"/cases/{case_id}/tasks/{task}/answer", json={"answer": "x"})
    assert late.status_code == (409 if where == "second_approval" else 404)
    assert answered.status_code == (404 if where == "second_approval" else 409)
    await until_the_queue_is_empty(product)


async def until_the_queue_is_empty(product: World) -> None:
    senior = await product.person("senior.advisor")
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            if (await senior.get("/queue")).json()["tasks"] == []:
                return
            await asyncio.sleep(0.05)


async def test_of_two_advisors_who_press_at_once_the_loser_is_told_the_winners_name(product: World) -> None:
    for _ in range(4):
        case_id = await parked(product, example("james-rodriguez"))
        task = (await product.state("advisor", case_id))["openTasks"][0]["taskId"]
        path = f"/cases/{case_id}/tasks/{task}"
        people = {name: await product.person(name) for name in ("advisor", "senior.advisor")}
        etag = (await people["advisor"].get(path)).headers["etag"]
        body = {"outcome": "decline", "reasonCode": "OTHER"}

        one, two = await asyncio.gather(
            *(
                client.post(f"{path}/decision", json=body, headers={"If-Match": etag})
                for client in people.values()
            )
        )

        assert sorted((one.status_code, two.status_code)) == [200, 409]
        won, lost = (one, two) if one.status_code == 200 else (two, one)
        assert lost.json()["decidedBy"] == won.json()["person"]
        assert lost.json()["outcome"] == "decline"
        await product.until("james", case_id, "declined")


async def test_two_starts_with_one_key_at_once_are_one_case(product: World) -> None:
    sarah = await product.person("sarah")
    headers = {"Idempotency-Key": "twice"}

    answers = await asyncio.gather(
        *(sarah.post("/applications", json=example("sarah-chen"), headers=headers) for _ in range(6))
    )

    assert {answer.status_code for answer in answers} <= {200, 201}, [answer.text for answer in answers]
    assert len({answer.json()["caseId"] for answer in answers}) == 1
    await product.until("sarah", answers[0].json()["caseId"], "account_opened")
    assert len(await product.services.client.process_instances("wealth-onboarding")) == 1


async def test_a_start_repeated_after_its_end_is_found_by_a_server_that_remembers_nothing(
    product: World,
) -> None:
    sarah, record, key = await product.person("sarah"), example("sarah-chen"), "after-the-end"
    first = await sarah.post("/applications", json=record, headers={"Idempotency-Key": key})
    case_id = first.json()["caseId"]
    await product.until("sarah", case_id, "account_opened")
    old, empty = product.services, CaseRegistry()
    poller = Poller(old.client, old.inbox, empty, old.clock, bpmn_process_id=old.bpmn_process_id)

    again = await submit(
        dataclasses.replace(old, registry=empty, poller=poller), PersonId("sarah"), key, record
    )

    assert (again.is_new, again.entry.case_id) == (False, case_id)
    assert len(await old.client.process_instances("wealth-onboarding")) == 1


async def test_the_first_approval_replayed_as_the_second_opens_nothing(product: World) -> None:
    case_id = await parked(product, rich_james())
    await product.decide("advisor", case_id, "approve")
    await product.until("james", case_id, "waiting", "second_approval")
    entry = product.services.registry.by_case(case_id)
    assert entry is not None
    client, instance = product.services.client, entry.process_instance_key
    rows = await client.variables(instance, names=["decisions"])
    first = rows[0].parsed()[0]
    task = (await client.user_tasks(process_instance_key=instance, state="CREATED"))[0].user_task_key
    async with product.rest() as thief:
        thief.headers["Authorization"] = f"Bearer {product.engine.token}"
        done = await thief.post(
            f"/user-tasks/{task}/completion", json={"variables": {"approvalDecision": first}}
        )
        assert done.status_code == 204

    await product.services.poller.hint(instance)

    state = await product.until("james", case_id, "delayed")
    assert "account" not in state
    incidents = (await product.state("operator", case_id))["incidents"]
    assert [item["elementId"] for item in incidents] == ["open_account"]


@pytest.mark.parametrize(
    "forged",
    [
        {"route": {"route": "auto", "group": "", "reasonCode": "WITHIN_LIMIT"}, "depositUsdCents": 1},
        {"application": {"initialDeposit": {"amount": "1.00", "currency": "USD"}}, "checks": {}},
        {"account": {"accountNumber": "AURM-0000-0000-0000"}, "submitter": "nobody", "editors": []},
    ],
    ids=["route", "application", "account"],
)
async def test_variables_that_ride_along_with_a_real_decision_change_nothing(
    product: World, forged: dict[str, Any]
) -> None:
    case_id = await parked(product, example("james-rodriguez"))
    entry = product.services.registry.by_case(case_id)
    assert entry is not None
    instance = entry.process_instance_key
    task = (await product.services.client.user_tasks(process_instance_key=instance, state="CREATED"))[0]
    before = await product.state("advisor", case_id)
    async with product.rest() as thief:
        thief.headers["Authorization"] = f"Bearer {product.engine.token}"
        await thief.post(f"/user-tasks/{task.user_task_key}/completion", json={"variables": forged})

    again = await next_task(product, instance, task.user_task_key)

    after = await product.state("advisor", case_id)
    assert again.element_id == "advisor_review"
    assert "account" not in after
    for name in ("application", "checks", "quote", "route", "risk"):
        assert after[name] == before[name], name


async def next_task(product: World, instance: str, old: str) -> Any:
    """Wait for an open user task other than `old`."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            rows = await product.services.client.user_tasks(process_instance_key=instance, state="CREATED")
            found = [row for row in rows if row.user_task_key != old]
            if found:
                return found[0]
            await asyncio.sleep(0.02)

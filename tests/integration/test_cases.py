"""Whole cases, over the public HTTP, with the real engine and the real workers."""

import asyncio
import copy
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.world import World, example, world

pytestmark = pytest.mark.slow  # Every test starts the whole product: about half a second each.


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path) as running:
        yield running


async def parked_james(product: World) -> str:
    case_id = await product.submit("james", example("james-rodriguez"))
    await product.until("james", case_id, "waiting", "advisor_review")
    return case_id


async def test_sarah_gets_an_account_and_nobody_is_asked(product: World) -> None:
    case_id = await product.submit("sarah", example("sarah-chen"))

    state = await product.until("sarah", case_id, "account_opened")

    entry = product.services.registry.by_case(case_id)
    assert entry is not None
    assert state["account"]["accountNumber"]
    assert await product.services.client.user_tasks(process_instance_key=entry.process_instance_key) == []


async def test_james_waits_until_a_person_decides_and_then_gets_his_account(product: World) -> None:
    case_id = await parked_james(product)
    before = await product.state("james", case_id)
    await product.services.poller.tick()
    assert (await product.state("james", case_id))["position"] == before["position"]

    answer = await product.decide("advisor", case_id, "approve")

    assert answer.status_code == 200
    state = await product.until("james", case_id, "account_opened")
    assert state["account"]["depositUsdCents"] == 162_000_000


async def test_a_decline_needs_a_reason_and_tells_the_customer_no_more_than_he_may_know(
    product: World,
) -> None:
    case_id = await parked_james(product)

    without = await product.decide("advisor", case_id, "decline")
    done = await product.decide("advisor", case_id, "decline", reasonCode="OUTSIDE_RISK_APPETITE")

    assert without.status_code == 422
    assert done.status_code == 200
    state = await product.until("james", case_id, "declined")
    assert "account" not in state
    assert "OUTSIDE_RISK_APPETITE" not in str(state)


async def test_a_request_for_information_loops_through_the_customer_and_checks_everything_again(
    product: World,
) -> None:
    case_id = await parked_james(product)
    asked = await product.decide(
        "advisor", case_id, "request-info", question="Which sale?", fields=["/occupation"]
    )
    assert asked.status_code == 200
    state = await product.until("james", case_id, "waiting", "provide_information")
    old_hash = (await product.state("advisor", case_id))["application"]["hash"]
    james = await product.person("james")
    path = f"/cases/{case_id}/tasks/{state['openTasks'][0]['taskId']}/answer"

    wrong = await james.post(path, json={"answer": "see form", "changes": {"occupation": 7}})
    right = await james.post(path, json={"answer": "the firm", "changes": {"occupation": "Investor"}})
    again = await james.post(path, json={"answer": "the firm", "changes": {}})

    assert wrong.status_code == 422
    assert right.status_code == 202
    assert again.status_code in (404, 409)
    await product.until("james", case_id, "waiting", "advisor_review")
    inside = await product.state("advisor", case_id)
    assert inside["application"]["occupation"] == "Investor"
    assert inside["application"]["hash"] != old_hash
    assert {check["basisHash"] for check in inside["checks"].values()} == {inside["application"]["hash"]}
    assert (await product.decide("advisor", case_id, "approve")).status_code == 200
    await product.until("james", case_id, "account_opened")


async def test_above_five_million_two_different_people_decide(product: World) -> None:
    record = copy.deepcopy(example("james-rodriguez"))
    for name in ("initialDeposit", "initialDepositUsd", "liquidNetWorth"):
        record[name] = {"amount": "6000000.00", "currency": "USD"}
    record["netWorth"] = {"amount": "20000000.00", "currency": "USD"}
    case_id = await product.submit("james", record)
    await product.until("james", case_id, "waiting", "advisor_review")

    assert (await product.decide("advisor", case_id, "approve")).status_code == 200
    await product.until("james", case_id, "waiting", "second_approval")
    same_person = await product.decide("advisor", case_id, "approve")
    another = await product.decide("senior.advisor", case_id, "approve")

    assert same_person.status_code == 403
    assert another.status_code == 200
    state = await product.until("james", case_id, "account_opened")
    assert state["account"]["depositUsdCents"] == 600_000_000


async def test_the_first_approver_is_not_a_second_person_even_with_the_group(product: World) -> None:
    record = copy.deepcopy(example("james-rodriguez"))
    for name in ("initialDeposit", "initialDepositUsd", "liquidNetWorth"):
        record[name] = {"amount": "6000000.00", "currency": "USD"}
    record["netWorth"] = {"amount": "20000000.00", "currency": "USD"}
    case_id = await product.submit("james", record)
    await product.until("james", case_id, "waiting", "advisor_review")
    await product.decide("senior.advisor", case_id, "approve")
    await product.until("james", case_id, "waiting", "second_approval")

    assert (await product.decide("senior.advisor", case_id, "approve")).status_code == 403


@pytest.mark.parametrize("element", ["advisor_review", "correct_application"])
async def test_a_parked_case_can_be_withdrawn_once(product: World, element: str) -> None:
    name, person = (
        ("james-rodriguez", "james") if element == "advisor_review" else ("expired-passport", "sarah")
    )
    case_id = await product.submit(person, example(name))
    await product.until(person, case_id, "waiting", element)
    client = await product.person(person)

    first = await client.post(f"/cases/{case_id}/withdrawal")
    await product.until(person, case_id, "withdrawn")
    second = await client.post(f"/cases/{case_id}/withdrawal")

    assert (first.status_code, second.status_code) == (202, 409)


async def test_an_expired_passport_is_corrected_by_the_customer(product: World) -> None:
    record = example("expired-passport")
    case_id = await product.submit("sarah", record)
    state = await product.until("sarah", case_id, "waiting", "correct_application")
    channel = await product.services.hub.channel(case_id, "customer")  # type: ignore[arg-type]
    cards = [message for message in channel.view.messages if message["role"] == "activity"]
    sarah = await product.person("sarah")

    answer = await sarah.post(
        f"/cases/{case_id}/tasks/{state['openTasks'][0]['taskId']}/answer",
        json={"answer": "a new one", "changes": {"idExpiryDate": "2035-01-01", "mrz": None}},
    )

    assert cards[-1]["content"]["props"]["ask"]["fields"] == ["/idExpiryDate"]
    assert answer.status_code in (202, 422), answer.text
    if answer.status_code == 202:
        await product.until("sarah", case_id, "waiting", "advisor_review")


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("eur-at-boundary", "account_opened"),
        ("pep", "waiting"),
        ("possible-sanctions-match", "waiting"),
        ("expired-passport", "waiting"),
        ("two-tax-residences", "account_opened"),
        ("ptbr-cpf-one-name", "account_opened"),
    ],
)
async def test_every_example_ends_as_documented(product: World, name: str, status: str) -> None:
    case_id = await product.submit("sarah", example(name))

    await product.until("sarah", case_id, status)


async def test_the_same_key_and_body_is_the_same_case_and_another_body_is_refused(product: World) -> None:
    sarah = await product.person("sarah")
    headers = {"Idempotency-Key": "once"}
    other = {**example("sarah-chen"), "occupation": "Painter"}

    first = await sarah.post("/applications", json=example("sarah-chen"), headers=headers)
    await product.until("sarah", first.json()["caseId"], "account_opened")
    second = await sarah.post("/applications", json=example("sarah-chen"), headers=headers)
    third = await sarah.post("/applications", json=other, headers=headers)

    assert (first.status_code, second.status_code, third.status_code) == (201, 200, 422)
    assert first.json()["caseId"] == second.json()["caseId"]
    assert len((await sarah.get("/cases")).json()["cases"]) == 1


async def test_a_claim_is_not_overridden_and_only_its_owner_gives_it_back(product: World) -> None:
    case_id = await parked_james(product)
    task = (await product.state("advisor", case_id))["openTasks"][0]["taskId"]
    path = f"/cases/{case_id}/tasks/{task}"
    advisor, senior = await product.person("advisor"), await product.person("senior.advisor")

    mine = await advisor.post(f"{path}/claim")
    taken = await senior.post(f"{path}/claim")
    not_his = await senior.post(f"{path}/release")
    decided = await product.decide("senior.advisor", case_id, "approve")
    released = await advisor.post(f"{path}/release")
    now_his = await senior.post(f"{path}/claim")

    assert mine.json() == {"assignee": "advisor"}
    assert (taken.status_code, taken.json()["assignee"]) == (409, "advisor")
    assert not_his.status_code == 409
    assert decided.status_code == 409
    assert released.status_code == 200
    assert now_his.json() == {"assignee": "senior.advisor"}


async def test_a_decision_rests_on_what_was_seen(product: World) -> None:
    case_id = await parked_james(product)
    advisor = await product.person("advisor")
    task = (await product.state("advisor", case_id))["openTasks"][0]["taskId"]

    blind = await advisor.post(f"/cases/{case_id}/tasks/{task}/decision", json={"outcome": "approve"})
    stale = await product.decide("advisor", case_id, "approve", if_match='"sha256:old"')

    assert blind.status_code == 428
    assert stale.status_code == 412
    assert (await product.state("james", case_id))["status"] == "waiting"


async def test_of_two_advisors_exactly_one_wins_and_the_other_learns_who(product: World) -> None:
    case_id = await parked_james(product)
    etags = [
        (await (await product.person(name)).get(await task_path(product, case_id))).headers["etag"]
        for name in ("advisor", "senior.advisor")
    ]

    one, two = await asyncio.gather(
        product.decide("advisor", case_id, "approve", if_match=etags[0]),
        product.decide("senior.advisor", case_id, "decline", if_match=etags[1], reasonCode="OTHER"),
    )

    assert sorted((one.status_code, two.status_code)) == [200, 409]
    lost, winner = (two, "advisor") if one.status_code == 200 else (one, "senior.advisor")
    assert lost.json()["decidedBy"] in (winner, None)
    await product.until("james", case_id, "account_opened" if winner == "advisor" else "declined")


async def task_path(product: World, case_id: str) -> str:
    task = (await product.state("advisor", case_id))["openTasks"][0]["taskId"]
    return f"/cases/{case_id}/tasks/{task}"


async def test_an_account_that_the_ledger_refuses_goes_to_a_person(product: World) -> None:
    record = copy.deepcopy(example("sarah-chen"))
    for name in ("initialDeposit", "liquidNetWorth", "netWorth"):
        record[name] = {"amount": "480000.00" if name == "initialDeposit" else "900000.00", "currency": "SYP"}
    record.pop("initialDepositUsd", None)
    case_id = await product.submit("sarah", record)

    state = await product.until("sarah", case_id, "waiting", "advisor_review")

    assert "account" not in state

"""Streams over real sockets: framing, resume, tokens, runs, lag, and the README's request."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from ag_ui_validate import create_validator
from tests.support.reader import parse_sse
from tests.support.world import World, example, world

from aurum.keys import VIEWS

pytestmark = pytest.mark.slow  # Starts the whole product: about half a second each.

READER = {"customer": "sarah", "advisor": "advisor", "operator": "operator"}


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path) as running:
        yield running


async def finished_sarah(product: World) -> str:
    case_id = await product.submit("sarah", example("sarah-chen"))
    await product.until("sarah", case_id, "account_opened")
    return case_id


async def test_a_position_resumes_exactly_and_everything_else_is_a_prelude(product: World) -> None:
    case_id = await finished_sarah(product)
    joined = await product.read("sarah", case_id, "customer", until="RUN_FINISHED")
    epoch, _, last = str(joined[-1].id).partition(".")
    whole = await product.read("sarah", case_id, "customer", until="RUN_FINISHED", after=f"{epoch}.0")

    assert [frame.id for frame in joined[:-1]] == [None] * (len(joined) - 1)
    assert [frame.id for frame in whole] == [f"{epoch}.{seq}" for seq in range(1, int(last) + 1)]
    half = await product.read("sarah", case_id, "customer", until="RUN_FINISHED", after=f"{epoch}.40")
    assert half == whole[40:]
    for cursor in ("garbage", f"{epoch}.999999", "0123456789.3"):
        frames = await product.read("sarah", case_id, "customer", until="RUN_FINISHED", after=cursor)
        assert [frame.event["type"] for frame in frames] == [frame.event["type"] for frame in joined]


@pytest.mark.parametrize("name", ["sarah-chen", "james-rodriguez"])
async def test_live_streams_of_both_cases_satisfy_the_validator(product: World, name: str) -> None:
    person = name.split("-", maxsplit=1)[0]
    case_id = await product.submit(person, example(name))
    rest = "account_opened" if person == "sarah" else "waiting"
    await product.until(person, case_id, rest)
    for view in VIEWS:
        reader = person if view == "customer" else READER[view]
        joined = await product.read(reader, case_id, view, until="RUN_FINISHED")
        epoch = str(joined[-1].id).partition(".")[0]
        whole = await product.read(reader, case_id, view, until="RUN_FINISHED", after=f"{epoch}.0")
        validator = create_validator()
        for frame in whole:
            validator.feed(frame.event)
        validator.finalize()

        found = [item for item in validator.report().diagnostics if item.severity in ("error", "warning")]
        assert found == []


async def test_a_stream_token_opens_one_view_of_one_case(product: World) -> None:
    case_id, other = await finished_sarah(product), await finished_sarah(product)
    sarah, stranger = await product.person("sarah"), await product.person(None)
    token = (await sarah.post(f"/streams/{case_id}/token", json={"view": "customer"})).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}

    async with stranger.stream("GET", f"/streams/{case_id}", headers=headers) as opened:
        assert opened.status_code == 200
        assert opened.headers["content-type"].startswith("text/event-stream")
        assert opened.headers["x-accel-buffering"] == "no"
    refused = await stranger.get(f"/streams/{other}", headers=headers)

    assert refused.status_code == 403


async def test_a_thread_nobody_knows_is_an_intake_and_its_resume_starts_the_case_once(product: World) -> None:
    sarah = await product.person("sarah")
    opened = await sarah.post("/agui/customer", content=b'{"threadId":"t1"}')
    frames = parse_sse(opened.content)
    interrupt = frames[-1].event["outcome"]["interrupts"][0]
    resume = [{"interruptId": interrupt["id"], "status": "resolved", "payload": example("sarah-chen")}]

    assert interrupt["id"] == "submit_application"
    assert "$schema" not in interrupt["responseSchema"]
    first = parse_sse((await sarah.post("/agui/customer", json={"threadId": "t1", "resume": resume})).content)
    again = parse_sse((await sarah.post("/agui/customer", json={"threadId": "t1"})).content)

    for run in (first, again):
        assert [frame.event["type"] for frame in run if frame.event["type"].startswith("RUN_")] == [
            "RUN_STARTED",
            "RUN_FINISHED",
        ]
        assert {frame.event["threadId"] for frame in run if frame.event["type"] == "RUN_FINISHED"} == {"t1"}
    assert len((await sarah.get("/cases")).json()["cases"]) == 1


async def test_an_application_that_is_refused_ends_the_run_with_an_error_and_starts_nothing(
    product: World,
) -> None:
    sarah = await product.person("sarah")
    resume = [{"interruptId": "submit_application", "payload": {"givenNames": "Canary"}}]

    answer = await sarah.post("/agui/customer", json={"threadId": "t2", "resume": resume})

    frames = parse_sse(answer.content)
    assert frames[-1].event["type"] == "RUN_ERROR"
    assert frames[-1].event["code"] == "com.aurum.invalid"
    assert "Canary" not in answer.text
    assert (await sarah.get("/cases")).json()["cases"] == []


async def test_an_advisor_answers_an_interrupt_through_agui(product: World) -> None:
    case_id = await product.submit("james", example("james-rodriguez"))
    await product.until("james", case_id, "waiting", "advisor_review")
    advisor = await product.person("advisor")
    asked = parse_sse((await advisor.post("/agui/advisor", json={"threadId": case_id})).content)
    interrupt = asked[-1].event["outcome"]["interrupts"][0]
    desk = (await advisor.get(f"/cases/{case_id}/tasks/{interrupt['id']}")).json()
    payload = {"outcome": "approve", "basisHash": desk["basisHash"]}

    answer = await advisor.post(
        "/agui/advisor",
        json={
            "threadId": case_id,
            "runId": "mine",
            "resume": [{"interruptId": interrupt["id"], "status": "resolved", "payload": payload}],
        },
    )

    frames = parse_sse(answer.content)
    assert frames[0].event["runId"] == "mine"
    assert frames[-1].event["type"] == "RUN_FINISHED"
    await product.until("james", case_id, "account_opened")


README = (Path(__file__).resolve().parents[2] / "README.md").read_text()


async def test_the_readmes_request_works_as_written(product: World) -> None:
    block = next(
        part
        for part in re.findall(r"```\w*\n(.*?)```", README, re.S)
        if part.startswith("# the seed's request")
    )
    script = "set -e -o pipefail\n" + block.replace("http://127.0.0.1:8000", product.address)
    process = await asyncio.create_subprocess_exec(
        "bash", "-c", script, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )

    out, err = await asyncio.wait_for(process.communicate(), timeout=20)

    assert process.returncode == 0, err.decode()
    types = [frame.event["type"] for frame in parse_sse(out)]
    assert types[0] == "RUN_STARTED"
    assert types[-1] == "RUN_FINISHED"


async def test_the_queue_is_live(product: World) -> None:
    advisor = await product.person("advisor")
    data = b""
    async with asyncio.timeout(15), advisor.stream("GET", "/queue/stream") as response:
        chunks = response.aiter_bytes()
        data += await anext(chunks)
        case_id = await product.submit("james", example("james-rodriguez"))
        async for chunk in chunks:
            data += chunk
            if case_id.encode() in data and b"162000000" in data:
                break
    assert "James Rodriguez" in json.dumps([frame.event for frame in parse_sse(data)])


@pytest.mark.parametrize("lag", [500, pytest.param(3_000, marks=pytest.mark.deep)])
async def test_late_searches_change_nothing_but_the_time(tmp_path: Path, lag: int) -> None:
    async with world(tmp_path, search_lag_ms=lag) as product:
        sarah = await product.submit("sarah", example("sarah-chen"))
        james = await product.submit("james", example("james-rodriguez"))
        await product.until("sarah", sarah, "account_opened")
        await product.until("james", james, "waiting", "advisor_review")
        for person, case_id in (("sarah", sarah), ("james", james)):
            joined = await product.read(person, case_id, "customer", until="RUN_FINISHED")
            epoch = str(joined[-1].id).partition(".")[0]
            whole = await product.read(person, case_id, "customer", until="RUN_FINISHED", after=f"{epoch}.0")
            validator = create_validator()
            for frame in whole:
                validator.feed(frame.event)
            validator.finalize()
            found = validator.report().diagnostics
            assert [item for item in found if item.severity in ("error", "warning")] == []

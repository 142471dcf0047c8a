"""Many streams over one connection: each topic authorised alone, each with its own bytes and positions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.world import WAIT_SECONDS, World, example, world

pytestmark = pytest.mark.slow  # Starts the whole product: about half a second.


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path) as running:
        yield running


async def watched(
    product: World, topics: list[dict[str, Any]], until: set[str]
) -> dict[str, list[dict[str, Any]]]:
    """Return the frames of each topic, read until each of `until` has shown a finished run or its end."""
    stranger = await product.person(None)
    got: dict[str, list[dict[str, Any]]] = {topic["id"]: [] for topic in topics}
    rest, left = "", set(until)
    async with asyncio.timeout(WAIT_SECONDS):
        async with stranger.stream("POST", "/watch", json={"topics": topics}) as answer:
            assert answer.status_code == 200
            async for text in answer.aiter_text():
                *blocks, rest = (rest + text).split("\n\n")
                for block in blocks:
                    fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
                    if "event" not in fields:
                        continue
                    frame = {**json.loads(fields["data"]), "frameId": fields.get("id", "")}
                    got[fields["event"]].append(frame)
                    if frame["type"] in ("RUN_FINISHED", "com.aurum.topic"):
                        left.discard(fields["event"])
                if not left:
                    return got
    raise AssertionError(f"ended without {left}")


def token_of(client: Any) -> str:
    return str(client.headers["Authorization"]).removeprefix("Bearer ")


async def test_each_topic_is_authorised_alone_and_has_the_bytes_of_its_own_stream(product: World) -> None:
    james = await product.submit("james", example("james-rodriguez"))
    await product.until("james", james, "waiting", "advisor_review")
    own, foreign, advisor = [await product.person(name) for name in ("james", "sarah", "advisor")]
    topics = [
        {"id": "own", "token": token_of(own), "caseId": james},
        {"id": "foreign", "token": token_of(foreign), "caseId": james},
        {"id": "absent", "token": token_of(foreign), "caseId": "c" + "a" * 25},
        {"id": "too-much", "token": token_of(own), "caseId": james, "view": "operator"},
        {"id": "forged", "token": "x" * 40, "caseId": james},
        {"id": "queue", "token": token_of(advisor)},
        {"id": "no-queue", "token": token_of(own)},
    ]

    got = await watched(product, topics, {str(topic["id"]) for topic in topics})

    refused = {name: frames[0].get("status") for name, frames in got.items() if len(frames) == 1}
    assert refused == {"foreign": 404, "absent": 404, "too-much": 403, "forged": 401, "no-queue": 403}
    assert [frame["type"] for frame in got["queue"]] == ["RUN_STARTED", "STATE_SNAPSHOT", "RUN_FINISHED"]
    assert got["own"][-1]["type"] == "RUN_FINISHED"
    assert got["own"][-1]["frameId"] != ""


async def test_a_topic_goes_on_from_its_position_with_exactly_what_is_missing(product: World) -> None:
    james = await product.submit("james", example("james-rodriguez"))
    await product.until("james", james, "waiting", "advisor_review")
    topic = {"id": "one", "token": token_of(await product.person("james")), "caseId": james}
    head = (await watched(product, [topic], {"one"}))["one"][-1]["frameId"]
    epoch, seq = head.split(".")
    before = f"{epoch}.{int(seq) - 3}"

    tail = (await watched(product, [{**topic, "after": before}], {"one"}))["one"]

    assert [frame["frameId"] for frame in tail] == [f"{epoch}.{int(seq) - 2 + n}" for n in range(3)]

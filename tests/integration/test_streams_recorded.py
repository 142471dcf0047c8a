"""Streams recorded while the case runs: all views, cut and resumed on the way, judged by others."""

import asyncio
import json
import random
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from ag_ui_validate import create_validator
from tests.support.reader import Client, SseFrame, parse_sse, without_metadata
from tests.support.tools import NODE_TOOLS, node
from tests.support.world import WAIT_SECONDS, World, example, world

from aurum.keys import VIEWS
from aurum.stream.subscription import Subscription

pytestmark = pytest.mark.slow  # Every test starts the whole product: about half a second each.

APPLICANT = {"sarah": "sarah-chen", "james": "james-rodriguez"}


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path, pace_ms=15) as running:
        yield running


def reader_of(view: str, person: str) -> str:
    return person if view == "customer" else view


def is_end(event: dict[str, Any]) -> bool:
    """The run in which the case ended says so; a rest does not."""
    return event["type"] == "RUN_FINISHED" and "result" in event


async def record(product: World, person: str, view: str, case_id: str) -> list[SseFrame]:
    """Read one stream from now to the case's end over one connection."""
    client = await product.person(person)
    data = b""
    async with (
        asyncio.timeout(WAIT_SECONDS),
        client.stream("GET", f"/streams/{case_id}", params={"view": view}) as response,
    ):
        async for chunk in response.aiter_bytes():
            data += chunk
            if data.endswith(b"\n\n") and any(is_end(frame.event) for frame in parse_sse(data)):
                break
    return parse_sse(data)


async def record_with_cuts(
    product: World, person: str, case_id: str, *, first: str, seed: int
) -> list[SseFrame]:
    """Read the customer's stream in pieces, dropping the connection at any byte, to the case's end."""
    client, dice, whole, at = await product.person(person), random.Random(seed), [], first
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            data, limit = b"", dice.randrange(1, 6_000)
            headers = {"Last-Event-ID": at}
            async with client.stream(
                "GET", f"/streams/{case_id}", params={"view": "customer"}, headers=headers
            ) as response:
                async for chunk in response.aiter_bytes():
                    data += chunk
                    if len(data) >= limit or any(is_end(frame.event) for frame in parse_sse(data)):
                        break
            got = parse_sse(data[:limit])
            whole += got
            if got:
                at = str(got[-1].id)
            if any(is_end(frame.event) for frame in got):
                return whole


def complaints(frames: list[SseFrame]) -> list[Any]:
    validator = create_validator()
    for frame in frames:
        validator.feed(frame.event)
    validator.finalize()
    return [item for item in validator.report().diagnostics if item.severity in ("error", "warning")]


async def run_case(product: World, person: str) -> tuple[str, dict[str, list[SseFrame]]]:
    """Run one case to its account with a reader on every view from the start."""
    case_id = await product.submit(person, example(APPLICANT[person]))
    async with asyncio.TaskGroup() as group:
        readers = {
            view: group.create_task(record(product, reader_of(view, person), view, case_id)) for view in VIEWS
        }
        if person == "james":
            await product.until("james", case_id, "waiting", "advisor_review")
            assert (await product.decide("advisor", case_id, "approve")).status_code == 200
    return case_id, {view: reader.result() for view, reader in readers.items()}


def folded(frames: list[SseFrame]) -> Client:
    client = Client()
    for frame in frames:
        client.read(frame.event)
    return client


@pytest.mark.parametrize("person", ["sarah", "james"])
async def test_what_was_read_live_is_legal_and_equals_what_a_late_reader_gets(
    product: World, person: str
) -> None:
    case_id, recorded = await run_case(product, person)

    for view, frames in recorded.items():
        assert complaints(frames) == [], view
        late = await product.read(reader_of(view, person), case_id, view, until="RUN_FINISHED")
        live, joined = folded(frames), folded(late)
        assert live.state == joined.state, view
        assert without_metadata(live.messages) == without_metadata(joined.messages), view
        ids = [frame.id for frame in frames if frame.id is not None]
        start, end = (int(str(name).partition(".")[2]) for name in (ids[0], ids[-1]))
        assert [int(name.partition(".")[2]) for name in ids] == list(range(start, end + 1)), view


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_reader_who_is_cut_at_any_byte_misses_nothing_and_reads_nothing_twice(
    product: World, seed: int
) -> None:
    case_id = await product.submit("james", example("james-rodriguez"))
    joined = await product.read("james", case_id, "customer", until="MESSAGES_SNAPSHOT")
    channel = await product.services.hub.channel(case_id, "customer")  # type: ignore[arg-type]
    async with asyncio.TaskGroup() as group:
        cut = group.create_task(
            record_with_cuts(product, "james", case_id, first=f"{channel.epoch}.0", seed=seed)
        )
        await product.until("james", case_id, "waiting", "advisor_review")
        assert (await product.decide("advisor", case_id, "approve")).status_code == 200

    frames = cut.result()
    assert joined[0].event["metadata"] == {"com.aurum": {"prelude": True}}
    assert [frame.id for frame in frames] == [f"{channel.epoch}.{n}" for n in range(1, len(frames) + 1)]
    assert len(frames) == channel.head.seq
    assert complaints(frames) == []


async def test_a_position_of_another_case_or_view_is_a_prelude_not_a_hole(product: World) -> None:
    sarah, _ = await run_case(product, "sarah")
    james, _ = await run_case(product, "james")
    early = (await product.services.hub.channel(james, "customer")).epoch + ".3"  # type: ignore[arg-type]
    foreign = [
        early,
        (await product.read("james", james, "customer", until="RUN_FINISHED"))[-1].id,
        (await product.read("advisor", sarah, "advisor", until="RUN_FINISHED"))[-1].id,
    ]

    for cursor in foreign:
        frames = await product.read("sarah", sarah, "customer", until="RUN_FINISHED", after=cursor)
        assert frames[0].event["metadata"] == {"com.aurum": {"prelude": True}}
        assert complaints(frames) == []


async def test_a_cursor_that_means_nothing_is_a_prelude(product: World) -> None:
    case_id, _ = await run_case(product, "sarah")
    client = await product.person("sarah")
    for cursor in ("", "x", ".", "1.", ".1", "a.-1", "9" * 100, "a.1.2", "%00", "\x00", "é.1", "٣٤٥.1"):
        async with client.stream("GET", f"/streams/{case_id}", params={"after": cursor}) as response:
            first = await anext(response.aiter_bytes())

        assert response.status_code == 200, cursor
        frames = parse_sse(first)
        assert frames[0].event["metadata"] == {"com.aurum": {"prelude": True}}, cursor
        assert [frame.id is None for frame in frames] == [True] * (len(frames) - 1) + [False], cursor


async def test_signing_out_ends_the_open_stream_within_a_heartbeat(
    product: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(Subscription.__init__.__kwdefaults__, "heartbeat_seconds", 0.1)
    case_id = await product.submit("james", example("james-rodriguez"))
    await product.until("james", case_id, "waiting", "advisor_review")
    james = await product.person("james")
    token = (await james.post(f"/streams/{case_id}/token", json={"view": "customer"})).json()["token"]
    stranger = await product.person(None)
    headers = {"Authorization": f"Bearer {token}"}
    async with asyncio.timeout(5), stranger.stream("GET", f"/streams/{case_id}", headers=headers) as response:
        chunks = response.aiter_bytes()
        await anext(chunks)

        assert (await james.delete("/session")).status_code == 204
        async for _ in chunks:
            pass

    again = await stranger.get(f"/streams/{case_id}", headers=headers)
    assert again.status_code == 401


@pytest.mark.node
async def test_both_official_clients_read_the_recorded_streams(product: World, tmp_path: Path) -> None:
    binary = node()
    lines = []
    for person in ("sarah", "james"):
        case_id, recorded = await run_case(product, person)
        for view, frames in recorded.items():
            channel = await product.services.hub.channel(case_id, view)  # type: ignore[arg-type]
            lines.append(
                {
                    "name": f"{person}/{view}",
                    "events": [frame.event for frame in frames],
                    "state": channel.view.state,
                    "messages": [message["id"] for message in channel.view.messages],
                }
            )
    file = tmp_path / "streams.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))

    done = await asyncio.to_thread(
        subprocess.run,
        [binary, str(NODE_TOOLS / "verify-streams.mjs"), str(file)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-1_000:]

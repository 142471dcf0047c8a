"""Catch-up, prelude and live tail of one connection, as bytes."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from tests.support.cases import ALL_CASES, parked, straight_through
from tests.support.reader import Client, SseFrame, parse_sse, without_metadata

from aurum.factlog.memory import MemoryFactLog
from aurum.facts.vocabulary import Fact
from aurum.keys import VIEWS, CaseId, View
from aurum.stream.boundary import Viewer
from aurum.stream.dialect import Dialect
from aurum.stream.hub import Hub
from aurum.stream.position import StreamPosition, epoch_of, parse_position
from aurum.stream.subscription import Mode, Subscription

CASE = CaseId("case-1")


class World:
    """A log and a hub that hears what is appended."""

    def __init__(self) -> None:
        self.log = MemoryFactLog("incarnation")
        self.hub = Hub(self.log, b"k" * 32)

    async def append(self, facts: list[Fact]) -> None:
        self.hub.publish(CASE, await self.log.append(CASE, facts, now_ms=1))

    async def open(
        self,
        view: View = "customer",
        *,
        after: StreamPosition | None = None,
        mode: Mode = "follow",
        answered: bool = False,
        submitter: bool = True,
        dialect: Dialect | None = None,
    ) -> AsyncIterator[bytes]:
        channel = await self.hub.channel(CASE, view)
        viewer = Viewer(view, frozenset({"advisors"}), is_submitter=submitter)
        return Subscription(
            self.hub,
            channel,
            viewer,
            after=after,
            mode=mode,
            answered=answered,
            dialect=dialect,
            heartbeat_seconds=5,
        ).chunks()


@pytest.fixture
def world() -> World:
    return World()


async def read(chunks: AsyncIterator[bytes], until: int) -> list[SseFrame]:
    """Read until a frame with sequence number `until` has come."""
    data = b""
    async with asyncio.timeout(5):
        async for chunk in chunks:
            data += chunk
            last = [frame.id for frame in parse_sse(data) if frame.id is not None]
            if last and int(last[-1].partition(".")[2]) >= until:
                break
    return parse_sse(data)


async def head(world: World, view: View = "customer") -> StreamPosition:
    return (await world.hub.channel(CASE, view)).head


@pytest.mark.parametrize("view", VIEWS)
async def test_a_newcomer_gets_a_prelude_whose_last_frame_alone_carries_the_id(
    world: World, view: View
) -> None:
    await world.append(parked())
    at = await head(world, view)

    frames = await read(await world.open(view), at.seq)

    assert [frame.id for frame in frames] == [None] * (len(frames) - 1) + [str(at)]
    assert frames[0].event["metadata"] == {"com.aurum": {"prelude": True}}


async def test_a_known_position_gets_exactly_the_frames_after_it(world: World) -> None:
    await world.append(straight_through())
    at = await head(world)
    whole = await read(await world.open(after=StreamPosition(at.epoch, 0)), at.seq)

    for seq in range(at.seq):
        tail = await read(await world.open(after=StreamPosition(at.epoch, seq)), at.seq)

        assert tail == whole[seq:]
    assert [frame.id for frame in whole] == [f"{at.epoch}.{seq}" for seq in range(1, at.seq + 1)]


@pytest.mark.parametrize("case", sorted(ALL_CASES))
async def test_joining_at_every_fact_ends_in_the_same_picture(case: str) -> None:
    facts = ALL_CASES[case]
    for joined_at in range(0, len(facts) + 1, 5):
        world = World()
        await world.append(facts[:joined_at])
        chunks = await world.open()
        first = await anext(chunks)
        await world.append(facts[joined_at:])
        at = await head(world)
        client = Client()
        for frame in parse_sse(first):
            client.read(frame.event)
        if joined_at < len(facts):
            for frame in await read(chunks, at.seq):
                client.read(frame.event)

        view = (await world.hub.channel(CASE, "customer")).view
        assert client.state == view.state
        assert without_metadata(client.messages) == without_metadata(list(view.messages))


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "garbage",
        "0123456789.1",
        "-1",
        "9" * 10_000,
        "é.1",
        "0123456789.",
        ".",
        "null",
        "1.2.3",
        "0123456789.01",
    ],
)
async def test_every_odd_cursor_gets_a_prelude(world: World, cursor: str) -> None:
    await world.append(parked())
    at = await head(world)

    frames = await read(await world.open(after=parse_position(cursor)), at.seq)

    assert frames[0].event["type"] == "RUN_STARTED"
    assert frames[1].event["type"] == "STATE_SNAPSHOT"


async def test_a_position_from_the_future_gets_a_prelude(world: World) -> None:
    await world.append(parked())
    at = await head(world)

    frames = await read(await world.open(after=StreamPosition(at.epoch, at.seq + 1)), at.seq)

    assert frames[1].event["type"] == "STATE_SNAPSHOT"


def test_another_log_case_view_or_projection_is_another_epoch() -> None:
    epochs = {
        epoch_of("a", CaseId("c1"), "customer"),
        epoch_of("b", CaseId("c1"), "customer"),
        epoch_of("a", CaseId("c2"), "customer"),
        epoch_of("a", CaseId("c1"), "advisor"),
        epoch_of("a", CaseId("c1"), "customer", 999),
    }

    assert len(epochs) == 5


async def test_a_task_is_an_interrupt_for_those_who_may_answer_it_and_success_for_others(
    world: World,
) -> None:
    await world.append(parked())
    customer = await read(await world.open("customer"), (await head(world)).seq)
    advisor = await read(await world.open("advisor"), (await head(world, "advisor")).seq)

    assert customer[-1].event["outcome"] == {"type": "success"}
    assert advisor[-1].event["outcome"]["type"] == "interrupt"
    assert [item["id"] for item in advisor[-1].event["outcome"]["interrupts"]] == [
        advisor[1].event["snapshot"]["openTasks"][0]["taskId"]
    ]


async def test_a_post_at_rest_is_one_run_and_ends(world: World) -> None:
    await world.append(parked())

    data = b"".join([chunk async for chunk in await world.open("advisor", mode="run")])

    types = [frame.event["type"] for frame in parse_sse(data)]
    assert types == ["RUN_STARTED", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]


async def test_a_post_that_answered_follows_the_process_to_its_next_rest(world: World) -> None:
    facts = ALL_CASES["approved"]
    rest = len(parked())
    await world.append(facts[:rest])
    chunks = await world.open("advisor", mode="run", answered=True)
    first = await anext(chunks)
    await world.append(facts[rest:])

    data = first + b"".join([chunk async for chunk in chunks])

    types = [frame.event["type"] for frame in parse_sse(data)]
    assert types.count("RUN_STARTED") == 1
    assert types[-1] == "RUN_FINISHED"
    assert types.count("RUN_FINISHED") == 1


async def test_the_seed_dialect_is_one_frame_for_one_frame_under_the_same_ids(world: World) -> None:
    await world.append(parked())
    at = await head(world, "advisor")
    start = StreamPosition(at.epoch, 0)
    plain = await read(await world.open("advisor", after=start), at.seq)
    seed = await read(await world.open("advisor", after=start, dialect="aurum-0"), at.seq)

    assert [frame.id for frame in seed] == [frame.id for frame in plain]
    assert {frame.event["pid"] for frame in seed} == {CASE}
    cards = [frame.event for frame in seed if frame.event["type"] == "GENERATIVE_UI"]
    assert {"IdentityResultCard", "RoutingCard", "WaitingCard"} <= {card["component"] for card in cards}
    assert seed[-1].event["type"] == "USER_TASK"
    assert seed[-1].event["taskId"] == plain[-1].event["outcome"]["interrupts"][0]["id"]


async def test_a_reader_who_loses_his_right_is_cut_at_the_next_heartbeat(world: World) -> None:
    await world.append(parked())
    channel = await world.hub.channel(CASE, "customer")

    async def still_allowed() -> bool:
        return False

    chunks = Subscription(
        world.hub,
        channel,
        Viewer("customer", is_submitter=True),
        still_allowed=still_allowed,
        heartbeat_seconds=0.01,
    ).chunks()

    async with asyncio.timeout(5):
        received = [chunk async for chunk in chunks]

    assert len(received) == 1
    assert channel.readers == 0


async def test_a_quiet_stream_carries_comments_and_ends_after_its_lifetime(world: World) -> None:
    await world.append(parked())
    channel = await world.hub.channel(CASE, "customer")
    chunks = Subscription(
        world.hub, channel, Viewer("customer"), heartbeat_seconds=0.01, lifetime_seconds=0.03
    ).chunks()

    async with asyncio.timeout(5):
        _, *quiet = [chunk async for chunk in chunks]

    assert quiet
    assert set(quiet) == {b": ka\n\n"}


async def test_closing_the_hub_ends_every_stream(world: World) -> None:
    await world.append(parked())
    chunks = await world.open()
    await anext(chunks)

    world.hub.close()

    assert [chunk async for chunk in chunks] == []

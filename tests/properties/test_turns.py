"""However an agent's facts arrive, get lost or die half-way, what it said stands there once."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.test_projection import as_read, context_of, fold, viewer_of
from tests.support.cases import ALL_CASES
from tests.support.reader import Client

from aurum.facts.turns import ToolReturned, TurnCommitted
from aurum.facts.vocabulary import LIVE_ONLY, Fact
from aurum.feed.sequencer import Sequencer
from aurum.stream.guard import Guard
from aurum.stream.prelude import prelude

AGENT_CASES = ("with_agent", "agent_killed", "agent_asks")


def said_by_agent(messages: list[dict[str, Any]]) -> list[str]:
    return [m["content"] for m in messages if m["role"] == "assistant" and m["id"].endswith(":turn")]


def told_to_a_client(facts: list[Fact]) -> Client:
    client, guard = Client(), Guard()
    empty, _ = fold("customer", [])
    for event in prelude(context_of("customer"), empty, viewer_of("customer"), at_ms=1):
        client.read(event)
    _, frames = fold("customer", facts)
    for event in as_read("customer", frames):
        assert guard.check(event) is None
        client.read(json.loads(json.dumps(event)))
    return client


@given(case=st.sampled_from(AGENT_CASES), seed=st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_every_order_and_loss_leaves_each_turn_and_each_call_once(case: str, seed: int) -> None:
    """Durable facts all arrive, live-only ones may get lost; any order, with repeats."""
    rng = random.Random(seed)
    facts = ALL_CASES[case]
    arriving = [fact for fact in facts if not isinstance(fact, LIVE_ONLY) or rng.random() < 0.7]
    arriving += rng.sample(arriving, k=len(arriving) // 4)
    if rng.random() < 0.7:
        rng.shuffle(arriving)
    sequencer, appended, now_ms = Sequencer(), [], 0
    for fact in arriving:
        now_ms += rng.choice((0, 0, 1, 50))
        appended += sequencer.offer([fact], now_ms)
    appended += sequencer.release(now_ms + 60_000)

    client = told_to_a_client(appended)

    turns = [fact for fact in facts if isinstance(fact, TurnCommitted)]
    assert sorted(said_by_agent(client.messages)) == sorted(turn.text for turn in turns if turn.text)
    ids = [message["id"] for message in client.messages]
    assert len(ids) == len(set(ids))
    called = {call["id"] for m in client.messages for call in m.get("toolCalls", ())}
    answered = {m["toolCallId"] for m in client.messages if m["role"] == "tool"}
    assert answered == called
    returned = [fact for fact in facts if isinstance(fact, ToolReturned)]
    finals = [m for m in client.messages if m["id"].startswith("tr:")]
    assert len(finals) >= len(returned)


@pytest.mark.parametrize("case", AGENT_CASES)
def test_a_rebuild_without_the_live_facts_holds_the_same(case: str) -> None:
    facts = ALL_CASES[case]

    watched = told_to_a_client(facts)
    rebuilt = told_to_a_client([fact for fact in facts if not isinstance(fact, LIVE_ONLY)])

    assert rebuilt.state == watched.state
    assert said_by_agent(rebuilt.messages) == said_by_agent(watched.messages)


def test_an_advisor_reads_each_committed_turn_whole_and_no_attempt() -> None:
    _, frames = fold("advisor", ALL_CASES["agent_killed"])
    texts = [f.event["delta"] for f in frames if f.event["type"] == "TEXT_MESSAGE_CONTENT"]

    assert texts == ["Good to have you here.", "Your document is in order."]


def test_a_question_of_the_agent_ends_the_run_with_an_interrupt_for_whom_it_asks() -> None:
    _, frames = fold("customer", ALL_CASES["agent_asks"])
    asked = [
        (item.interrupt["metadata"]["com.aurum"]["elementId"], item.groups)
        for frame in frames
        if frame.run_end is not None
        for item in frame.run_end.asked
    ]

    assert asked == [
        ("request_information", ("customer",)),
        ("ask_advisor", ("advisors",)),
        ("advisor_review", ("advisors",)),
    ]

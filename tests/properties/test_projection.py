"""What must hold for every stream of every case, however its facts came in."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.cases import ALL_CASES, START_MS
from tests.support.reader import Client, without_metadata

from aurum.facts.vocabulary import Fact
from aurum.feed.sequencer import Sequencer
from aurum.keys import VIEWS, CaseId, View
from aurum.projection.context import ProjectionContext
from aurum.projection.project import initial_view, project
from aurum.projection.view import Frame, ViewState
from aurum.stream.boundary import Viewer, finish
from aurum.stream.guard import Guard
from aurum.stream.prelude import prelude

cases = st.sampled_from(sorted(ALL_CASES))
views = st.sampled_from(VIEWS)


def context_of(view: View) -> ProjectionContext:
    return ProjectionContext(view, CaseId("case-1"), b"k" * 32, customer_epoch="0123456789")


def fold(view: View, facts: list[Fact]) -> tuple[ViewState, list[Frame]]:
    context = context_of(view)
    state, frames = initial_view(context), []
    for place, fact in enumerate(facts):
        state, more = project(context, state, fact, START_MS + place)
        frames += more
    return state, frames


def viewer_of(view: View) -> Viewer:
    return Viewer(view, frozenset({"advisors"}), is_submitter=True)


def as_read(view: View, frames: list[Frame]) -> list[dict[str, Any]]:
    viewer = viewer_of(view)
    return [finish(frame, viewer) if frame.is_boundary else frame.event for frame in frames]


@given(case=cases, view=views, data=st.data())
@settings(max_examples=40, deadline=None)
def test_snapshot_plus_deltas_equals_a_fresh_snapshot(case: str, view: View, data: st.DataObject) -> None:
    facts = ALL_CASES[case]
    joined_at = data.draw(st.integers(0, len(facts)))
    context = context_of(view)
    joined, before = fold(view, facts[:joined_at])
    client = Client()
    for event in prelude(context, joined, viewer_of(view), at_ms=1):
        client.read(json.loads(json.dumps(event)))

    final, frames = fold(view, facts)
    for event in as_read(view, frames[len(before) :]):
        client.read(event)

    assert client.state == final.state
    assert without_metadata(client.messages) == without_metadata(list(final.messages))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("case", sorted(ALL_CASES))
def test_positions_are_dense_from_one_and_the_stream_is_legal(case: str, view: View) -> None:
    _, frames = fold(view, ALL_CASES[case])
    guard = Guard()

    assert [frame.seq for frame in frames] == list(range(1, len(frames) + 1))
    for event in as_read(view, frames):
        assert guard.check(event) is None
    assert guard.phase == "finished"


@given(case=cases, view=views, data=st.data())
@settings(max_examples=40, deadline=None)
def test_every_prelude_is_legal_and_the_tail_continues_it(case: str, view: View, data: st.DataObject) -> None:
    facts = ALL_CASES[case]
    joined_at = data.draw(st.integers(0, len(facts)))
    joined, before = fold(view, facts[:joined_at])
    guard = Guard()
    for event in prelude(context_of(view), joined, viewer_of(view), at_ms=1):
        assert guard.check(event) is None

    _, frames = fold(view, facts)
    for event in as_read(view, frames[len(before) :]):
        assert guard.check(event) is None


@given(case=cases, view=views, seed=st.integers(0, 10_000))
@settings(max_examples=50, deadline=None)
def test_every_order_of_arrival_gives_a_legal_stream_and_the_same_end(
    case: str, view: View, seed: int
) -> None:
    """Shuffle, delay and duplicate; the sequencer makes it causal, the fold makes it the same."""
    facts = ALL_CASES[case]
    rng = random.Random(seed)
    arriving = facts + rng.sample(facts, k=len(facts) // 3)
    rng.shuffle(arriving)
    sequencer, appended, now_ms = Sequencer(), [], 0
    for fact in arriving:
        now_ms += rng.choice((0, 0, 1, 50))
        appended += sequencer.offer([fact], now_ms)
    appended += sequencer.release(now_ms + 60_000)

    expected, _ = fold(view, facts)
    final, frames = fold(view, appended)

    assert {fact.fact_id for fact in appended} == {fact.fact_id for fact in facts}
    assert len(appended) == len(facts)
    assert final.state == expected.state
    guard = Guard()
    for event in as_read(view, frames):
        assert guard.check(event) is None


@pytest.mark.parametrize("case", sorted(ALL_CASES))
def test_a_run_never_ends_while_something_moves(case: str) -> None:
    """Between two facts of a moving case no rest is claimed: a run ends at a task, an incident or the end."""
    _, frames = fold("customer", ALL_CASES[case])
    causes = [frame.fact_id for frame in frames if frame.run_end is not None]

    assert all(cause.startswith(("ut:", "inc:", "pi:", "el:")) for cause in causes)
    assert all(not cause.endswith("ACTIVE") or cause.startswith("inc:") for cause in causes)


def test_the_operators_wire_pane_has_the_customers_own_ids_in_order() -> None:
    facts = ALL_CASES["asked_then_approved"]
    _, customer = fold("customer", facts)
    _, operator = fold("operator", facts)
    wire = [frame.event["value"] for frame in operator if frame.event["type"] == "CUSTOM"]

    assert [value["id"] for value in wire] == [f"0123456789.{frame.seq}" for frame in customer]
    assert [value["event"]["type"] for value in wire] == [frame.event["type"] for frame in customer]
    assert [value["factId"] for value in wire] == [frame.fact_id for frame in customer]


def test_every_fact_is_in_the_operators_facts_pane() -> None:
    facts = ALL_CASES["with_incident"]
    _, frames = fold("operator", facts)
    shown = [frame.event["event"]["id"] for frame in frames if frame.event["type"] == "RAW"]

    assert shown == [fact.fact_id for fact in facts]

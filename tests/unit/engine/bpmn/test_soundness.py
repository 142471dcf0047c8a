"""What the drawing of a process alone says about getting stuck."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conformance.scenarios.builder import build

from aurum_engine.bpmn.api import read_bpmn
from aurum_engine.bpmn.soundness import Severity, examine

ROOT = Path(__file__).resolve().parents[4]
TASK = {"type": "serviceTask", "job": "work"}
XOR = {"type": "exclusiveGateway"}
AND = {"type": "parallelGateway"}
OR = {"type": "inclusiveGateway"}


def findings(flow: str, **elements: Any) -> list[tuple[str, str]]:
    """Return (element id, reason) of what is found in a process, errors first."""
    (process,) = read_bpmn(build({"id": "p", "flow": flow, "elements": elements}))
    return [(finding.element_id, finding.reason) for finding in examine(process)]


def test_the_shipped_process_is_sound() -> None:
    for process in read_bpmn((ROOT / "bpmn" / "wealth-onboarding.bpmn").read_bytes()):
        assert examine(process) == ()


def test_a_join_that_one_branch_never_comes_to_is_a_deadlock() -> None:
    flow = "start -> which -> a [= x]; which -> b [default]; a -> join; b -> join; join -> end"
    found = findings(flow, which=XOR, join=AND, a=TASK, b=TASK)
    assert ("join", "can wait for ever for a token from 'a' and 'b'") in found
    assert ("end", "can never run: no token comes here") in found


def test_a_join_of_all_branches_is_sound() -> None:
    assert (
        findings("start -> fork -> a -> join -> end; fork -> b -> join", fork=AND, join=AND, a=TASK, b=TASK)
        == []
    )


def test_branches_that_nothing_joins_enter_what_follows_twice() -> None:
    found = findings(
        "start -> fork -> a -> merge -> c -> end; fork -> b -> merge",
        fork=AND,
        merge=XOR,
        a=TASK,
        b=TASK,
        c=TASK,
    )
    assert ("merge", "can be entered by two tokens that nothing joins") not in found
    assert ("c", "can be entered by two tokens that nothing joins") in found


def test_a_boundary_event_that_interrupts_starves_a_join() -> None:
    found = findings(
        "start -> fork -> a -> join -> end; fork -> b -> join; late -> other",
        fork=AND, join=AND, a=TASK, b=TASK, other={"type": "endEvent"},
        late={"type": "boundaryEvent", "attached": "a", "timeDuration": "PT1H"},
    )  # fmt: skip
    assert ("join", "can wait for ever for a token from 'a'") in found


def test_a_boundary_event_that_does_not_interrupt_may_fire_again() -> None:
    assert findings(
        "start -> merge -> a -> again -> end [= x]; again -> merge [default]; late -> note -> told",
        merge=XOR, again={**XOR}, a=TASK, note=TASK, told={"type": "endEvent"},
        late={"type": "boundaryEvent", "attached": "a", "timeDuration": "PT1H", "interrupting": False},
    ) == []  # fmt: skip


def test_a_gateway_without_default_is_a_warning_and_an_inclusive_join_waits_for_what_was_chosen() -> None:
    flow = "start -> which -> a [= x]; which -> b [= y]; a -> join; b -> join; join -> end"
    elements = {"which": OR, "join": OR, "a": TASK, "b": TASK}
    (process,) = read_bpmn(build({"id": "p", "flow": flow, "elements": elements}))
    (found,) = examine(process)
    assert (found.severity, found.element_id) == (Severity.WARNING, "which")
    assert "no default flow" in found.reason


def test_a_loop_without_a_way_out_is_an_error() -> None:
    found = findings("start -> merge -> a -> merge", merge=XOR, a=TASK)
    assert ("a", "can be entered when no end can be reached any more") in found


def test_what_no_token_comes_to_is_named_inside_a_sub_process_too() -> None:
    inner = {
        "type": "subProcess",
        "flow": "begin -> x -> done; y -> done",
        "elements": {"x": TASK, "y": TASK},
    }
    assert ("y", "can never run: no token comes here") in findings("start -> inner -> end", inner=inner)


def test_a_terminate_end_event_frees_a_waiting_join() -> None:
    flow = (
        "start -> fork -> a -> join -> end; fork -> b -> which; which -> join [= x]; which -> stop [default]"
    )
    found = findings(
        flow, fork=AND, join=AND, which=XOR, a=TASK, b=TASK, stop={"type": "endEvent", "terminate": True}
    )
    assert [reason for _, reason in found if "for ever" in reason] == []


@pytest.mark.slow  # It has to try five thousand states to say so.
def test_a_drawing_with_too_many_states_says_so() -> None:
    branches = "; ".join(f"fork -> t{n} -> u{n} -> join" for n in range(12))
    tasks = {f"{kind}{n}": TASK for kind in "tu" for n in range(12)}
    found = findings(f"start -> fork; {branches}; join -> end", fork=AND, join=AND, **tasks)
    assert found == [("p", "has more than 5000 states and was not examined to the end")]


class _Blocks:
    """Well-nested processes: every split is closed by a join of its own kind."""

    def __init__(self) -> None:
        self.arrows: list[str] = []
        self.elements: dict[str, Any] = {}
        self.splits: set[str] = set()

    def add(self, kind: str, **more: Any) -> str:
        name = f"e{len(self.elements)}"
        self.elements[name] = {"type": kind, **more}
        return name

    def guard(self, before: str) -> str:
        """Return a condition where the engine wants one."""
        chooses = self.elements.get(before, {}).get("type") in ("exclusiveGateway", "inclusiveGateway")
        return " [= x]" if chooses and before in self.splits else ""

    def block(self, shape: Any, before: str) -> str:
        """Draw a shape after an element and return its last element."""
        if shape is None:
            task = self.add("serviceTask", job="work")
            self.arrows.append(f"{before} -> {task}{self.guard(before)}")
            return task
        kind, parts = shape
        if kind == "sequence":
            for part in parts:
                before = self.block(part, before)
            return before
        split, join = self.add(kind), self.add(kind)
        self.splits.add(split)
        self.arrows.append(f"{before} -> {split}{self.guard(before)}")
        for part in parts:
            self.arrows.append(f"{self.block(part, split)} -> {join}")
        return join


KINDS = ["sequence", "parallelGateway", "exclusiveGateway", "inclusiveGateway"]
SHAPES = st.recursive(
    st.none(),
    lambda inner: st.tuples(st.sampled_from(KINDS), st.lists(inner, min_size=2, max_size=3)),
    max_leaves=6,
)


@pytest.mark.slow  # A hundred drawings are read, which is most of it.
@given(SHAPES)
def test_well_nested_splits_and_joins_are_sound(shape: Any) -> None:
    blocks = _Blocks()
    last = blocks.block(shape, "start")
    flow = ";".join([*blocks.arrows, f"{last} -> end"])
    (process,) = read_bpmn(build({"id": "p", "flow": flow, "elements": blocks.elements}))
    assert [finding for finding in examine(process) if finding.severity is Severity.ERROR] == []


@pytest.mark.parametrize("joined", ["parallelGateway", "inclusiveGateway"])
def test_a_join_inside_a_loop_is_followed(joined: str) -> None:
    guard = "[= x]" if joined == "inclusiveGateway" else ""
    flow = f"""
      start -> merge -> fork
      fork -> a {guard}
      fork -> b {guard}
      a -> join; b -> join; join -> again
      again -> merge [default]; again -> end [= x]
    """
    elements = {"merge": XOR, "fork": {"type": joined}, "join": {"type": joined}, "again": XOR}
    found = findings(flow, a=TASK, b=TASK, **elements)
    assert [reason for _, reason in found if "default" not in reason] == []

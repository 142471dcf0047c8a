"""A snapshot of any moment and the records after it are the state; a damaged record harms its own only.

Over the random processes of the replay property, through the very log and history that the engine uses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conformance.scenarios.builder import build
from tests.properties.test_engine_replay import CHILD, command_of, described, orders, plans

from aurum_engine.core import commands as c
from aurum_engine.core.codec import encode_step
from aurum_engine.core.state import StateView
from aurum_engine.errors import Rejection
from aurum_engine.history import History
from aurum_engine.log.memory import MemoryLog
from aurum_engine.log.record import Record

START_MS = 1_780_000_000_000
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
WORK = build(
    {"id": "w", "flow": "s -> job -> e", "elements": {"job": {"type": "serviceTask", "job": "work"}}}
)


class Run:
    """An engine without a shell: a history and the log that it made."""

    def __init__(self) -> None:
        self.history, self.log, self.now_ms = History(), MemoryLog(), START_MS

    @property
    def view(self) -> StateView:
        return self.history.processor.view

    def do(self, command: c.Command) -> Any:
        """Carry out a command and return its outcome."""
        step = self.history.processor.process(command, self.now_ms)
        if step.events:
            position = self.log.last_position() + 1
            payload = encode_step(step.events)
            self.log.append([self.history.add(position, self.now_ms, payload, step.events)])
        return step.outcome

    def do_any(self, wanted: tuple[int, int]) -> None:
        """Carry out a random command a random time later."""
        self.now_ms += wanted[1] * 100
        self.do(command_of(self.view, *wanted))


def begun(plan: Any, *, with_event_sub_process: bool) -> Run:
    run, source = Run(), described(plan, with_event_sub_process=with_event_sub_process)
    files = (c.Resource("p.bpmn", source), c.Resource("called.bpmn", CHILD), c.Resource("w.bpmn", WORK))
    run.do(c.DeployResources(files))
    run.do(c.CreateProcessInstance("p", variables={"n": 0, "k": "k0"}, business_id="b"))
    return run


def loaded(log: MemoryLog) -> History:
    history = History()
    history.load(log)
    return history


def check_snapshots(
    plan: Any, wanted: list[tuple[int, int]], every: int, slice_trees: int, *, with_event_sub_process: bool
) -> None:
    """Take snapshots in slices all along, restarting from each: equal to the state that never stopped."""
    run, taking = begun(plan, with_event_sub_process=with_event_sub_process), None
    for number, order in enumerate(wanted):
        if taking is None and number % every == 0:
            taking = run.history.capture()
        run.do_any(order)
        if taking is None:
            continue
        taking.advance(slice_trees)
        if taking.is_complete:
            for index, chunk in enumerate(taking.chunks()):
                run.log.write_chunk(taking.position, index, chunk)
            run.log.complete_snapshot(taking.position, taking.head(), keep_records=None)
            taking.end()
            taking = None

            again = loaded(run.log)

            assert again.snapshot_position > 0
            assert again.processor.state_equals(run.history.processor), again.processor.differences(
                run.history.processor
            )
            assert again.chains == run.history.chains
            if number % 2:  # Go on from what was read, with its instances half asleep.
                run.history = loaded(run.log)


@settings(max_examples=15, deadline=None, suppress_health_check=SLOW)
@given(plans, st.booleans(), orders, st.integers(1, 9), st.integers(1, 3))
def test_a_snapshot_and_the_records_after_it_are_the_state(
    plan: Any, with_event_sub_process: bool, wanted: list[tuple[int, int]], every: int, slice_trees: int
) -> None:
    check_snapshots(plan, wanted, every, slice_trees, with_event_sub_process=with_event_sub_process)


@pytest.mark.deep
@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(plans, st.booleans(), orders, st.integers(1, 9), st.integers(1, 3))
def test_a_snapshot_and_the_records_after_it_are_the_state_for_many_models(
    plan: Any, with_event_sub_process: bool, wanted: list[tuple[int, int]], every: int, slice_trees: int
) -> None:
    check_snapshots(plan, wanted, every, slice_trees, with_event_sub_process=with_event_sub_process)


# --- damage ----------------------------------------------------------------------------------

OWNED = (
    *("process_instances", "elements", "jobs", "user_tasks", "incidents", "timers", "subscriptions"),
    *("signal_subscriptions", "audit_entries", "children", "tokens", "loops", "payloads", "scopes"),
    *("element_jobs", "element_user_tasks", "element_timers", "element_subscriptions", "element_signals"),
    *("instance_elements", "instance_jobs", "instance_flows", "instance_audits", "active_incidents"),
)


def of_others(view: StateView, roots: set[int]) -> dict[str, Any]:
    """Return everything in the tables that belongs to none of these call trees."""
    incidents = {key for root in roots for key in view.instance_incidents.get(root, ())}
    return {
        name: {
            key: value
            for key, value in getattr(view, name).items()
            if view.owners.root_of(key) not in roots and key not in incidents
        }
        for name in OWNED
    } | {"messages": dict(view.messages), "buffered": view.buffered, "ids": view.message_ids}


def reachable(view: StateView, root: int) -> Iterator[c.Command]:
    """Yield commands about a call tree that exists."""
    instances = set(view.with_called(root))
    yield c.CancelProcessInstance(root)
    yield c.SetVariables(root, {"n": 1})
    yield from (c.CompleteJob(k) for k, job in view.jobs.items() if job.process_instance_key in instances)
    yield from (
        c.CompleteUserTask(k) for k, task in view.user_tasks.items() if task.process_instance_key in instances
    )


def flipped(log: MemoryLog, index: int, fault: str) -> MemoryLog:
    """Return a copy of a log whose record at `index` was found to be damaged."""
    damaged = MemoryLog()
    records = list(log.read_from(1))
    bad = records[index]
    records[index] = replace(bad, payload=bad.payload[::-1], at_ms=0, fault=fault)
    damaged.append(records)
    return damaged


def touched(record: Record) -> set[int]:
    """Return the roots a record names; by hand, so as not to trust the reader."""
    chain: Mapping[int, str] = dict(orjson.loads(record.links)[4])
    return set(chain)


def check_damage(plan: Any, wanted: list[tuple[int, int]], choice: int) -> None:
    """Damage one record after the deployment: exactly its trees are quarantined."""
    run = begun(plan, with_event_sub_process=bool(choice % 2))
    for order in wanted:
        run.do_any(order)
        if order[0] % 5 == 0:
            run.do(c.CreateProcessInstance("w", variables={"n": 1}))
    records = list(run.log.read_from(1))
    index = 1 + choice % (len(records) - 1)
    roots = touched(records[index])

    found = loaded(flipped(run.log, index, "it fails its checksum"))

    view = found.processor.view
    assert set(view.quarantined) == roots
    assert view.last_key == run.view.last_key
    assert of_others(view, roots) == of_others(run.view, roots)
    backlog = {key for keys in view.activatable.values() for key in keys}
    assert not roots & {view.owners.root_of(key) for key in (*backlog, *view.timers)}
    for root in roots:
        assert view.has_incident(root)
        for command in reachable(view, root):
            outcome = found.processor.process(command, run.now_ms).outcome
            assert isinstance(outcome, Rejection)
            assert f"'{root}' is quarantined: record {index + 1} of the engine log" in outcome.reason
    alive = found.processor.process(c.CreateProcessInstance("w"), run.now_ms).outcome
    assert isinstance(alive, c.CreatedReply)
    assert alive.process_instance_key > run.view.last_key


@settings(max_examples=25, deadline=None, suppress_health_check=SLOW)
@given(plans, orders, st.integers(0, 1_000))
def test_a_damaged_record_quarantines_exactly_whom_it_concerns(
    plan: Any, wanted: list[tuple[int, int]], choice: int
) -> None:
    check_damage(plan, wanted, choice)


@pytest.mark.deep
@settings(max_examples=300, deadline=None, suppress_health_check=SLOW)
@given(plans, orders, st.integers(0, 1_000))
def test_many_damaged_records_quarantine_exactly_whom_they_concern(
    plan: Any, wanted: list[tuple[int, int]], choice: int
) -> None:
    check_damage(plan, wanted, choice)

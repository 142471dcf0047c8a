"""Replay equals the live state after every step, over random processes and random commands.

Also: a rejected command changes nothing, no command raises anything but a rejection, and what is
active has a home: each active element's scope is active, each live job's element too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conformance.scenarios.builder import build

from aurum_engine.core import commands as c
from aurum_engine.core.ad_hoc import is_ad_hoc
from aurum_engine.core.codec import decode_step, encode_step
from aurum_engine.core.processor import Processor
from aurum_engine.core.records import IncidentState, JobState, LifecycleState
from aurum_engine.core.state import StateView
from aurum_engine.errors import Rejection

BLOCKS = (
    *("job", "user", "script", "choice", "fork", "scope", "timer", "message", "receive", "mapped"),
    *("listed", "agent", "events", "each", "row", "call", "hear", "tell", "some", "shout"),
)
"""Kinds of building blocks; a process is a sequence of them, and some contain sequences again."""

block = st.sampled_from(BLOCKS)
plans = st.recursive(
    st.lists(block, min_size=1, max_size=3),
    lambda inner: st.lists(
        st.one_of(
            block, st.tuples(st.sampled_from(("fork", "scope", "listed", "agent", "row", "some")), inner)
        ),
        max_size=3,
    ),
    max_leaves=6,
)
SCOPES = {
    *("PROCESS", "SUB_PROCESS", "EVENT_SUB_PROCESS", "MULTI_INSTANCE_BODY"),
    "AD_HOC_SUB_PROCESS_INNER_INSTANCE",
}

orders = st.lists(st.tuples(st.integers(0, 500), st.integers(0, 1_000)), min_size=20, max_size=40)

INSTANCES_MAX = 6
"""Instances of one run, called ones included; more of them only dilute the commands."""


LOOP = {
    "inputCollection": "=[1, n, 3]",
    "inputElement": "item",
    "outputCollection": "all",
    "outputElement": "=assert(item, n != 4)",
}


ENDS: dict[int, dict[str, Any]] = {
    0: {"terminate": True},
    1: {"error": "E"},
    2: {"escalation": "E"},
    3: {"throws": "message", "job": "work"},
    4: {"signal": "s"},
}
"""What some end events do, by their number."""

CALLED = {"processId": '=if n = 4 then "none" else "called"', "propagateAllChildVariables": "true"}
CHILD = build(
    {"id": "called", "flow": "in -> w -> out", "elements": {"w": {"type": "serviceTask", "job": "work"}}}
)


class Planner:
    """Turns a plan into a described process; every element gets an id of its own."""

    def __init__(self) -> None:
        self._count = 0
        self.elements: dict[str, Any] = {}

    def _name(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count}"

    def sequence(self, plan: Any, into: dict[str, Any]) -> dict[str, Any]:
        """Return `into` extended to a scope that runs the blocks of the plan one after the other."""
        elements: dict[str, Any] = into.setdefault("elements", {})
        arrows: list[str] = []
        last = self._name("start")
        elements[last] = {"type": "startEvent"}
        for item in plan:
            last = self._block(item, last, elements, arrows)
        end = self._name("end")
        elements[end] = {"type": "endEvent", **ENDS.get(self._count % 9, {})}
        arrows.append(f"{last} -> {end}")
        into["flow"] = ";".join(arrows)
        return into

    def _block(self, item: Any, last: str, elements: dict[str, Any], arrows: list[str]) -> str:
        kind, inner = item if isinstance(item, tuple) else (item, ["job"])
        name = self._name(kind)
        simple: dict[str, Any] = {
            "job": {"type": "serviceTask", "job": "work"},
            "user": {"type": "userTask"},
            "script": {"type": "scriptTask", "script": "=n + 1", "result": "n"},
            "timer": {"type": "intermediateCatchEvent", "timeDuration": "PT1M"},
            "message": {"type": "intermediateCatchEvent", "message": {"name": "m", "key": "=k"}},
            "receive": {"type": "receiveTask", "message": {"name": "m", "key": "=k"}},
            "mapped": {
                "type": "serviceTask",
                "job": "work",
                "inputs": {"local": "=assert(n, n != 3)"},
                "outputs": {"n": "=local"},
            },
            "call": {"type": "callActivity", "called": CALLED},
            "hear": {"type": "intermediateCatchEvent", "signal": "s"},
            "shout": {"type": "intermediateThrowEvent", "escalation": '=if n = 2 then "E" else "F"'},
            "tell": {"type": "intermediateThrowEvent", "signal": "s", "inputs": {"n": "=n"}},
            "each": {"type": "serviceTask", "job": "work", "loop": LOOP},
        }
        if kind in simple:
            elements[name] = simple[kind]
            arrows.append(f"{last} -> {name}")
            self._boundaries(kind, name, elements, arrows)
            return name
        if kind in {"scope", "row"}:
            elements[name] = self.sequence(inner, {"type": "subProcess"})
            if kind == "row":
                items = "=if n = 0 then [] else if n = 1 then null else [1, 2, 3]"
                elements[name]["loop"] = LOOP | {"inputCollection": items, "sequential": True}
            arrows.append(f"{last} -> {name}")
            self._boundaries(kind, name, elements, arrows)
            return name
        if kind in {"listed", "agent"}:
            elements[name] = self._ad_hoc(kind, inner)
            arrows.append(f"{last} -> {name}")
            self._boundaries(kind, name, elements, arrows)
            return name
        if kind == "events":
            join, one, two = self._name("join"), self._name("one"), self._name("two")
            elements[name], elements[join] = {"type": "eventBasedGateway"}, {"type": "exclusiveGateway"}
            elements[one], elements[two] = simple["timer"], simple["message"]
            arrows += [f"{last} -> {name} -> {one} -> {join}", f"{name} -> {two} -> {join}"]
            return join
        gateway = {"choice": "exclusiveGateway", "some": "inclusiveGateway"}.get(kind, "parallelGateway")
        join, one, two = self._name("join"), self._name("one"), self._name("two")
        elements[name], elements[join] = {"type": gateway}, {"type": gateway}
        elements[one] = {"type": "serviceTask", "job": "work"}
        elements[two] = self.sequence(inner, {"type": "subProcess"})
        guards = {"choice": ("[= n > 2]", "[default]"), "some": ("[= n > 1]", "[= n < 3]")}.get(
            kind, ("", "")
        )
        arrows += [f"{last} -> {name}", f"{name} -> {one} {guards[0]}", f"{name} -> {two} {guards[1]}"]
        arrows += [f"{one} -> {join}", f"{two} -> {join}"]
        return join

    def _ad_hoc(self, kind: str, inner: Any) -> dict[str, Any]:
        """Return an ad-hoc sub-process with a flow of two jobs and a sub-process to choose from."""
        one, two, three = self._name("one"), self._name("two"), self._name("three")
        work = {"type": "serviceTask", "job": "work"}
        element: dict[str, Any] = {
            "type": "adHocSubProcess",
            "flow": f"{one} -> {two}",
            "elements": {one: work, two: work, three: self.sequence(inner, {"type": "subProcess"})},
            "ad_hoc": {"outputCollection": "out", "outputElement": "=assert(n, n != 4)"},
            "outputs": {"n": "=assert(count(out), n != 2)"},
        }
        if self._count % 2:
            heard, noted = self._name("heard"), self._name("noted")
            start = {"type": "startEvent", "message": {"name": "b", "key": "=k"}}
            element["elements"][self._name("news")] = {
                "type": "eventSubProcess",
                "flow": f"{heard} -> {noted}",
                "elements": {heard: start | {"interrupting": self._count % 3 == 0}},
            }
        if kind == "agent":
            return element | {"job": '=assert("work", n != 1)'}
        element["ad_hoc"]["activeElementsCollection"] = (
            f'=if n = 0 then [] else ["{one}", "{three}", "{one}"]'
        )
        condition = {"completion": "=if n = 3 then null else n > 2", "cancel_remaining": self._count % 2 == 0}
        return element | (condition if self._count % 3 else {})

    def _boundaries(self, kind: str, host: str, elements: dict[str, Any], arrows: list[str]) -> None:
        """Give some hosts boundary events, by their number, so that the plan alone decides."""
        events: dict[int, dict[str, Any]] = {
            0: {"error": "E"},
            1: {"timeDuration": "PT2M"},
            2: {"timeCycle": "R2/PT1M", "interrupting": False},
            3: {"message": {"name": "b", "key": "=k"}, "interrupting": False},
            4: {"signal": "s", "interrupting": False},
        }
        if kind in {"scope", "row", "listed", "agent", "call"}:
            events[5] = {"escalation": "E", "interrupting": self._count % 4 == 0}
        event = events.get(self._count % 6)
        if event is not None and kind in {
            "job",
            "user",
            "scope",
            "mapped",
            "listed",
            "agent",
            "each",
            "row",
            "call",
        }:
            name, end = self._name("event"), self._name("end")
            elements[name] = {"type": "boundaryEvent", "attached": host, **event}
            arrows.append(f"{name} -> {end}")


def described(plan: Any, *, with_event_sub_process: bool) -> bytes:
    process = Planner().sequence(plan, {"id": "p"})
    if with_event_sub_process:
        process["elements"]["esp"] = {
            "type": "eventSubProcess",
            "flow": "esp_start -> esp_work -> esp_end",
            "inputs": {"local": "=assert(n, n != 3)"},
            "elements": {
                "esp_start": {"type": "startEvent", "message": {"name": "stop", "key": "=k"}},
                "esp_work": {"type": "serviceTask", "job": "work"},
            },
        }
    return build(process)


def inside(view: StateView, boxes: list[int], choice: int) -> str:
    """Return the id of something that can be activated in the ad-hoc sub-process that `choice` picks."""
    if not boxes:
        return "nothing"
    found = view.scopes.get(boxes[choice % len(boxes)], {}).get("adHocSubProcessElements")
    return "nothing" if found is None else str(found.value[choice % len(found.value)]["elementId"])


def result_of(view: StateView, jobs: list[int], choice: int) -> c.AdHocResult | None:
    """Return one of the things a worker may decide."""
    boxes = [view.jobs[key].element_instance_key for key in jobs]
    chosen = (inside(view, boxes, choice), {"n": choice % 3})
    return (
        None,
        c.AdHocResult((chosen,)),
        c.AdHocResult((chosen, chosen), cancel_remaining=True),
        c.AdHocResult(is_fulfilled=True),
        c.AdHocResult(is_fulfilled=True, cancel_remaining=True),
        c.AdHocResult((chosen,)),
    )[choice % 6]


def command_of(view: StateView, verb: int, choice: int) -> c.Command:
    """Return a command aimed at something that is there; one in twelve aims at nothing."""
    variables = {"n": choice % 5, "extra": [choice, {"deep": None}]}
    if verb % 12 == 11:
        return aimed_at_nothing(choice, variables)
    jobs = [job for job in view.jobs.values() if job.is_live]
    leased = [job.key for job in jobs if job.state is JobState.ACTIVATED]
    agents = [job.key for job in jobs if is_ad_hoc(view.elements[job.element_instance_key])]
    active = [e.key for e in view.elements.values() if e.state is LifecycleState.ACTIVE]
    boxes = [key for key in active if is_ad_hoc(view.elements[key])]
    tasks = [t.key for t in view.user_tasks.values() if str(t.state) == "CREATED"]
    incidents = [i.key for i in view.incidents.values() if i.state is IncidentState.ACTIVE]

    def pick(keys: list[int]) -> int:
        return keys[choice % len(keys)]

    name, key = ("m", "b", "stop")[choice % 3], f"k{choice % 2}"
    possible: list[Callable[[], c.Command]] = [
        lambda: c.ActivateJobs("work", "w", 30_000, 1 + choice % 3),
        lambda: c.PublishMessage(name, key, choice % 4 * 60_000, str(choice % 7), variables),
        lambda: c.BroadcastSignal("s", variables),
        c.Tick,
    ]
    if len(view.process_instances) < INSTANCES_MAX:
        possible.append(lambda: c.CreateProcessInstance("p", variables={"n": choice % 5, "k": key}))
    elif choice % 20 == 0:
        possible.append(lambda: c.CancelProcessInstance(pick(list(view.process_instances))))
    if active:
        possible.append(lambda: c.SetVariables(pick(active), {"n": choice % 5}, bool(choice % 2)))
    if jobs:
        keys = [job.key for job in jobs]
        possible += [lambda: c.CompleteJob(pick(keys), variables)] * 3
        possible.append(lambda: c.UpdateJobRetries(pick(keys), 1 + choice % 3))
    if leased:
        possible.append(lambda: c.FailJob(pick(leased), choice % 3, "failed", choice % 2 * 1_000, variables))
        possible.append(lambda: c.ThrowError(pick(leased), "EF"[choice % 2], "thrown", variables))
    if agents:
        possible += [lambda: c.CompleteJob(pick(agents), variables, result_of(view, agents, choice))] * 3
    if boxes:
        chosen = ((inside(view, boxes, choice), variables),)
        possible.append(lambda: c.ActivateAdHoc(pick(boxes), chosen, choice % 3 == 0))
    if tasks:
        possible += [lambda: c.CompleteUserTask(pick(tasks), variables)] * 2
    if incidents:
        possible += [lambda: c.ResolveIncident(pick(incidents))] * 2
    return possible[verb % len(possible)]()


def aimed_at_nothing(choice: int, variables: dict[str, Any]) -> c.Command:
    """Return a command that must be refused."""
    return (
        c.CompleteJob(choice, variables),
        c.FailJob(choice, 1),
        c.ThrowError(choice, "E"),
        c.ResolveIncident(choice),
        c.SetVariables(choice, variables),
        c.CompleteUserTask(choice, variables),
        c.ActivateAdHoc(choice, (("x", {}),)),
        c.CancelProcessInstance(choice),
        c.UpdateJob(choice, 1, 1),
        c.CreateProcessInstance("nothing"),
    )[choice % 10]


def check_homes(view: StateView) -> None:
    for element in view.elements.values():
        if element.state is LifecycleState.ACTIVE and element.scope_key in view.elements:
            assert view.is_active(element.scope_key)
            assert element.key in view.children[element.scope_key]
    for job in view.jobs.values():
        assert job.is_live == (view.element_jobs.get(job.element_instance_key) == job.key)
        if job.is_live:
            assert view.is_active(job.element_instance_key)
    for element in view.elements.values():
        # A scope that nobody can end is a process that hangs; an ad-hoc one may wait for its activations.
        if element.state is LifecycleState.ACTIVE and element.element_type in SCOPES:
            assert element.incident_key or view.children.get(element.key) or view.tokens.get(element.key)
    for call_key, instance_key in view.called.items():
        assert view.is_active(call_key)
        assert view.is_active(instance_key)
    for timer in view.timers.values():
        assert view.is_active(timer.element_instance_key)
    for keys in view.waiting.values():
        for key in keys:
            assert view.is_active(view.subscriptions[key].element_instance_key)
    for signal in view.signal_subscriptions.values():
        assert view.is_active(signal.element_instance_key)
    for incident in view.incidents.values():
        if incident.state is IncidentState.ACTIVE:
            assert view.elements[incident.element_instance_key].incident_key == incident.key


def run(source: bytes, wanted: list[tuple[int, int]]) -> None:
    live, replayed, now_ms = Processor(), Processor(), 1_780_000_000_000
    commands: list[Any] = [
        c.DeployResources((c.Resource("p.bpmn", source), c.Resource("called.bpmn", CHILD))),
        c.CreateProcessInstance("p", variables={"n": 0, "k": "k0"}),
        *wanted,
    ]
    for command in commands:
        if isinstance(command, tuple):
            now_ms += command[1] * 100
            command = command_of(live.view, *command)
        step = live.process(command, now_ms)

        assert not (isinstance(step.outcome, Rejection) and step.events)
        replayed.replay(decode_step(encode_step(step.events)), now_ms)
        assert live.state_equals(replayed), live.differences(replayed)
    check_homes(live.view)
    assert not isinstance(live.process(commands[0], now_ms).outcome, Rejection)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans, st.booleans(), orders)
def test_replay_equals_the_live_state_after_every_step(
    plan: Any, with_event_sub_process: bool, wanted: list[tuple[int, int]]
) -> None:
    run(described(plan, with_event_sub_process=with_event_sub_process), wanted)

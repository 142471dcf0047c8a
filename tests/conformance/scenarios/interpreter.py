"""Runs one scenario against a driver.

A scenario is `name`, `behaviours` (numbers of the list in docs/supported-bpmn.md), `processes` (see
`builder.py`) and/or `files` (name: text), and `steps`. A step is one verb with its arguments; any
step may carry `refused: TYPE`, and then must be refused. Everything described is deployed first unless
`deploy: false` is set. Names given by `as` stand for instances and jobs later on.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tests.conformance.scenarios.builder import build
from tests.conformance.scenarios.driver import Driver, FoundIncident, FoundUserTask, LeasedJob, Refused

LEASE_MS = 60_000
"""Lease of a scenario's jobs unless it says otherwise."""

_UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def milliseconds(text: Any) -> int:
    """Return a duration such as 500ms, 10s, 5m, 2h, 3d."""
    match = re.fullmatch(r"(-?\d+)(ms|s|m|h|d)", str(text))
    if match is None:
        raise ValueError(f"{text!r} is no duration")
    return int(match[1]) * _UNITS[match[2]]


async def _refusal_of(action: Awaitable[None]) -> Refused | None:
    try:
        await action
    except Refused as refusal:
        return refusal
    return None


class Interpreter:
    """State of one running scenario: the things it has given names to."""

    def __init__(self, scenario: Mapping[str, Any], driver: Driver, *, patience_s: float = 0.0) -> None:
        """`patience_s` is how long to wait for what late searches should find; 0 asks once."""
        self._scenario = scenario
        self._driver = driver
        self._patience_s = patience_s
        self._instances: dict[str, int] = {}
        self._jobs: dict[str, list[LeasedJob]] = {}
        self._deployed: dict[str, dict[str, tuple[int, int]]] = {}

    async def run(self) -> None:
        """Deploy, then do step after step; raises AssertionError with the step that went wrong."""
        resources = self._resources(list(self._scenario.get("processes", {})))
        resources |= {name: text.encode() for name, text in self._scenario.get("files", {}).items()}
        if self._scenario.get("deploy", True):
            await self._driver.deploy(resources)
        for number, step in enumerate(self._scenario["steps"], start=1):
            try:
                await self._step(dict(step))
            except (AssertionError, Refused, LookupError) as error:
                raise AssertionError(f"{self._scenario['name']}, step {number} {step}: {error!r}") from error

    def _resources(self, names: list[str]) -> dict[str, bytes]:
        found = self._scenario["processes"] if names else {}
        return {f"{name}.bpmn": build({"id": name, **found[name]}) for name in names}

    async def _step(self, step: dict[str, Any]) -> None:
        refused = step.pop("refused", None)
        because = step.pop("because", "")
        ((verb, arguments),) = step.items()
        action = getattr(self, f"_do_{verb}")
        refusal = await _refusal_of(self._patiently(lambda: action(arguments)))
        assert (None if refusal is None else refusal.kind) == refused, refusal
        assert refusal is None or because in refusal.reason, refusal

    async def _patiently(self, action: Callable[[], Awaitable[None]]) -> None:
        """Repeat what found too little, until it finds enough or patience is over."""
        deadline = time.monotonic() + self._patience_s
        while True:
            try:
                return await action()
            except (AssertionError, LookupError):
                if time.monotonic() >= deadline:
                    raise
            await asyncio.sleep(0.1)

    async def _do_deploy(self, a: dict[str, Any]) -> None:
        resources = self._resources(a.get("processes", []))
        resources |= {name: self._scenario["files"][name].encode() for name in a.get("files", [])}
        if "rename" in a:
            source = {**self._scenario["processes"][a["rename"]["from"]], "id": a["rename"]["to"]}
            resources = {"renamed.bpmn": build(source)}
        found = await self._driver.deploy(resources)
        for identity, version in a.get("versions", {}).items():
            assert found[identity][1] == version, found
        if "as" in a:
            self._deployed[a["as"]] = found
        if "same_keys_as" in a:
            assert found == self._deployed[a["same_keys_as"]]

    async def _do_create(self, a: dict[str, Any]) -> None:
        key = await self._driver.create(
            a["process"],
            a.get("variables", {}),
            version=a.get("version", -1),
            business_id=a.get("business_id"),
        )
        self._instances[a.get("as", "it")] = key

    async def _do_find(self, a: dict[str, Any]) -> None:
        """Find the instances of a process, and name them in order."""
        found = await self._driver.instances(a["process"])
        assert len(found) == a.get("count", len(a.get("as", []))), found
        self._instances |= {name: key for name, (key, _) in zip(a.get("as", []), found, strict=False)}

    def _instance(self, a: Mapping[str, Any]) -> int:
        return self._instances[a.get("of", "it")]

    async def _do_cancel(self, a: dict[str, Any]) -> None:
        await self._driver.cancel(self._instance(a) if "key" not in a else a["key"])

    async def _do_set(self, a: dict[str, Any]) -> None:
        key = self._instance(a)
        if "element" in a:
            key = next(e.key for e in await self._driver.elements(key) if e.element_id == a["element"])
        await self._driver.set_variables(key, a["variables"], local=a.get("local", False))

    async def _do_activate(self, a: dict[str, Any]) -> None:
        lease_ms = milliseconds(a["lease"]) if "lease" in a else LEASE_MS
        jobs = await self._driver.activate(a["type"], a.get("max", 10), lease_ms, a.get("fetch", []))
        assert len(jobs) == a.get("count", 1), jobs
        self._jobs[a.get("as", a["type"])] = jobs
        for name in ("variables", "headers", "retries"):
            if name in a:
                assert getattr(jobs[0], name) == a[name], jobs[0]

    def _job(self, a: Mapping[str, Any]) -> int:
        return self._jobs[a["job"]][a.get("index", 0)].key

    async def _do_complete(self, a: dict[str, Any]) -> None:
        await self._driver.complete(self._job(a), a.get("variables", {}), a.get("result"))

    async def _do_activate_inside(self, a: dict[str, Any]) -> None:
        """Activate elements inside the latest visit of an ad-hoc sub-process."""
        found = [e for e in await self._driver.elements(self._instance(a)) if e.element_id == a["element"]]
        cancel = a.get("cancel_remaining", False)
        await self._driver.activate_inside(found[-1].key, a["elements"], cancel_remaining=cancel)

    async def _do_fail(self, a: dict[str, Any]) -> None:
        back_off = milliseconds(a.get("back_off", "0ms"))
        message = a.get("message", "")
        await self._driver.fail(self._job(a), a["retries"], back_off, message, a.get("variables", {}))

    async def _do_throw(self, a: dict[str, Any]) -> None:
        await self._driver.throw(self._job(a), a["code"], a.get("variables", {}))

    async def _do_retries(self, a: dict[str, Any]) -> None:
        await self._driver.set_retries(self._job(a), a["retries"])

    async def _do_timeout(self, a: dict[str, Any]) -> None:
        await self._driver.set_timeout(self._job(a), milliseconds(a["lease"]))

    async def _do_publish(self, a: dict[str, Any]) -> None:
        ttl = milliseconds(a.get("ttl", "0ms"))
        key, message_id = a.get("key", ""), a.get("id", "")
        await self._driver.publish(a["name"], key, ttl, message_id, a.get("variables", {}))

    async def _do_correlate(self, a: dict[str, Any]) -> None:
        hit = await self._driver.correlate(a["name"], a.get("key", ""), a.get("variables", {}))
        if "hits" in a:
            assert hit == self._instances[a["hits"]]

    async def _do_broadcast(self, a: dict[str, Any]) -> None:
        await self._driver.broadcast(a["name"], a.get("variables", {}))

    async def _do_advance(self, a: Any) -> None:
        await self._driver.advance(milliseconds(a))

    async def _incident(self, a: Mapping[str, Any]) -> FoundIncident:
        found = [i for i in await self._driver.incidents(self._instance(a)) if i.is_active]
        found = [i for i in found if i.element_id == a["element"]]
        assert len(found) == 1, found
        return found[0]

    async def _do_resolve(self, a: dict[str, Any]) -> None:
        await self._driver.resolve((await self._incident(a)).key)

    async def _user_task(self, a: Mapping[str, Any]) -> FoundUserTask:
        found = [t for t in await self._driver.user_tasks(self._instance(a)) if t.element_id == a["element"]]
        assert found, f"no user task of {a['element']}"
        return found[-1]

    async def _do_assign(self, a: dict[str, Any]) -> None:
        task = await self._user_task(a)
        await self._driver.assign(task.key, a["to"], allow_override=a.get("override", True))

    async def _do_update_task(self, a: dict[str, Any]) -> None:
        await self._driver.update_task((await self._user_task(a)).key, a["changes"])

    async def _do_complete_task(self, a: dict[str, Any]) -> None:
        key = a["key"] if "key" in a else (await self._user_task(a)).key
        await self._driver.complete_task(key, a.get("variables", {}))

    async def _do_expect(self, a: dict[str, Any]) -> None:
        key = self._instance(a)
        for what, wanted in a.items():
            if what != "of":
                await getattr(self, f"_expect_{what}")(key, wanted)

    async def _expect_state(self, key: int, wanted: str) -> None:
        for process_id in self._scenario["processes"]:
            for found, state in await self._driver.instances(process_id):
                if found == key:
                    assert state == wanted, state
                    return
        raise AssertionError("instance not found")

    async def _expect_elements(self, key: int, wanted: dict[str, Any]) -> None:
        """States per element id: one state, or the states of all its visits, or [] for never visited."""
        states: dict[str, list[str]] = {}
        for element in await self._driver.elements(key):
            states.setdefault(element.element_id, []).append(element.state)
        for element_id, state in wanted.items():
            expected = state if isinstance(state, list) else [state]
            assert states.get(element_id, []) == expected, f"{element_id} is {states.get(element_id)}"

    async def _expect_types(self, key: int, wanted: dict[str, str]) -> None:
        types = {e.element_id: e.type for e in await self._driver.elements(key)}
        assert {k: types.get(k) for k in wanted} == wanted

    async def _expect_variables(self, key: int, wanted: dict[str, Any]) -> None:
        """All variables of the root scope, exactly."""
        found = {v.name: v.value for v in await self._driver.variables(key) if v.scope_key == key}
        assert found == wanted, found

    async def _expect_locals(self, key: int, wanted: dict[str, Any]) -> None:
        """All variables in the scope of the latest visit of an element, exactly."""
        scopes = {e.element_id: e.key for e in await self._driver.elements(key)}
        for element_id, values in wanted.items():
            found = await self._driver.variables(key)
            local = {v.name: v.value for v in found if v.scope_key == scopes[element_id]}
            assert local == values, f"{element_id} has {local}"

    async def _expect_incidents(self, key: int, wanted: dict[str, str]) -> None:
        """All active incidents, as element id: type."""
        found = {i.element_id: i.error_type for i in await self._driver.incidents(key) if i.is_active}
        assert found == wanted, found

    async def _expect_incident_count(self, key: int, wanted: int) -> None:
        assert len(await self._driver.incidents(key)) == wanted

    async def _expect_result(self, key: int, wanted: dict[str, Any]) -> None:
        assert await self._driver.result(key) == wanted

    async def _expect_user_task(self, key: int, wanted: dict[str, Any]) -> None:
        tasks = [t for t in await self._driver.user_tasks(key) if t.element_id == wanted["element"]]
        assert tasks, "no such user task"
        for name, value in wanted.items():
            if name == "element":
                continue
            found = getattr(tasks[-1], name)
            assert (list(found) if isinstance(found, tuple) else found) == value, f"{name} is {found!r}"

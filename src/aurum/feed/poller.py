"""The shell around `reconcile`: looks at the engine through REST v2 and feeds the inbox.

Correctness never depends on a hint: a global query per tick finds new instances and every change
of the set of open user tasks and incidents, which are the only ways a resting case can move.
Staleness (the age of the last successful tick) is shown, never hidden.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import structlog

from aurum.camunda.models import DecisionInstanceRow, UserTaskRow
from aurum.camunda.rest import CamundaRest
from aurum.clock import Clock
from aurum.errors import CommandRejected, EngineUnavailable, NotPermitted
from aurum.facts.vocabulary import CONTAINER_TYPES, Fact
from aurum.feed.inbox import Inbox
from aurum.feed.reconcile import CaseSearch, reconcile, submitter_of
from aurum.feed.registry import CaseEntry, CaseRegistry
from aurum.feed.schedule import LookSchedule
from aurum.keys import CaseId, PersonId

TICK_MS = 500
"""Pace of the global queries: the longest an unhinted change stays unseen, besides the search lag."""

LOOKS_AT_ONCE = 8
"""Parallel looks: each is about six small requests; more would only queue up in the engine."""

WATCHED_MS = 5_000
"""A resting case that somebody watches is looked at this often: a timer beside a waiting task changes
neither the open tasks nor the incidents. An unwatched one costs nothing."""

DISCOVERY_SLACK_MS = 60_000
"""New instances are searched from this long before the newest known start: exporters may reorder."""

RESTING_TYPES = frozenset({"USER_TASK", "INTERMEDIATE_CATCH_EVENT", "RECEIVE_TASK", "EVENT_BASED_GATEWAY"})

_log = structlog.get_logger("aurum.feed")

Watched = Callable[[], Iterable[str]]
"""Process instance keys of the cases that somebody is reading now."""

TasksListener = Callable[[Sequence[UserTaskRow]], None]


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at an instance showed."""

    changed: bool
    resting: bool
    ended: bool


class Poller:
    """Watches one process definition. Also the in-process `FactSink` of workers and BFF."""

    def __init__(
        self,
        client: CamundaRest,
        inbox: Inbox,
        registry: CaseRegistry,
        clock: Clock,
        *,
        bpmn_process_id: str,
        tick_ms: int = TICK_MS,
        watched: Watched = tuple,
    ) -> None:
        self._client = client
        self._inbox = inbox
        self._registry = registry
        self._clock = clock
        self._process_id = bpmn_process_id
        self._tick_ms = tick_ms
        self._watched = watched
        self._watched_ms = 0
        self._schedule = LookSchedule()
        self._wake = asyncio.Event()
        self._task_listeners: list[TasksListener] = []
        self._open_marks: dict[str, str] = {}
        self._newest_start_ms = 0
        self._last_tick_ms: int | None = None

    def listen_tasks(self, listener: TasksListener) -> None:
        """Call `listener(open user tasks)` after each global query."""
        self._task_listeners.append(listener)

    def staleness_ms(self) -> int | None:
        """Age of the last successful global query, or None before the first."""
        return None if self._last_tick_ms is None else self._clock.now_ms() - self._last_tick_ms

    async def hint(self, process_instance_key: str) -> None:
        """Look at this instance at once (FactSink)."""
        self._schedule.hint(process_instance_key, self._clock.now_ms())
        self._wake.set()

    async def offer(self, process_instance_key: str, facts: Sequence[Fact]) -> None:
        """Take facts from whoever did the work (FactSink); of an unknown case only the hint is used."""
        entry = self._registry.by_instance(process_instance_key)
        if entry is not None:
            await self._inbox.accept(entry.case_id, facts)
        await self.hint(process_instance_key)

    async def run(self) -> None:
        """Poll until cancelled. An unreachable engine is logged and tried again on the next tick."""
        for entry in self._registry.all():
            if not self._inbox.is_ended(entry.case_id):
                self._schedule.hint(entry.process_instance_key, self._clock.now_ms())
        next_tick_ms = self._clock.now_ms()
        while True:
            if self._clock.now_ms() >= next_tick_ms:
                await self._guarded_tick()
                next_tick_ms = self._clock.now_ms() + self._tick_ms
            await self._look_at_due()
            due = self._schedule.next_due_ms()
            until = min(next_tick_ms, due) if due is not None else next_tick_ms
            await self._sleep(until - self._clock.now_ms())

    async def _sleep(self, milliseconds: int) -> None:
        if milliseconds <= 0:
            await asyncio.sleep(0)
            return
        try:
            async with asyncio.timeout(milliseconds / 1000):
                await self._wake.wait()
        except TimeoutError:
            return
        self._wake.clear()

    async def _guarded_tick(self) -> None:
        try:
            await self.tick()
        except (EngineUnavailable, NotPermitted, CommandRejected) as error:
            _log.warning("engine_query_failed", reason=str(error))

    async def tick(self) -> None:
        """Run the global queries once: discover instances, compare open tasks and incidents."""
        now_ms = self._clock.now_ms()
        await self._discover(now_ms)
        tasks = await self._client.user_tasks(state="CREATED")
        incidents = await self._client.incidents(state="ACTIVE")
        marks = {f"ut:{row.user_task_key}": row.process_instance_key for row in tasks}
        marks |= {f"inc:{row.incident_key}": row.process_instance_key for row in incidents}
        for mark in marks.keys() ^ self._open_marks.keys():
            self._schedule.wake(marks.get(mark) or self._open_marks[mark], now_ms)
        self._open_marks = marks
        if now_ms - self._watched_ms >= WATCHED_MS:
            self._watched_ms = now_ms
            for key in self._watched():
                self._schedule.wake(key, now_ms)
        self._last_tick_ms = self._clock.now_ms()
        for listener in self._task_listeners:
            listener(tasks)

    async def _discover(self, now_ms: int) -> None:
        since_ms = max(self._newest_start_ms - DISCOVERY_SLACK_MS, 0)
        for row in await self._client.process_instances(self._process_id, started_since_ms=since_ms):
            self._newest_start_ms = max(self._newest_start_ms, row.start_date)
            if self._registry.by_instance(row.process_instance_key) is None:
                self._schedule.wake(row.process_instance_key, now_ms)

    async def _look_at_due(self) -> None:
        due = self._schedule.due(self._clock.now_ms())
        for start in range(0, len(due), LOOKS_AT_ONCE):
            batch = due[start : start + LOOKS_AT_ONCE]
            async with asyncio.TaskGroup() as group:
                for key in batch:
                    group.create_task(self._guarded_look(key), name=f"look-{key}")

    async def _guarded_look(self, key: str) -> None:
        started_ms = self._clock.now_ms()
        look = Look(changed=False, resting=False, ended=False)
        try:
            look = await self.look(key)
        except (EngineUnavailable, NotPermitted, CommandRejected) as error:
            _log.warning("engine_look_failed", process_instance_key=key, reason=str(error))
        if look.ended:
            self._schedule.drop(key)
        else:
            self._schedule.looked(
                key,
                started_ms=started_ms,
                now_ms=self._clock.now_ms(),
                changed=look.changed,
                resting=look.resting,
            )

    async def look(self, process_instance_key: str) -> Look:
        """Read one instance's pages once and feed what they show."""
        search = await self._read(process_instance_key)
        if search is None:
            return Look(changed=False, resting=False, ended=False)
        entry = self._registry.by_instance(process_instance_key) or _entry_from(search)
        if entry is None:
            return Look(changed=False, resting=False, ended=search.instance.state != "ACTIVE")
        self._registry.put(entry)
        logged = await self._inbox.accept(entry.case_id, reconcile(search))
        held = await self._inbox.holds(entry.case_id)
        return Look(
            changed=bool(logged),
            resting=_is_resting(search) and not held,
            ended=self._inbox.is_ended(entry.case_id) and not held,
        )

    async def _read(self, key: str) -> CaseSearch | None:
        """Read elements before variables: a visible end then has visible results."""
        instance = await self._client.process_instance(key)
        if instance is None:
            return None
        elements = await self._client.element_instances(key)
        tasks = await self._client.user_tasks(process_instance_key=key)
        incidents = await self._client.incidents(process_instance_key=key)
        decisions = await self._decisions(key)
        variables = await self._client.variables(key)
        return CaseSearch(instance, elements, tasks, incidents, decisions, variables)

    async def _decisions(self, key: str) -> list[DecisionInstanceRow]:
        """Return decisions with their inputs and rules; those already logged are left out."""
        entry = self._registry.by_instance(key)
        detailed: list[DecisionInstanceRow] = []
        for row in await self._client.decision_instances(key):
            name = row.decision_evaluation_instance_key
            if entry is not None and await self._inbox.knows(entry.case_id, f"dec:{name}"):
                continue
            full = await self._client.decision_instance(name)
            if full is not None:
                detailed.append(full)
        return detailed


def _entry_from(search: CaseSearch) -> CaseEntry | None:
    """Return the case of an instance nobody told us about, from its own variables."""
    key = search.instance.process_instance_key
    submitter = submitter_of(search)
    for row in search.variables:
        if row.name == "caseId" and row.scope_key == key:
            value = row.parsed()
            if isinstance(value, str) and submitter is not None:
                return CaseEntry(CaseId(value), key, PersonId(submitter))
    return None


def _is_resting(search: CaseSearch) -> bool:
    """Does every open leaf wait for a person, an event or a repair? Not while nothing is known open."""
    leaves = [row for row in search.elements if row.state == "ACTIVE" and row.type not in CONTAINER_TYPES]
    return bool(leaves) and all(row.has_incident or row.type in RESTING_TYPES for row in leaves)

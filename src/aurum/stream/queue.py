"""The advisors' queue as AG-UI threads: every connect is a prelude, each change one short run.

The queue is a view on the engine's open user tasks, enriched with what the advisor's stream of each
case says (applicant, amount, reason). It has no log and no positions: a client that comes back gets
the whole queue, which is small.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from aurum.camunda.models import UserTaskRow
from aurum.domain.service_levels import service_level
from aurum.domain.tasks import CUSTOMER_TASKS
from aurum.feed.registry import CaseEntry, CaseRegistry
from aurum.instants import iso_utc
from aurum.keys import opaque_key
from aurum.projection.deltas import diff
from aurum.projection.events import Event, state_delta
from aurum.stream.boundary import PROTOCOL_VERSION
from aurum.stream.frames import HEARTBEAT, encode, retry
from aurum.stream.hub import Hub
from aurum.stream.subscription import HEARTBEAT_SECONDS, LIFETIME_SECONDS, Allowed

QueueTask = dict[str, Any]


def queue_task(row: UserTaskRow, entry: CaseEntry, state: dict[str, Any], task_id: str) -> QueueTask:
    """Return one row of the queue from the engine's task and the advisor's state of its case. Pure."""
    application = state.get("application", {})
    names = [application.get("givenNames"), application.get("familyName")]
    return {
        "taskId": task_id,
        "caseId": entry.case_id,
        "elementId": row.element_id,
        "applicant": " ".join(name for name in names if name) or None,
        "depositUsdCents": state.get("quote", {}).get("depositUsdCents"),
        "reasonCode": state.get("route", {}).get("reasonCode"),
        "since": iso_utc(row.creation_date),
        "groups": list(row.candidate_groups),
        "assignee": row.assignee,
        "priority": row.priority,
        "sla": service_level(row.element_id, row.creation_date),
    }


class TaskQueue:
    """Open advisor tasks, kept current by the poller's global query."""

    def __init__(self, hub: Hub, registry: CaseRegistry, key_secret: bytes) -> None:
        self._hub = hub
        self._registry = registry
        self._key_secret = key_secret
        self._tasks: list[QueueTask] = []
        self._rows: Sequence[UserTaskRow] = ()
        self._changed = asyncio.Event()
        self._news = asyncio.Event()

    def offer(self, rows: Sequence[UserTaskRow]) -> None:
        """Take the engine's open user tasks (listener of the poller)."""
        self._rows = [row for row in rows if row.element_id not in CUSTOMER_TASKS]
        self._news.set()

    async def run(self) -> None:
        """Turn offered rows into the queue until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            tasks = [task for row in self._rows if (task := await self._task(row)) is not None]
            if tasks != self._tasks:
                self._tasks = tasks
                changed, self._changed = self._changed, asyncio.Event()
                changed.set()

    async def _task(self, row: UserTaskRow) -> QueueTask | None:
        entry = self._registry.by_instance(row.process_instance_key)
        if entry is None:
            return None
        channel = await self._hub.channel(entry.case_id, "advisor")
        return queue_task(row, entry, channel.view.state, opaque_key(self._key_secret, row.user_task_key))

    def tasks_of(self, groups: frozenset[str]) -> list[QueueTask]:
        """Return the tasks that a member of these groups may take, oldest first."""
        return [task for task in self._tasks if not groups.isdisjoint(task["groups"])]

    async def chunks(
        self,
        groups: frozenset[str],
        *,
        still_allowed: Allowed | None = None,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        lifetime_seconds: float = LIFETIME_SECONDS,
    ) -> AsyncIterator[bytes]:
        """Yield the thread `queue:<groups>` as SSE bytes: the whole queue, then its changes."""
        thread_id, run, lived = "queue:" + "+".join(sorted(groups)), 1, 0.0
        shown = {"tasks": self.tasks_of(groups)}
        snapshot: Event = {"type": "STATE_SNAPSHOT", "snapshot": shown}
        yield retry(1_000) + _run(thread_id, run, snapshot, prelude=True)
        while not self._hub.closing and lived < lifetime_seconds:
            changed = self._changed
            current = {"tasks": self.tasks_of(groups)}
            operations = diff(shown, current)
            if operations:
                run, shown = run + 1, current
                yield _run(thread_id, run, state_delta(operations))
                continue
            try:
                async with asyncio.timeout(heartbeat_seconds):
                    await changed.wait()
            except TimeoutError:
                lived += heartbeat_seconds
                if still_allowed is not None and not await still_allowed():
                    return
                yield HEARTBEAT

    def close(self) -> None:
        """Wake every reader, so that it sees the hub closing."""
        self._changed.set()


def _run(thread_id: str, run: int, event: Event, *, prelude: bool = False) -> bytes:
    """Return one short run around one event."""
    ids = {"threadId": thread_id, "runId": f"{thread_id}:{run}"}
    started: Event = {"type": "RUN_STARTED", **ids, "protocolVersion": PROTOCOL_VERSION}
    if prelude:
        started["metadata"] = {"com.aurum": {"prelude": True}}
    finished: Event = {"type": "RUN_FINISHED", **ids, "outcome": {"type": "success"}}
    return b"".join(encode(item, None) for item in (started, event, finished))

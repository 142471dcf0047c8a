"""Who waits for the engine: for durability, for jobs of a type, for the end of an instance.

Futures and nothing else: this module decides nothing and touches no log. Whoever waits is told a
result, or an error by `fail`; nobody is left waiting.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from aurum_engine.core.events import ElementCompleted, ElementTerminated, Event
from aurum_engine.core.records import LifecycleState
from aurum_engine.core.state import StateView
from aurum_engine.errors import EngineStopped

T = TypeVar("T")
K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class InstanceResult:
    """How a process instance ended, with the variables of its root scope."""

    process_instance_key: int
    state: LifecycleState
    variables: dict[str, Any]


def ended(view: StateView, key: int) -> InstanceResult | None:
    """Return how an instance ended; None while it is active. An unknown key raises KeyError."""
    instance = view.process_instances[key]
    if instance.state is LifecycleState.ACTIVE:
        return None
    variables = {name: v.value for name, v in view.scopes.get(key, {}).items()}
    return InstanceResult(key, instance.state, variables)


class Waiters:
    """All futures of one engine that no command answers."""

    def __init__(self) -> None:
        self._commits: deque[tuple[int, asyncio.Future[None]]] = deque()
        self._jobs: dict[str, set[asyncio.Future[bool]]] = {}
        self._ends: dict[int, set[asyncio.Future[InstanceResult]]] = {}

    async def commit(self, position: int) -> None:
        """Return once the log is durable up to `position`."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._commits.append((position, waiter))
        await waiter

    async def job(self, job_type: str, timeout_s: float) -> bool:
        """Wait for a job of that type to become available; False when the time is over."""
        found = await _wait(self._jobs, job_type, timeout_s)
        return found is not None and found

    async def end(self, process_instance_key: int, timeout_s: float) -> InstanceResult | None:
        """Wait for the end of an instance; None when the time is over."""
        return await _wait(self._ends, process_instance_key, timeout_s)

    def committed(self, position: int) -> None:
        """Tell those whose position is durable."""
        while self._commits and self._commits[0][0] <= position:
            _, waiter = self._commits.popleft()
            if not waiter.done():
                waiter.set_result(None)

    def look(self, view: StateView, events: Iterator[Event]) -> None:
        """Wake whoever waited for what these durable events brought."""
        for job_type, waiters in self._jobs.items():
            if view.has_activatable(job_type):
                _give(waiters, True)
        if not self._ends:
            return
        for event in events:
            if isinstance(event, ElementCompleted | ElementTerminated) and event.key in self._ends:
                result = ended(view, event.key)
                if result is not None:
                    _give(self._ends[event.key], result)

    def fail(self, error: EngineStopped) -> None:
        """Tell everybody that it will not happen."""
        waiters: list[asyncio.Future[Any]] = [waiter for _, waiter in self._commits]
        for job_waiters in self._jobs.values():
            waiters += job_waiters
        for end_waiters in self._ends.values():
            waiters += end_waiters
        self._commits.clear()
        for waiter in waiters:
            if not waiter.done():
                waiter.set_exception(error.again())


def _give(waiters: set[asyncio.Future[T]], result: T) -> None:
    for waiter in waiters:
        if not waiter.done():
            waiter.set_result(result)


async def _wait(registry: dict[K, set[asyncio.Future[T]]], key: K, timeout_s: float) -> T | None:
    waiter: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    waiters = registry.setdefault(key, set())
    waiters.add(waiter)
    try:
        async with asyncio.timeout(timeout_s):
            return await waiter
    except TimeoutError:
        return None
    finally:
        waiters.discard(waiter)
        if not waiters and registry.get(key) is waiters:
            del registry[key]

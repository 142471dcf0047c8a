"""One engine for one test: in this process, with a clock that stands still, and with faults on demand.

`idle` is the heart of it: it returns once nothing can happen any more unless time passes, a message
comes, or somebody who is not here does his work. So tests neither sleep nor poll.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
from pyzeebe import ZeebeClient, ZeebeWorker

from aurum_engine.clock import ManualClock
from aurum_engine.core.commands import CreatedReply, CreateProcessInstance, DeployResources, Resource
from aurum_engine.core.records import JobState
from aurum_engine.engine import Engine, EngineOptions
from aurum_engine.log.memory import MemoryLog
from aurum_engine.log.record import Record
from aurum_engine.service import EngineService
from aurum_engine.testing.faults import Faults
from aurum_engine.testing.wires import FaultyChannel, FaultyTransport

START_MS = 1_767_225_600_000
"""2026-01-01T00:00:00Z: where the clock of a new bench stands."""

IDLE_SECONDS = 5.0
"""How long `idle` waits in real time before it says what is still going on."""

REST_ADDRESS = "http://engine.test/v2"


class NotIdle(AssertionError):
    """Work went on, or lay about with nobody doing it; the message says which."""


class WatchedLog(MemoryLog):
    """A log in memory that tells the event loop of each step it has stored."""

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self.stored = asyncio.Event()

    def append(self, batch: Sequence[Record]) -> None:
        """Store records; called by the log's thread."""
        super().append(batch)
        self._loop.call_soon_threadsafe(self.stored.set)


def _resource(file: Path | str | tuple[str, bytes]) -> Resource:
    if isinstance(file, tuple):
        return Resource(*file)
    return Resource(Path(file).name, Path(file).read_bytes())


class EngineBench:
    """An engine under test; an async context. Use it from the loop that entered it."""

    def __init__(self, *, start_ms: int = START_MS, search_lag_ms: int = 0) -> None:
        """Describe a bench. With a search lag, searches see the state of that long ago by its clock."""
        self.clock = ManualClock(start_ms)
        """The engine's time; move it with `advance`."""
        self.faults = Faults()
        """What is to go wrong."""
        self._options = EngineOptions(clock=self.clock, search_lag_ms=search_lag_ms)
        self._workers: list[ZeebeWorker] = []
        self._stack = contextlib.AsyncExitStack()
        self._engine: Engine
        self._log: WatchedLog

    async def __aenter__(self) -> EngineBench:
        """Start the engine."""
        self._log = WatchedLog()
        self._engine = await self._stack.enter_async_context(Engine(replace(self._options, log=self._log)))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    @property
    def service(self) -> EngineService:
        """The engine itself: commands in, views out."""
        return self._engine.service

    # --- ways in --------------------------------------------------------------------------------

    def channel(self) -> FaultyChannel:
        """Return a channel for pyzeebe or any stub of the gateway protocol."""
        return FaultyChannel(self._engine, self.faults)

    def client(self) -> ZeebeClient:
        """Return a pyzeebe client."""
        return ZeebeClient(self.channel())

    def worker(self, **options: Any) -> ZeebeWorker:
        """Return a pyzeebe worker that survives refused polls; `options` are ZeebeWorker's."""
        return ZeebeWorker(self.channel(), **{"max_connection_retries": -1} | options)

    def http(self) -> httpx.AsyncClient:
        """Return a REST client, its base address ending in /v2. The caller closes it."""
        return httpx.AsyncClient(transport=FaultyTransport(self._engine, self.faults), base_url=REST_ADDRESS)

    @contextlib.asynccontextmanager
    async def working(self, *workers: ZeebeWorker) -> AsyncIterator[None]:
        """Let workers work while the block runs. A worker that ends by an error ends the block with it."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(worker.work()) for worker in workers]
            self._workers += workers
            try:
                yield
            finally:
                for worker in workers:
                    self._workers.remove(worker)
                for task in tasks:
                    task.cancel()

    # --- what one does ------------------------------------------------------------------------------

    async def deploy(self, *files: Path | str | tuple[str, bytes]) -> None:
        """Deploy files, or (name, content) pairs, all or nothing. Raises Rejection."""
        await self.service.submit(DeployResources(tuple(map(_resource, files))))

    async def start(self, bpmn_process_id: str, variables: Mapping[str, Any] | None = None) -> int:
        """Start an instance of the latest version and return its key. Raises Rejection."""
        reply = await self.service.submit(CreateProcessInstance(bpmn_process_id, variables=variables or {}))
        assert isinstance(reply, CreatedReply)
        return reply.process_instance_key

    async def advance(self, *, seconds: float = 0, minutes: float = 0, days: float = 0) -> None:
        """Let time pass; what becomes due on the way happens at its own moment. Then wait until idle."""
        milliseconds = round((seconds + 60 * minutes + 86_400 * days) * 1_000)
        await self.service.advance_to(self.clock.now_ms() + milliseconds)
        await self.idle()

    async def idle(self, *, also: Iterable[str] = (), timeout_seconds: float = IDLE_SECONDS) -> None:
        """Wait until no job is being worked on and none waits for a worker that is working here.

        `also` names job types of workers the bench does not know. Jobs of other types may lie about,
        and so may jobs that wait for a back-off. Raises NotIdle with what is still going on.
        """
        try:
            async with asyncio.timeout(timeout_seconds):
                while True:
                    self._log.stored.clear()
                    await self.service.committed()
                    if not self._going_on(also):
                        return
                    await self._log.stored.wait()
        except TimeoutError:
            raise NotIdle("; ".join(self._going_on(also)) or "the engine never came to rest") from None

    def _going_on(self, also: Iterable[str]) -> list[str]:
        types = {task.type for worker in self._workers for task in worker.tasks} | set(also)
        view = self.service.view()
        leased = [job for job in view.jobs.values() if job.state is JobState.ACTIVATED]
        waiting = {name: len(view.activatable.get(name, ())) for name in sorted(types)}
        return [
            *(f"job {job.key} of type {job.type!r} is leased to {job.worker!r}" for job in leased),
            *(f"{count} of type {name!r} wait for a worker" for name, count in waiting.items() if count),
        ]

    # --- what one sees: the engine's own state, never late -----------------------------------------

    def state_of(self, process_instance_key: int) -> str:
        """Return ACTIVE, COMPLETED or TERMINATED."""
        return self.service.view().process_instances[process_instance_key].state.value

    def variables_of(self, process_instance_key: int) -> dict[str, Any]:
        """Return the variables of the instance's own scope."""
        scope = self.service.view().scopes.get(process_instance_key, {})
        return {name: variable.value for name, variable in scope.items()}

    def elements_of(self, process_instance_key: int, *, state: str = "COMPLETED") -> list[str]:
        """Return the ids of the elements in a state, in the order in which they were entered."""
        view = self.service.view()
        elements = [view.elements[key] for key in view.instance_elements.get(process_instance_key, ())]
        return [found.element_id for found in elements if found.state == state]

    def incidents_of(self, process_instance_key: int) -> list[str]:
        """Return the messages of the unresolved incidents, oldest first."""
        view = self.service.view()
        return [view.incidents[key].message for key in view.active_incidents.get(process_instance_key, ())]

    def jobs_of(self, job_type: str) -> list[int]:
        """Return the keys of the jobs of a type that wait for a worker, oldest first."""
        return list(self.service.view().activatable.get(job_type, ()))

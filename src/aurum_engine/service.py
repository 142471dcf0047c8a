"""The engine's shell: one asyncio writer around the sans-IO core, with a durable log behind it.

Commands are processed in the order of `submit`. While one batch is being fsynced by the log's thread
the next one is computed; a reply is given only after the batch it belongs to is on disk. Time comes
from an injected clock, and waiting for it happens only here.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aurum_engine.clock import Clock, ManualClock
from aurum_engine.core.codec import UnknownEvent, decode_step, encode_step
from aurum_engine.core.commands import Command, Reply, Tick
from aurum_engine.core.events import ElementCompleted, ElementTerminated
from aurum_engine.core.processor import Processor, Step
from aurum_engine.core.records import LifecycleState
from aurum_engine.core.state import StateView
from aurum_engine.errors import EngineStopped, LogCorrupt, Rejection, RejectionType
from aurum_engine.log.memory import MemoryLog
from aurum_engine.log.record import Log, Record
from aurum_engine.log.sqlite import SqliteLog

logger = logging.getLogger(__name__)

BATCH_COMMANDS_MAX = 256
"""Commands of one commit. Larger batches gain no throughput and make the first of them wait."""

CHECKPOINT_RECORDS = 20_000
"""Records between checkpoints, about 64 MB of write-ahead log at the size of our commands."""

TIMER_WAIT_SECONDS_MAX = 60.0
"""Longest sleep of the timer loop, so that a clock that was changed is noticed within a minute."""


@dataclass(frozen=True, slots=True)
class InstanceResult:
    """How a process instance ended, with the variables of its root scope."""

    process_instance_key: int
    state: LifecycleState
    variables: dict[str, Any]


@dataclass(slots=True)
class _Order:
    command: Command
    reply: asyncio.Future[Reply]


class EngineService:
    """One running engine. Make it with `open`, end it with `close`; not thread-safe.

    Usable from the event loop that opened it only.
    """

    def __init__(self, log: Log, clock: Clock, *, business_id_unique: bool) -> None:
        self._log = log
        self._clock = clock
        self._business_id_unique = business_id_unique
        self._processor = Processor(business_id_unique=business_id_unique)
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine-log")
        self._queue: deque[_Order] = deque()
        self._wake = asyncio.Event()
        self._due_changed = asyncio.Event()
        self._commit: asyncio.Task[None] | None = None
        self._position = 0
        self._durable_position = 0
        self._commit_waiters: deque[tuple[int, asyncio.Future[None]]] = deque()
        self._since_checkpoint = 0
        self._job_waiters: dict[str, set[asyncio.Future[bool]]] = {}
        self._end_waiters: dict[int, set[asyncio.Future[InstanceResult]]] = {}
        self._stopped: str | None = None
        self._closing = False
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, path: Path | None, *, clock: Clock, business_id_unique: bool = True) -> EngineService:
        """Open the log at `path` (None: in memory), replay it, and start.

        Raises LogLocked when another process has the log, LogCorrupt when it is damaged.
        """
        log: Log = MemoryLog() if path is None else SqliteLog(path)
        service = cls(log, clock, business_id_unique=business_id_unique)
        try:
            await service.start()
        except BaseException:
            log.close()
            service._executor.shutdown(wait=False)
            raise
        return service

    async def start(self) -> None:
        """Replay the log and begin to work. `open` does it; needed only with a log of one's own."""
        self._replay()
        self._tasks = [
            asyncio.create_task(self._run(), name="engine-writer"),
            asyncio.create_task(self._watch_time(), name="engine-timer"),
        ]

    def _replay(self) -> None:
        """Fold the log into the state; without cycle collection, since everything made here stays."""
        collecting = gc.isenabled()
        gc.disable()
        try:
            self._fold_log()
        finally:
            if collecting:
                gc.enable()

    def _fold_log(self) -> None:
        for record in self._log.read_from(1):
            try:
                events = decode_step(record.payload)
            except (UnknownEvent, ValueError, TypeError) as error:
                raise LogCorrupt(f"record {record.position} cannot be read: {error}") from error
            self._processor.replay(events, record.at_ms)
            self._position = self._durable_position = record.position

    async def submit(self, command: Command) -> Reply:
        """Carry out a command; returns its reply once it is durable.

        Raises Rejection when the engine refuses it, EngineStopped when the engine is closed or broken.
        A caller that is cancelled while waiting does not undo the command.
        """
        self._check_running()
        order = _Order(command, asyncio.get_running_loop().create_future())
        self._queue.append(order)
        self._wake.set()
        return await order.reply

    def view(self) -> StateView:
        """Return the state for reading, without waiting.

        It shows everything processed so far, which may be a few milliseconds ahead of what is on disk.
        Whoever hands what he read to the outside awaits `committed()` in between; then a crash cannot
        make it untrue. Take a new view for each request: it does not survive an internal error.
        """
        return self._processor.view

    async def committed(self) -> None:
        """Return once everything that `view()` shows at this moment is durable."""
        self._check_running()
        if self._durable_position < self._position:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._commit_waiters.append((self._position, waiter))
            await waiter

    async def jobs_available(self, job_type: str, timeout_s: float) -> bool:
        """Wait until a job of that type can be activated; False when the time is over.

        Also wakes for jobs that become available after a lease, a back-off or an incident. True is a
        hint: another worker may be faster.
        """
        self._check_running()
        if self._processor.view.has_activatable(job_type):
            return True
        if timeout_s <= 0:
            return False
        waiter: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        waiters = self._job_waiters.setdefault(job_type, set())
        waiters.add(waiter)
        try:
            async with asyncio.timeout(timeout_s):
                return await waiter
        except TimeoutError:
            return False
        finally:
            waiters.discard(waiter)
            if not waiters and self._job_waiters.get(job_type) is waiters:
                del self._job_waiters[job_type]

    async def instance_completed(self, process_instance_key: int, timeout_s: float) -> InstanceResult | None:
        """Wait until an instance has ended (durably) and return its result; None when the time is over.

        The instance runs on after a timeout. An unknown key gives a NOT_FOUND rejection.
        """
        self._check_running()
        if process_instance_key not in self._processor.view.process_instances:
            reason = f"no process instance with key '{process_instance_key}'"
            raise Rejection(RejectionType.NOT_FOUND, reason)
        result = self._ended(process_instance_key)
        if result is not None:
            await self.committed()
            return result
        waiter: asyncio.Future[InstanceResult] = asyncio.get_running_loop().create_future()
        waiters = self._end_waiters.setdefault(process_instance_key, set())
        waiters.add(waiter)
        try:
            async with asyncio.timeout(timeout_s):
                return await waiter
        except TimeoutError:
            return None
        finally:
            waiters.discard(waiter)
            if not waiters and self._end_waiters.get(process_instance_key) is waiters:
                del self._end_waiters[process_instance_key]

    def _ended(self, key: int) -> InstanceResult | None:
        view = self._processor.view
        instance = view.process_instances[key]
        if instance.state is LifecycleState.ACTIVE:
            return None
        variables = {name: v.value for name, v in view.scopes.get(key, {}).items()}
        return InstanceResult(key, instance.state, variables)

    async def advance_to(self, now_ms: int) -> None:
        """Set a manual clock to `now_ms`, stopping at each moment at which something is due.

        Returns when everything due until then has happened and is durable. Needs a ManualClock.
        """
        if not isinstance(self._clock, ManualClock):
            raise TypeError("advance_to needs an engine opened with a ManualClock")
        while (due_ms := self._processor.view.next_due_ms()) is not None and due_ms <= now_ms:
            self._clock.set(due_ms)
            await self.submit(Tick())
        self._clock.set(now_ms)
        await self.committed()

    async def close(self) -> None:
        """Finish what was submitted, then release the log. Waiting callers get EngineStopped."""
        if self._closing:
            return
        self._closing = True
        self._wake.set()
        writer, timer = self._tasks
        timer.cancel()
        await asyncio.gather(writer, timer, return_exceptions=True)
        self._stop("the engine is closed")
        await asyncio.get_running_loop().run_in_executor(self._executor, self._log.close)
        self._executor.shutdown(wait=True)

    def _check_running(self) -> None:
        if self._stopped is not None:
            raise EngineStopped(self._stopped)
        if self._closing:
            raise EngineStopped("the engine is closed")

    def _stop(self, reason: str, orders: Sequence[_Order] = ()) -> None:
        """Accept nothing more and tell everyone who waits."""
        self._stopped = self._stopped or reason
        waiters: list[asyncio.Future[Any]] = [order.reply for order in (*orders, *self._queue)]
        waiters += [waiter for _, waiter in self._commit_waiters]
        for job_waiters in self._job_waiters.values():
            waiters += job_waiters
        for end_waiters in self._end_waiters.values():
            waiters += end_waiters
        self._queue.clear()
        self._commit_waiters.clear()
        for waiter in waiters:
            if not waiter.done():
                waiter.set_exception(EngineStopped(self._stopped))

    async def _run(self) -> None:
        """Compute batches and hand them to the log, one ahead of the disk."""
        batch: list[_Order] = []
        try:
            while self._stopped is None and (self._queue or not self._closing):
                if not self._queue:
                    self._wake.clear()
                    await self._wake.wait()
                    continue
                batch = [self._queue.popleft() for _ in range(min(len(self._queue), BATCH_COMMANDS_MAX))]
                answered, records = await self._compute(batch)
                if self._commit is not None:
                    await self._commit
                if self._stopped is None:
                    self._commit = asyncio.create_task(self._store(answered, records), name="engine-commit")
                    batch = []
            if self._commit is not None:
                await self._commit
            self._stop("the engine is closed", batch)
        except Exception as error:  # a bug in this loop must not leave callers waiting for ever
            logger.exception("the engine's writer failed; the engine stops")
            self._stop(f"internal error of the engine: {error}", batch)

    async def _compute(self, batch: Sequence[_Order]) -> tuple[list[tuple[_Order, Step]], list[Record]]:
        answered: list[tuple[_Order, Step]] = []
        records: list[Record] = []
        for order in batch:
            now_ms = self._clock.now_ms()
            try:
                step = self._processor.process(order.command, now_ms)
                payload = encode_step(step.events) if step.events else b""
            except Exception:  # a bug must not take the other instances down
                logger.exception("command %s failed inside the engine", type(order.command).__name__)
                await self._rebuild(records)
                step = Step((), Rejection(RejectionType.PROCESSING_ERROR, "internal error of the engine"))
                payload = b""
            if payload:
                self._position += 1
                records.append(Record(self._position, now_ms, payload))
            answered.append((order, step))
        self._due_changed.set()
        return answered, records

    async def _rebuild(self, computed: Sequence[Record]) -> None:
        """Replace a state that a bug left half changed by what the log and this batch say."""
        if self._commit is not None:
            await self._commit
        self._processor = Processor(business_id_unique=self._business_id_unique)
        self._replay()
        for record in computed:
            self._processor.replay(decode_step(record.payload), record.at_ms)
            self._position = record.position

    async def _store(self, answered: Sequence[tuple[_Order, Step]], records: Sequence[Record]) -> None:
        loop = asyncio.get_running_loop()
        if records:
            try:
                await loop.run_in_executor(self._executor, self._log.append, records)
            except Exception as error:  # disk full, file gone: nothing can be promised any more
                logger.exception("the engine log cannot be written; the engine stops")
                reason = f"the engine log cannot be written: {error}"
                self._stop(reason, [order for order, _ in answered])
                return
            self._durable_position = records[-1].position
        self._answer(answered)
        self._since_checkpoint += len(records)
        if self._since_checkpoint >= CHECKPOINT_RECORDS:
            self._since_checkpoint = 0
            await loop.run_in_executor(self._executor, self._log.checkpoint)

    def _answer(self, answered: Sequence[tuple[_Order, Step]]) -> None:
        """Tell callers and waiters what became durable."""
        for order, step in answered:
            if order.reply.done():
                continue
            if isinstance(step.outcome, Rejection):
                order.reply.set_exception(step.outcome)
            else:
                order.reply.set_result(step.outcome)
        while self._commit_waiters and self._commit_waiters[0][0] <= self._durable_position:
            _, committed = self._commit_waiters.popleft()
            if not committed.done():
                committed.set_result(None)
        view = self._processor.view
        for job_type, waiters in self._job_waiters.items():
            if view.has_activatable(job_type):
                for waiter in waiters:
                    if not waiter.done():
                        waiter.set_result(True)
        if self._end_waiters:
            self._announce_ends(answered)

    def _announce_ends(self, answered: Sequence[tuple[_Order, Step]]) -> None:
        for _, step in answered:
            for event in step.events:
                if isinstance(event, ElementCompleted | ElementTerminated) and event.key in self._end_waiters:
                    result = self._ended(event.key)
                    for waiter in self._end_waiters[event.key]:
                        if result is not None and not waiter.done():
                            waiter.set_result(result)

    async def _watch_time(self) -> None:
        """Submit a TICK whenever something is due by the clock. A manual clock moves by `advance_to` only."""
        if isinstance(self._clock, ManualClock):
            return
        while True:
            self._due_changed.clear()
            due_ms = self._processor.view.next_due_ms()
            wait = TIMER_WAIT_SECONDS_MAX
            if due_ms is not None:
                wait = min(wait, (due_ms - self._clock.now_ms()) / 1_000)
            if wait <= 0:
                try:
                    await self.submit(Tick())
                except Rejection as rejection:
                    # What is due would fail again at once and for ever, and hold back all that is due later.
                    self._stop(f"something that was due cannot be carried out: {rejection.reason}")
                    self._wake.set()
                    return
                continue
            try:
                async with asyncio.timeout(wait):
                    await self._due_changed.wait()
            except TimeoutError:
                continue

"""The engine's shell: one asyncio writer around the sans-IO core, with a durable log behind it.

Commands are processed in the order of `submit`. While one batch is being fsynced by the log's thread
the next one is computed; a reply is given only after the batch it belongs to is on disk. When the
log cannot be written, commands are refused with LogNotWritable and reading goes on (`writer.py`).
Time comes from an injected clock, and waiting for it happens only here.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from aurum_engine.admission import JobPusher, Limits, WaitingRoom
from aurum_engine.clock import Clock, ManualClock
from aurum_engine.core.commands import Command, Reply, Tick
from aurum_engine.core.state import StateView
from aurum_engine.errors import EngineStopped, LogNotWritable, Rejection, RejectionType
from aurum_engine.log.memory import MemoryLog
from aurum_engine.log.record import Log
from aurum_engine.log.sqlite import SqliteLog
from aurum_engine.snapshotting import SnapshotPlan
from aurum_engine.waiters import InstanceResult, Waiters, ended
from aurum_engine.writer import MEND_SECONDS, Writer

__all__ = ["EngineService", "InstanceResult"]

TIMER_WAIT_SECONDS_MAX = 60.0
"""Longest sleep of the timer loop, so that a clock that was changed is noticed within a minute."""


class EngineService:
    """One running engine. Make it with `open`, end it with `close`; not thread-safe.

    Usable from the event loop that opened it only.
    """

    def __init__(
        self,
        log: Log,
        clock: Clock,
        *,
        business_id_unique: bool,
        mend_seconds: float = MEND_SECONDS,
        plan: SnapshotPlan | None = None,
        limits: Limits | None = None,
    ) -> None:
        limits = limits or Limits()
        self.room = WaitingRoom(limits)
        """Places for callers that wait for jobs or ends; taken by whoever lets them wait."""
        self._clock = clock
        self._waiters = Waiters()
        self._writer = Writer(
            log,
            clock,
            self._waiters,
            business_id_unique=business_id_unique,
            mend_seconds=mend_seconds,
            limits=limits,
            plan=plan or SnapshotPlan(),
        )
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
            service._writer.release_thread()
            raise
        return service

    async def start(self) -> None:
        """Replay the log and begin to work. `open` does it; needed only with a log of one's own."""
        self._writer.replay()
        self._tasks = [
            asyncio.create_task(self._writer.run(), name="engine-writer"),
            asyncio.create_task(self._watch_time(), name="engine-timer"),
        ]

    async def submit(self, command: Command) -> Reply:
        """Carry out a command; returns its reply once it is durable.

        Raises Rejection when the engine refuses it, EngineBusy when too much waits already,
        LogNotWritable when it cannot be stored for now, EngineStopped when the engine is closed or
        broken: nothing was changed in all four cases.
        A caller that is cancelled while waiting does not undo the command.
        """
        return await self._writer.submit(command)

    def now_ms(self) -> int:
        """Return the engine's time, in Unix milliseconds."""
        return self._clock.now_ms()

    def push_to(self, pusher: JobPusher) -> None:
        """Let `pusher` lease new jobs before any other command sees them."""
        self._writer.pusher = pusher

    def view(self) -> StateView:
        """Return the state for reading, without waiting.

        It shows everything processed so far, which may be a few milliseconds ahead of what is on disk.
        Whoever hands what he read to the outside awaits `committed()` in between; then a crash cannot
        make it untrue. Take a new view for each request: it does not survive an internal error.
        """
        return self._writer.processor.view

    @property
    def write_problem(self) -> str | None:
        """Why commands are refused at the moment; None when they are not."""
        return None if self._writer.problem is None else str(self._writer.problem)

    async def committed(self) -> None:
        """Return once everything that `view()` shows at this moment is durable.

        That includes an engine whose log cannot be written: it shows what is durable.
        """
        if self._writer.durable_position < self._writer.position:
            await self._waiters.commit(self._writer.position)
        elif not isinstance(self._writer.problem, LogNotWritable):
            self._writer.check()

    async def jobs_available(self, job_type: str, timeout_s: float) -> bool:
        """Wait until a job of that type can be activated; False when the time is over.

        Also wakes for jobs that become available after a lease, a back-off or an incident. True is a
        hint: another worker may be faster. Raises EngineStopped as `submit` does.
        """
        self._writer.check()
        if self.view().has_activatable(job_type):
            return True
        return timeout_s > 0 and await self._waiters.job(job_type, timeout_s)

    async def instance_completed(self, process_instance_key: int, timeout_s: float) -> InstanceResult | None:
        """Wait until an instance has ended (durably) and return its result; None when the time is over.

        The instance runs on after a timeout. An unknown key gives a NOT_FOUND rejection. Raises
        EngineStopped as `submit` does, unless the instance has ended.
        """
        if process_instance_key not in self.view().process_instances:
            self._writer.check()
            reason = f"no process instance with key '{process_instance_key}'"
            raise Rejection(RejectionType.NOT_FOUND, reason)
        result = ended(self.view(), process_instance_key)
        if result is not None:
            await self.committed()
            return result
        self._writer.check()
        return await self._waiters.end(process_instance_key, timeout_s)

    async def advance_to(self, now_ms: int) -> None:
        """Set a manual clock to `now_ms`, stopping at each moment at which something is due.

        Returns when everything due until then has happened and is durable. Needs a ManualClock.
        """
        if not isinstance(self._clock, ManualClock):
            raise TypeError("advance_to needs an engine opened with a ManualClock")
        while (due_ms := self.view().next_due_ms()) is not None and due_ms <= now_ms:
            self._clock.set(due_ms)
            await self.submit(Tick())
        self._clock.set(now_ms)
        await self.committed()

    async def close(self) -> None:
        """Finish what was submitted, then release the log. Waiting callers get EngineStopped."""
        if self._closing:
            return
        self._closing = True
        self._writer.finish()
        writer, timer = self._tasks
        timer.cancel()
        await asyncio.gather(writer, timer, return_exceptions=True)
        self._writer.stop("the engine is closed")
        await self._writer.close_log()

    async def _watch_time(self) -> None:
        """Submit a TICK whenever something is due by the clock. A manual clock moves by `advance_to` only."""
        if isinstance(self._clock, ManualClock):
            return
        while True:
            self._writer.changed.clear()
            due_ms = self.view().next_due_ms()
            wait = TIMER_WAIT_SECONDS_MAX
            if due_ms is not None:
                wait = min(wait, (due_ms - self._clock.now_ms()) / 1_000)
            if wait <= 0 and await self._tick():
                continue
            try:
                async with asyncio.timeout(max(wait, 0) or TIMER_WAIT_SECONDS_MAX):
                    await self._writer.changed.wait()
            except TimeoutError:
                continue

    async def _tick(self) -> bool:
        """Do what is due. Returns False when that has to wait until the log can be written again."""
        try:
            await self.submit(Tick())
        except LogNotWritable:
            return False
        except Rejection as rejection:
            # What is due would fail again at once and for ever, and hold back all that is due later.
            self._writer.stop(f"something that was due cannot be carried out: {rejection.reason}")
            raise EngineStopped(str(self._writer.problem)) from rejection
        return True

"""The one writer: commands in order, in batches, one batch computed while the other is on its way to disk.

What the log refuses never happened: the batch and all that was computed after it are refused, the
state is folded again from what is durable, and reading goes on. From then on nothing is accepted
until the log could be opened anew and shows exactly what was acknowledged; after a failed fsync
the page cache may hold what the disk does not, so going on with the same file handle would be a lie.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from aurum_engine.admission import JobPusher, Limits, reply_to
from aurum_engine.clock import Clock
from aurum_engine.core.codec import encode_step
from aurum_engine.core.commands import Command, Reply
from aurum_engine.core.processor import Processor, Step
from aurum_engine.errors import EngineStopped, LogNotWritable, Rejection, RejectionType
from aurum_engine.history import History
from aurum_engine.log.record import Log, Record
from aurum_engine.snapshotting import SnapshotPlan, Taking
from aurum_engine.waiters import Waiters

logger = logging.getLogger(__name__)

BATCH_COMMANDS_MAX = 256
"""Commands of one commit. Larger batches gain no throughput and make the first of them wait."""

CHECKPOINT_RECORDS = 20_000
"""Records between checkpoints, about 64 MB of write-ahead log at the size of our commands."""

MEND_SECONDS = 1.0
"""How long a log that could not be written rests before it is tried again; a try costs one fsync."""


@dataclass(slots=True)
class Order:
    """A command and the future of its reply."""

    command: Command
    reply: asyncio.Future[Reply]

    def refuse(self, error: Exception) -> None:
        """Answer with an error, unless the caller has gone."""
        if not self.reply.done():
            self.reply.set_exception(error)


class Writer:
    """Owns the state and the log of one engine; of the event loop that runs it."""

    def __init__(
        self,
        log: Log,
        clock: Clock,
        waiters: Waiters,
        *,
        business_id_unique: bool,
        mend_seconds: float,
        limits: Limits,
        plan: SnapshotPlan,
    ) -> None:
        self._limits = limits
        self._log = log
        self._clock = clock
        self._waiters = waiters
        self._business_id_unique = business_id_unique
        self._mend_seconds = mend_seconds
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine-log")
        self._queue: deque[Order] = deque()
        self._wake = asyncio.Event()
        self._commit: asyncio.Task[None] | None = None
        self._since_checkpoint = 0
        self._closing = asyncio.Event()
        self.history = History(business_id_unique=business_id_unique)
        """The state and how it came to be; replaced when it has to be folded again."""
        self._taking: Taking | None = None
        self._plan = plan
        self.position = 0
        """Position of the newest record that was computed."""
        self.durable_position = 0
        """Position of the newest record on disk."""
        self.changed = asyncio.Event()
        """Set whenever something was computed, or the log can be written again."""
        self.problem: EngineStopped | None = None
        """Why nothing can be written at the moment, or never again."""
        self.pusher: JobPusher | None = None
        """Whoever leases new jobs before the next command sees them."""

    @property
    def processor(self) -> Processor:
        """The state, and what commands do to it."""
        return self.history.processor

    # --- life -------------------------------------------------------------------------------

    def replay(self) -> None:
        """Fold the log into a new state. Raises LogCorrupt."""
        self._give_up_snapshot()
        history = History(business_id_unique=self._business_id_unique)
        history.load(self._log)
        self.history = history
        self.position = self.durable_position = history.position

    def check(self) -> None:
        """Raise EngineStopped when no command can be carried out, now or ever."""
        if self.problem is not None:
            raise self.problem.again()
        if self._closing.is_set():
            raise EngineStopped("the engine is closed")

    def submit(self, command: Command) -> asyncio.Future[Reply]:
        """Queue a command; the future gets its reply once it is durable. Raises EngineBusy, EngineStopped."""
        self.check()
        self._limits.check(command, len(self._queue))
        order = Order(command, asyncio.get_running_loop().create_future())
        self._queue.append(order)
        self._wake.set()
        return order.reply

    def finish(self) -> None:
        """Accept nothing more; `run` returns when what was submitted is done."""
        self._closing.set()
        self._wake.set()

    async def close_log(self) -> None:
        """Release the log, once `run` has returned."""
        await asyncio.get_running_loop().run_in_executor(self._executor, self._log.close)
        self._executor.shutdown(wait=True)

    def release_thread(self) -> None:
        """Give the log's thread back when the engine never ran."""
        self._executor.shutdown(wait=False)

    def stop(self, reason: str, orders: Sequence[Order] = ()) -> None:
        """Accept nothing more, for good, and tell everyone who waits."""
        if self.problem is None or isinstance(self.problem, LogNotWritable):
            self.problem = EngineStopped(reason)
        if self.pusher is not None:
            self.pusher.stop(str(self.problem))
        self._refuse(orders)
        self._wake.set()

    def _refuse(self, orders: Sequence[Order]) -> None:
        """Tell all who wait for a command or for its consequences about the problem."""
        assert self.problem is not None
        for order in (*orders, *self._queue):
            order.refuse(self.problem.again())
        self._queue.clear()
        self._waiters.fail(self.problem)

    @property
    def _is_stopped(self) -> bool:
        return self.problem is not None and not isinstance(self.problem, LogNotWritable)

    # --- work -------------------------------------------------------------------------------

    async def run(self) -> None:
        """Compute batches and hand them to the log, one ahead of the disk."""
        batch: list[Order] = []
        try:
            while not self._is_stopped and (self._queue or not self._closing.is_set()):
                if isinstance(self.problem, LogNotWritable):
                    await self._mend()
                    continue
                if self._taking is not None:
                    await self._take_snapshot_on(self._taking)
                if not self._queue and self._taking is not None:
                    await asyncio.sleep(0)
                    continue
                if not self._queue:
                    self._wake.clear()
                    await self._wake.wait()
                    continue
                batch = [self._queue.popleft() for _ in range(min(len(self._queue), BATCH_COMMANDS_MAX))]
                await self._process(batch)
                batch = []
            if self._commit is not None:
                await self._commit
            self._give_up_snapshot()
            self.stop("the engine is closed")
        except Exception as error:  # a bug in this loop must not leave callers waiting for ever
            logger.exception("the engine's writer failed; the engine stops")
            self.stop(f"internal error of the engine: {error}", batch)

    async def _process(self, batch: Sequence[Order]) -> None:
        answered, records = await self._compute(batch)
        if self._commit is not None:
            await self._commit
        if self.problem is not None:  # The batch before this one failed, and this one was built on it.
            for order in (*batch, *(pushed for pushed, _ in answered)):
                order.refuse(self.problem.again())
            return
        self._commit = asyncio.create_task(self._store(answered, records), name="engine-commit")
        due = self.position - self.history.snapshot_position >= self._plan.every_records
        if due and self._taking is None and not self.processor.view.quarantined:
            self._taking = Taking(self.history.capture())

    async def _compute(self, batch: Sequence[Order]) -> tuple[list[tuple[Order, Step]], list[Record]]:
        answered: list[tuple[Order, Step]] = []
        records: list[Record] = []
        todo = deque(batch)
        while todo:
            order = todo.popleft()
            now_ms = self._clock.now_ms()
            try:
                step = self.processor.process(order.command, now_ms)
                payload = encode_step(step.events) if step.events else b""
            except Exception:  # a bug must not take the other instances down
                logger.exception("command %s failed inside the engine", type(order.command).__name__)
                await self._rebuild(records)
                step = Step((), Rejection(RejectionType.PROCESSING_ERROR, "internal error of the engine"))
                payload = b""
            if self.problem is not None:  # All of this batch is refused, pushes of it included.
                answered += ((left, step) for left in todo)
                break
            if payload:
                self.position += 1
                records.append(self.history.add(self.position, now_ms, payload, step.events))
            answered.append((order, step))
            if self.pusher is not None and step.events:
                pushes = self.pusher.pushes(step.events)
                todo.extendleft(Order(push.command, reply_to(push)) for push in reversed(pushes))
        self.changed.set()
        return answered, records

    async def _rebuild(self, computed: Sequence[Record]) -> None:
        """Replace a state that a bug left half changed by what the log and this batch say."""
        if self._commit is not None:
            await self._commit
        if self.problem is not None:
            return  # The state was folded again already, and the batch is lost.
        self.replay()
        for record in computed:
            self.history.take(record)
            self.position = record.position

    async def _store(self, answered: Sequence[tuple[Order, Step]], records: Sequence[Record]) -> None:
        loop = asyncio.get_running_loop()
        orders = [order for order, _ in answered]
        try:
            if records:
                await loop.run_in_executor(self._executor, self._log.append, records)
                self.durable_position = records[-1].position
            self._answer(answered)
            orders = []
            self._since_checkpoint += len(records)
            if self._since_checkpoint >= CHECKPOINT_RECORDS:
                self._since_checkpoint = 0
                await loop.run_in_executor(self._executor, self._log.checkpoint)
        except Exception as error:  # whatever it was, nothing of it can be promised
            logger.exception("the engine log cannot be written; commands are refused until it can")
            self._lose(error, orders)

    def _answer(self, answered: Sequence[tuple[Order, Step]]) -> None:
        """Tell callers and waiters what became durable."""
        for order, step in answered:
            if order.reply.done():
                continue
            if isinstance(step.outcome, Rejection):
                order.reply.set_exception(step.outcome)
            else:
                order.reply.set_result(step.outcome)
        self._waiters.committed(self.durable_position)
        self._waiters.look(self.processor.view, (event for _, step in answered for event in step.events))

    # --- snapshots ------------------------------------------------------------------------------

    async def _take_snapshot_on(self, taking: Taking) -> None:
        """Copy a few more call trees and store what is done; the last step stores the head."""
        taking.advance()
        loop = asyncio.get_running_loop()
        try:
            for number, chunk in taking.chunks():
                await loop.run_in_executor(
                    self._executor, self._log.write_chunk, taking.position, number, chunk
                )
            if not taking.is_complete or self._taking is not taking:
                return
            if self._commit is not None:
                await self._commit  # The head must not be there before the records it stands for.
            if self._taking is taking:
                complete = partial(
                    self._log.complete_snapshot,
                    taking.position,
                    taking.head(),
                    keep_records=self._plan.keep_records,
                )
                await loop.run_in_executor(self._executor, complete)
                self.history.snapshot_position = taking.position
                self._give_up_snapshot()
        except Exception as error:  # as for a batch: nothing of it can be promised
            logger.exception("a snapshot cannot be stored; commands are refused until the log can be written")
            if self._commit is not None:
                await self._commit
            self._lose(error, ())

    def _give_up_snapshot(self) -> None:
        if self._taking is not None:
            self._taking.end()
            self._taking = None

    # --- when the log cannot be written -------------------------------------------------------

    def _lose(self, error: Exception, orders: Sequence[Order]) -> None:
        """Refuse what was not stored and show only what is durable, before any reader runs again."""
        if not self._is_stopped:
            self.problem = error if isinstance(error, LogNotWritable) else LogNotWritable(str(error))
        self._refuse(orders)
        durable = self.durable_position
        try:
            self.replay()
        except Exception as unreadable:  # nothing can be shown any more
            logger.exception("the engine log cannot be read either; the engine stops")
            self.stop(f"the engine log can neither be written nor read: {unreadable}")
            return
        if self.durable_position != durable:
            self.stop(f"the engine log has record {self.durable_position}, but {durable} was acknowledged")
        self._wake.set()

    async def _mend(self) -> None:
        """Wait a while, then try whether the log can be written again."""
        try:
            async with asyncio.timeout(self._mend_seconds):
                await self._closing.wait()
            return
        except TimeoutError:
            logger.debug("trying to write the engine log again")
        try:
            await asyncio.get_running_loop().run_in_executor(self._executor, self._log.reopen)
        except LogNotWritable as error:
            if str(error) != str(self.problem):
                logger.warning("the engine log still cannot be written: %s", error)
            self.problem = error
        except Exception as error:  # what was acknowledged is not there, or the file is gone
            logger.exception("the engine log cannot be opened again; the engine stops")
            self.stop(f"the engine log cannot be opened again: {error}")
        else:
            logger.warning("the engine log can be written again")
            self.problem = None
            self.changed.set()

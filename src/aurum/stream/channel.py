"""The frames of one (case, view): folded once, encoded once, read by any number of cursors.

Not sans-IO only in that it wakes waiting tasks; it awaits nothing. A subscriber is a position in
`entries`: no queue per subscriber, so a reader that stops costs nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog

from aurum.factlog.port import LoggedFact
from aurum.projection.context import ProjectionContext
from aurum.projection.project import initial_view, project
from aurum.projection.view import Frame
from aurum.stream.frames import FrameTooLarge, encode
from aurum.stream.guard import Guard
from aurum.stream.position import StreamPosition

GATHER_SECONDS = 0.02
"""Leading-edge gathering: the first frame of a quiet stream goes at once, followers within 20 ms go
together. One send per burst instead of one per frame, and no delay for a lone frame."""

_log = structlog.get_logger("aurum.stream")

Entry = bytes | Frame
"""A shared frame, encoded; or a boundary that is finished per connection."""


class Channel:
    """One view of one case. `ready` is set once the log has been read."""

    def __init__(self, context: ProjectionContext, epoch: str) -> None:
        self.context = context
        self.epoch = epoch
        self.view = initial_view(context)
        self.entries: list[Entry] = []
        self.guard = Guard()
        self.broken: str | None = None
        self.ready = asyncio.Event()
        self.readers = 0
        self.last_ms = 0
        self._index = 0
        self._ahead: dict[int, LoggedFact] = {}
        self._waiters: list[asyncio.Future[None]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._woke_at = float("-inf")

    @property
    def head(self) -> StreamPosition:
        """The position after the newest frame."""
        return StreamPosition(self.epoch, len(self.entries))

    def fold(self, facts: Sequence[LoggedFact]) -> None:
        """Take in logged facts; duplicates are ignored, and what came too early waits for its turn."""
        self._ahead.update({entry.index: entry for entry in facts if entry.index > self._index})
        before = len(self.entries)
        while (entry := self._ahead.pop(self._index + 1, None)) is not None:
            self._index = entry.index
            self._fold_one(entry)
        if len(self.entries) != before or self.broken:
            self._schedule_wake()

    def _fold_one(self, entry: LoggedFact) -> None:
        self.view, frames = project(self.context, self.view, entry.fact, entry.logged_ms)
        self.last_ms = entry.logged_ms
        for frame in frames:
            if self.broken:
                return
            reason = self.guard.check(frame.event)
            if reason is None:
                reason = self._append(frame)
            if reason is not None:
                self.broken = reason
                _log.error("illegal_frame", view=self.context.view, fact_id=frame.fact_id, reason=reason)

    def _append(self, frame: Frame) -> str | None:
        if frame.is_boundary:
            self.entries.append(frame)
            return None
        try:
            self.entries.append(encode(frame.event, StreamPosition(self.epoch, frame.seq)))
        except FrameTooLarge as error:
            return str(error)
        return None

    # --- waking -----------------------------------------------------------------------------

    def _schedule_wake(self) -> None:
        if self._timer is not None or not self._waiters:
            return
        loop = asyncio.get_running_loop()
        wait = self._woke_at + GATHER_SECONDS - loop.time()
        if wait <= 0:
            self._wake()
        else:
            self._timer = loop.call_later(wait, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self._woke_at = asyncio.get_running_loop().time()
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def wake_all(self) -> None:
        """Wake every reader at once (shutdown, revocation)."""
        if self._timer is not None:
            self._timer.cancel()
        self._wake()

    async def moved(self, seq: int, seconds: float) -> bool:
        """Wait until the head is past `seq`; False when `seconds` went by without it."""
        if len(self.entries) > seq or self.broken:
            return True
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            async with asyncio.timeout(seconds):
                await waiter
        except TimeoutError:
            return False
        finally:
            if waiter in self._waiters:
                self._waiters.remove(waiter)
        return True

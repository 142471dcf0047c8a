"""One connection's way through a channel: catch up or prelude, then the live tail, as bytes.

A known and complete position gets the exact tail. Everything else gets a prelude: never a hole,
never an error for a cursor. Bytes are joined between two boundaries, so a burst is one send.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Literal

import orjson

from aurum.projection.events import Event
from aurum.projection.view import Frame
from aurum.stream.boundary import Viewer, finish, run_finished
from aurum.stream.channel import Channel
from aurum.stream.dialect import Dialect, to_aurum_0
from aurum.stream.frames import HEARTBEAT, encode, retry
from aurum.stream.guard import Guard
from aurum.stream.hub import Hub
from aurum.stream.position import StreamPosition
from aurum.stream.prelude import prelude

HEARTBEAT_SECONDS = 15.0
"""Shorter than every usual idle limit (30 s and up); also the longest exposure after a revocation."""

LIFETIME_SECONDS = 900.0
"""A connection ends after this long (plus up to a fifth, at random): dead peers and old rights go."""

CATCH_UP_FRAMES_MAX = 2_000
"""A cursor further behind gets a snapshot: replaying costs a browser up to 3.5 ms a frame."""

ANSWER_SECONDS = 30.0
"""A POST that answered a question waits this long for the process to move before it closes the run."""

Mode = Literal["follow", "run"]
Allowed = Callable[[], Awaitable[bool]]


class Subscription:
    """Iterate `chunks()`; each item is whole frames. `still_allowed` is asked at every heartbeat."""

    def __init__(
        self,
        hub: Hub,
        channel: Channel,
        viewer: Viewer,
        *,
        after: StreamPosition | None = None,
        mode: Mode = "follow",
        answered: bool = False,
        dialect: Dialect | None = None,
        still_allowed: Allowed | None = None,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        lifetime_seconds: float = LIFETIME_SECONDS,
    ) -> None:
        self._hub = hub
        self._channel = channel
        self._viewer = viewer
        self._after = after
        self._mode = mode
        self._answered = answered
        self._dialect = dialect
        self._still_allowed = still_allowed
        self._heartbeat_seconds = heartbeat_seconds
        self._lifetime_seconds = lifetime_seconds
        self._cursor = 0
        self._skip_start = False
        self._finished = False

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield bytes until the client should go: lifetime, revocation, shutdown, or the run's end (POST)."""
        self._channel.readers += 1
        try:
            yield retry(500 + random.randrange(1_500)) + self._begin()
            async for chunk in self._live():
                yield chunk
        finally:
            self._channel.readers -= 1

    async def _live(self) -> AsyncIterator[bytes]:
        lived, limit = 0.0, self._lifetime_seconds * (1 + random.random() / 5)
        waited = 0.0
        while not self._finished:
            pending = self._take()
            if pending:
                waited = 0.0
                yield pending
                continue
            if self._hub.closing or lived >= limit or self._channel.broken:
                if self._channel.broken:
                    yield self._error()
                return
            if await self._channel.moved(self._cursor, self._heartbeat_seconds):
                continue
            lived += self._heartbeat_seconds
            waited += self._heartbeat_seconds
            if self._still_allowed is not None and not await self._still_allowed():
                return
            if self._answered and self._mode == "run" and waited >= ANSWER_SECONDS:
                yield self._give_up()
                return
            yield HEARTBEAT

    # --- beginning --------------------------------------------------------------------------

    def _begin(self) -> bytes:
        head = self._channel.head
        after = self._after
        if (
            self._mode == "follow"
            and after is not None
            and after.epoch == head.epoch
            and after.seq <= head.seq
            and head.seq - after.seq <= CATCH_UP_FRAMES_MAX
        ):
            self._cursor = after.seq
            return b""
        self._cursor = head.seq
        return self._prelude(head)

    def _prelude(self, head: StreamPosition) -> bytes:
        """Return the encoded prelude, checked by a guard of its own; the id is on its last frame only."""
        channel, viewer = self._channel, self._viewer
        events = prelude(channel.context, channel.view, viewer, at_ms=channel.last_ms)
        at_rest = not channel.view.run_open
        if at_rest and self._answered:
            events = events[:-1]
            self._skip_start = True
        elif at_rest and self._mode == "run":
            self._finished = True
        guard = Guard()
        for event in events:
            reason = guard.check(event)
            if reason is not None:
                raise AssertionError(f"a prelude is legal by construction: {reason}")
        *first, last = events
        return b"".join(self._encode(event, None) for event in first) + self._encode(last, head)

    def _encode(self, event: Event, position: StreamPosition | None) -> bytes:
        """Encode one frame of this connection's own, in its dialect."""
        if self._dialect is not None:
            event = to_aurum_0(event, self._channel.context.case_id)
        return encode(event, position)

    # --- tail -------------------------------------------------------------------------------

    def _take(self) -> bytes:
        """Return everything between the cursor and the head, up to the end of the run for a POST."""
        parts: list[bytes] = []
        entries = self._channel.entries
        while self._cursor < len(entries) and not self._finished:
            entry = entries[self._cursor]
            self._cursor += 1
            if isinstance(entry, bytes):
                parts.append(entry if self._dialect is None else self._translated(entry))
            else:
                parts.append(self._boundary(entry))
        return b"".join(parts)

    def _boundary(self, frame: Frame) -> bytes:
        if frame.event["type"] == "RUN_STARTED" and self._skip_start:
            self._skip_start = False
            return b""
        event = finish(frame, self._viewer)
        if frame.run_end is not None and self._mode == "run":
            self._finished = True
        return self._encode(event, StreamPosition(self._channel.epoch, frame.seq))

    def _translated(self, entry: bytes) -> bytes:
        """Read a shared frame back and write it in the dialect: a path for few and old clients."""
        data = entry.partition(b"\ndata: ")[2]
        return self._encode(orjson.loads(data), StreamPosition(self._channel.epoch, self._cursor))

    def _give_up(self) -> bytes:
        """Close the run of a POST whose answer has shown no effect yet: report what is true now."""
        case_id, view = self._channel.context.case_id, self._channel.view
        run_id = self._viewer.run_id or f"{case_id}:{view.run}"
        thread_id = self._viewer.thread_id or case_id
        event: Event = {"type": "RUN_FINISHED", "threadId": thread_id, "runId": run_id}
        return encode(run_finished(event, view.last_end, self._viewer), self._channel.head)

    def _error(self) -> bytes:
        """The projection failed: say so, name nothing, and never write the bad frame."""
        event: Event = {
            "type": "RUN_ERROR",
            "message": "This stream could not be continued; the case itself is safe.",
            "code": "com.aurum.projection_failed",
        }
        return encode(event, None)

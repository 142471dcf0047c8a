"""Open job streams: jobs are pushed to them as they become available, before any poll can see them.

A job goes to one stream of its type, each in turn. A stream that does not read holds a few jobs at
most; what comes while it is full stays in the backlog, as do jobs that were there before the stream:
they need polling. What a stream held and did not deliver is given back, and pushed to the next one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field

from aurum_engine.admission import Push
from aurum_engine.core.commands import ActivatedJob, JobsReply, PushJob
from aurum_engine.core.events import Event, JobCreated, JobFailed, JobMadeActivatable
from aurum_engine.core.spans import end_of
from aurum_engine.errors import EngineStopped, invalid_argument
from aurum_engine.service import EngineService
from aurum_engine.surface import JobLeases

STREAM_JOBS_HELD_MAX = 32
"""Jobs leased for one stream and not yet sent; more would rest with a reader that has stopped."""


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """What a stream wants. `timeout_ms` is the lease of each job, > 0; no names mean all variables."""

    job_type: str
    worker: str
    timeout_ms: int
    fetch_variables: tuple[str, ...] = ()
    actor: str | None = None


@dataclass(slots=True, eq=False)
class _Stream:
    request: StreamRequest
    ready: deque[ActivatedJob] = field(default_factory=deque)
    coming: int = 0
    """Pushes that are not durable yet."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    open: bool = True

    def has_room(self) -> bool:
        return self.open and len(self.ready) + self.coming < STREAM_JOBS_HELD_MAX


class JobStreams:
    """All open streams of one engine; a `JobPusher`. Usable from the engine's event loop."""

    def __init__(self, service: EngineService, leases: JobLeases) -> None:
        self._service = service
        self._leases = leases
        self._streams: dict[str, deque[_Stream]] = {}
        self._stopped: str | None = None
        service.push_to(self)

    async def jobs(self, request: StreamRequest) -> AsyncIterator[ActivatedJob]:
        """Yield jobs from now on, until the caller leaves.

        Raises Rejection for a bad request, EngineBusy, and EngineStopped at the end of the engine.
        """
        if not request.job_type.strip():
            raise invalid_argument("expected a job type, but it was blank")
        if request.timeout_ms < 1:
            raise invalid_argument("expected a timeout greater than zero")
        end_of(self._service.now_ms(), request.timeout_ms, "timeout")
        with self._service.room.place():
            stream = _Stream(request)
            self._streams.setdefault(request.job_type, deque()).append(stream)
            sending: ActivatedJob | None = None
            try:
                while True:
                    sending = await self._next(stream)
                    yield sending
                    sending = None
            finally:
                self._close(stream, sending)

    async def _next(self, stream: _Stream) -> ActivatedJob:
        while not stream.ready:
            if self._stopped is not None:
                raise EngineStopped(self._stopped)
            stream.changed.clear()
            await stream.changed.wait()
        return stream.ready.popleft()

    def _close(self, stream: _Stream, sending: ActivatedJob | None) -> None:
        stream.open = False
        others = self._streams[stream.request.job_type]
        others.remove(stream)
        if not others:
            del self._streams[stream.request.job_type]
        # The job that was being sent may have arrived; its worker can still complete it, at least once.
        self._leases.hand_back((*(() if sending is None else (sending,)), *stream.ready))

    def pushes(self, events: Iterable[Event]) -> list[Push]:
        """Return a push for each job that has just become available and has a stream with room."""
        if not self._streams or self._stopped is not None:
            return []
        found = []
        for event in events:
            if isinstance(event, JobCreated):
                stream = self._turn(event.type)
            elif isinstance(event, JobMadeActivatable | JobFailed):
                stream = self._turn(self._service.view().jobs[event.key].type)
            else:
                continue
            if stream is not None:
                found.append(self._push(stream, event.key))
        return found

    def _turn(self, job_type: str) -> _Stream | None:
        """Return the stream whose turn it is, and put it behind the others."""
        streams = self._streams.get(job_type, deque())
        for _ in range(len(streams)):
            stream = streams[0]
            streams.rotate(-1)
            if stream.has_room():
                return stream
        return None

    def _push(self, stream: _Stream, job_key: int) -> Push:
        request = stream.request
        stream.coming += 1

        def heard(reply: JobsReply) -> None:
            stream.coming -= 1
            if stream.open:
                stream.ready.extend(reply.jobs)
                stream.changed.set()
            else:
                self._leases.hand_back(reply.jobs)

        command = PushJob(
            job_key, request.worker, request.timeout_ms, request.fetch_variables, actor=request.actor
        )
        return Push(command, heard)

    def stop(self, reason: str) -> None:
        """End every stream: what was pushed to it is given back by its end, if the engine still works."""
        self._stopped = self._stopped or reason
        for streams in self._streams.values():
            for stream in streams:
                stream.changed.set()

    async def close(self) -> None:
        """End every stream while the engine still works, so that undelivered jobs go back at once."""
        self.stop("the engine is closed")
        for streams in list(self._streams.values()):
            for stream in list(streams):
                self._leases.hand_back(stream.ready)
                stream.ready.clear()
                stream.changed.set()
        await self._leases.drain()

"""One engine with its two surfaces and no socket: log, service, gateway, REST application.

`server.py` puts it on ports; tests and one-process programs use it as it is.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from pathlib import Path

from starlette.types import ASGIApp

from aurum_engine.admission import Limits
from aurum_engine.clock import Clock, ManualClock, SystemClock
from aurum_engine.gateway.inproc import InprocChannel
from aurum_engine.gateway.rpcs import Gateway
from aurum_engine.identity import Identity
from aurum_engine.job_streams import JobStreams
from aurum_engine.log.memory import MemoryLog
from aurum_engine.log.record import Log
from aurum_engine.log.sqlite import SqliteLog
from aurum_engine.rest.app import rest_app
from aurum_engine.rest.clock import ClockControl
from aurum_engine.rest.commands import Commands
from aurum_engine.rest.readmodel import ReadModel, Tape
from aurum_engine.rest.reads import Reads
from aurum_engine.service import EngineService
from aurum_engine.snapshotting import SnapshotPlan
from aurum_engine.surface import JobLeases

CLIENT_ID = "service"
"""Whom the audit log names: all services share the service token."""


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What an engine is made of. `path` is the log's file, None keeps everything in memory; or a `log`.

    With a `token` every call over a socket needs it; with an `identity` people have tokens of their own
    for their user tasks. A ManualClock adds PUT /v2/clock.
    """

    path: Path | None = None
    token: str | None = None
    search_lag_ms: int = 0
    clock: Clock = field(default_factory=SystemClock)
    business_id_unique: bool = True
    limits: Limits = field(default_factory=Limits)
    identity: Identity | None = None
    log: Log | None = None
    plan: SnapshotPlan = field(default_factory=SnapshotPlan)

    def __post_init__(self) -> None:
        if self.search_lag_ms < 0:
            raise ValueError("search_lag_ms must not be negative")


class Engine:
    """A running engine; an async context. Usable from the loop that entered it."""

    def __init__(self, options: EngineOptions) -> None:
        self.options = options
        self.service: EngineService
        """The engine itself, once entered."""
        self.gateway: Gateway
        """The gRPC surface, once entered."""
        self.app: ASGIApp
        """The REST application, once entered; for clients without a socket."""
        self._reads: Reads
        self._streams: JobStreams

    async def __aenter__(self) -> Engine:
        """Open and replay the log. Raises LogLocked, LogCorrupt."""
        options = self.options
        log = options.log or (MemoryLog() if options.path is None else SqliteLog(options.path))
        tape = Tape(log) if options.search_lag_ms > 0 else None
        self.service = EngineService(
            tape or log,
            options.clock,
            business_id_unique=options.business_id_unique,
            limits=options.limits,
            plan=options.plan,
        )
        try:
            await self.service.start()
        except BaseException:
            log.close()
            raise
        leases = JobLeases(self.service)
        self._streams = JobStreams(self.service, leases)
        actor = None if options.token is None else CLIENT_ID
        self.gateway = Gateway(self.service, leases, self._streams, actor=actor)
        model = ReadModel(self.service, options.clock, tape=tape, lag_ms=options.search_lag_ms)
        self._reads = Reads(model, username=CLIENT_ID)
        clock = options.clock
        control = ClockControl(self.service, clock) if isinstance(clock, ManualClock) else None
        commands = Commands(self.service, leases, actor=actor)
        self.app = rest_app(commands, self._reads, control, token=options.token, identity=options.identity)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End job streams, then all else that waits, then the log."""
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(self.service.close)
            stack.push_async_callback(self._streams.close)

    def announce(self, host: str, port: int) -> None:
        """Say in topology where the gateway listens."""
        self.gateway.address = self._reads.address = (host, port)

    def inproc_channel(self) -> InprocChannel:
        """Return a new channel for pyzeebe that needs no socket and no token."""
        return InprocChannel(self.gateway)

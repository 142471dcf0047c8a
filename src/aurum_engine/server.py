"""The engine on two ports: the gRPC gateway and REST, opened and closed as one."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Iterator
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from aurum_engine.admission import Limits
from aurum_engine.clock import Clock, SystemClock
from aurum_engine.engine import Engine, EngineOptions
from aurum_engine.errors import EngineError
from aurum_engine.gateway.inproc import InprocChannel
from aurum_engine.gateway.server import GrpcServer
from aurum_engine.identity import Identity
from aurum_engine.service import EngineService
from aurum_engine.snapshotting import SnapshotPlan

LOG_FILE = "engine.sqlite"
"""Name of the log in a data directory."""

REST_GRACE_SECONDS = 1
"""How long REST requests under way may go on once the engine has stopped."""

KEEP_ALIVE_SECONDS = 75
"""How long an idle REST connection stays open: longer than clients keep theirs (httpx 5 s), so that
none is closed under a request that is just being sent."""

BACKLOG_CONNECTIONS = 128
"""Connections the kernel holds until they are accepted."""


class PortInUse(EngineError):
    """Another program listens on the port."""

    def __init__(self, what: str, host: str, port: int, option: str) -> None:
        super().__init__(
            f"port {port} on {host} is in use, so {what} cannot listen there;"
            f" stop the other program, or choose another port with {option} (0 takes any free one)"
        )
        self.port = port


class _RestServer(uvicorn.Server):
    """uvicorn inside a loop that belongs to somebody else: it leaves the signals alone."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises PortInUse, or OSError for an address that is not ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio turns Nagle's delay off only where it reads IPPROTO_TCP;
    # without that every answer waits 40 ms for the client's delayed acknowledgement.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(BACKLOG_CONNECTIONS)
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            raise PortInUse("REST", host, port, "--rest-port") from error
        raise
    sock.setblocking(False)
    return sock


class EngineServer:
    """One engine on two ports; an async context. Usable from the loop that entered it."""

    def __init__(
        self,
        path: Path | None = None,
        *,
        host: str = "127.0.0.1",
        grpc_port: int = 0,
        rest_port: int = 0,
        token: str | None = None,
        search_lag_ms: int = 0,
        clock: Clock | None = None,
        business_id_unique: bool = True,
        limits: Limits | None = None,
        identity: Identity | None = None,
        plan: SnapshotPlan | None = None,
    ) -> None:
        """Describe a server; nothing happens before it is entered.

        `path` is the log's file, None keeps everything in memory. Port 0 takes a free one. With a
        `token` every call needs it, the in-process channel excepted; with an `identity` people have
        tokens of their own for their user tasks. A ManualClock adds PUT /v2/clock.
        """
        options = EngineOptions(
            path=path,
            token=token,
            search_lag_ms=search_lag_ms,
            clock=clock or SystemClock(),
            business_id_unique=business_id_unique,
            limits=limits or Limits(),
            identity=identity,
            plan=plan or SnapshotPlan(),
        )
        self._engine = Engine(options)
        self.host = host
        self._ports = (grpc_port, rest_port)
        self._stack = contextlib.AsyncExitStack()
        self.grpc_port = 0
        """The port of the gateway, once entered."""
        self.rest_port = 0
        """The port of REST, once entered."""

    @property
    def service(self) -> EngineService:
        """The engine itself, once entered."""
        return self._engine.service

    @property
    def app(self) -> ASGIApp:
        """The REST application, once entered; for clients without a socket."""
        return self._engine.app

    async def __aenter__(self) -> EngineServer:
        """Open, replay and listen. Raises PortInUse, LogLocked, LogCorrupt."""
        async with contextlib.AsyncExitStack() as stack:
            await self._open(stack)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Stop: the engine first, which ends all long polls, then its surfaces."""
        await self._stack.aclose()

    def inproc_channel(self) -> InprocChannel:
        """Return a new channel for pyzeebe that needs no socket and no token."""
        return self._engine.inproc_channel()

    async def _open(self, stack: contextlib.AsyncExitStack) -> None:
        rest_socket = _listen(self.host, self._ports[1])
        stack.callback(rest_socket.close)
        self.rest_port = rest_socket.getsockname()[1]
        await self._engine.__aenter__()
        # Callbacks run in reverse: the engine stops first, so that what waits on it ends by itself.
        closing = contextlib.AsyncExitStack()
        stack.push_async_callback(closing.aclose)
        grpc_server = GrpcServer(self._engine.gateway, token=self._engine.options.token)
        closing.push_async_callback(grpc_server.stop)
        await self._start_rest(rest_socket, closing)
        closing.push_async_callback(self._engine.close)
        try:
            self.grpc_port = await grpc_server.start(self.host, self._ports[0])
        except OSError as error:
            raise PortInUse("gRPC", self.host, self._ports[0], "--grpc-port") from error
        self._engine.announce(self.host, self.grpc_port)

    async def _start_rest(self, sock: socket.socket, closing: contextlib.AsyncExitStack) -> None:
        config = uvicorn.Config(
            self.app,
            lifespan="off",
            log_config=None,
            access_log=False,
            ws="none",
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=REST_GRACE_SECONDS,
        )
        server = _RestServer(config)
        serving = asyncio.create_task(server.serve(sockets=[sock]), name="engine-rest")

        async def stop() -> None:
            server.should_exit = True
            await serving

        closing.push_async_callback(stop)

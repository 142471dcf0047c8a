"""The socket and the server under the pages: told first when a signal arrives, so that streams end.

Not in here: what is served (`app.py`) and by which parts (`aurum.compose`).
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from aurum.errors import AurumError


class PortBusy(AurumError):
    """Another program has the port."""


def bind(host: str, port: int) -> socket.socket:
    """Return a bound socket. Raises `PortBusy` with what to do about it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named, because asyncio turns Nagle's delay (40 ms an answer) off only for sockets that say TCP.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise PortBusy(
            f"port {port} on {host} is taken; stop the other program, or choose another port with "
            f"--port or AURUM_PORT (0 takes any free one)"
        ) from error
    return sock


class PagesServer(uvicorn.Server):
    """uvicorn that tells the hub to end its streams as soon as a signal arrives.

    Without it the server waits for streams that never end by themselves, and the lifespan's
    teardown is not even called.
    """

    def __init__(
        self, config: uvicorn.Config, on_exit: Callable[[], None], on_started: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._on_exit = on_exit
        self._on_started = on_started
        self._loop = asyncio.get_running_loop()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the port, then tell."""
        await super().startup(sockets)
        if self.started:
            self._on_started()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Listen for the signals that mean stop, and leave it at that.

        uvicorn's own version raises the signal once more when it is done, which would end the
        process before log, ledger and engine are closed.
        """
        for sig in (signal.SIGINT, signal.SIGTERM):
            self._loop.add_signal_handler(sig, self.handle_exit, sig, None)
        try:
            yield
        finally:
            for sig in (signal.SIGINT, signal.SIGTERM):
                self._loop.remove_signal_handler(sig)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """End the streams, then stop as usual."""
        self._on_exit()
        super().handle_exit(sig, frame)

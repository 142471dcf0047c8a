"""A channel without a socket: pyzeebe's client and worker accept it and reach the gateway directly.

Messages are handed over as they are, nobody serialises them. Failures, deadlines and cancellation
look as they do on a socket: `grpc.aio.AioRpcError`. It needs no token: who holds it is this process.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NoReturn

import grpc
from grpc.aio import AioRpcError, Metadata

from aurum_engine.gateway.failures import CallFailed
from aurum_engine.gateway.rpcs import Gateway
from aurum_engine.gateway.server import HEALTH_CHECK, health_status, unimplemented

logger = logging.getLogger(__name__)


def _error(code: grpc.StatusCode, details: str) -> AioRpcError:
    return AioRpcError(code, Metadata(), Metadata(), details)


def _bug(name: str, error: Exception) -> AioRpcError:
    """Log what the boundary caught, and return what the caller gets: as on a socket."""
    logger.error("%s failed", name, exc_info=error)
    return _error(grpc.StatusCode.INTERNAL, "internal error of the gateway")


def _not_offered(kind: str) -> NoReturn:
    raise NotImplementedError(f"the gateway protocol has no {kind} calls")


class InprocChannel(grpc.aio.Channel):  # type: ignore[misc]  # grpc has no types
    """A `grpc.aio.Channel` to a gateway of the same event loop."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._closed = False

    async def __aenter__(self) -> InprocChannel:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self, grace: float | None = None) -> None:
        """Refuse further calls; those under way go on."""
        self._closed = True

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        """Return READY, or SHUTDOWN once closed."""
        return grpc.ChannelConnectivity.SHUTDOWN if self._closed else grpc.ChannelConnectivity.READY

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        """Return at once when the state differs; an open channel changes only by `close`."""
        if self.get_state() is last_observed_state:
            await asyncio.get_running_loop().create_future()

    async def channel_ready(self) -> None:
        """Return at once."""
        self._check_open()

    def unary_unary(self, method: str, *_: object, **__: object) -> Callable[..., Awaitable[Any]]:
        """Return a callable that makes one call."""
        if method == HEALTH_CHECK:
            return self._health
        name = method.rpartition("/")[2]

        async def call(request: Any, *, timeout: float | None = None, **_: object) -> Any:  # noqa: ASYNC109
            self._check_open()
            try:
                async with asyncio.timeout(timeout):
                    return await self._call(name, request)
            except TimeoutError:
                raise _error(grpc.StatusCode.DEADLINE_EXCEEDED, "Deadline Exceeded") from None

        return call

    def unary_stream(self, method: str, *_: object, **__: object) -> Callable[..., AsyncIterator[Any]]:
        """Return a callable that makes one call with many answers."""
        name = method.rpartition("/")[2]

        async def call(
            request: Any,
            *,
            timeout: float | None = None,  # noqa: ASYNC109
            **_: object,
        ) -> AsyncIterator[Any]:
            self._check_open()
            ends = None if timeout is None else asyncio.get_running_loop().time() + timeout
            responses = self._gateway.streams[name](request)
            try:
                while True:
                    try:
                        async with asyncio.timeout_at(ends):
                            response = await anext(responses)
                    except StopAsyncIteration:
                        return
                    yield response
            except TimeoutError:
                raise _error(grpc.StatusCode.DEADLINE_EXCEEDED, "Deadline Exceeded") from None
            except CallFailed as failure:
                raise _error(failure.code, failure.details) from failure
            except Exception as error:
                raise _bug(name, error) from error

        return call

    def stream_unary(self, *_: object, **__: object) -> NoReturn:
        """Refuse: the protocol has no such call."""
        _not_offered("stream-unary")

    def stream_stream(self, *_: object, **__: object) -> NoReturn:
        """Refuse: the protocol has no such call."""
        _not_offered("stream-stream")

    def _check_open(self) -> None:
        if self._closed:
            raise _error(grpc.StatusCode.UNAVAILABLE, "the in-process channel is closed")

    async def _call(self, name: str, request: Any) -> Any:
        handler = self._gateway.unary.get(name)
        try:
            if handler is None:
                raise unimplemented(name)
            return await handler(request)
        except CallFailed as failure:
            raise _error(failure.code, failure.details) from failure
        except TimeoutError:
            raise
        except Exception as error:
            raise _bug(name, error) from error

    async def _health(self, request: Any, **_: object) -> Any:
        self._check_open()
        status = health_status(request.service, self._gateway)
        if status is None:
            raise _error(grpc.StatusCode.NOT_FOUND, f"unknown service {request.service!r}")
        return status

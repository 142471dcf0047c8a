"""Channels to a gateway, with the service token on every call. What pyzeebe's worker is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import grpc.aio

KEEPALIVE_OPTIONS = (
    ("grpc.keepalive_time_ms", 45_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
)
"""Pings on an idle connection: a half-open one is noticed within a minute."""


def _with_token(details: Any, token: str) -> Any:
    """Return the call's details with the bearer token added to its metadata."""
    metadata = [*(details.metadata or ()), ("authorization", f"Bearer {token}")]
    return details._replace(metadata=grpc.aio.Metadata(*metadata))


class _UnaryToken(grpc.aio.UnaryUnaryClientInterceptor):  # type: ignore[misc]
    def __init__(self, token: str) -> None:
        self._token = token

    async def intercept_unary_unary(
        self, continuation: Callable[..., Any], client_call_details: Any, request: Any
    ) -> Any:
        return await continuation(_with_token(client_call_details, self._token), request)


class _StreamToken(grpc.aio.UnaryStreamClientInterceptor):  # type: ignore[misc]
    def __init__(self, token: str) -> None:
        self._token = token

    async def intercept_unary_stream(
        self, continuation: Callable[..., Any], client_call_details: Any, request: Any
    ) -> Any:
        return await continuation(_with_token(client_call_details, self._token), request)


def open_channel(address: str, token: str | None) -> grpc.aio.Channel:
    """Return a channel to `host:port`; with a token, every call carries it."""
    interceptors = [] if token is None else [_UnaryToken(token), _StreamToken(token)]
    return grpc.aio.insecure_channel(address, options=KEEPALIVE_OPTIONS, interceptors=interceptors)

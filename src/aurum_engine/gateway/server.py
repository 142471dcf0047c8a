"""The gateway on a socket: `grpc.aio`, the standard health service, and the bearer token."""

from __future__ import annotations

import hmac
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
from google.protobuf import message_factory
from grpc_health.v1 import health_pb2  # type: ignore[import-untyped]  # no stubs installed
from pyzeebe.proto import gateway_pb2 as pb

from aurum_engine.gateway.failures import CallFailed
from aurum_engine.gateway.rpcs import SERVICE_NAME, Gateway

logger = logging.getLogger(__name__)

HEALTH_CHECK = "/grpc.health.v1.Health/Check"

MESSAGE_BYTES_MAX = 4 * 1024 * 1024
"""Largest message in either direction, as in Camunda; a deployment is the largest one."""

MIN_PING_INTERVAL_MS = 5_000
"""Keepalive pings a client may send without being told to calm down; pyzeebe pings every 45 s."""

STOP_GRACE_SECONDS = 1.0
"""How long calls under way may go on; long polls have ended by then, because the engine has."""

_OPTIONS = (
    ("grpc.so_reuseport", 0),  # Else a second server on the same port would silently share it.
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", MIN_PING_INTERVAL_MS),
    ("grpc.http2.min_ping_interval_without_data_ms", MIN_PING_INTERVAL_MS),
    ("grpc.http2.max_ping_strikes", 0),
    ("grpc.max_receive_message_length", MESSAGE_BYTES_MAX),
    ("grpc.max_send_message_length", MESSAGE_BYTES_MAX),
)


def health_status(service: str, gateway: Gateway) -> health_pb2.HealthCheckResponse | None:
    """Return the health of the gateway and of the server as a whole; None for an unknown service.

    NOT_SERVING means that commands are refused at the moment: the gateway has little else.
    """
    if service not in {"", SERVICE_NAME}:
        return None
    answer = health_pb2.HealthCheckResponse
    return answer(status=answer.SERVING if gateway.is_healthy else answer.NOT_SERVING)


def unimplemented(name: str) -> CallFailed:
    """Return the failure of an RPC that is outside the subset."""
    details = f"{name} is not supported by this engine; docs/supported-api.md lists what is"
    return CallFailed(grpc.StatusCode.UNIMPLEMENTED, details)


def _token_ok(metadata: Any, token: bytes) -> bool:
    for key, value in metadata or ():
        if key == "authorization" and isinstance(value, str):
            scheme, _, given = value.partition(" ")
            return scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), token)
    return False


class GrpcServer:
    """One listening gateway. `start` returns the port; `stop` is safe to call twice."""

    def __init__(self, gateway: Gateway, *, token: str | None) -> None:
        self._gateway = gateway
        self._token = None if token is None else token.encode()
        self._server: grpc.aio.Server = grpc.aio.server(options=_OPTIONS)
        self._server.add_generic_rpc_handlers(
            (
                grpc.method_handlers_generic_handler(SERVICE_NAME, self._handlers()),
                grpc.method_handlers_generic_handler("grpc.health.v1.Health", {"Check": self._health()}),
            )
        )

    async def start(self, host: str, port: int) -> int:
        """Listen and return the port (0 asks for a free one). Raises OSError when it is taken."""
        address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        try:
            bound: int = self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise OSError(f"gRPC cannot listen on {address}: {error}") from error
        if bound == 0:
            raise OSError(f"gRPC cannot listen on {address}")
        await self._server.start()
        return bound

    async def stop(self) -> None:
        """Refuse new calls and end those under way."""
        await self._server.stop(STOP_GRACE_SECONDS)

    def _handlers(self) -> dict[str, Any]:
        handlers = {}
        for method in pb.DESCRIPTOR.services_by_name["Gateway"].methods:
            request_class = message_factory.GetMessageClass(method.input_type)
            response_class = message_factory.GetMessageClass(method.output_type)
            codec = {
                "request_deserializer": request_class.FromString,
                "response_serializer": response_class.SerializeToString,
            }
            if method.name in self._gateway.streams:
                handler = grpc.unary_stream_rpc_method_handler(self._stream(method.name), **codec)
            else:
                handler = grpc.unary_unary_rpc_method_handler(self._unary(method.name), **codec)
            handlers[method.name] = handler
        return handlers

    def _health(self) -> Any:
        async def check(request: health_pb2.HealthCheckRequest, context: Any) -> Any:
            status = health_status(request.service, self._gateway)
            if status is None:
                await context.abort(grpc.StatusCode.NOT_FOUND, f"unknown service {request.service!r}")
            return status

        return grpc.unary_unary_rpc_method_handler(
            check,
            request_deserializer=health_pb2.HealthCheckRequest.FromString,
            response_serializer=health_pb2.HealthCheckResponse.SerializeToString,
        )

    async def _authenticate(self, context: Any) -> None:
        if self._token is not None and not _token_ok(context.invocation_metadata(), self._token):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "expected the service token as bearer token")

    def _unary(self, name: str) -> Callable[[Any, Any], Awaitable[Any]]:
        handler = self._gateway.unary.get(name)

        async def call(request: Any, context: Any) -> Any:
            await self._authenticate(context)
            try:
                if handler is None:
                    raise unimplemented(name)
                return await handler(request)
            except CallFailed as error:
                failure = error
            except Exception:  # the boundary: the caller gets a status, the log gets the traceback
                logger.exception("%s failed", name)
                failure = CallFailed(grpc.StatusCode.INTERNAL, "internal error of the gateway")
            return await context.abort(failure.code, failure.details)

        return call

    def _stream(self, name: str) -> Callable[[Any, Any], AsyncIterator[Any]]:
        handler = self._gateway.streams[name]

        async def call(request: Any, context: Any) -> AsyncIterator[Any]:
            await self._authenticate(context)
            try:
                async for response in handler(request):
                    yield response
            except CallFailed as error:
                failure = error
            except Exception:  # the boundary: the caller gets a status, the log gets the traceback
                logger.exception("%s failed", name)
                failure = CallFailed(grpc.StatusCode.INTERNAL, "internal error of the gateway")
            else:
                return
            await context.abort(failure.code, failure.details)

        return call

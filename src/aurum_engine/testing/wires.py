"""The ways into an engine under test, gRPC and REST, with the planned faults on them; no sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
import httpx
from grpc.aio import AioRpcError, Metadata
from pyzeebe.proto import gateway_pb2 as pb

from aurum_engine.core.commands import CompleteJob
from aurum_engine.engine import Engine
from aurum_engine.errors import Rejection
from aurum_engine.gateway.inproc import InprocChannel
from aurum_engine.testing.faults import Faults, Refusal, operation_of

_STATUS = {
    Refusal.UNAUTHENTICATED: grpc.StatusCode.UNAUTHENTICATED,
    Refusal.RESOURCE_EXHAUSTED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Refusal.UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
}
_HTTP_STATUS = {Refusal.UNAUTHENTICATED: 401, Refusal.RESOURCE_EXHAUSTED: 503, Refusal.UNAVAILABLE: 503}


def _failure(code: grpc.StatusCode, details: str) -> AioRpcError:
    return AioRpcError(code, Metadata(), Metadata(), details)


class Overtaking:
    """The other worker: completes a job just before its own worker does."""

    def __init__(self, engine: Engine, faults: Faults) -> None:
        self._engine = engine
        self._faults = faults

    async def before(self, operation: str, job_key: int) -> None:
        """Do it, when that is planned for this completion."""
        if operation != "CompleteJob":
            return
        variables = self._faults.take_superseding()
        if variables is None:
            return
        try:
            await self._engine.service.submit(CompleteJob(job_key, variables))
        except Rejection as rejection:
            raise AssertionError(
                f"the planned worker could not overtake at job {job_key}: {rejection}"
            ) from rejection


class FaultyChannel(InprocChannel):
    """An in-process channel on which the planned faults happen."""

    def __init__(self, engine: Engine, faults: Faults) -> None:
        super().__init__(engine.gateway)
        self._faults = faults
        self._overtaking = Overtaking(engine, faults)

    def unary_unary(self, method: str, *args: object, **kwargs: object) -> Callable[..., Awaitable[Any]]:
        """Return a callable that makes one call."""
        name = method.rpartition("/")[2]
        inner = super().unary_unary(method, *args, **kwargs)

        async def call(request: Any, **options: Any) -> Any:
            self._refuse(name)
            await self._overtaking.before(name, getattr(request, "jobKey", 0))
            answer = await inner(request, **options)
            if self._faults.take_lost_answer(name):
                raise _failure(grpc.StatusCode.UNAVAILABLE, "the answer was lost, as planned")
            return answer

        return call

    def unary_stream(self, method: str, *args: object, **kwargs: object) -> Callable[..., AsyncIterator[Any]]:
        """Return a callable that makes one call with many answers."""
        name = method.rpartition("/")[2]
        inner = super().unary_stream(method, *args, **kwargs)

        async def call(request: Any, **options: Any) -> AsyncIterator[Any]:
            self._refuse(name)
            async for answer in inner(request, **options):
                if self._faults.take_lost_answer(name):
                    raise _failure(grpc.StatusCode.UNAVAILABLE, "the answer was lost, as planned")
                yield answer
                if isinstance(answer, pb.ActivateJobsResponse) and answer.jobs and self._faults.take_double():
                    yield answer

        return call

    def _refuse(self, name: str) -> None:
        refusal = self._faults.take_refusal(name)
        if refusal is not None:
            raise _failure(_STATUS[refusal], "refused, as planned")


class FaultyTransport(httpx.AsyncBaseTransport):
    """httpx's way to the REST application, on which the planned faults happen."""

    def __init__(self, engine: Engine, faults: Faults) -> None:
        self._inner = httpx.ASGITransport(app=engine.app)
        self._faults = faults
        self._overtaking = Overtaking(engine, faults)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Carry out a request, or what is planned for it."""
        path = request.url.path
        name = operation_of(request.method, path)
        refusal = self._faults.take_refusal(name)
        if refusal is not None:
            status = _HTTP_STATUS[refusal]
            body = {
                "type": "about:blank",
                "title": refusal.value,
                "status": status,
                "detail": "refused, as planned",
                "instance": path,
            }
            headers = {"content-type": "application/problem+json"}
            return httpx.Response(status, json=body, headers=headers, request=request)
        if name == "CompleteJob":
            await self._overtaking.before(name, int(path.split("/")[-2]))
        response = await self._inner.handle_async_request(request)
        if self._faults.take_lost_answer(name):
            raise httpx.ReadError("the answer was lost, as planned", request=request)
        if name == "ActivateJobs":
            return await self._doubled(request, response)
        return response

    async def _doubled(self, request: httpx.Request, response: httpx.Response) -> httpx.Response:
        await response.aread()
        jobs = response.json().get("jobs") if response.is_success else None
        if not jobs or not self._faults.take_double():
            return response
        return httpx.Response(response.status_code, json={"jobs": jobs * 2}, request=request)

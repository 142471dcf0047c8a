"""A gateway that misbehaves on order, on pyzeebe's own servicer and a real loopback port."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from pyzeebe.proto import gateway_pb2 as pb
from pyzeebe.proto.gateway_pb2_grpc import GatewayServicer, add_GatewayServicer_to_server

LONG_POLL_SECONDS = 0.2


@dataclass
class FakeGateway(GatewayServicer):  # type: ignore[misc]
    """Offers queued jobs and records commands. `polls` and `commands` hold statuses to answer with first."""

    jobs: list[pb.ActivatedJob] = field(default_factory=list)
    commands: list[tuple[str, int, dict[str, Any]]] = field(default_factory=list)
    poll_errors: list[grpc.StatusCode] = field(default_factory=list)
    command_errors: list[grpc.StatusCode] = field(default_factory=list)
    polls: int = 0
    frozen: bool = False
    requests: list[pb.ActivateJobsRequest] = field(default_factory=list)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def offer(
        self, job_type: str, key: int, variables: dict[str, Any] | None = None, retries: int = 3
    ) -> None:
        """Queue one job."""
        job = pb.ActivatedJob(
            key=key,
            type=job_type,
            processInstanceKey=77,
            elementInstanceKey=8,
            bpmnProcessId="wealth-onboarding",
            elementId=job_type.replace("-", "_"),
            customHeaders="{}",
            worker="w",
            retries=retries,
            variables=json.dumps(variables or {}),
        )
        async with self.changed:
            self.jobs.append(job)
            self.changed.notify_all()

    async def until(self, count: int, seconds: float = 10.0) -> list[tuple[str, int, dict[str, Any]]]:
        """Wait for `count` accepted commands."""
        async with asyncio.timeout(seconds), self.changed:
            await self.changed.wait_for(lambda: len(self.commands) >= count)
        return self.commands

    async def until_polls(self, count: int, seconds: float = 10.0) -> None:
        """Wait for `count` answered polls."""
        async with asyncio.timeout(seconds), self.changed:
            await self.changed.wait_for(lambda: self.polls >= count)

    async def until_requests(self, count: int, seconds: float = 10.0) -> None:
        """Wait until `count` polls have come in, answered or not."""
        async with asyncio.timeout(seconds), self.changed:
            await self.changed.wait_for(lambda: len(self.requests) >= count)

    async def ActivateJobs(  # noqa: N802
        self, request: pb.ActivateJobsRequest, context: grpc.aio.ServicerContext
    ) -> AsyncIterator[pb.ActivateJobsResponse]:
        """Answer at once with jobs, else after a short long poll with none."""
        async with self.changed:
            self.requests.append(request)
            self.changed.notify_all()
        if self.poll_errors:
            await context.abort(self.poll_errors.pop(0), "as ordered")
        if self.frozen:
            await asyncio.Event().wait()
        async with self.changed:
            if not self._of(request.type):
                try:
                    async with asyncio.timeout(LONG_POLL_SECONDS):
                        await self.changed.wait_for(lambda: bool(self._of(request.type)))
                except TimeoutError:
                    pass
            found = self._of(request.type)[: request.maxJobsToActivate]
            self.jobs = [job for job in self.jobs if job not in found]
            self.polls += 1
            self.changed.notify_all()
        if found:
            yield pb.ActivateJobsResponse(jobs=found)

    async def CompleteJob(  # noqa: N802
        self, request: pb.CompleteJobRequest, context: grpc.aio.ServicerContext
    ) -> pb.CompleteJobResponse:
        """Record a completion."""
        await self._command("complete", request.jobKey, json.loads(request.variables), context)
        return pb.CompleteJobResponse()

    async def FailJob(  # noqa: N802
        self, request: pb.FailJobRequest, context: grpc.aio.ServicerContext
    ) -> pb.FailJobResponse:
        """Record a failure."""
        what = {"retries": request.retries, "backoff": request.retryBackOff, "message": request.errorMessage}
        await self._command("fail", request.jobKey, what, context)
        return pb.FailJobResponse()

    async def ThrowError(  # noqa: N802
        self, request: pb.ThrowErrorRequest, context: grpc.aio.ServicerContext
    ) -> pb.ThrowErrorResponse:
        """Record a thrown error."""
        what = {"code": request.errorCode, "variables": json.loads(request.variables)}
        await self._command("throw", request.jobKey, what, context)
        return pb.ThrowErrorResponse()

    def _of(self, job_type: str) -> list[pb.ActivatedJob]:
        return [job for job in self.jobs if job.type == job_type]

    async def _command(
        self, kind: str, key: int, what: dict[str, Any], context: grpc.aio.ServicerContext
    ) -> None:
        error = self.command_errors.pop(0) if self.command_errors else None
        async with self.changed:
            self.commands.append((f"{kind}!{error.name}" if error else kind, key, what))
            self.changed.notify_all()
        if error is not None:
            await context.abort(error, "as ordered")


@asynccontextmanager
async def serving(gateway: FakeGateway, port: int = 0) -> AsyncIterator[int]:
    """Serve on loopback and give the port."""
    server = grpc.aio.server()
    add_GatewayServicer_to_server(gateway, server)
    bound = server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    try:
        yield bound
    finally:
        await server.stop(grace=None)

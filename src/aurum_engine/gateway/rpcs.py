"""The remote procedures, free of transport: a request message in, a response message out, or CallFailed.

`Gateway.unary` and `Gateway.streams` map RPC names to handlers; what is in neither answers
UNIMPLEMENTED. `gateway/server.py` offers them on a socket, `gateway/inproc.py` without one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import grpc
from pyzeebe.proto import gateway_pb2 as pb

from aurum_engine.core import commands as c
from aurum_engine.core.records import LifecycleState
from aurum_engine.errors import REFUSALS
from aurum_engine.gateway import messages
from aurum_engine.gateway.failures import (
    CallFailed,
    check_tenants,
    document,
    failure_of,
    invalid,
)
from aurum_engine.job_streams import JobStreams, StreamRequest
from aurum_engine.service import EngineService
from aurum_engine.surface import CAMUNDA_VERSION, DEFAULT_TENANT, JobLeases, poll_seconds

R = TypeVar("R", bound=c.Reply)
UnaryHandler = Callable[[Any], Awaitable[Any]]
StreamHandler = Callable[[Any], AsyncIterator[Any]]


def _key(value: int) -> int | None:
    """Return a key, or None for the values that mean "not given"."""
    return value if value > 0 else None


class Gateway:
    """All RPCs of one engine. `actor` is whom the audit log names; `address` is what topology shows."""

    def __init__(
        self, service: EngineService, leases: JobLeases, streams: JobStreams, *, actor: str | None
    ) -> None:
        self._service = service
        self._leases = leases
        self._streams = streams
        self._actor = actor
        self.address: tuple[str, int] = ("127.0.0.1", 0)
        self.unary: dict[str, UnaryHandler] = {
            "CompleteJob": self.complete_job,
            "FailJob": self.fail_job,
            "ThrowError": self.throw_error,
            "UpdateJobTimeout": self.update_job_timeout,
            "UpdateJobRetries": self.update_job_retries,
            "CreateProcessInstance": self.create_process_instance,
            "CreateProcessInstanceWithResult": self.create_process_instance_with_result,
            "CancelProcessInstance": self.cancel_process_instance,
            "DeployResource": self.deploy_resource,
            "EvaluateDecision": self.evaluate_decision,
            "PublishMessage": self.publish_message,
            "BroadcastSignal": self.broadcast_signal,
            "ResolveIncident": self.resolve_incident,
            "SetVariables": self.set_variables,
            "Topology": self.topology,
        }
        self.streams: dict[str, StreamHandler] = {
            "ActivateJobs": self.activate_jobs,
            "StreamActivatedJobs": self.stream_activated_jobs,
        }

    @property
    def is_healthy(self) -> bool:
        """Tell whether commands are accepted at the moment."""
        return self._service.write_problem is None

    async def _submit(self, command: c.Command, expected: type[R]) -> R:
        try:
            reply = await self._service.submit(command)
        except REFUSALS as error:
            raise failure_of(error) from error
        assert isinstance(reply, expected)
        return reply

    # --- jobs -------------------------------------------------------------------------------

    async def activate_jobs(self, request: pb.ActivateJobsRequest) -> AsyncIterator[pb.ActivateJobsResponse]:
        """Yield the first batch that has a job; nothing when the request's time is over."""
        check_tenants(*request.tenantIds)
        command = c.ActivateJobs(
            job_type=request.type,
            worker=request.worker,
            timeout_ms=request.timeout,
            max_jobs=request.maxJobsToActivate,
            fetch_variables=tuple(request.fetchVariable),
            actor=self._actor,
        )
        try:
            jobs = await self._leases.first_batch(command, poll_seconds(request.requestTimeout))
        except REFUSALS as error:
            raise failure_of(error) from error
        for response in messages.job_batches(jobs):
            yield response

    async def stream_activated_jobs(
        self, request: pb.StreamActivatedJobsRequest
    ) -> AsyncIterator[pb.ActivatedJob]:
        """Yield jobs as they become available, until the caller goes; older ones need polling."""
        check_tenants(*request.tenantIds)
        wanted = StreamRequest(
            job_type=request.type,
            worker=request.worker or "stream",
            timeout_ms=request.timeout,
            fetch_variables=tuple(request.fetchVariable),
            actor=self._actor,
        )
        try:
            async for job in self._streams.jobs(wanted):
                yield messages.activated_job(job)
        except REFUSALS as error:
            raise failure_of(error) from error

    async def complete_job(self, request: pb.CompleteJobRequest) -> pb.CompleteJobResponse:
        """Complete a job with its results."""
        command = c.CompleteJob(request.jobKey, document(request.variables), actor=self._actor)
        await self._submit(command, c.EmptyReply)
        return pb.CompleteJobResponse()

    async def fail_job(self, request: pb.FailJobRequest) -> pb.FailJobResponse:
        """Report a failure with the retries that are left."""
        command = c.FailJob(
            job_key=request.jobKey,
            retries=request.retries,
            error_message=request.errorMessage,
            retry_back_off_ms=request.retryBackOff,
            variables=document(request.variables),
            actor=self._actor,
        )
        await self._submit(command, c.EmptyReply)
        return pb.FailJobResponse()

    async def throw_error(self, request: pb.ThrowErrorRequest) -> pb.ThrowErrorResponse:
        """Throw a BPMN error at the job's task."""
        command = c.ThrowError(
            job_key=request.jobKey,
            error_code=request.errorCode,
            error_message=request.errorMessage,
            variables=document(request.variables),
            actor=self._actor,
        )
        await self._submit(command, c.EmptyReply)
        return pb.ThrowErrorResponse()

    async def update_job_timeout(self, request: pb.UpdateJobTimeoutRequest) -> pb.UpdateJobTimeoutResponse:
        """Lengthen or shorten a lease."""
        await self._submit(
            c.UpdateJobTimeout(request.jobKey, request.timeout, actor=self._actor), c.EmptyReply
        )
        return pb.UpdateJobTimeoutResponse()

    async def update_job_retries(self, request: pb.UpdateJobRetriesRequest) -> pb.UpdateJobRetriesResponse:
        """Give a job new retries."""
        await self._submit(
            c.UpdateJobRetries(request.jobKey, request.retries, actor=self._actor), c.EmptyReply
        )
        return pb.UpdateJobRetriesResponse()

    # --- instances --------------------------------------------------------------------------

    async def _create(self, request: pb.CreateProcessInstanceRequest) -> c.CreatedReply:
        check_tenants(request.tenantId)
        if request.startInstructions:
            raise invalid("start instructions are not supported; an instance begins at its none start event")
        command = c.CreateProcessInstance(
            bpmn_process_id=request.bpmnProcessId,
            process_definition_key=_key(request.processDefinitionKey),
            version=request.version or c.LATEST_VERSION,
            variables=document(request.variables),
            actor=self._actor,
        )
        return await self._submit(command, c.CreatedReply)

    async def create_process_instance(
        self, request: pb.CreateProcessInstanceRequest
    ) -> pb.CreateProcessInstanceResponse:
        """Start an instance."""
        return messages.created(await self._create(request))

    async def create_process_instance_with_result(
        self, request: pb.CreateProcessInstanceWithResultRequest
    ) -> pb.CreateProcessInstanceWithResultResponse:
        """Start an instance and wait for its end; DEADLINE_EXCEEDED leaves it running."""
        seconds = poll_seconds(request.requestTimeout)
        try:
            with self._service.room.place():
                reply = await self._create(request.request)
                key = reply.process_instance_key
                result = await self._service.instance_completed(key, seconds)
        except REFUSALS as error:
            raise failure_of(error) from error
        if result is None:
            raise CallFailed(
                grpc.StatusCode.DEADLINE_EXCEEDED, f"instance {key} had not ended after {seconds:g} s"
            )
        if result.state is not LifecycleState.COMPLETED:
            raise CallFailed(grpc.StatusCode.ABORTED, f"instance {key} was terminated before it completed")
        names = set(request.fetchVariables)
        wanted = {name: value for name, value in result.variables.items() if not names or name in names}
        return messages.created_with_result(reply, wanted)

    async def cancel_process_instance(
        self, request: pb.CancelProcessInstanceRequest
    ) -> pb.CancelProcessInstanceResponse:
        """Terminate an instance."""
        await self._submit(
            c.CancelProcessInstance(request.processInstanceKey, actor=self._actor), c.EmptyReply
        )
        return pb.CancelProcessInstanceResponse()

    async def set_variables(self, request: pb.SetVariablesRequest) -> pb.SetVariablesResponse:
        """Set variables at an element instance."""
        command = c.SetVariables(
            element_instance_key=request.elementInstanceKey,
            variables=document(request.variables),
            local=request.local,
            actor=self._actor,
        )
        return pb.SetVariablesResponse(key=(await self._submit(command, c.VariablesReply)).key)

    async def resolve_incident(self, request: pb.ResolveIncidentRequest) -> pb.ResolveIncidentResponse:
        """Repeat the step that failed."""
        await self._submit(c.ResolveIncident(request.incidentKey, actor=self._actor), c.EmptyReply)
        return pb.ResolveIncidentResponse()

    # --- resources, decisions, messages, cluster ----------------------------------------------

    async def deploy_resource(self, request: pb.DeployResourceRequest) -> pb.DeployResourceResponse:
        """Deploy all files or none."""
        check_tenants(request.tenantId)
        resources = tuple(c.Resource(item.name, item.content) for item in request.resources)
        command = c.DeployResources(resources, actor=self._actor)
        return messages.deployed(await self._submit(command, c.DeploymentReply))

    async def evaluate_decision(self, request: pb.EvaluateDecisionRequest) -> pb.EvaluateDecisionResponse:
        """Evaluate a decision by id or key; with both the id counts, as pyzeebe's own tests expect."""
        check_tenants(request.tenantId)
        command = c.EvaluateDecision(
            decision_id=request.decisionId,
            decision_key=None if request.decisionId else _key(request.decisionKey),
            variables=document(request.variables),
            actor=self._actor,
        )
        return messages.decided(await self._submit(command, c.DecisionReply))

    async def publish_message(self, request: pb.PublishMessageRequest) -> pb.PublishMessageResponse:
        """Publish a message, buffered for its time to live (milliseconds)."""
        check_tenants(request.tenantId)
        command = c.PublishMessage(
            name=request.name,
            correlation_key=request.correlationKey,
            time_to_live_ms=request.timeToLive,
            message_id=request.messageId,
            variables=document(request.variables),
            actor=self._actor,
        )
        reply = await self._submit(command, c.MessageReply)
        return pb.PublishMessageResponse(key=reply.message_key, tenantId=DEFAULT_TENANT)

    async def broadcast_signal(self, request: pb.BroadcastSignalRequest) -> pb.BroadcastSignalResponse:
        """Trigger everything that waits for a signal."""
        check_tenants(request.tenantId)
        command = c.BroadcastSignal(request.signalName, document(request.variables), actor=self._actor)
        reply = await self._submit(command, c.SignalReply)
        return pb.BroadcastSignalResponse(key=reply.key, tenantId=DEFAULT_TENANT)

    async def topology(self, _: pb.TopologyRequest) -> pb.TopologyResponse:
        """Describe the one broker."""
        host, port = self.address
        return messages.topology(host, port, CAMUNDA_VERSION, is_healthy=self.is_healthy)


SERVICE_NAME = "gateway_protocol.Gateway"


def rpc_names() -> tuple[str, ...]:
    """Return the names of all RPCs of the protocol, served or not."""
    return tuple(method.name for method in pb.DESCRIPTOR.services_by_name["Gateway"].methods)

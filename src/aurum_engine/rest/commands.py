"""The operations that change something: a request body becomes an engine command.

They answer from the engine, not from the read model, so they are never late.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from aurum_engine.core import commands as c
from aurum_engine.core.records import LifecycleState
from aurum_engine.errors import REFUSALS
from aurum_engine.rest import rows, rows_commands, rows_decisions
from aurum_engine.rest.bodies import Body, check_tenants
from aurum_engine.rest.http import json_body, json_response, no_content, read_body
from aurum_engine.rest.multipart import parse_multipart
from aurum_engine.rest.problems import Problem, invalid, problem_of
from aurum_engine.rest.submitting import Submitting, path_key
from aurum_engine.rest.user_tasks import UserTasks
from aurum_engine.service import EngineService
from aurum_engine.surface import DEFAULT_TENANT, JobLeases, poll_seconds

JSON_WORKER = "rest"
"""Worker name of a REST activation that gives none."""


AD_HOC_RESULT = "adHocSubProcess"
"""The only type of job result here."""


def _activations(body: Body, name: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return (element id, variables) of a list of elements to activate."""
    found = []
    for index, values in enumerate(body.objects(name)):
        item = Body(values, f"{name}[{index}].")
        found.append((item.required_text("elementId"), item.document("variables")))
        item.done()
    return tuple(found)


def _job_result(body: Body) -> c.AdHocResult | None:
    """Return the result of a job's completion; None when there is none."""
    if not body.has("result"):
        return None
    result = body.child("result")
    kind = result.required_text("type")
    if kind != AD_HOC_RESULT:
        raise invalid(f"result.type must be '{AD_HOC_RESULT}', not {kind!r}: there are no listeners here")
    decided = c.AdHocResult(
        activations=_activations(result, "activateElements"),
        is_fulfilled=result.boolean("isCompletionConditionFulfilled") or False,
        cancel_remaining=result.boolean("isCancelRemainingInstances") or False,
    )
    result.done()
    return decided


class Commands(Submitting):
    """Handlers of all writing operations but those on user tasks. `actor` is whom the audit log names."""

    def __init__(self, service: EngineService, leases: JobLeases, *, actor: str | None) -> None:
        super().__init__(service, actor=actor)
        self._leases = leases
        self.user_tasks = UserTasks(service, actor=actor)
        """Handlers of the operations on user tasks."""

    # --- deployments and instances ------------------------------------------------------------

    async def deploy(self, request: Request) -> Response:
        """POST /deployments, multipart."""
        parts = parse_multipart(request.headers.get("content-type", ""), await read_body(request))
        resources = []
        for part in parts:
            if part.name == "tenantId":
                check_tenants([part.content.decode("utf-8", "replace")])
            elif part.name == "resources" and part.file_name:
                resources.append(c.Resource(part.file_name, part.content))
            else:
                raise invalid(f"unknown part {part.name!r}; expected files in parts named 'resources'")
        reply = await self._submit(c.DeployResources(tuple(resources), actor=self._actor), c.DeploymentReply)
        return json_response(rows_commands.deployed(reply))

    async def create_instance(self, request: Request) -> Response:
        """POST /process-instances."""
        body = await json_body(request)
        body.tenant()
        body.ignore("operationReference")
        if body.objects("startInstructions") or body.objects("runtimeInstructions"):
            raise invalid("start and runtime instructions are not supported")
        process_id, key = body.text("processDefinitionId"), body.key("processDefinitionKey")
        if bool(process_id) == (key is not None):
            raise invalid("expected either processDefinitionId or processDefinitionKey")
        version = body.integer("processDefinitionVersion")
        command = c.CreateProcessInstance(
            bpmn_process_id=process_id or "",
            process_definition_key=key,
            version=c.LATEST_VERSION if version is None else version,
            variables=body.document("variables"),
            business_id=body.text("businessId"),
            tags=body.texts("tags") or (),
            actor=self._actor,
        )
        awaits, names = body.boolean("awaitCompletion"), body.texts("fetchVariables") or ()
        seconds = poll_seconds(body.integer("requestTimeout") or 0)
        body.done()
        variables: dict[str, Any] = {}
        if awaits:
            reply, variables = await self._create_and_wait(command, seconds, names)
        else:
            reply = await self._submit(command, c.CreatedReply)
        return json_response(
            {
                "processDefinitionId": reply.bpmn_process_id,
                "processDefinitionKey": str(reply.process_definition_key),
                "processDefinitionVersion": reply.version,
                "processInstanceKey": str(reply.process_instance_key),
                "tenantId": DEFAULT_TENANT,
                "variables": variables,
                "tags": list(reply.tags),
                "businessId": reply.business_id,
            }
        )

    async def _create_and_wait(
        self, command: c.CreateProcessInstance, seconds: float, names: tuple[str, ...]
    ) -> tuple[c.CreatedReply, dict[str, Any]]:
        """Return the new instance with its result. The place to wait is taken before anything is created."""
        try:
            with self._service.room.place():
                reply = await self._submit(command, c.CreatedReply)
                key = reply.process_instance_key
                result = await self._service.instance_completed(key, seconds)
        except REFUSALS as error:
            raise problem_of(error) from error
        if result is None:
            raise Problem(504, "DEADLINE_EXCEEDED", f"instance {key} had not ended after {seconds:g} s")
        if result.state is not LifecycleState.COMPLETED:
            raise Problem(409, "INVALID_STATE", f"instance {key} was terminated before it completed")
        return reply, {name: value for name, value in result.variables.items() if not names or name in names}

    async def cancel_instance(self, request: Request) -> Response:
        """POST /process-instances/{key}/cancellation."""
        body = await json_body(request)
        body.ignore("operationReference")
        body.done()
        await self._submit(c.CancelProcessInstance(path_key(request), actor=self._actor), c.EmptyReply)
        return no_content()

    async def activate_ad_hoc(self, request: Request) -> Response:
        """POST /element-instances/ad-hoc-activities/{key}/activation."""
        body = await json_body(request)
        command = c.ActivateAdHoc(
            ad_hoc_key=path_key(request),
            activations=_activations(body, "elements"),
            cancel_remaining=body.boolean("cancelRemainingInstances") or False,
            actor=self._actor,
        )
        body.done()
        await self._submit(command, c.EmptyReply)
        return no_content()

    async def set_variables(self, request: Request) -> Response:
        """PUT /element-instances/{key}/variables."""
        body = await json_body(request)
        body.ignore("operationReference")
        if not body.has("variables"):
            raise invalid("variables is required")
        command = c.SetVariables(
            element_instance_key=path_key(request),
            variables=body.document("variables"),
            local=body.boolean("local") or False,
            actor=self._actor,
        )
        body.done()
        await self._submit(command, c.VariablesReply)
        return no_content()

    async def resolve_incident(self, request: Request) -> Response:
        """POST /incidents/{key}/resolution."""
        body = await json_body(request)
        body.ignore("operationReference")
        body.done()
        await self._submit(c.ResolveIncident(path_key(request), actor=self._actor), c.EmptyReply)
        return no_content()

    # --- jobs -------------------------------------------------------------------------------

    async def activate_jobs(self, request: Request) -> Response:
        """POST /jobs/activation: a long poll; an empty list when its time is over."""
        body = await json_body(request)
        check_tenants(body.texts("tenantIds") or ())
        body.ignore("tenantFilter")
        command = c.ActivateJobs(
            job_type=body.required_text("type"),
            worker=body.text("worker") or JSON_WORKER,
            timeout_ms=body.required_integer("timeout"),
            max_jobs=body.required_integer("maxJobsToActivate"),
            fetch_variables=body.texts("fetchVariable") or (),
            actor=self._actor,
        )
        seconds = poll_seconds(body.integer("requestTimeout") or 0)
        body.done()
        try:
            jobs = await self._leases.first_batch(command, seconds)
        except REFUSALS as error:
            raise problem_of(error) from error
        view = self._service.view()
        items = [rows_commands.activated_job(view, job) for job in jobs]
        return json_response({"jobs": items})

    async def complete_job(self, request: Request) -> Response:
        """POST /jobs/{key}/completion. `result` is what the worker of an ad-hoc sub-process decided."""
        body = await json_body(request)
        command = c.CompleteJob(
            job_key=path_key(request),
            variables=body.document("variables"),
            result=_job_result(body),
            actor=self._actor,
        )
        body.done()
        await self._submit(command, c.EmptyReply)
        return no_content()

    async def fail_job(self, request: Request) -> Response:
        """POST /jobs/{key}/failure."""
        body = await json_body(request)
        command = c.FailJob(
            job_key=path_key(request),
            retries=body.integer("retries") or 0,
            error_message=body.text("errorMessage") or "",
            retry_back_off_ms=body.integer("retryBackOff") or 0,
            variables=body.document("variables"),
            actor=self._actor,
        )
        body.done()
        await self._submit(command, c.EmptyReply)
        return no_content()

    async def throw_error(self, request: Request) -> Response:
        """POST /jobs/{key}/error."""
        body = await json_body(request)
        command = c.ThrowError(
            job_key=path_key(request),
            error_code=body.required_text("errorCode"),
            error_message=body.text("errorMessage") or "",
            variables=body.document("variables"),
            actor=self._actor,
        )
        body.done()
        await self._submit(command, c.EmptyReply)
        return no_content()

    async def update_job(self, request: Request) -> Response:
        """PATCH /jobs/{key}: retries, timeout or both."""
        body = await json_body(request)
        body.ignore("operationReference")
        changes = body.child("changeset")
        retries, timeout_ms = changes.integer("retries"), changes.integer("timeout")
        changes.done()
        body.done()
        if retries is None and timeout_ms is None:
            raise invalid("changeset must have retries or timeout")
        command = c.UpdateJob(path_key(request), retries, timeout_ms, actor=self._actor)
        await self._submit(command, c.EmptyReply)
        return no_content()

    # --- messages and decisions -----------------------------------------------------------------

    async def publish_message(self, request: Request) -> Response:
        """POST /messages/publication."""
        body = await json_body(request)
        body.tenant()
        command = c.PublishMessage(
            name=body.required_text("name"),
            correlation_key=body.text("correlationKey") or "",
            time_to_live_ms=body.integer("timeToLive") or 0,
            message_id=body.text("messageId") or "",
            variables=body.document("variables"),
            actor=self._actor,
        )
        body.done()
        reply = await self._submit(command, c.MessageReply)
        return json_response({"messageKey": str(reply.message_key), "tenantId": DEFAULT_TENANT})

    async def broadcast_signal(self, request: Request) -> Response:
        """POST /signals/broadcast."""
        body = await json_body(request)
        body.tenant()
        command = c.BroadcastSignal(
            body.required_text("signalName"), body.document("variables"), actor=self._actor
        )
        body.done()
        reply = await self._submit(command, c.SignalReply)
        return json_response({"signalKey": str(reply.key), "tenantId": DEFAULT_TENANT})

    async def correlate_message(self, request: Request) -> Response:
        """POST /messages/correlation."""
        body = await json_body(request)
        body.tenant()
        command = c.CorrelateMessage(
            name=body.required_text("name"),
            correlation_key=body.text("correlationKey") or "",
            variables=body.document("variables"),
            actor=self._actor,
        )
        body.done()
        reply = await self._submit(command, c.MessageReply)
        return json_response(
            {
                "messageKey": str(reply.message_key),
                "processInstanceKey": rows.key_text(reply.process_instance_key),
                "tenantId": DEFAULT_TENANT,
            }
        )

    async def evaluate_decision(self, request: Request) -> Response:
        """POST /decision-definitions/evaluation."""
        body = await json_body(request)
        body.tenant()
        command = c.EvaluateDecision(
            decision_id=body.text("decisionDefinitionId") or "",
            decision_key=body.key("decisionDefinitionKey"),
            variables=body.document("variables"),
            actor=self._actor,
        )
        body.done()
        return json_response(rows_decisions.evaluation(await self._submit(command, c.DecisionReply)))

"""The scenario driver that knows only public interfaces: jobs over gRPC, everything else over REST v2.

It works against any engine of Camunda 8.9 that lets its clock be pinned. Durations above a minute
would have to be waited out on one that does not.
"""

from __future__ import annotations

import json
from typing import Any

import grpc
import httpx
from pyzeebe.proto import gateway_pb2 as pb
from pyzeebe.proto.gateway_pb2_grpc import GatewayStub

from tests.conformance.scenarios.driver import (
    FoundElement,
    FoundIncident,
    FoundUserTask,
    FoundVariable,
    LeasedJob,
    Refused,
)

_REJECTIONS = {
    grpc.StatusCode.INVALID_ARGUMENT: "INVALID_ARGUMENT",
    grpc.StatusCode.NOT_FOUND: "NOT_FOUND",
    grpc.StatusCode.ALREADY_EXISTS: "ALREADY_EXISTS",
    grpc.StatusCode.FAILED_PRECONDITION: "INVALID_STATE",
}

_TASK_FIELDS = {
    "candidate_groups": "candidateGroups",
    "candidate_users": "candidateUsers",
    "due_date": "dueDate",
    "follow_up_date": "followUpDate",
    "priority": "priority",
}


class WireDriver:
    """Speaks to one engine. `http` has the base address ending in /v2."""

    def __init__(self, http: httpx.AsyncClient, channel: grpc.aio.Channel, start_ms: int) -> None:
        self._http = http
        self._stub: Any = GatewayStub(channel)
        self._now_ms = start_ms

    async def _rest(self, method: str, path: str, body: Any = None, **kwargs: Any) -> Any:
        response = await self._http.request(method, path, json=body, **kwargs)
        if response.status_code >= 400:
            problem = response.json()
            raise Refused(problem["title"], problem["detail"])
        return response.json() if response.content else None

    async def _search(self, path: str, criteria: dict[str, Any]) -> list[dict[str, Any]]:
        answer = await self._rest("POST", path, {"filter": criteria, "page": {"limit": 10_000}})
        items: list[dict[str, Any]] = answer["items"]
        return items

    async def _rpc(self, name: str, request: Any) -> Any:
        try:
            return await getattr(self._stub, name)(request)
        except grpc.aio.AioRpcError as error:
            raise Refused(_REJECTIONS.get(error.code(), error.code().name), error.details() or "") from error

    async def deploy(self, resources: dict[str, bytes]) -> dict[str, tuple[int, int]]:
        files = [("resources", (name, content)) for name, content in resources.items()]
        answer = await self._rest("POST", "/deployments", files=files)
        found = {}
        for item in answer["deployments"]:
            if (process := item["processDefinition"]) is not None:
                key, version = process["processDefinitionKey"], process["processDefinitionVersion"]
                found[process["processDefinitionId"]] = (int(key), version)
            if (decision := item["decisionDefinition"]) is not None:
                key = int(decision["decisionDefinitionKey"])
                found[decision["decisionDefinitionId"]] = (key, decision["version"])
            if (form := item["form"]) is not None:
                found[form["formId"]] = (int(form["formKey"]), form["version"])
        return found

    async def create(
        self, process_id: str, variables: Any, *, version: int = -1, business_id: str | None = None
    ) -> int:
        body = {
            "processDefinitionId": process_id,
            "processDefinitionVersion": version,
            "variables": variables,
            "businessId": business_id,
        }
        return int((await self._rest("POST", "/process-instances", body))["processInstanceKey"])

    async def result(self, instance_key: int) -> dict[str, Any]:
        instance = await self._rest("GET", f"/process-instances/{instance_key}")
        assert instance["endDate"] is not None, "the instance has not ended"
        return {v.name: v.value for v in await self.variables(instance_key) if v.scope_key == instance_key}

    async def cancel(self, instance_key: int) -> None:
        await self._rest("POST", f"/process-instances/{instance_key}/cancellation", {})

    async def set_variables(self, element_key: int, variables: Any, *, local: bool) -> None:
        body = {"variables": variables, "local": local}
        await self._rest("PUT", f"/element-instances/{element_key}/variables", body)

    async def activate(self, job_type: str, count: int, lease_ms: int, fetch: list[str]) -> list[LeasedJob]:
        request = pb.ActivateJobsRequest(
            type=job_type,
            worker="scenario",
            timeout=lease_ms,
            maxJobsToActivate=count,
            fetchVariable=fetch,
            requestTimeout=-1,
        )
        try:
            batches = [batch async for batch in self._stub.ActivateJobs(request)]
        except grpc.aio.AioRpcError as error:
            raise Refused(_REJECTIONS[error.code()], error.details() or "") from error
        return [
            LeasedJob(j.key, j.elementId, j.retries, json.loads(j.customHeaders), json.loads(j.variables))
            for batch in batches
            for j in batch.jobs
        ]

    async def complete(self, job_key: int, variables: Any, result: dict[str, Any] | None) -> None:
        if result is not None:
            body = {"variables": variables, "result": {"type": "adHocSubProcess", **result}}
            await self._rest("POST", f"/jobs/{job_key}/completion", body)
            return
        request = pb.CompleteJobRequest(jobKey=job_key, variables=json.dumps(variables))
        await self._rpc("CompleteJob", request)

    async def activate_inside(
        self, ad_hoc_key: int, elements: list[dict[str, Any]], *, cancel_remaining: bool
    ) -> None:
        body = {"elements": elements, "cancelRemainingInstances": cancel_remaining}
        await self._rest("POST", f"/element-instances/ad-hoc-activities/{ad_hoc_key}/activation", body)

    async def fail(self, job_key: int, retries: int, back_off_ms: int, message: str, variables: Any) -> None:
        request = pb.FailJobRequest(
            jobKey=job_key,
            retries=retries,
            retryBackOff=back_off_ms,
            errorMessage=message,
            variables=json.dumps(variables),
        )
        await self._rpc("FailJob", request)

    async def throw(self, job_key: int, code: str, variables: Any) -> None:
        request = pb.ThrowErrorRequest(jobKey=job_key, errorCode=code, variables=json.dumps(variables))
        await self._rpc("ThrowError", request)

    async def set_retries(self, job_key: int, retries: int) -> None:
        await self._rpc("UpdateJobRetries", pb.UpdateJobRetriesRequest(jobKey=job_key, retries=retries))

    async def set_timeout(self, job_key: int, timeout_ms: int) -> None:
        await self._rpc("UpdateJobTimeout", pb.UpdateJobTimeoutRequest(jobKey=job_key, timeout=timeout_ms))

    async def publish(self, name: str, key: str, ttl_ms: int, message_id: str, variables: Any) -> None:
        request = pb.PublishMessageRequest(
            name=name,
            correlationKey=key,
            timeToLive=ttl_ms,
            messageId=message_id,
            variables=json.dumps(variables),
        )
        await self._rpc("PublishMessage", request)

    async def correlate(self, name: str, key: str, variables: Any) -> int:
        body = {"name": name, "correlationKey": key, "variables": variables}
        return int((await self._rest("POST", "/messages/correlation", body))["processInstanceKey"])

    async def broadcast(self, name: str, variables: Any) -> None:
        request = pb.BroadcastSignalRequest(signalName=name, variables=json.dumps(variables))
        await self._rpc("BroadcastSignal", request)

    async def advance(self, milliseconds: int) -> None:
        self._now_ms += milliseconds
        await self._rest("PUT", "/clock", {"timestamp": self._now_ms})

    async def resolve(self, incident_key: int) -> None:
        await self._rest("POST", f"/incidents/{incident_key}/resolution", {})

    async def assign(self, task_key: int, assignee: str | None, *, allow_override: bool) -> None:
        if assignee is None:
            await self._rest("DELETE", f"/user-tasks/{task_key}/assignee")
            return
        body = {"assignee": assignee, "allowOverride": allow_override}
        await self._rest("POST", f"/user-tasks/{task_key}/assignment", body)

    async def update_task(self, task_key: int, changes: dict[str, Any]) -> None:
        changeset = {_TASK_FIELDS[name]: value for name, value in changes.items()}
        await self._rest("PATCH", f"/user-tasks/{task_key}", {"changeset": changeset})

    async def complete_task(self, task_key: int, variables: Any) -> None:
        await self._rest("POST", f"/user-tasks/{task_key}/completion", {"variables": variables})

    async def instances(self, process_id: str) -> list[tuple[int, str]]:
        found = await self._search("/process-instances/search", {"processDefinitionId": process_id})
        return [(int(i["processInstanceKey"]), i["state"]) for i in found]

    async def elements(self, instance_key: int) -> list[FoundElement]:
        found = await self._search("/element-instances/search", {"processInstanceKey": str(instance_key)})
        return [
            FoundElement(int(e["elementInstanceKey"]), e["elementId"], e["type"], e["state"])
            for e in found
            if e["type"] != "PROCESS"
        ]

    async def variables(self, instance_key: int) -> list[FoundVariable]:
        path = "/variables/search?truncateValues=false"
        found = await self._search(path, {"processInstanceKey": str(instance_key)})
        return [FoundVariable(v["name"], json.loads(v["value"]), int(v["scopeKey"])) for v in found]

    async def incidents(self, instance_key: int) -> list[FoundIncident]:
        found = await self._search("/incidents/search", {"processInstanceKey": str(instance_key)})
        return [
            FoundIncident(
                int(i["incidentKey"]),
                i["errorType"],
                i["elementId"],
                i["errorMessage"],
                i["state"] == "ACTIVE",
            )
            for i in found
        ]

    async def user_tasks(self, instance_key: int) -> list[FoundUserTask]:
        found = await self._search("/user-tasks/search", {"processInstanceKey": str(instance_key)})
        return [
            FoundUserTask(
                int(t["userTaskKey"]),
                t["elementId"],
                t["state"],
                t["assignee"],
                tuple(t["candidateGroups"]),
                tuple(t["candidateUsers"]),
                None if t["dueDate"] is None else t["dueDate"].replace(".000Z", "Z"),
                t["priority"],
            )
            for t in found
        ]

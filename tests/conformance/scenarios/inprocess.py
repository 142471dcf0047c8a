"""The driver that talks to an `EngineService` in the same process, on a manual clock."""

from __future__ import annotations

from typing import Any, TypeVar

from aurum_engine.clock import ManualClock
from aurum_engine.core import commands as c
from aurum_engine.core.records import IncidentState
from aurum_engine.errors import Rejection
from aurum_engine.service import EngineService
from tests.conformance.scenarios.driver import (
    FoundElement,
    FoundIncident,
    FoundUserTask,
    FoundVariable,
    LeasedJob,
    Refused,
)

R = TypeVar("R")


def _activations(elements: list[dict[str, Any]]) -> tuple[tuple[str, dict[str, Any]], ...]:
    return tuple((item["elementId"], item.get("variables", {})) for item in elements)


class InProcessDriver:
    """Sends commands to a service and searches its view."""

    def __init__(self, service: EngineService, clock: ManualClock) -> None:
        self._service = service
        self._clock = clock

    async def _submit(self, command: c.Command, reply: type[R]) -> R:
        try:
            answer = await self._service.submit(command)
        except Rejection as rejection:
            raise Refused(rejection.rejection_type, rejection.reason) from rejection
        assert isinstance(answer, reply)
        return answer

    async def deploy(self, resources: dict[str, bytes]) -> dict[str, tuple[int, int]]:
        files = tuple(c.Resource(name, content) for name, content in resources.items())
        reply = await self._submit(c.DeployResources(files), c.DeploymentReply)
        found = {p.bpmn_process_id: (p.key, p.version) for p in reply.processes}
        found |= {d.decision_id: (d.key, d.version) for d in reply.decisions}
        return found | {f.form_id: (f.key, f.version) for f in reply.forms}

    async def create(
        self, process_id: str, variables: Any, *, version: int = -1, business_id: str | None = None
    ) -> int:
        command = c.CreateProcessInstance(
            process_id, version=version, variables=variables, business_id=business_id
        )
        return (await self._submit(command, c.CreatedReply)).process_instance_key

    async def result(self, instance_key: int) -> dict[str, Any]:
        result = await self._service.instance_completed(instance_key, 1)
        assert result is not None, "the instance has not ended"
        return result.variables

    async def cancel(self, instance_key: int) -> None:
        await self._submit(c.CancelProcessInstance(instance_key), c.EmptyReply)

    async def set_variables(self, element_key: int, variables: Any, *, local: bool) -> None:
        await self._submit(c.SetVariables(element_key, variables, local), c.VariablesReply)

    async def activate(self, job_type: str, count: int, lease_ms: int, fetch: list[str]) -> list[LeasedJob]:
        command = c.ActivateJobs(job_type, "scenario", lease_ms, count, tuple(fetch))
        reply = await self._submit(command, c.JobsReply)
        return [
            LeasedJob(j.job.key, j.job.element_id, j.job.retries, dict(j.job.headers), dict(j.variables))
            for j in reply.jobs
        ]

    async def complete(self, job_key: int, variables: Any, result: dict[str, Any] | None) -> None:
        decided = None
        if result is not None:
            decided = c.AdHocResult(
                _activations(result.get("activateElements", [])),
                result.get("isCompletionConditionFulfilled", False),
                result.get("isCancelRemainingInstances", False),
            )
        await self._submit(c.CompleteJob(job_key, variables, decided), c.EmptyReply)

    async def activate_inside(
        self, ad_hoc_key: int, elements: list[dict[str, Any]], *, cancel_remaining: bool
    ) -> None:
        command = c.ActivateAdHoc(ad_hoc_key, _activations(elements), cancel_remaining)
        await self._submit(command, c.EmptyReply)

    async def fail(self, job_key: int, retries: int, back_off_ms: int, message: str, variables: Any) -> None:
        await self._submit(c.FailJob(job_key, retries, message, back_off_ms, variables), c.EmptyReply)

    async def throw(self, job_key: int, code: str, variables: Any) -> None:
        await self._submit(c.ThrowError(job_key, code, "", variables), c.EmptyReply)

    async def set_retries(self, job_key: int, retries: int) -> None:
        await self._submit(c.UpdateJobRetries(job_key, retries), c.EmptyReply)

    async def set_timeout(self, job_key: int, timeout_ms: int) -> None:
        await self._submit(c.UpdateJobTimeout(job_key, timeout_ms), c.EmptyReply)

    async def publish(self, name: str, key: str, ttl_ms: int, message_id: str, variables: Any) -> None:
        await self._submit(c.PublishMessage(name, key, ttl_ms, message_id, variables), c.MessageReply)

    async def correlate(self, name: str, key: str, variables: Any) -> int:
        reply = await self._submit(c.CorrelateMessage(name, key, variables), c.MessageReply)
        assert reply.process_instance_key is not None
        return reply.process_instance_key

    async def broadcast(self, name: str, variables: Any) -> None:
        await self._submit(c.BroadcastSignal(name, variables), c.SignalReply)

    async def advance(self, milliseconds: int) -> None:
        await self._service.advance_to(self._clock.now_ms() + milliseconds)

    async def resolve(self, incident_key: int) -> None:
        await self._submit(c.ResolveIncident(incident_key), c.EmptyReply)

    async def assign(self, task_key: int, assignee: str | None, *, allow_override: bool) -> None:
        command: c.Command = c.UnassignUserTask(task_key)
        if assignee is not None:
            command = c.AssignUserTask(task_key, assignee, allow_override)
        await self._submit(command, c.EmptyReply)

    async def update_task(self, task_key: int, changes: dict[str, Any]) -> None:
        values = {k: tuple(v) if isinstance(v, list) else v for k, v in changes.items()}
        await self._submit(c.UpdateUserTask(task_key, **values), c.EmptyReply)

    async def complete_task(self, task_key: int, variables: Any) -> None:
        await self._submit(c.CompleteUserTask(task_key, variables), c.EmptyReply)

    async def instances(self, process_id: str) -> list[tuple[int, str]]:
        found = self._service.view().process_instances.values()
        return [(i.key, str(i.state)) for i in found if i.bpmn_process_id == process_id]

    async def elements(self, instance_key: int) -> list[FoundElement]:
        view = self._service.view()
        found = [view.elements[key] for key in view.instance_elements.get(instance_key, ())]
        return [
            FoundElement(e.key, e.element_id, e.element_type, str(e.state))
            for e in found
            if e.key != instance_key
        ]

    async def variables(self, instance_key: int) -> list[FoundVariable]:
        found = self._service.view().variables_of(instance_key)
        return [FoundVariable(v.name, v.value, v.scope_key) for v in found]

    async def incidents(self, instance_key: int) -> list[FoundIncident]:
        view = self._service.view()
        found = [view.incidents[key] for key in view.instance_incidents.get(instance_key, ())]
        return [
            FoundIncident(i.key, i.error_type, i.element_id, i.message, i.state is IncidentState.ACTIVE)
            for i in found
        ]

    async def user_tasks(self, instance_key: int) -> list[FoundUserTask]:
        view = self._service.view()
        found = [view.user_tasks[key] for key in view.instance_user_tasks.get(instance_key, ())]
        return [
            FoundUserTask(
                t.key,
                t.element_id,
                str(t.state),
                t.assignee,
                t.candidate_groups,
                t.candidate_users,
                t.due_date,
                t.priority,
            )
            for t in found
        ]

"""Incidents: resolved by repeating the step that failed."""

from __future__ import annotations

from aurum_engine.core.audit import audit
from aurum_engine.core.commands import EmptyReply, ResolveIncident
from aurum_engine.core.events import IncidentResolved, JobMadeActivatable
from aurum_engine.core.execution import Execution
from aurum_engine.core.lifecycle import arrive, complete, finish_scope, run_activation
from aurum_engine.core.records import ErrorType, IncidentState, Retry
from aurum_engine.core.triggers import subscribe
from aurum_engine.errors import invalid_state, not_found

NO_RETRIES = frozenset({ErrorType.JOB_NO_RETRIES, ErrorType.AD_HOC_SUB_PROCESS_NO_RETRIES})
"""Incidents that cannot be resolved before the job has retries again."""


def resolve(x: Execution, command: ResolveIncident) -> EmptyReply:
    """Carry out ResolveIncident. When the step fails again there is a new incident."""
    incident = x.state.incidents.get(command.incident_key)
    if incident is None or incident.state is IncidentState.RESOLVED:
        raise not_found(f"expected to resolve incident '{command.incident_key}', but there is none")
    if incident.retry is Retry.NEVER:
        reason = "an error thrown by an end event cannot be repeated; cancel the process instance"
        raise invalid_state(f"incident '{incident.key}' cannot be resolved: {reason}")
    job = None if incident.job_key is None else x.state.jobs[incident.job_key]
    if incident.error_type in NO_RETRIES and job is not None and job.retries <= 0:
        raise invalid_state(f"incident '{incident.key}' cannot be resolved: job '{job.key}' has no retries")
    x.emit(IncidentResolved(incident.key))
    audit(
        x,
        "RESOLVE",
        "INCIDENT",
        incident.key,
        command.actor,
        process_instance_key=incident.process_instance_key,
    )
    key = incident.element_instance_key
    match incident.retry:
        case Retry.JOB if incident.job_key is not None:
            x.emit(JobMadeActivatable(incident.job_key, "INCIDENT_RESOLVED"))
        case Retry.ACTIVATE:
            run_activation(x, key)
        case Retry.COMPLETE if x.state.children.get(key) or x.state.tokens.get(key):
            pass  # An event sub-process began meanwhile; its end completes the scope.
        case Retry.COMPLETE:
            complete(x, key)
        case Retry.CONTINUE:
            finish_scope(x, key)
        case Retry.SUBSCRIBE:
            subscribe(x, x.state.elements[key])
            for flow_id, count in list(x.state.tokens.get(key, {}).items()):
                for _ in range(count):
                    x.later(arrive, key, flow_id)
        case _:
            raise AssertionError(f"incident {incident.key} has retry {incident.retry} without a job")
    return EmptyReply()

"""Appliers: work for workers and people, and what came of it. See the rules in the package."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Mapping
from typing import Any

from aurum_engine.core import events as e
from aurum_engine.core import records as r
from aurum_engine.core.appliers.indexes import discard
from aurum_engine.core.deadlines import DueKind
from aurum_engine.core.state import State
from aurum_engine.core.structs import changed


def _set_job(state: State, job: r.Job) -> None:
    """Store a job and keep the backlog of its type and the deadlines true."""
    before = state.jobs.get(job.key)
    state.jobs[job.key] = job
    was = before is not None and before.state is r.JobState.ACTIVATABLE
    is_now = job.state is r.JobState.ACTIVATABLE
    if is_now and not was:
        insort(state.activatable.setdefault(job.type, []), job.key)
    elif was and not is_now:
        backlog = state.activatable[job.type]
        del backlog[bisect_left(backlog, job.key)]
        if not backlog:
            del state.activatable[job.type]
    if job.state in {r.JobState.ACTIVATED, r.JobState.BACKING_OFF} and job.deadline_ms is not None:
        state.deadlines.push(job.deadline_ms, DueKind.JOB, job.key)


def _job_created(state: State, event: e.JobCreated, at_ms: int) -> None:
    _set_job(
        state,
        r.Job(
            key=event.key,
            type=event.type,
            state=r.JobState.ACTIVATABLE,
            retries=event.retries,
            headers=event.headers,
            worker="",
            deadline_ms=None,
            error_message="",
            error_code="",
            element_id=event.element_id,
            element_instance_key=event.element_instance_key,
            process_instance_key=event.process_instance_key,
            process_definition_key=event.process_definition_key,
            bpmn_process_id=event.bpmn_process_id,
            process_definition_version=event.process_definition_version,
            incident_key=None,
            created_ms=at_ms,
            ended_ms=None,
        ),
    )
    state.element_jobs[event.element_instance_key] = event.key
    state.instance_jobs.setdefault(event.process_instance_key, []).append(event.key)


def _job_activated(state: State, event: e.JobActivated, at_ms: int) -> None:
    job = state.jobs[event.key]
    activated = r.JobState.ACTIVATED
    _set_job(state, changed(job, state=activated, worker=event.worker, deadline_ms=event.deadline_ms))


def _job_ended(state: State, key: int, at_ms: int, ended: r.JobState) -> None:
    job = state.jobs[key]
    _set_job(state, changed(job, state=ended, deadline_ms=None, ended_ms=at_ms))
    state.element_jobs.pop(job.element_instance_key, None)


def _job_completed(state: State, event: e.JobCompleted, at_ms: int) -> None:
    _job_ended(state, event.key, at_ms, r.JobState.COMPLETED)


def _job_canceled(state: State, event: e.JobCanceled, at_ms: int) -> None:
    # A job whose error was caught stays ERROR_THROWN: that is how it ended.
    thrown = state.jobs[event.key].state is r.JobState.ERROR_THROWN
    _job_ended(state, event.key, at_ms, r.JobState.ERROR_THROWN if thrown else r.JobState.CANCELED)


def _job_failed(state: State, event: e.JobFailed, at_ms: int) -> None:
    if event.retries <= 0:
        now = r.JobState.FAILED
    elif event.back_off_until_ms is not None:
        now = r.JobState.BACKING_OFF
    else:
        now = r.JobState.ACTIVATABLE
    job = changed(
        state.jobs[event.key],
        state=now,
        retries=event.retries,
        error_message=event.message,
        worker="",
        deadline_ms=event.back_off_until_ms,
    )
    _set_job(state, job)


def _job_made_activatable(state: State, event: e.JobMadeActivatable, at_ms: int) -> None:
    job = state.jobs[event.key]
    activatable = r.JobState.ACTIVATABLE
    _set_job(state, changed(job, state=activatable, worker="", deadline_ms=None, incident_key=None))


def _job_error_thrown(state: State, event: e.JobErrorThrown, at_ms: int) -> None:
    job = state.jobs[event.key]
    thrown = changed(
        job,
        state=r.JobState.ERROR_THROWN,
        error_code=event.error_code,
        error_message=event.message,
        deadline_ms=None,
    )
    _set_job(state, thrown)


def _job_retries_updated(state: State, event: e.JobRetriesUpdated, at_ms: int) -> None:
    _set_job(state, changed(state.jobs[event.key], retries=event.retries))


def _job_timeout_updated(state: State, event: e.JobTimeoutUpdated, at_ms: int) -> None:
    _set_job(state, changed(state.jobs[event.key], deadline_ms=event.deadline_ms))


def _incident_created(state: State, event: e.IncidentCreated, at_ms: int) -> None:
    state.incidents[event.key] = r.Incident(
        key=event.key,
        error_type=r.ErrorType(event.error_type),
        message=event.message,
        state=r.IncidentState.ACTIVE,
        element_id=event.element_id,
        element_instance_key=event.element_instance_key,
        process_instance_key=event.process_instance_key,
        process_definition_key=event.process_definition_key,
        bpmn_process_id=event.bpmn_process_id,
        job_key=event.job_key,
        retry=r.Retry(event.retry),
        created_ms=at_ms,
        resolved_ms=None,
    )
    element = state.elements[event.element_instance_key]
    state.elements[element.key] = changed(element, incident_key=event.key)
    if event.job_key is not None:
        state.jobs[event.job_key] = changed(state.jobs[event.job_key], incident_key=event.key)
    state.active_incidents.setdefault(event.process_instance_key, {})[event.key] = None
    state.instance_incidents.setdefault(event.process_instance_key, []).append(event.key)


def _incident_resolved(state: State, event: e.IncidentResolved, at_ms: int) -> None:
    incident = state.incidents[event.key]
    state.incidents[event.key] = changed(incident, state=r.IncidentState.RESOLVED, resolved_ms=at_ms)
    element = state.elements[incident.element_instance_key]
    if element.incident_key == event.key:
        state.elements[element.key] = changed(element, incident_key=None)
    if incident.job_key is not None:
        state.jobs[incident.job_key] = changed(state.jobs[incident.job_key], incident_key=None)
    discard(state.active_incidents, incident.process_instance_key, event.key)


def _user_task_created(state: State, event: e.UserTaskCreated, at_ms: int) -> None:
    state.user_tasks[event.key] = r.UserTask(
        key=event.key,
        state=r.UserTaskState.CREATED,
        element_id=event.element_id,
        name=event.name,
        element_instance_key=event.element_instance_key,
        process_instance_key=event.process_instance_key,
        process_definition_key=event.process_definition_key,
        bpmn_process_id=event.bpmn_process_id,
        process_definition_version=event.process_definition_version,
        assignee=event.assignee,
        candidate_users=event.candidate_users,
        candidate_groups=event.candidate_groups,
        due_date=event.due_date,
        follow_up_date=event.follow_up_date,
        priority=event.priority,
        form_key=event.form_key,
        external_form_reference=event.external_form_reference,
        headers=event.headers,
        created_ms=at_ms,
        completed_ms=None,
    )
    state.element_user_tasks[event.element_instance_key] = event.key
    state.instance_user_tasks.setdefault(event.process_instance_key, []).append(event.key)


def _user_task_assigned(state: State, event: e.UserTaskAssigned, at_ms: int) -> None:
    state.user_tasks[event.key] = changed(state.user_tasks[event.key], assignee=event.assignee)


def _user_task_updated(state: State, event: e.UserTaskUpdated, at_ms: int) -> None:
    state.user_tasks[event.key] = changed(
        state.user_tasks[event.key],
        candidate_users=event.candidate_users,
        candidate_groups=event.candidate_groups,
        due_date=event.due_date,
        follow_up_date=event.follow_up_date,
        priority=event.priority,
    )


def _user_task_ended(state: State, key: int, at_ms: int, ended: r.UserTaskState) -> None:
    task = state.user_tasks[key]
    state.user_tasks[key] = changed(task, state=ended, completed_ms=at_ms)
    state.element_user_tasks.pop(task.element_instance_key, None)


def _user_task_completed(state: State, event: e.UserTaskCompleted, at_ms: int) -> None:
    _user_task_ended(state, event.key, at_ms, r.UserTaskState.COMPLETED)


def _user_task_canceled(state: State, event: e.UserTaskCanceled, at_ms: int) -> None:
    _user_task_ended(state, event.key, at_ms, r.UserTaskState.CANCELED)


def _decision_evaluated(state: State, event: e.DecisionEvaluated, at_ms: int) -> None:
    for index, audit in enumerate(event.decisions, start=1):
        instance_id = f"{event.key}-{index}"
        state.decision_instances[instance_id] = r.DecisionInstance(
            id=instance_id,
            key=event.key,
            index=index,
            state=audit["state"],
            failure=audit["failure"],
            decision_id=audit["decisionId"],
            decision_name=audit["decisionName"],
            decision_type=audit["decisionType"],
            decision_key=audit["decisionKey"],
            decision_version=audit["decisionVersion"],
            drg_key=event.drg_key,
            root_decision_key=event.root_decision_key,
            process_definition_key=event.process_definition_key,
            process_instance_key=event.process_instance_key,
            element_instance_key=event.element_instance_key,
            result=audit["result"],
            inputs=tuple(audit["inputs"]),
            rules=tuple(audit["rules"]),
            evaluated_ms=at_ms,
        )
        instance_key = r.NO_KEY if event.process_instance_key is None else event.process_instance_key
        state.instance_decisions.setdefault(instance_key, []).append(instance_id)


def _audited(state: State, event: e.Audited, at_ms: int) -> None:
    state.audit_entries[event.key] = r.AuditEntry(
        event.key,
        event.operation,
        event.entity_type,
        event.entity_key,
        event.process_instance_key,
        event.process_definition_key,
        event.actor,
        at_ms,
        event.details,
        event.is_person,
    )

    instance_key = r.NO_KEY if event.process_instance_key is None else event.process_instance_key
    state.instance_audits.setdefault(instance_key, []).append(event.key)


APPLIERS: Mapping[type[e.Event], Callable[[State, Any, int], None]] = {
    e.JobCreated: _job_created,
    e.JobActivated: _job_activated,
    e.JobCompleted: _job_completed,
    e.JobCanceled: _job_canceled,
    e.JobFailed: _job_failed,
    e.JobMadeActivatable: _job_made_activatable,
    e.JobErrorThrown: _job_error_thrown,
    e.JobRetriesUpdated: _job_retries_updated,
    e.JobTimeoutUpdated: _job_timeout_updated,
    e.IncidentCreated: _incident_created,
    e.IncidentResolved: _incident_resolved,
    e.UserTaskCreated: _user_task_created,
    e.UserTaskAssigned: _user_task_assigned,
    e.UserTaskUpdated: _user_task_updated,
    e.UserTaskCompleted: _user_task_completed,
    e.UserTaskCanceled: _user_task_canceled,
    e.DecisionEvaluated: _decision_evaluated,
    e.Audited: _audited,
}
"""Appliers of the events in `events/work.py`."""

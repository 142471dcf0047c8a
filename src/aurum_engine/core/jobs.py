"""Jobs: leased, completed, failed, thrown, and returned to the backlog when time is up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum_engine.core.ad_hoc import carry_out, is_ad_hoc, judge_result
from aurum_engine.core.audit import audit
from aurum_engine.core.commands import (
    ActivatedJob,
    ActivateJobs,
    CompleteJob,
    EmptyReply,
    FailJob,
    JobsReply,
    PushJob,
    ThrowError,
    UpdateJob,
    UpdateJobRetries,
    UpdateJobTimeout,
    YieldJob,
)
from aurum_engine.core.evaluation import ScopeVariables
from aurum_engine.core.events import (
    JobActivated,
    JobCompleted,
    JobErrorThrown,
    JobFailed,
    JobMadeActivatable,
    JobRetriesUpdated,
    JobTimeoutUpdated,
)
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.lifecycle import complete, raise_incident
from aurum_engine.core.records import ErrorType, Job, JobState, Retry
from aurum_engine.core.spans import end_of
from aurum_engine.core.triggers import throw_error
from aurum_engine.core.variables import document, propagate, set_local
from aurum_engine.errors import invalid_argument, invalid_state, not_found


def _job(x: Execution, key: int) -> Job:
    job = x.state.jobs.get(key)
    if job is None or not job.is_live:
        raise not_found(f"no job with key '{key}' exists (any more)")
    return job


def activate_jobs(x: Execution, command: ActivateJobs) -> JobsReply:
    """Carry out ActivateJobs: oldest first, with variables as they are now."""
    if not command.job_type.strip():
        raise invalid_argument("expected a job type, but it was blank")
    if not command.worker.strip():
        raise invalid_argument("expected a worker name, but it was blank")
    if command.timeout_ms < 1:
        raise invalid_argument("expected a timeout greater than zero")
    if command.max_jobs < 1:
        raise invalid_argument("expected maxJobsToActivate greater than zero")
    deadline_ms = end_of(x.now_ms, command.timeout_ms, "timeout")
    keys = list(x.state.activatable.get(command.job_type, ())[: command.max_jobs])
    return JobsReply(tuple(_lease(x, key, command, deadline_ms) for key in keys))


def _lease(x: Execution, key: int, command: ActivateJobs | PushJob, deadline_ms: int) -> ActivatedJob:
    x.emit(JobActivated(key, command.worker, deadline_ms))
    job = x.state.jobs[key]
    return ActivatedJob(job, _variables(x, job, command.fetch_variables))


def push_job(x: Execution, command: PushJob) -> JobsReply:
    """Carry out PushJob."""
    job = x.state.jobs.get(command.job_key)
    if job is None or job.state is not JobState.ACTIVATABLE:
        return JobsReply(())
    deadline_ms = end_of(x.now_ms, command.timeout_ms, "timeout")
    return JobsReply((_lease(x, job.key, command, deadline_ms),))


def yield_job(x: Execution, command: YieldJob) -> EmptyReply:
    """Carry out YieldJob."""
    job = x.state.jobs.get(command.job_key)
    if job is not None and job.state is JobState.ACTIVATED and job.deadline_ms == command.deadline_ms:
        x.emit(JobMadeActivatable(job.key, "YIELDED"))
    return EmptyReply()


def _variables(x: Execution, job: Job, names: tuple[str, ...]) -> Mapping[str, Any]:
    if not names:
        return x.state.effective_variables(job.element_instance_key)
    visible = ScopeVariables(x.state, job.element_instance_key)
    return {name: visible[name] for name in names if name in visible}


def complete_job(x: Execution, command: CompleteJob) -> EmptyReply:
    """Carry out CompleteJob. A job whose lease ran out may still be completed by its old worker."""
    job = _job(x, command.job_key)
    if job.state in {JobState.FAILED, JobState.ERROR_THROWN, JobState.BACKING_OFF}:
        raise invalid_state(f"job '{job.key}' cannot be completed: it is in state {job.state}")
    variables = document(command.variables)
    instance = x.state.elements[job.element_instance_key]
    if is_ad_hoc(instance):
        result = judge_result(x, instance, command.result)
        x.emit(JobCompleted(job.key))
        propagate(x, instance.key, variables)
        carry_out(x, instance, result)
        return EmptyReply()
    if command.result is not None:
        raise invalid_argument(f"job '{job.key}' takes no result: it is not of an ad-hoc sub-process")
    x.emit(JobCompleted(job.key))
    complete(x, job.element_instance_key, variables)
    return EmptyReply()


def _require_activated(job: Job, what: str) -> None:
    if job.state is not JobState.ACTIVATED:
        raise invalid_state(f"job '{job.key}' cannot be {what}: it is in state {job.state}")


def fail_job(x: Execution, command: FailJob) -> EmptyReply:
    """Carry out FailJob."""
    job = _job(x, command.job_key)
    _require_activated(job, "failed")
    variables = document(command.variables)
    retries = max(command.retries, 0)
    waits = command.retry_back_off_ms > 0 and retries
    back_off = end_of(x.now_ms, command.retry_back_off_ms, "retryBackOff") if waits else None
    x.emit(JobFailed(job.key, retries, command.error_message, back_off))
    for name, value in variables.items():
        set_local(x, job.element_instance_key, name, value)
    if not retries:
        message = command.error_message or "no more retries left"
        instance = x.state.elements[job.element_instance_key]
        error = ErrorType.AD_HOC_SUB_PROCESS_NO_RETRIES if is_ad_hoc(instance) else ErrorType.JOB_NO_RETRIES
        raise_incident(x, instance, Stuck(error, message), Retry.JOB, job.key)
    return EmptyReply()


def throw_job_error(x: Execution, command: ThrowError) -> EmptyReply:
    """Carry out ThrowError: the nearest matching catch event takes it, or an incident does."""
    job = _job(x, command.job_key)
    _require_activated(job, "ended by an error")
    variables = document(command.variables)
    x.emit(JobErrorThrown(job.key, command.error_code, command.error_message))
    if not throw_error(x, job.element_instance_key, command.error_code, variables):
        message = (
            f"expected to throw an error event with the code '{command.error_code}'"
            f" with message '{command.error_message}', but it was not caught"
        )
        instance = x.state.elements[job.element_instance_key]
        raise_incident(x, instance, Stuck(ErrorType.UNHANDLED_ERROR_EVENT, message), Retry.JOB, job.key)
    return EmptyReply()


def update_retries(x: Execution, command: UpdateJobRetries) -> EmptyReply:
    """Carry out UpdateJobRetries."""
    return update(x, UpdateJob(command.job_key, retries=command.retries, actor=command.actor))


def update_timeout(x: Execution, command: UpdateJobTimeout) -> EmptyReply:
    """Carry out UpdateJobTimeout."""
    return update(x, UpdateJob(command.job_key, timeout_ms=command.timeout_ms, actor=command.actor))


def update(x: Execution, command: UpdateJob) -> EmptyReply:
    """Carry out UpdateJob: everything is judged before anything is changed."""
    job = _job(x, command.job_key)
    retries, timeout_ms = command.retries, command.timeout_ms
    if retries is not None and retries < 1:
        raise invalid_argument(f"expected retries greater than zero, but got {retries}")
    if timeout_ms is not None:
        _require_activated(job, "given another timeout")
        if timeout_ms < 0:
            raise invalid_argument("expected a timeout that is not negative")
        end_of(x.now_ms, timeout_ms, "timeout")
    if retries is not None:
        x.emit(JobRetriesUpdated(job.key, retries))
    if timeout_ms is not None:
        x.emit(JobTimeoutUpdated(job.key, x.now_ms + timeout_ms))
    audit(x, "UPDATE", "JOB", job.key, command.actor, process_instance_key=job.process_instance_key)
    return EmptyReply()


def job_due(x: Execution, key: int) -> None:
    """Return a job to the backlog: its lease or its back-off is over. Retries stay as they are."""
    reason = "TIMED_OUT" if x.state.jobs[key].state is JobState.ACTIVATED else "BACKED_OFF"
    x.emit(JobMadeActivatable(key, reason))

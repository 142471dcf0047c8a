"""The only code that changes a `State`: one applier per event kind, live and in replay alike.

Rule 1: an applier decides nothing; it writes what the event says and keeps the indexes true.
Rule 2: it reads no clock and no model; `at_ms` is the time of the command.
Rule 3: it never fails for an event that was emitted by a processor.
"""

from __future__ import annotations

from base64 import b64decode
from bisect import bisect_left, insort
from collections.abc import Callable
from typing import Any

from aurum_engine.core import events as e
from aurum_engine.core import records as r
from aurum_engine.core.deadlines import DueKind
from aurum_engine.core.records import changed
from aurum_engine.core.state import State


def apply(state: State, event: e.Event, at_ms: int) -> None:
    """Change `state` as `event` says; `at_ms` is when its command was processed."""
    if event.key > state.last_key:
        state.last_key = event.key
    _APPLIERS[type(event)](state, event, at_ms)


def _discard(index: dict[Any, dict[Any, None]], group: Any, key: Any) -> None:
    members = index.get(group)
    if members is not None:
        members.pop(key, None)
        if not members:
            del index[group]


def _process_deployed(state: State, event: e.ProcessDeployed, at_ms: int) -> None:
    state.process_definitions[event.key] = r.ProcessDefinition(
        key=event.key,
        bpmn_process_id=event.bpmn_process_id,
        version=event.version,
        version_tag=event.version_tag,
        name=event.name,
        resource_name=event.resource_name,
        checksum=event.checksum,
        deployment_key=event.deployment_key,
        resource=b64decode(event.resource_base64),
        deployed_ms=at_ms,
    )
    state.process_versions.setdefault(event.bpmn_process_id, []).append(event.key)


def _drg_deployed(state: State, event: e.DrgDeployed, at_ms: int) -> None:
    state.decision_requirements[event.key] = r.DecisionRequirements(
        key=event.key,
        drg_id=event.drg_id,
        name=event.name,
        namespace=event.namespace,
        version=event.version,
        resource_name=event.resource_name,
        checksum=event.checksum,
        deployment_key=event.deployment_key,
        resource=b64decode(event.resource_base64),
    )
    state.drg_versions.setdefault(event.drg_id, []).append(event.key)


def _decision_deployed(state: State, event: e.DecisionDeployed, at_ms: int) -> None:
    state.decision_definitions[event.key] = r.DecisionDefinition(
        key=event.key,
        decision_id=event.decision_id,
        name=event.name,
        version=event.version,
        version_tag=event.version_tag,
        drg_key=event.drg_key,
        drg_id=event.drg_id,
        deployment_key=event.deployment_key,
    )
    state.decision_versions.setdefault(event.decision_id, []).append(event.key)


def _form_deployed(state: State, event: e.FormDeployed, at_ms: int) -> None:
    state.forms[event.key] = r.Form(
        key=event.key,
        form_id=event.form_id,
        version=event.version,
        version_tag=event.version_tag,
        resource_name=event.resource_name,
        checksum=event.checksum,
        deployment_key=event.deployment_key,
        resource=b64decode(event.resource_base64),
    )
    state.form_versions.setdefault(event.form_id, []).append(event.key)


def _deployed(state: State, event: e.Deployed, at_ms: int) -> None:
    state.deployments[event.key] = r.Deployment(
        event.key, event.process_keys, event.decision_keys, event.drg_keys, event.form_keys, at_ms
    )


def _message_start_opened(state: State, event: e.MessageStartOpened, at_ms: int) -> None:
    state.message_starts.setdefault(event.message_name, {})[event.bpmn_process_id] = (
        r.MessageStartSubscription(
            event.key,
            event.message_name,
            event.bpmn_process_id,
            event.process_definition_key,
            event.start_event_id,
        )
    )


def _message_start_closed(state: State, event: e.MessageStartClosed, at_ms: int) -> None:
    starts = state.message_starts[event.message_name]
    del starts[event.bpmn_process_id]
    if not starts:
        del state.message_starts[event.message_name]


def _instance_created(state: State, event: e.ProcessInstanceCreated, at_ms: int) -> None:
    state.process_instances[event.key] = r.ProcessInstance(
        key=event.key,
        process_definition_key=event.process_definition_key,
        bpmn_process_id=event.bpmn_process_id,
        version=event.version,
        version_tag=event.version_tag,
        name=event.name,
        state=r.LifecycleState.ACTIVE,
        started_ms=at_ms,
        ended_ms=None,
        business_id=event.business_id,
        tags=event.tags,
        start_event_id=event.start_event_id,
        start_correlation_key=event.start_correlation_key,
    )
    state.instance_elements[event.key] = []
    if event.business_id is not None:
        state.business_ids.setdefault((event.bpmn_process_id, event.business_id), {})[event.key] = None
    if event.start_correlation_key is not None:
        started = (event.bpmn_process_id, event.start_correlation_key)
        state.started_by_key.setdefault(started, {})[event.key] = None


def _element_activated(state: State, event: e.ElementActivated, at_ms: int) -> None:
    state.elements[event.key] = r.ElementInstance(
        key=event.key,
        element_id=event.element_id,
        element_name=event.element_name,
        element_type=event.element_type,
        process_instance_key=event.process_instance_key,
        process_definition_key=event.process_definition_key,
        bpmn_process_id=event.bpmn_process_id,
        scope_key=event.scope_key,
        state=r.LifecycleState.ACTIVE,
        started_ms=at_ms,
        ended_ms=None,
        incident_key=None,
        interrupted=False,
    )
    state.instance_elements[event.process_instance_key].append(event.key)
    if event.scope_key != r.NO_KEY:
        state.children.setdefault(event.scope_key, {})[event.key] = None
    for flow_id in event.consumed:
        tokens = state.tokens[event.scope_key]
        if tokens[flow_id] > 1:
            tokens[flow_id] -= 1
        else:
            del tokens[flow_id]
            if not tokens:
                del state.tokens[event.scope_key]


def _element_ended(state: State, key: int, at_ms: int, ended: r.LifecycleState) -> None:
    element = state.elements[key]
    state.elements[key] = changed(element, state=ended, ended_ms=at_ms)
    _discard(state.children, element.scope_key, key)
    state.tokens.pop(key, None)
    if element.scope_key != r.NO_KEY:
        return
    instance = state.process_instances[key]
    state.process_instances[key] = changed(instance, state=ended, ended_ms=at_ms)
    if instance.business_id is not None:
        _discard(state.business_ids, (instance.bpmn_process_id, instance.business_id), key)
    if instance.start_correlation_key is not None:
        _discard(state.started_by_key, (instance.bpmn_process_id, instance.start_correlation_key), key)


def _element_completed(state: State, event: e.ElementCompleted, at_ms: int) -> None:
    _element_ended(state, event.key, at_ms, r.LifecycleState.COMPLETED)


def _element_terminated(state: State, event: e.ElementTerminated, at_ms: int) -> None:
    _element_ended(state, event.key, at_ms, r.LifecycleState.TERMINATED)


def _scope_interrupted(state: State, event: e.ScopeInterrupted, at_ms: int) -> None:
    state.elements[event.key] = changed(state.elements[event.key], interrupted=True)
    state.tokens.pop(event.key, None)


def _flow_taken(state: State, event: e.SequenceFlowTaken, at_ms: int) -> None:
    tokens = state.tokens.setdefault(event.scope_key, {})
    tokens[event.flow_id] = tokens.get(event.flow_id, 0) + 1
    state.instance_flows.setdefault(event.key, []).append(r.FlowTaken(event.key, event.flow_id, at_ms))


def _variable_created(state: State, event: e.VariableCreated, at_ms: int) -> None:
    state.scopes.setdefault(event.scope_key, {})[event.name] = r.Variable(
        event.key, event.name, event.value, event.scope_key, event.process_instance_key
    )
    state.variable_scopes[event.key] = (event.scope_key, event.name)
    state.instance_scopes.setdefault(event.process_instance_key, {})[event.scope_key] = None


def _variable_updated(state: State, event: e.VariableUpdated, at_ms: int) -> None:
    scope = state.scopes[event.scope_key]
    scope[event.name] = changed(scope[event.name], value=event.value)


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
    _discard(state.active_incidents, incident.process_instance_key, event.key)


def _timer_created(state: State, event: e.TimerCreated, at_ms: int) -> None:
    state.timers[event.key] = r.Timer(
        event.key,
        event.element_instance_key,
        event.process_instance_key,
        event.target_id,
        event.due_ms,
        event.repetitions,
        event.cycle,
    )
    state.element_timers.setdefault(event.element_instance_key, {})[event.key] = None
    state.deadlines.push(event.due_ms, DueKind.TIMER, event.key)


def _timer_ended(state: State, event: e.TimerTriggered | e.TimerCanceled, at_ms: int) -> None:
    timer = state.timers.pop(event.key)
    _discard(state.element_timers, timer.element_instance_key, event.key)


def _subscription_opened(state: State, event: e.SubscriptionOpened, at_ms: int) -> None:
    state.subscriptions[event.key] = r.MessageSubscription(
        key=event.key,
        message_name=event.message_name,
        correlation_key=event.correlation_key,
        target_id=event.target_id,
        interrupting=event.interrupting,
        element_instance_key=event.element_instance_key,
        process_instance_key=event.process_instance_key,
        process_definition_key=event.process_definition_key,
        bpmn_process_id=event.bpmn_process_id,
        state=r.SubscriptionState.CREATED,
        updated_ms=at_ms,
    )
    state.waiting.setdefault((event.message_name, event.correlation_key), {})[event.key] = None
    state.element_subscriptions.setdefault(event.element_instance_key, {})[event.key] = None


def _subscription_ended(state: State, key: int, at_ms: int, now: r.SubscriptionState) -> None:
    subscription = state.subscriptions[key]
    state.subscriptions[key] = changed(subscription, state=now, updated_ms=at_ms)
    _discard(state.waiting, (subscription.message_name, subscription.correlation_key), key)
    _discard(state.element_subscriptions, subscription.element_instance_key, key)


def _subscription_correlated(state: State, event: e.SubscriptionCorrelated, at_ms: int) -> None:
    subscription = state.subscriptions[event.key]
    if subscription.interrupting:
        _subscription_ended(state, event.key, at_ms, r.SubscriptionState.CORRELATED)
    else:
        state.subscriptions[event.key] = changed(subscription, updated_ms=at_ms)


def _subscription_closed(state: State, event: e.SubscriptionClosed, at_ms: int) -> None:
    _subscription_ended(state, event.key, at_ms, r.SubscriptionState.DELETED)


def _message_published(state: State, event: e.MessagePublished, at_ms: int) -> None:
    state.messages[event.key] = r.Message(
        event.key,
        event.name,
        event.correlation_key,
        event.message_id,
        event.variables,
        event.deadline_ms,
        (),
    )
    state.buffered.setdefault((event.name, event.correlation_key), {})[event.key] = None
    if event.message_id:
        state.message_ids[event.name, event.correlation_key, event.message_id] = event.key
    state.deadlines.push(event.deadline_ms, DueKind.MESSAGE, event.key)


def _message_correlated(state: State, event: e.MessageCorrelated, at_ms: int) -> None:
    message = state.messages[event.key]
    correlated = (*message.correlated, event.bpmn_process_id)
    state.messages[event.key] = changed(message, correlated=correlated)


def _message_expired(state: State, event: e.MessageExpired, at_ms: int) -> None:
    message = state.messages.pop(event.key)
    _discard(state.buffered, (message.name, message.correlation_key), event.key)
    if message.message_id:
        state.message_ids.pop((message.name, message.correlation_key, message.message_id), None)


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
        if event.process_instance_key is not None:
            state.instance_decisions.setdefault(event.process_instance_key, []).append(instance_id)


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
    )


_APPLIERS: dict[type[e.Event], Callable[[State, Any, int], None]] = {
    e.ProcessDeployed: _process_deployed,
    e.DrgDeployed: _drg_deployed,
    e.DecisionDeployed: _decision_deployed,
    e.FormDeployed: _form_deployed,
    e.Deployed: _deployed,
    e.MessageStartOpened: _message_start_opened,
    e.MessageStartClosed: _message_start_closed,
    e.ProcessInstanceCreated: _instance_created,
    e.ElementActivated: _element_activated,
    e.ElementCompleted: _element_completed,
    e.ElementTerminated: _element_terminated,
    e.ScopeInterrupted: _scope_interrupted,
    e.SequenceFlowTaken: _flow_taken,
    e.VariableCreated: _variable_created,
    e.VariableUpdated: _variable_updated,
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
    e.TimerCreated: _timer_created,
    e.TimerTriggered: _timer_ended,
    e.TimerCanceled: _timer_ended,
    e.SubscriptionOpened: _subscription_opened,
    e.SubscriptionCorrelated: _subscription_correlated,
    e.SubscriptionClosed: _subscription_closed,
    e.MessagePublished: _message_published,
    e.MessageCorrelated: _message_correlated,
    e.MessageExpired: _message_expired,
    e.UserTaskCreated: _user_task_created,
    e.UserTaskAssigned: _user_task_assigned,
    e.UserTaskUpdated: _user_task_updated,
    e.UserTaskCompleted: _user_task_completed,
    e.UserTaskCanceled: _user_task_canceled,
    e.DecisionEvaluated: _decision_evaluated,
    e.Audited: _audited,
}

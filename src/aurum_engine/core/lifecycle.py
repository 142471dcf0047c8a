"""How elements come, go on and end. Knows scopes, tokens and incidents; not what an element type does.

An element instance is activated, completed or terminated, once each. A taken flow leaves a token in
its scope; a scope is finished when it has neither active children nor tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum_engine.bpmn.model import Element, ElementType, SequenceFlow
from aurum_engine.core.events import (
    ElementActivated,
    ElementCompleted,
    ElementTerminated,
    IncidentCreated,
    IncidentResolved,
    JobCanceled,
    ScopeInterrupted,
    SequenceFlowTaken,
    UserTaskCanceled,
)
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.joins import is_inclusive_join, ready_join
from aurum_engine.core.loops import collect_item
from aurum_engine.core.records import NO_KEY, ElementInstance, ErrorType, Retry
from aurum_engine.core.subscriptions import close_subscriptions
from aurum_engine.core.variables import apply_inputs, apply_outputs, set_local

NO_RESULTS: Mapping[str, Any] = {}


def activate(
    x: Execution,
    element: Element,
    scope: ElementInstance,
    consumed: tuple[str, ...] = (),
    results: Mapping[str, Any] = NO_RESULTS,
    *,
    has_happened: bool = False,
    local: Mapping[str, Any] = NO_RESULTS,
) -> int:
    """Enter `element` inside `scope` and return the key of the visit.

    `results` is what the triggering event brought; it is handed out when the element completes.
    An event that `has_happened` already is not waited for. `local` are variables of the visit itself.
    """
    key = x.new_key()
    x.emit(
        ElementActivated(
            key=key,
            element_id=element.id,
            element_name=element.name,
            element_type=element.type,
            process_instance_key=scope.process_instance_key,
            process_definition_key=scope.process_definition_key,
            bpmn_process_id=scope.bpmn_process_id,
            scope_key=scope.key,
            consumed=consumed,
        )
    )
    for name, value in local.items():
        set_local(x, key, name, value)
    if results or has_happened:
        complete(x, key, results)
    elif x.is_exhausted:
        message = "the command made too many events: does the process loop without a wait state?"
        raise_incident(x, x.state.elements[key], Stuck(ErrorType.UNKNOWN, message), Retry.ACTIVATE)
    else:
        run_activation(x, key)
    return key


def run_activation(x: Execution, key: int) -> None:
    """Apply input mappings and begin the element's work; repeated when its incident is resolved."""
    instance = x.state.elements[key]
    element = x.element_of(instance)
    try:
        apply_inputs(x, element, instance)
        x.behaviours[element.type].activate(x, element, instance)
    except Stuck as stuck:
        raise_incident(x, instance, stuck, Retry.ACTIVATE)


def complete(
    x: Execution,
    key: int,
    results: Mapping[str, Any] = NO_RESULTS,
    flows: tuple[SequenceFlow, ...] | None = None,
) -> None:
    """Leave an element: output mappings, then its outgoing flows (or just `flows`)."""
    instance = x.state.elements[key]
    process = x.process_of(instance)
    element = x.element_of(instance)
    try:
        apply_outputs(x, element, instance, results)
        collect_item(x, instance)
        x.behaviours[element.type].before_completion(x, element, instance)
    except Stuck as stuck:
        raise_incident(x, instance, stuck, Retry.COMPLETE)
        return
    close_subscriptions(x, key)
    x.emit(ElementCompleted(key))
    if instance.scope_key == NO_KEY:
        x.behaviours[element.type].after_completion(x, element, instance)
        return
    for flow in process.outgoing(element) if flows is None else flows:
        take(x, flow, instance)
    x.behaviours[element.type].after_completion(x, element, instance)
    x.later(finish_scope, instance.scope_key)


def take(x: Execution, flow: SequenceFlow, source: ElementInstance) -> None:
    """Put a token on `flow` and go on at its target after what is queued."""
    x.emit(SequenceFlowTaken(source.process_instance_key, flow.id, source.scope_key))
    x.later(arrive, source.scope_key, flow.id)


def arrive(x: Execution, scope_key: int, flow_id: str) -> None:
    """Enter the target of a taken flow; a join waits until all its incoming flows have a token."""
    tokens = x.state.tokens.get(scope_key, {})
    scope = x.state.elements[scope_key]
    if flow_id not in tokens or scope.incident_key is not None:
        return
    process = x.process_of(scope)
    target = process.entry(process.flows[flow_id].target_id)
    if target.type is ElementType.PARALLEL_GATEWAY:
        if all(incoming in tokens for incoming in target.incoming):
            activate(x, target, scope, consumed=target.incoming)
        return
    if is_inclusive_join(target):
        x.when_idle(join_inclusive, scope_key)
        return
    activate(x, target, scope, consumed=(flow_id,))


def join_inclusive(x: Execution, scope_key: int) -> None:
    """Go on at an inclusive join of a scope in which nothing moves, if one has all it can get."""
    if not x.state.is_active(scope_key):
        return
    scope = x.state.elements[scope_key]
    ready = None if scope.incident_key is not None else ready_join(x, scope)
    if ready is not None:
        activate(x, ready[0], scope, consumed=ready[1])
        x.when_idle(join_inclusive, scope_key)


def finish_scope(x: Execution, scope_key: int) -> None:
    """Let a scope go on after a path inside it has ended."""
    if not x.state.is_active(scope_key):
        return
    scope = x.state.elements[scope_key]
    element = x.element_of(scope)
    x.behaviours[element.type].child_ended(x, element, scope)
    if x.state.tokens.get(scope_key):
        x.when_idle(join_inclusive, scope_key)


def complete_when_empty(x: Execution, scope_key: int) -> None:
    """Complete a scope in which nothing is left to do and which is not stuck."""
    if x.state.elements[scope_key].incident_key is not None:
        return
    if not x.state.children.get(scope_key) and not x.state.tokens.get(scope_key):
        complete(x, scope_key)


def terminate(x: Execution, key: int) -> None:
    """End an element instance and everything inside it: children, called instance, job, user task,
    waits, incident."""
    for child_key in list(x.state.children.get(key, ())):
        terminate(x, child_key)
    called_key = x.state.called.get(key)
    if called_key is not None:
        terminate(x, called_key)
    close_subscriptions(x, key)
    cancel_job(x, key)
    user_task_key = x.state.element_user_tasks.get(key)
    if user_task_key is not None:
        x.emit(UserTaskCanceled(user_task_key))
    incident_key = x.state.elements[key].incident_key
    if incident_key is not None:
        x.emit(IncidentResolved(incident_key))
    x.emit(ElementTerminated(key))
    instance = x.state.elements[key]
    if instance.scope_key == NO_KEY:
        element = x.element_of(instance)
        x.behaviours[element.type].after_completion(x, element, instance)


def cancel_job(x: Execution, key: int) -> None:
    """Take back the job of an element instance, if it has one."""
    job_key = x.state.element_jobs.get(key)
    if job_key is not None:
        x.emit(JobCanceled(job_key))


def interrupt(x: Execution, scope_key: int) -> None:
    """End everything inside a scope but the scope itself, and let no other event inside it fire."""
    for child_key in list(x.state.children.get(scope_key, ())):
        terminate(x, child_key)
    scope = x.state.elements[scope_key]
    close_subscriptions(x, scope_key, keep=x.element_of(scope).boundary_ids)
    cancel_job(x, scope_key)
    incident_key = scope.incident_key
    if incident_key is not None:
        x.emit(IncidentResolved(incident_key))
    x.emit(ScopeInterrupted(scope_key))


def raise_incident(
    x: Execution, instance: ElementInstance, stuck: Stuck, retry: Retry, job_key: int | None = None
) -> None:
    """Record why an element cannot go on and which step to repeat when the incident is resolved."""
    x.emit(
        IncidentCreated(
            key=x.new_key(),
            error_type=stuck.error_type,
            message=stuck.message,
            element_id=instance.element_id,
            element_instance_key=instance.key,
            process_instance_key=instance.process_instance_key,
            process_definition_key=instance.process_definition_key,
            bpmn_process_id=instance.bpmn_process_id,
            job_key=job_key,
            retry=retry,
        )
    )

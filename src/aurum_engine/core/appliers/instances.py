"""Appliers: process instances: elements, flows, variables. See the rules in the package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from aurum_engine.core import events as e
from aurum_engine.core import records as r
from aurum_engine.core.appliers.indexes import discard
from aurum_engine.core.state import State
from aurum_engine.core.structs import changed


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
        parent_element_key=event.parent_element_key,
        parent_key=event.parent_key,
        root_key=event.root_key,
    )
    state.instance_elements[event.key] = []
    if event.parent_element_key is not None:
        state.called[event.parent_element_key] = event.key
    if event.parent_key is not None:
        state.called_instances.setdefault(event.parent_key, []).append(event.key)
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
    loop = state.loops.get(event.scope_key)
    if loop is not None:
        state.loops[event.scope_key] = changed(loop, begun=loop.begun + 1)
        state.loop_counters[event.key] = loop.begun + 1
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
    discard(state.children, element.scope_key, key)
    state.tokens.pop(key, None)
    state.fulfilled.pop(key, None)
    state.loops.pop(key, None)
    state.loop_counters.pop(key, None)
    state.payloads.pop(key, None)
    if element.scope_key != r.NO_KEY:
        return
    instance = state.process_instances[key]
    state.process_instances[key] = changed(instance, state=ended, ended_ms=at_ms)
    if instance.parent_element_key is not None:
        state.called.pop(instance.parent_element_key, None)
    if instance.business_id is not None:
        discard(state.business_ids, (instance.bpmn_process_id, instance.business_id), key)
    if instance.start_correlation_key is not None:
        discard(state.started_by_key, (instance.bpmn_process_id, instance.start_correlation_key), key)


def _element_completed(state: State, event: e.ElementCompleted, at_ms: int) -> None:
    _element_ended(state, event.key, at_ms, r.LifecycleState.COMPLETED)


def _element_terminated(state: State, event: e.ElementTerminated, at_ms: int) -> None:
    _element_ended(state, event.key, at_ms, r.LifecycleState.TERMINATED)


def _scope_interrupted(state: State, event: e.ScopeInterrupted, at_ms: int) -> None:
    state.elements[event.key] = changed(state.elements[event.key], interrupted=True)
    state.tokens.pop(event.key, None)


def _ad_hoc_fulfilled(state: State, event: e.AdHocFulfilled, at_ms: int) -> None:
    state.fulfilled[event.key] = None


def _loop_started(state: State, event: e.LoopStarted, at_ms: int) -> None:
    state.loops[event.key] = r.Loop(tuple(event.items), 0)


def _payload_kept(state: State, event: e.PayloadKept, at_ms: int) -> None:
    state.payloads[event.key] = event.variables


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


APPLIERS: Mapping[type[e.Event], Callable[[State, Any, int], None]] = {
    e.ProcessInstanceCreated: _instance_created,
    e.ElementActivated: _element_activated,
    e.ElementCompleted: _element_completed,
    e.ElementTerminated: _element_terminated,
    e.ScopeInterrupted: _scope_interrupted,
    e.AdHocFulfilled: _ad_hoc_fulfilled,
    e.LoopStarted: _loop_started,
    e.PayloadKept: _payload_kept,
    e.SequenceFlowTaken: _flow_taken,
    e.VariableCreated: _variable_created,
    e.VariableUpdated: _variable_updated,
}
"""Appliers of the events in `events/instances.py`."""

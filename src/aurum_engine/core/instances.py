"""Process instances: created by command or message, cancelled, and their variables set from outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum_engine.core.audit import audit
from aurum_engine.core.commands import (
    LATEST_VERSION,
    CancelProcessInstance,
    CreatedReply,
    CreateProcessInstance,
    EmptyReply,
    SetVariables,
    VariablesReply,
)
from aurum_engine.core.events import ElementActivated, ProcessInstanceCreated
from aurum_engine.core.execution import Execution
from aurum_engine.core.lifecycle import terminate
from aurum_engine.core.records import NO_KEY, ElementInstance, LifecycleState, ProcessDefinition
from aurum_engine.core.triggers import begin
from aurum_engine.core.variables import document, propagate, set_local
from aurum_engine.errors import already_exists, invalid_argument, invalid_state, not_found

BUSINESS_ID_CHARS_MAX = 256
"""Camunda's limit for a business id."""

TAGS_MAX = 10
"""Camunda's limit for the tags of one instance."""


def start_instance(
    x: Execution,
    definition: ProcessDefinition,
    start_event_id: str,
    *,
    variables: Mapping[str, Any],
    results: Mapping[str, Any],
    business_id: str | None = None,
    tags: tuple[str, ...] = (),
    start_correlation_key: str | None = None,
    parent: ElementInstance | None = None,
) -> int:
    """Create an instance and begin it at a start event; return its key.

    `variables` are set at the root; `results` are what the start event brings (a message's variables).
    `parent` is the call activity that starts it.
    """
    key = x.new_key()
    x.emit(
        ProcessInstanceCreated(
            key=key,
            process_definition_key=definition.key,
            bpmn_process_id=definition.bpmn_process_id,
            version=definition.version,
            version_tag=definition.version_tag,
            name=definition.name,
            business_id=business_id,
            tags=tags,
            start_event_id=start_event_id,
            start_correlation_key=start_correlation_key,
            parent_element_key=None if parent is None else parent.key,
            parent_key=None if parent is None else parent.process_instance_key,
            root_key=key
            if parent is None
            else x.state.process_instances[parent.process_instance_key].root_key,
        )
    )
    process = x.models.process(definition.key, definition.bpmn_process_id)
    x.emit(
        ElementActivated(
            key=key,
            element_id=process.id,
            element_name=process.name,
            element_type=process.root.type,
            process_instance_key=key,
            process_definition_key=definition.key,
            bpmn_process_id=definition.bpmn_process_id,
            scope_key=NO_KEY,
            consumed=(),
        )
    )
    for name, value in variables.items():
        set_local(x, key, name, value)
    begin(x, x.state.elements[key], process.elements[start_event_id], results)
    return key


def _definition(x: Execution, command: CreateProcessInstance) -> ProcessDefinition:
    if command.process_definition_key is not None:
        found = x.state.process_definitions.get(command.process_definition_key)
        if found is None:
            key = command.process_definition_key
            raise not_found(f"expected to find a process definition with key '{key}', but none found")
        return found
    if not command.bpmn_process_id:
        raise invalid_argument("expected a bpmnProcessId or a processDefinitionKey, but neither was given")
    if command.version in {LATEST_VERSION, 0}:
        found = x.state.latest_process(command.bpmn_process_id)
    else:
        found = x.state.process_version(command.bpmn_process_id, command.version)
    if found is None:
        name, version = command.bpmn_process_id, command.version
        which = "" if version in {LATEST_VERSION, 0} else f" and version '{version}'"
        message = f"expected to find a process definition with process id '{name}'{which}, but none found"
        raise not_found(message)
    return found


def create(x: Execution, command: CreateProcessInstance, *, business_id_unique: bool) -> CreatedReply:
    """Carry out CreateProcessInstance."""
    definition = _definition(x, command)
    process = x.models.process(definition.key, definition.bpmn_process_id)
    start_event_id = process.root.start_event_id
    if start_event_id is None:
        raise invalid_state(f"process '{definition.bpmn_process_id}' has no none start event")
    variables = document(command.variables)
    business_id = command.business_id or None
    if business_id is not None and len(business_id) > BUSINESS_ID_CHARS_MAX:
        raise invalid_argument(f"a business id has at most {BUSINESS_ID_CHARS_MAX} characters")
    if len(command.tags) > TAGS_MAX:
        raise invalid_argument(f"an instance has at most {TAGS_MAX} tags")
    taken = business_id is not None and (definition.bpmn_process_id, business_id) in x.state.business_ids
    if taken and business_id_unique:
        where = f"of process '{definition.bpmn_process_id}'"
        raise already_exists(f"an active instance {where} already has the business id '{business_id}'")
    key = start_instance(
        x,
        definition,
        start_event_id,
        variables=variables,
        results={},
        business_id=business_id,
        tags=tuple(command.tags),
    )
    audit(x, "CREATE", "PROCESS_INSTANCE", key, command.actor, process_instance_key=key)
    return CreatedReply(
        process_instance_key=key,
        process_definition_key=definition.key,
        bpmn_process_id=definition.bpmn_process_id,
        version=definition.version,
        version_tag=definition.version_tag,
        business_id=business_id,
        tags=tuple(command.tags),
    )


def cancel(x: Execution, command: CancelProcessInstance) -> EmptyReply:
    """Carry out CancelProcessInstance."""
    key = command.process_instance_key
    instance = x.state.process_instances.get(key)
    if instance is None or instance.state is not LifecycleState.ACTIVE:
        raise not_found(f"expected to cancel a process instance with key '{key}', but none is active")
    if instance.parent_key is not None:
        raise invalid_state(
            f"process instance '{key}' was started by process instance '{instance.parent_key}';"
            f" cancel the root instance '{instance.root_key}'"
        )
    terminate(x, key)
    audit(x, "CANCEL", "PROCESS_INSTANCE", key, command.actor, process_instance_key=key)
    return EmptyReply()


def set_variables(x: Execution, command: SetVariables) -> VariablesReply:
    """Carry out SetVariables."""
    key = command.element_instance_key
    if not x.state.is_active(key):
        raise not_found(f"expected to set variables of element instance '{key}', but it is not active")
    variables = document(command.variables)
    if command.local:
        for name, value in variables.items():
            set_local(x, key, name, value)
    else:
        propagate(x, key, variables)
    instance_key = x.state.elements[key].process_instance_key
    entry = audit(x, "UPDATE", "VARIABLE", key, command.actor, process_instance_key=instance_key)
    return VariablesReply(entry)

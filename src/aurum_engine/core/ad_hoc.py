"""Activations inside an ad-hoc sub-process, asked for by a list, a job's result or a person.

Each activation is a scope of its own around one activity, so that the same activity may run several
times at once. Everything asked for is judged before anything is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aurum_engine.bpmn.model import INNER_INSTANCE_SUFFIX, AdHocDefinition, Element, ElementType
from aurum_engine.core.audit import audit
from aurum_engine.core.commands import ActivateAdHoc, AdHocResult, EmptyReply
from aurum_engine.core.evaluation import evaluate
from aurum_engine.core.events import AdHocFulfilled, ElementActivated
from aurum_engine.core.execution import Execution
from aurum_engine.core.lifecycle import activate, complete_when_empty, terminate
from aurum_engine.core.records import ElementInstance, ErrorType
from aurum_engine.core.variables import derived, document, set_local
from aurum_engine.errors import invalid_argument, invalid_state, not_found

Activation = tuple[str, Mapping[str, Any]]
"""Element id and the local variables of its activation."""


def is_ad_hoc(instance: ElementInstance) -> bool:
    """Tell whether an element instance is an ad-hoc sub-process."""
    return instance.element_type == ElementType.AD_HOC_SUB_PROCESS


def definition_of(element: Element) -> AdHocDefinition:
    """Return the ad-hoc part of an element that must have one."""
    if element.ad_hoc is None:
        raise AssertionError(f"ad-hoc sub-process {element.id!r} without definition passed validation")
    return element.ad_hoc


def activate_inner(x: Execution, instance: ElementInstance, activations: Iterable[Activation]) -> None:
    """Activate activities inside an ad-hoc sub-process, each in a scope of its own."""
    process = x.process_of(instance)
    inner = process.elements[instance.element_id + INNER_INSTANCE_SUFFIX]
    for element_id, variables in activations:
        key = x.new_key()
        x.emit(
            ElementActivated(
                key=key,
                element_id=inner.id,
                element_name=inner.name,
                element_type=inner.type,
                process_instance_key=instance.process_instance_key,
                process_definition_key=instance.process_definition_key,
                bpmn_process_id=instance.bpmn_process_id,
                scope_key=instance.key,
                consumed=(),
            )
        )
        for name, value in variables.items():
            set_local(x, key, name, value)
        x.later(_enter, key, element_id)


def _enter(x: Execution, inner_key: int, element_id: str) -> None:
    """Enter the activity of an activation, unless something before it ended the activation."""
    if x.state.is_active(inner_key):
        inner = x.state.elements[inner_key]
        activate(x, x.process_of(inner).entry(element_id), inner)


def cancel_inner(x: Execution, instance: ElementInstance) -> None:
    """Terminate everything inside an ad-hoc sub-process."""
    for key in list(x.state.children.get(instance.key, ())):
        terminate(x, key)


def fulfil(x: Execution, instance: ElementInstance, *, cancel_remaining: bool) -> None:
    """End an ad-hoc sub-process: at once, or when what is active inside has ended."""
    if cancel_remaining:
        cancel_inner(x, instance)
    x.emit(AdHocFulfilled(instance.key))
    complete_when_empty(x, instance.key)


def collect_output(x: Execution, instance: ElementInstance) -> None:
    """Append the output of a path that ends to the collection of the ad-hoc sub-process around it."""
    scope = x.state.elements[instance.scope_key]
    ad_hoc = x.element_of(scope).ad_hoc
    if ad_hoc is None or ad_hoc.output_collection is None or ad_hoc.output_element is None:
        return
    name = ad_hoc.output_collection
    value, _ = evaluate(x, ad_hoc.output_element, instance.key, ErrorType.EXTRACT_VALUE_ERROR)
    variable = x.state.scopes.get(scope.key, {}).get(name)
    before = variable.value if variable is not None and isinstance(variable.value, list) else []
    set_local(x, scope.key, name, derived(f"output collection {name!r}", [*before, value]))


def _judged(element: Element, activations: Iterable[Activation]) -> list[Activation]:
    allowed = definition_of(element).activatable
    found: list[Activation] = []
    for element_id, variables in activations:
        if element_id not in allowed:
            raise invalid_argument(
                f"expected to activate '{element_id}' inside '{element.id}', but it cannot be activated there"
            )
        found.append((element_id, document(variables)))
    return found


def judge_result(x: Execution, instance: ElementInstance, result: AdHocResult | None) -> AdHocResult:
    """Return a job's result with clean variables; INVALID_ARGUMENT says what is wrong with it."""
    if result is None:
        return AdHocResult()
    if result.activations and result.is_fulfilled:
        raise invalid_argument("a result cannot both activate elements and fulfil the completion condition")
    activations = tuple(_judged(x.element_of(instance), result.activations))
    return AdHocResult(activations, result.is_fulfilled, result.cancel_remaining)


def carry_out(x: Execution, instance: ElementInstance, result: AdHocResult) -> None:
    """Do what a judged result says. An empty one does nothing: the next path that ends makes a new job."""
    if result.is_fulfilled:
        fulfil(x, instance, cancel_remaining=result.cancel_remaining)
        return
    if result.cancel_remaining:
        cancel_inner(x, instance)
    activate_inner(x, instance, result.activations)


def activate_by_command(x: Execution, command: ActivateAdHoc) -> EmptyReply:
    """Carry out ActivateAdHoc."""
    key = command.ad_hoc_key
    instance = x.state.elements.get(key)
    if instance is None or not is_ad_hoc(instance):
        raise not_found(
            f"expected an ad-hoc sub-process with the element instance key '{key}', but found none"
        )
    incident = None if instance.incident_key is None else x.state.incidents[instance.incident_key]
    is_stuck = incident is not None and incident.job_key is None
    if not x.state.is_active(key) or instance.interrupted or key in x.state.fulfilled or is_stuck:
        raise invalid_state(
            f"ad-hoc sub-process '{key}' takes no activations: it has ended, ends or is stuck"
        )
    if not command.activations:
        raise invalid_argument("expected elements to activate, but none were given")
    ids = [element_id for element_id, _ in command.activations]
    if len(set(ids)) < len(ids):
        raise invalid_argument("expected each element to activate once, but some are named twice")
    activations = _judged(x.element_of(instance), command.activations)
    if command.cancel_remaining:
        cancel_inner(x, instance)
    activate_inner(x, instance, activations)
    audit(
        x,
        "UPDATE",
        "PROCESS_INSTANCE",
        instance.process_instance_key,
        command.actor,
        process_instance_key=instance.process_instance_key,
    )
    return EmptyReply()

"""Call activities: another process runs as an instance of its own, and its end is theirs."""

from __future__ import annotations

from aurum_engine.bpmn.model import Binding, CalledProcess, Element
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.evaluation import evaluate_string
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.instances import start_instance
from aurum_engine.core.records import NO_KEY, ElementInstance, ErrorType, ProcessDefinition
from aurum_engine.core.triggers import listen

DEPTH_MAX = 200
"""Scopes around a called instance, through all its callers.

A process that calls itself without end stops here with an incident; ending all levels is recursive.
"""


def _find(x: Execution, called: CalledProcess, instance: ElementInstance) -> ProcessDefinition:
    """Return the definition that the binding names; it is resolved now, not at deployment."""
    process_id = evaluate_string(x, called.process_id, instance.key)
    versions = [x.state.process_definitions[key] for key in x.state.process_versions.get(process_id, ())]
    if called.binding is Binding.VERSION_TAG:
        versions = [d for d in versions if d.version_tag == called.version_tag]
    elif called.binding is Binding.DEPLOYMENT:
        definition = x.state.process_definitions[instance.process_definition_key]
        deployed = x.state.deployments[definition.deployment_key].process_keys
        versions = [d for d in versions if d.key in deployed]
    if not versions:
        message = f"expected to call process '{process_id}' ({called.binding}), but it is not deployed"
        raise Stuck(ErrorType.CALLED_ELEMENT_ERROR, message)
    return versions[-1]


def _depth(x: Execution, instance: ElementInstance) -> int:
    depth, key = 0, instance.key
    while key != NO_KEY:
        depth += 1
        key = x.state.caller_of(x.state.elements[key])
    return depth


class CallActivity(QuietEnd):
    """Start the called process; `process.ProcessScope` completes the activity."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Start an instance with the variables that are visible here, or with the own ones only."""
        called = element.called
        if called is None:
            raise AssertionError(f"call activity {element.id!r} without process passed the reader")
        definition = _find(x, called, instance)
        process = x.models.process(definition.key, definition.bpmn_process_id)
        if process.root.start_event_id is None:
            message = (
                f"expected to call process '{definition.bpmn_process_id}', but it has no none start event"
            )
            raise Stuck(ErrorType.CALLED_ELEMENT_ERROR, message)
        if _depth(x, instance) > DEPTH_MAX:
            message = f"expected at most {DEPTH_MAX} scopes inside each other: does the process call itself?"
            raise Stuck(ErrorType.CALLED_ELEMENT_ERROR, message)
        listen(x, instance, x.process_of(instance).boundaries(element))
        if called.propagate_parent:
            variables = x.state.effective_variables(instance.key)
        else:
            variables = {v.name: v.value for v in x.state.scopes.get(instance.key, {}).values()}
        start_instance(
            x, definition, process.root.start_event_id, variables=variables, results={}, parent=instance
        )

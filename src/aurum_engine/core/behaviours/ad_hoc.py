"""Ad-hoc sub-processes, and the scope around each activation inside them.

Two forms. By itself: a list says what begins, a condition is asked each time a path inside ends. With
a job definition: a worker is asked at the beginning and each time a path inside ends.
"""

from __future__ import annotations

from aurum_engine.bpmn.model import AdHocDefinition, Element
from aurum_engine.core.ad_hoc import activate_inner, collect_output, definition_of, fulfil
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.behaviours.job_task import evaluate_job, open_job
from aurum_engine.core.evaluation import evaluate, evaluate_condition
from aurum_engine.core.events import IncidentResolved
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.lifecycle import cancel_job, complete_when_empty, raise_incident
from aurum_engine.core.records import ElementInstance, ErrorType, Retry
from aurum_engine.core.triggers import listen
from aurum_engine.core.variables import derived, propagate, set_local

ELEMENTS_VARIABLE = "adHocSubProcessElements"
"""Local variable that tells a worker what it can activate; Camunda's name."""


def _active_ids(x: Execution, ad_hoc: AdHocDefinition, instance: ElementInstance) -> list[str]:
    if ad_hoc.active_elements is None:
        return []
    value, _ = evaluate(x, ad_hoc.active_elements, instance.key, ErrorType.EXTRACT_VALUE_ERROR)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        message = f"expression {ad_hoc.active_elements.source!r} must give a list of element ids"
        raise Stuck(ErrorType.EXTRACT_VALUE_ERROR, message)
    for element_id in value:
        if element_id not in ad_hoc.activatable:
            message = f"expected to activate {element_id!r}, but it cannot be activated there"
            raise Stuck(ErrorType.EXTRACT_VALUE_ERROR, message)
    return value


class AdHocSubProcess(QuietEnd):
    """The sub-process itself."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Say what can be activated, then ask the worker, or begin what the list names."""
        ad_hoc, process = definition_of(element), x.process_of(instance)
        # These come first, so that the expressions below may read them; a repetition sets them again.
        described = derived(f"variable {ELEMENTS_VARIABLE!r}", list(ad_hoc.elements))
        set_local(x, instance.key, ELEMENTS_VARIABLE, described)
        if ad_hoc.output_collection is not None:
            set_local(x, instance.key, ad_hoc.output_collection, [])
        job = None if element.job is None else evaluate_job(x, instance, element.job)
        ids = _active_ids(x, ad_hoc, instance)
        listen(x, instance, (*process.boundaries(element), *process.event_starts(element)))
        if job is not None:
            open_job(x, element, instance, job)
        activate_inner(x, instance, [(element_id, {}) for element_id in ids])

    def child_ended(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Ask the worker again, or the condition; an interrupting event sub-process ends it anyway."""
        incident = None if instance.incident_key is None else x.state.incidents[instance.incident_key]
        if incident is not None and incident.job_key is None:
            return  # Repeated when the incident is resolved.
        if instance.interrupted or instance.key in x.state.fulfilled:
            complete_when_empty(x, instance.key)
            return
        try:
            if element.job is None:
                self._ask_condition(x, definition_of(element), instance)
                return
            if incident is not None:
                x.emit(IncidentResolved(incident.key))
            cancel_job(x, instance.key)
            open_job(x, element, instance, evaluate_job(x, instance, element.job))
        except Stuck as stuck:
            raise_incident(x, x.state.elements[instance.key], stuck, Retry.CONTINUE)

    def _ask_condition(self, x: Execution, ad_hoc: AdHocDefinition, instance: ElementInstance) -> None:
        condition = ad_hoc.completion_condition
        if condition is None:
            complete_when_empty(x, instance.key)
        elif evaluate_condition(x, condition, instance.key, ErrorType.EXTRACT_VALUE_ERROR):
            fulfil(x, instance, cancel_remaining=ad_hoc.cancel_remaining)

    def before_completion(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Hand the output collection to the surroundings, unless an output mapping sets that variable."""
        name = definition_of(element).output_collection
        if name is None or any(mapping.target[0] == name for mapping in element.outputs):
            return
        value = x.state.scopes[instance.key][name].value
        propagate(x, instance.scope_key, {name: value})


class AdHocInnerInstance(QuietEnd):
    """One activation: a scope that ends with the path inside it."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Never happens: it is entered by `ad_hoc.activate_inner`."""
        raise AssertionError(f"{element.id!r} was entered like an element of the diagram")

    def before_completion(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Add to the output of the sub-process."""
        collect_output(x, instance)

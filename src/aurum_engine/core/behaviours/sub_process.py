"""Embedded sub-processes and event sub-processes: a scope of its own inside another."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element, ElementType
from aurum_engine.core.ad_hoc import collect_output
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.execution import Execution
from aurum_engine.core.records import ElementInstance
from aurum_engine.core.triggers import begin, listen


class SubProcess(QuietEnd):
    """Begin the inner start event; the sub-process completes when nothing inside is left."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Wait for attached events, then begin; an event sub-process comes here only to be repeated."""
        process = x.process_of(instance)
        listen(x, instance, process.boundaries(element))
        if element.start_event_id is None:
            raise AssertionError(f"sub-process {element.id!r} without start passed validation")
        payload = x.state.payloads.get(instance.key, {})
        begin(x, instance, process.elements[element.start_event_id], payload)

    def before_completion(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """An event sub-process inside an ad-hoc one adds to its output, as everything that ends there."""
        if element.type is ElementType.EVENT_SUB_PROCESS:
            collect_output(x, instance)

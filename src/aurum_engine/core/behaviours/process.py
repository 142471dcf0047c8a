"""The process itself as the outermost scope. Instances are begun by `instances.start_instance`."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.execution import Execution
from aurum_engine.core.messages import start_next_buffered
from aurum_engine.core.records import ElementInstance


class ProcessScope(QuietEnd):
    """The root scope of an instance."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Never happens: the root is begun with its instance."""
        raise AssertionError(f"process {element.id!r} was entered like an inner element")

    def after_completion(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Let a buffered message start the next instance for the correlation key that became free."""
        key = x.state.process_instances[instance.key].start_correlation_key
        if key is not None:
            x.later(start_next_buffered, instance.bpmn_process_id, key)

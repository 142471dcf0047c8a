"""The process itself as the outermost scope. Instances are begun by `instances.start_instance`."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.execution import Execution
from aurum_engine.core.lifecycle import complete
from aurum_engine.core.messages import start_next_buffered
from aurum_engine.core.records import ElementInstance, LifecycleState


class ProcessScope(QuietEnd):
    """The root scope of an instance."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Never happens: the root is begun with its instance."""
        raise AssertionError(f"process {element.id!r} was entered like an inner element")

    def after_completion(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Go on at the call activity, and let a buffered message take the free correlation key."""
        ended = x.state.process_instances[instance.key]
        if ended.parent_element_key is not None and ended.state is LifecycleState.COMPLETED:
            x.later(_give_back, ended.parent_element_key, instance.key)
        if ended.start_correlation_key is not None:
            x.later(start_next_buffered, instance.bpmn_process_id, ended.start_correlation_key)


def _give_back(x: Execution, call_key: int, instance_key: int) -> None:
    """Complete a call activity, if it is still there, with what its instance leaves behind."""
    if not x.state.is_active(call_key):
        return
    element = x.element_of(x.state.elements[call_key])
    results = {}
    if element.outputs or (element.called is not None and element.called.propagate_child):
        results = {v.name: v.value for v in x.state.scopes.get(instance_key, {}).values()}
    complete(x, call_key, results)

"""The body of a multi-instance activity: one instance for each item, one after the other or at once."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element, LoopDefinition
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.evaluation import evaluate
from aurum_engine.core.events import LoopStarted
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.lifecycle import activate, complete, complete_when_empty
from aurum_engine.core.loops import locals_of
from aurum_engine.core.records import ElementInstance, ErrorType
from aurum_engine.core.triggers import listen
from aurum_engine.core.variables import derived, propagate, set_local


def _loop_of(element: Element) -> LoopDefinition:
    if element.loop is None:
        raise AssertionError(f"multi-instance body {element.id!r} without loop passed the reader")
    return element.loop


class MultiInstanceBody(QuietEnd):
    """Begin the instances, collect, and hand the collection on."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Evaluate the collection once, now; an empty one ends the body at once."""
        loop = _loop_of(element)
        items, _ = evaluate(x, loop.input_collection, instance.key, ErrorType.EXTRACT_VALUE_ERROR)
        if not isinstance(items, list):
            kind = "null" if items is None else type(items).__name__
            message = f"expression {loop.input_collection.source!r} must give a list, but gave {kind}"
            raise Stuck(ErrorType.EXTRACT_VALUE_ERROR, message)
        items = derived("input collection", items)
        listen(x, instance, x.process_of(instance).boundaries(element))
        x.emit(LoopStarted(instance.key, items))
        if loop.output_collection is not None:
            set_local(x, instance.key, loop.output_collection, [None] * len(items))
        if not items:
            complete(x, instance.key)
        for _ in items[:1] if loop.is_sequential else items:
            x.later(begin_next, instance.key)

    def child_ended(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Begin the next instance of a sequential loop; end with the last one."""
        loop = x.state.loops[instance.key]
        if loop.begun < len(loop.items):
            if _loop_of(element).is_sequential:
                begin_next(x, instance.key)
            return
        complete_when_empty(x, instance.key)

    def before_completion(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Hand the collection of outputs to the surroundings."""
        name = _loop_of(element).output_collection
        if name is not None:
            propagate(x, instance.scope_key, {name: x.state.scopes[instance.key][name].value})


def begin_next(x: Execution, body_key: int) -> None:
    """Begin the instance of the next item, if the body is still there."""
    if not x.state.is_active(body_key):
        return
    body, loop = x.state.elements[body_key], x.state.loops[body_key]
    definition = _loop_of(x.element_of(body))
    local = locals_of(definition, loop.items[loop.begun], loop.begun + 1)
    activate(x, x.process_of(body).elements[body.element_id], body, local=local)

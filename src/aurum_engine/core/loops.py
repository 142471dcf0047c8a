"""What the instances of a multi-instance activity share: their items, and the collection of outputs."""

from __future__ import annotations

from typing import Any

from aurum_engine.bpmn.model import LoopDefinition
from aurum_engine.core.evaluation import evaluate
from aurum_engine.core.execution import Execution
from aurum_engine.core.records import ElementInstance, ErrorType
from aurum_engine.core.variables import derived, set_local


def locals_of(loop: LoopDefinition, item: Any, counter: int) -> dict[str, Any]:
    """Return the local variables of one instance; `counter` begins with 1."""
    found: dict[str, Any] = {"loopCounter": counter}
    if loop.output_variable is not None:
        found[loop.output_variable] = None
    if loop.input_element is not None:
        found[loop.input_element] = item
    return found


def collect_item(x: Execution, instance: ElementInstance) -> None:
    """Put the output of an instance that ends in its place in the collection, if it is of a loop."""
    counter = x.state.loop_counters.get(instance.key)
    if counter is None:
        return
    body = x.state.elements[instance.scope_key]
    loop = x.element_of(body).loop
    if loop is None or loop.output_collection is None or loop.output_element is None:
        return
    name = loop.output_collection
    value, _ = evaluate(x, loop.output_element, instance.key, ErrorType.EXTRACT_VALUE_ERROR)
    before = x.state.scopes[body.key][name].value
    outputs = list(before) if isinstance(before, list) else []
    outputs += [None] * (counter - len(outputs))
    outputs[counter - 1] = value
    set_local(x, body.key, name, derived(f"output collection {name!r}", outputs))

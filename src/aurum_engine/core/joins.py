"""Inclusive joins: do they wait for more, or is nothing on its way any more?

Followed: Camunda's documentation. A join goes on when all its incoming flows were taken, or when no
path leads from an active element to one that was not. What waits at another join is not active.
"""

from __future__ import annotations

from collections.abc import Iterable

from aurum_engine.bpmn.model import Element, ElementType, Process
from aurum_engine.core.execution import Execution
from aurum_engine.core.records import ElementInstance


def is_inclusive_join(element: Element) -> bool:
    """Tell whether an element merges paths of which not all need to come."""
    return element.type is ElementType.INCLUSIVE_GATEWAY and len(element.incoming) > 1


def ready_join(x: Execution, scope: ElementInstance) -> tuple[Element, tuple[str, ...]] | None:
    """Return the first inclusive join of a scope that waits for nothing more, and the flows it takes."""
    tokens = x.state.tokens.get(scope.key, {})
    process = x.process_of(scope)
    targets = dict.fromkeys(process.flows[flow_id].target_id for flow_id in tokens)
    active = {x.state.elements[key].element_id for key in x.state.children.get(scope.key, ())}
    for target_id in targets:
        join = process.entry(target_id)
        if not is_inclusive_join(join):
            continue
        taken = tuple(flow_id for flow_id in join.incoming if flow_id in tokens)
        missing = [flow_id for flow_id in join.incoming if flow_id not in tokens]
        if active.isdisjoint(_before(process, join, missing)):
            return join, taken
    return None


def _before(process: Process, join: Element, flow_ids: Iterable[str]) -> set[str]:
    """Return the ids of all elements from which a path leads to one of the flows, not through the join."""
    pending = [process.flows[flow_id].source_id for flow_id in flow_ids]
    found: set[str] = set()
    while pending:
        element_id = pending.pop()
        if element_id in found or element_id == join.id:
            continue
        found.add(element_id)
        element = process.entry(element_id)
        pending += [process.flows[flow_id].source_id for flow_id in element.incoming]
        if element.attached_to is not None:
            pending.append(element.attached_to)
    return found

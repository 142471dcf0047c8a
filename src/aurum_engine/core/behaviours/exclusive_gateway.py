"""Exclusive gateway: the first true condition in document order wins, else the default flow."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element, SequenceFlow
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.evaluation import evaluate_condition
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.lifecycle import complete
from aurum_engine.core.records import ElementInstance, ErrorType


class ExclusiveGateway(QuietEnd):
    """Choose one flow."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Take the chosen flow; a condition that is not boolean, or no choice at all, is an incident."""
        flows = x.process_of(instance).outgoing(element)
        if not flows:
            complete(x, instance.key)
            return
        complete(x, instance.key, flows=(self._choose(x, element, instance, flows),))

    def _choose(
        self, x: Execution, element: Element, instance: ElementInstance, flows: tuple[SequenceFlow, ...]
    ) -> SequenceFlow:
        for flow in flows:
            if flow.id == element.default_flow:
                continue
            if flow.condition is None or evaluate_condition(x, flow.condition, instance.key):
                return flow
        for flow in flows:
            if flow.id == element.default_flow:
                return flow
        raise Stuck(
            ErrorType.CONDITION_ERROR,
            "expected at least one condition to be true, or to have a default flow",
        )

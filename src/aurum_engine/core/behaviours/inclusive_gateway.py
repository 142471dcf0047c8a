"""Inclusive gateway: every true condition is followed, else the default flow."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element, SequenceFlow
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.evaluation import evaluate_condition
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.lifecycle import complete
from aurum_engine.core.records import ElementInstance, ErrorType


class InclusiveGateway(QuietEnd):
    """Choose flows. What a join waits for is decided in `joins.py`."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Take the chosen flows; a condition that is not boolean, or no choice at all, is an incident."""
        flows = x.process_of(instance).outgoing(element)
        complete(x, instance.key, flows=self._choose(x, element, instance, flows))

    def _choose(
        self, x: Execution, element: Element, instance: ElementInstance, flows: tuple[SequenceFlow, ...]
    ) -> tuple[SequenceFlow, ...]:
        asked = [flow for flow in flows if flow.id != element.default_flow]
        chosen = tuple(
            flow
            for flow in asked
            if flow.condition is None or evaluate_condition(x, flow.condition, instance.key)
        )
        if chosen or not flows:
            return chosen
        default = tuple(flow for flow in flows if flow.id == element.default_flow)
        if not default:
            message = "expected at least one condition to be true, or to have a default flow"
            raise Stuck(ErrorType.CONDITION_ERROR, message)
        return default

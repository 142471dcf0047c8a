"""Event-based gateways: wait for several events; the first one decides where to go."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.execution import Execution
from aurum_engine.core.records import ElementInstance
from aurum_engine.core.triggers import listen


class EventGateway(QuietEnd):
    """Wait for the events behind the outgoing flows; `triggers.trigger` takes the flow of the first."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Open the subscriptions of all events that follow."""
        process = x.process_of(instance)
        listen(x, instance, [process.elements[flow.target_id] for flow in process.outgoing(element)])

"""Intermediate throw events: none, which pass through, and signal."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element, EventKind
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.execution import Execution
from aurum_engine.core.lifecycle import complete
from aurum_engine.core.records import ElementInstance
from aurum_engine.core.signals import throw_signal


class ThrowEvent(QuietEnd):
    """Throw and go on."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Broadcast the signal, if there is one; who waits for it is triggered after what is queued."""
        if element.event is EventKind.SIGNAL:
            throw_signal(x, element, instance)
        complete(x, instance.key)

"""Intermediate catch events and receive tasks: wait for a message or a time, then go on."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element, EventKind
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.execution import Execution
from aurum_engine.core.lifecycle import complete
from aurum_engine.core.records import ElementInstance
from aurum_engine.core.triggers import listen


class CatchEvent(QuietEnd):
    """Wait; `triggers.trigger` completes the element."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Open the own subscription and those of attached boundary events; a link is there already."""
        if element.event is EventKind.LINK:
            complete(x, instance.key)
            return
        listen(x, instance, (element, *x.process_of(instance).boundaries(element)))

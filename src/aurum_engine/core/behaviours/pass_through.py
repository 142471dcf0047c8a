"""Elements that are over as soon as they are entered.

Start, boundary and none throw events, undefined and manual tasks. A parallel gateway too: that it
waits for a token on each incoming flow is decided where flows arrive, in `lifecycle.arrive`.
"""

from __future__ import annotations

from aurum_engine.bpmn.model import Element
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.execution import Execution
from aurum_engine.core.lifecycle import complete
from aurum_engine.core.records import ElementInstance


class PassThrough(QuietEnd):
    """Complete at once."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Complete the element."""
        complete(x, instance.key)

"""What most behaviours share: nothing follows their completion but their outgoing flows."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element
from aurum_engine.core.execution import Execution
from aurum_engine.core.records import ElementInstance


class QuietEnd:
    """A behaviour whose end has no consequences of its own."""

    def after_completion(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Do nothing: the flows are taken already."""

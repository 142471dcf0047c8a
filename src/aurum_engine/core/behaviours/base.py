"""What most behaviours share: their end has no consequences of its own."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element
from aurum_engine.core.execution import Execution
from aurum_engine.core.lifecycle import complete_when_empty
from aurum_engine.core.records import ElementInstance


class QuietEnd:
    """A behaviour that ends quietly, and as a scope ends when nothing is left inside."""

    def before_completion(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Do nothing: output mappings are all there is."""

    def after_completion(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Do nothing: the flows are taken already."""

    def child_ended(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """End with the last path inside."""
        complete_when_empty(x, instance.key)

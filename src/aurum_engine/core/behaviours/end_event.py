"""End events: none, error, message, signal, escalation and terminate."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element, EventKind
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.behaviours.throw_event import throw
from aurum_engine.core.evaluation import evaluate_string
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.lifecycle import finish_scope, interrupt, raise_incident
from aurum_engine.core.records import ElementInstance, ErrorType, Retry
from aurum_engine.core.triggers import throw_error


class EndEvent(QuietEnd):
    """End one path; an error leaves its scope, a terminate ends everything in it."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Complete, or throw. An uncaught error is an incident that cannot be resolved."""
        if element.event is not EventKind.ERROR:
            throw(x, element, instance)
            return
        if element.error is None or element.error.code is None:
            raise AssertionError(f"error end event {element.id!r} without code passed validation")
        code = evaluate_string(x, element.error.code, instance.key)
        if not throw_error(x, instance.key, code, {}):
            message = f"expected to throw an error event with the code '{code}', but it was not caught"
            raise_incident(x, instance, Stuck(ErrorType.UNHANDLED_ERROR_EVENT, message), Retry.NEVER)

    def after_completion(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """After a terminate end event, end what else is active in the scope."""
        if element.event is EventKind.TERMINATE:
            interrupt(x, instance.scope_key)
            x.later(finish_scope, instance.scope_key)

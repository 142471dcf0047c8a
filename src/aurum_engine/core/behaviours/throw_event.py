"""Intermediate throw events: none and link, which pass through, message, signal and escalation."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element, EventKind
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.behaviours.job_task import create_job
from aurum_engine.core.evaluation import evaluate_string
from aurum_engine.core.execution import Execution
from aurum_engine.core.lifecycle import complete
from aurum_engine.core.records import ElementInstance
from aurum_engine.core.signals import throw_signal
from aurum_engine.core.triggers import throw_escalation


def throw(x: Execution, element: Element, instance: ElementInstance) -> None:
    """Throw what does not stop the thrower, then complete it, unless what was thrown ended its scope.

    A message is a worker's to send, as Camunda has it: a job, whose completion completes the event.
    """
    if element.job is not None:
        create_job(x, element, instance, element.job)
        return
    if element.event is EventKind.SIGNAL:
        throw_signal(x, element, instance)
    elif element.escalation is not None and element.escalation.code is not None:
        throw_escalation(x, instance.key, evaluate_string(x, element.escalation.code, instance.key))
    if x.state.is_active(instance.key):
        complete(x, instance.key)


class ThrowEvent(QuietEnd):
    """Throw and go on."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Throw; whoever catches a signal is triggered after what is queued."""
        throw(x, element, instance)

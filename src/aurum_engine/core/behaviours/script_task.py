"""Script tasks: a FEEL expression, or a job."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.behaviours.job_task import create_job
from aurum_engine.core.evaluation import evaluate
from aurum_engine.core.execution import Execution
from aurum_engine.core.lifecycle import complete
from aurum_engine.core.records import ElementInstance, ErrorType
from aurum_engine.core.variables import derived


class ScriptTask(QuietEnd):
    """Evaluate and go on."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Put the result of the expression into its result variable; null when it cannot be computed."""
        if element.script is None:
            if element.job is None:
                raise AssertionError(f"script task {element.id!r} without work passed validation")
            create_job(x, element, instance, element.job)
            return
        value, _ = evaluate(x, element.script.expression, instance.key, ErrorType.EXTRACT_VALUE_ERROR)
        name = element.script.result_variable
        complete(x, instance.key, {name: derived(f"result variable {name!r}", value)})

"""Tasks done by workers: service, send, and the job-based script, rule and user tasks."""

from __future__ import annotations

from aurum_engine.bpmn.model import Element, JobDefinition
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.evaluation import evaluate_int, evaluate_string
from aurum_engine.core.events import JobCreated
from aurum_engine.core.execution import Execution
from aurum_engine.core.records import ElementInstance
from aurum_engine.core.triggers import listen


def create_job(
    x: Execution,
    element: Element,
    instance: ElementInstance,
    job: JobDefinition,
    extra_headers: tuple[tuple[str, str], ...] = (),
) -> None:
    """Open the boundary subscriptions of a task and create its job. Raises Stuck before either."""
    kind = evaluate_job(x, instance, job)
    listen(x, instance, x.process_of(instance).boundaries(element))
    open_job(x, element, instance, kind, extra_headers)


def evaluate_job(x: Execution, instance: ElementInstance, job: JobDefinition) -> tuple[str, int]:
    """Return the type and the retries of a job as they are now. Raises Stuck."""
    return evaluate_string(x, job.type, instance.key), evaluate_int(x, job.retries, instance.key)


def open_job(
    x: Execution,
    element: Element,
    instance: ElementInstance,
    kind: tuple[str, int],
    extra_headers: tuple[tuple[str, str], ...] = (),
) -> None:
    """Create the job of an element instance; `kind` is its type and retries."""
    job_type, retries = kind
    definition = x.state.process_definitions[instance.process_definition_key]
    x.emit(
        JobCreated(
            key=x.new_key(),
            type=job_type,
            retries=retries,
            headers=(*element.headers, *extra_headers),
            element_id=element.id,
            element_instance_key=instance.key,
            process_instance_key=instance.process_instance_key,
            process_definition_key=instance.process_definition_key,
            bpmn_process_id=instance.bpmn_process_id,
            process_definition_version=definition.version,
        )
    )


class JobTask(QuietEnd):
    """Create a job; completing the job completes the task."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Create the job of the task definition."""
        if element.job is None:
            raise AssertionError(f"task {element.id!r} without job passed validation")
        create_job(x, element, instance, element.job)

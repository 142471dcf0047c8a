"""User tasks: native ones, worked on by people over REST, or jobs of a reserved type."""

from __future__ import annotations

from aurum_engine.bpmn.model import Binding, Element, JobDefinition, Text, UserTaskDefinition
from aurum_engine.bpmn.schedule import InvalidSchedule, parse_date
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.behaviours.job_task import create_job
from aurum_engine.core.evaluation import evaluate_int, evaluate_names, evaluate_optional_string
from aurum_engine.core.events import UserTaskCreated
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.records import ElementInstance, ErrorType
from aurum_engine.core.triggers import listen

USER_TASK_JOB = JobDefinition(Text("io.camunda.zeebe:userTask"), Text("1"))
"""Job type of user tasks without `zeebe:userTask`."""

PRIORITY_DEFAULT = 50
PRIORITY_MAX = 100
"""Camunda's range of user task priorities is 0 to 100."""


def _date(x: Execution, text: Text | None, scope_key: int) -> str | None:
    value = evaluate_optional_string(x, text, scope_key)
    if value is None:
        return None
    try:
        parse_date(value)
    except InvalidSchedule as error:
        raise Stuck(ErrorType.EXTRACT_VALUE_ERROR, str(error)) from None
    return value


def _priority(x: Execution, text: Text | None, scope_key: int) -> int:
    priority = PRIORITY_DEFAULT if text is None else evaluate_int(x, text, scope_key)
    if not 0 <= priority <= PRIORITY_MAX:
        message = f"expected priority to be between 0 and {PRIORITY_MAX}, but it was {priority}"
        raise Stuck(ErrorType.EXTRACT_VALUE_ERROR, message)
    return priority


def _form_key(x: Execution, task: UserTaskDefinition, instance: ElementInstance) -> int | None:
    form_id = evaluate_optional_string(x, task.form_id, instance.key)
    if form_id is None:
        return None
    forms = [x.state.forms[key] for key in x.state.form_versions.get(form_id, ())]
    if task.form_binding is Binding.VERSION_TAG:
        forms = [form for form in forms if form.version_tag == task.form_version_tag]
    elif task.form_binding is Binding.DEPLOYMENT:
        definition = x.state.process_definitions[instance.process_definition_key]
        deployed = x.state.deployments[definition.deployment_key].form_keys
        forms = [form for form in forms if form.key in deployed]
    if not forms:
        message = f"expected to find a form with id '{form_id}' ({task.form_binding}), but it is not deployed"
        raise Stuck(ErrorType.FORM_NOT_FOUND, message)
    return forms[-1].key


class UserTaskBehaviour(QuietEnd):
    """Create a user task; completing it completes the element."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Evaluate everything modelled about the task now, and create it."""
        task = element.user_task
        if task is None:
            raise AssertionError(f"user task {element.id!r} without definition passed the reader")
        if not task.native:
            create_job(x, element, instance, USER_TASK_JOB, _job_headers(x, task, instance.key))
            return
        key = instance.key
        assignee = evaluate_optional_string(x, task.assignee, key)
        users, groups = (
            evaluate_names(x, task.candidate_users, key),
            evaluate_names(x, task.candidate_groups, key),
        )
        due, follow_up = _date(x, task.due_date, key), _date(x, task.follow_up_date, key)
        priority, form_key = _priority(x, task.priority, key), _form_key(x, task, instance)
        reference = evaluate_optional_string(x, task.external_form_reference, key)
        listen(x, instance, x.process_of(instance).boundaries(element))
        definition = x.state.process_definitions[instance.process_definition_key]
        x.emit(
            UserTaskCreated(
                key=x.new_key(),
                element_id=element.id,
                name=element.name,
                element_instance_key=key,
                process_instance_key=instance.process_instance_key,
                process_definition_key=instance.process_definition_key,
                bpmn_process_id=instance.bpmn_process_id,
                process_definition_version=definition.version,
                assignee=assignee,
                candidate_users=users,
                candidate_groups=groups,
                due_date=due,
                follow_up_date=follow_up,
                priority=priority,
                form_key=form_key,
                external_form_reference=reference,
                headers=element.headers,
            )
        )


def _job_headers(x: Execution, task: UserTaskDefinition, scope_key: int) -> tuple[tuple[str, str], ...]:
    """Return what a job-based user task tells its worker, under Camunda's reserved header names."""
    prefix = "io.camunda.zeebe:"
    names = {
        "assignee": evaluate_optional_string(x, task.assignee, scope_key),
        "candidateUsers": _json_names(evaluate_names(x, task.candidate_users, scope_key)),
        "candidateGroups": _json_names(evaluate_names(x, task.candidate_groups, scope_key)),
        "dueDate": _date(x, task.due_date, scope_key),
        "followUpDate": _date(x, task.follow_up_date, scope_key),
        "formKey": task.form_key,
    }
    return tuple((prefix + name, value) for name, value in names.items() if value)


def _json_names(names: tuple[str, ...]) -> str:
    quoted = ",".join('"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"' for name in names)
    return f"[{quoted}]" if names else ""

"""User task commands. A task is open (CREATED) until it is completed or its element is terminated."""

from __future__ import annotations

from aurum_engine.bpmn.schedule import InvalidSchedule, parse_date
from aurum_engine.core.audit import audit
from aurum_engine.core.authority import check_claims, check_works_on
from aurum_engine.core.behaviours.user_task import PRIORITY_MAX
from aurum_engine.core.commands import (
    AssignUserTask,
    Caller,
    CompleteUserTask,
    EmptyReply,
    UnassignUserTask,
    UpdateUserTask,
)
from aurum_engine.core.events import UserTaskAssigned, UserTaskCompleted, UserTaskUpdated
from aurum_engine.core.execution import Execution
from aurum_engine.core.lifecycle import complete
from aurum_engine.core.records import UserTask, UserTaskState
from aurum_engine.core.variables import document
from aurum_engine.errors import forbidden, invalid_argument, invalid_state, not_found

UserTaskCommand = AssignUserTask | UnassignUserTask | UpdateUserTask | CompleteUserTask


def _task(x: Execution, key: int, what: str) -> UserTask:
    task = x.state.user_tasks.get(key)
    if task is None:
        raise not_found(f"expected to {what} user task with key '{key}', but no such user task was found")
    return task


def _check_open(task: UserTask, what: str) -> None:
    if task.state is not UserTaskState.CREATED:
        raise invalid_state(
            f"expected to {what} user task with key '{task.key}', but it is in state '{task.state}'"
        )


def _open_task(x: Execution, key: int, what: str, caller: Caller | None) -> UserTask:
    """Return the task. Authority comes first: what a stranger must not touch does not show its state."""
    task = _task(x, key, what)
    check_works_on(task, caller, what)
    _check_open(task, what)
    return task


def _audit(x: Execution, task: UserTask, operation: str, command: UserTaskCommand, **details: object) -> None:
    audit(
        x,
        operation,
        "USER_TASK",
        task.key,
        command.actor if command.caller is None else command.caller.username,
        is_person=command.caller is not None,
        process_instance_key=task.process_instance_key,
        details={name: value for name, value in details.items() if value is not None},
    )


def assign(x: Execution, command: AssignUserTask) -> EmptyReply:
    """Carry out AssignUserTask."""
    task = _task(x, command.user_task_key, "assign")
    if not command.assignee:
        raise invalid_argument("expected an assignee, but none was given")
    check_claims(task, command.caller, command.assignee)
    _check_open(task, "assign")
    if not command.allow_override and task.assignee is not None and task.assignee != command.assignee:
        raise invalid_state(
            f"expected to claim user task with key '{task.key}', but it has already been assigned"
        )
    x.emit(UserTaskAssigned(task.key, command.assignee))
    _audit(x, task, "ASSIGN", command, assignee=command.assignee)
    return EmptyReply()


def unassign(x: Execution, command: UnassignUserTask) -> EmptyReply:
    """Carry out UnassignUserTask."""
    task = _open_task(x, command.user_task_key, "unassign", command.caller)
    x.emit(UserTaskAssigned(task.key, None))
    _audit(x, task, "UNASSIGN", command)
    return EmptyReply()


def _changed_date(new: str | None, old: str | None, name: str) -> str | None:
    if new is None:
        return old
    if not new:
        return None
    try:
        parse_date(new)
    except InvalidSchedule as error:
        raise invalid_argument(f"{name}: {error}") from None
    return new


def update(x: Execution, command: UpdateUserTask) -> EmptyReply:
    """Carry out UpdateUserTask."""
    task = _open_task(x, command.user_task_key, "update", command.caller)
    offered = (command.candidate_users, command.candidate_groups)
    if command.caller is not None and offered != (None, None):
        raise forbidden("expected to update a user task, but a person cannot choose whom it is for")
    priority = task.priority if command.priority is None else command.priority
    if not 0 <= priority <= PRIORITY_MAX:
        raise invalid_argument(f"expected priority to be between 0 and {PRIORITY_MAX}, but got {priority}")
    users, groups = command.candidate_users, command.candidate_groups
    x.emit(
        UserTaskUpdated(
            key=task.key,
            candidate_users=task.candidate_users if users is None else tuple(users),
            candidate_groups=task.candidate_groups if groups is None else tuple(groups),
            due_date=_changed_date(command.due_date, task.due_date, "dueDate"),
            follow_up_date=_changed_date(command.follow_up_date, task.follow_up_date, "followUpDate"),
            priority=priority,
        )
    )
    _audit(x, task, "UPDATE", command)
    return EmptyReply()


def complete_task(x: Execution, command: CompleteUserTask) -> EmptyReply:
    """Carry out CompleteUserTask."""
    task = _open_task(x, command.user_task_key, "complete", command.caller)
    variables = document(command.variables)
    x.emit(UserTaskCompleted(task.key))
    _audit(x, task, "COMPLETE", command, action=command.action)
    complete(x, task.element_instance_key, variables)
    return EmptyReply()

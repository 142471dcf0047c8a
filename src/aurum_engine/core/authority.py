"""Which person may do what with a user task. Pure; it knows the task and the caller, and nothing else.

Rule 1: a command without a caller comes from a service, which is trusted, as Camunda with its
authorizations off trusts everybody.
Rule 2: a person may do only what the task names him for; a task that names nobody is nobody's.
Rule 3: refusals name neither the caller nor those whom the task is for.
"""

from __future__ import annotations

from aurum_engine.core.commands import Caller
from aurum_engine.core.records import UserTask
from aurum_engine.errors import forbidden, invalid_state


def is_candidate(task: UserTask, caller: Caller) -> bool:
    """Tell whether the task is offered to the caller, by name or by group."""
    return caller.username in task.candidate_users or not caller.groups.isdisjoint(task.candidate_groups)


def check_works_on(task: UserTask, caller: Caller | None, what: str) -> None:
    """Refuse whoever is neither the assignee nor, while there is none, a candidate. Raises FORBIDDEN."""
    if caller is None:
        return
    if task.assignee is None:
        allowed = is_candidate(task, caller)
    else:
        allowed = task.assignee == caller.username
    if not allowed:
        raise forbidden(f"expected to {what} user task with key '{task.key}', but it is not for this person")


def check_claims(task: UserTask, caller: Caller | None, assignee: str) -> None:
    """Refuse to assign to anybody but oneself. Raises FORBIDDEN, or INVALID_STATE when another has it."""
    if caller is None:
        return
    if assignee != caller.username:
        raise forbidden("expected to assign a user task, but a person can claim it for himself only")
    if task.assignee == caller.username:
        return
    if not is_candidate(task, caller):
        raise forbidden(f"expected to claim user task with key '{task.key}', but it is not for this person")
    if task.assignee is not None:
        raise invalid_state(
            f"expected to claim user task with key '{task.key}', but it has already been assigned"
        )

"""Questions answered: by the customer, by an advisor whom the agent asked. And the withdrawal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum.bff.auth import policy
from aurum.bff.auth.people import Person
from aurum.bff.decisions import find_task
from aurum.bff.problems import Problem
from aurum.bff.services import Services
from aurum.domain import tasks
from aurum.domain.application import ParsedApplication, parse_application
from aurum.domain.tasks import AGENT_HAND_OFF, CUSTOMER_TASKS, WITHDRAWN_MESSAGE
from aurum.errors import CommandRejected
from aurum.feed.registry import CaseEntry
from aurum.instants import utc_date


async def answer_task(
    services: Services,
    entry: CaseEntry,
    task_id: str,
    person: Person,
    *,
    answer: str,
    changes: Mapping[str, Any],
) -> None:
    """Complete a task that is a question. A changed application is validated before anything is sent.

    Raises `Problem`: 404 no such question to this person, 409 answered already, 422 invalid fields.
    """
    task = await find_task(services, entry, task_id)
    if task.element_id not in (CUSTOMER_TASKS if person.persona == "customer" else {AGENT_HAND_OFF}):
        raise Problem("not-found")
    if person.persona == "advisor" and not policy.may_decide(person, task.candidate_groups):
        raise Problem("not-permitted", "This question is for another group.")
    if task.state != "CREATED":
        raise Problem("conflict", "This has been answered already.")
    if person.persona == "advisor" and task.assignee not in (None, "", person.person_id):
        raise Problem("conflict", "Somebody else has this question.", assignee=task.assignee)
    if not answer.strip() and not changes:
        raise Problem("invalid", problems=[{"field": "/answer", "code": "REQUIRED"}])
    variables: dict[str, Any]
    match task.element_id:
        case tasks.AGENT_QUESTION | tasks.AGENT_HAND_OFF:
            # An answer in a conversation. Changing the application has its own task, which checks it again.
            if changes:
                raise Problem("invalid", problems=[{"field": "/changes", "code": "NOT_ALLOWED"}])
            variables = {"answer": answer, "answeredBy": person.person_id}
        case _:
            if changes or task.element_id != tasks.PROVIDE_INFORMATION:
                await _check_changes(services, entry, changes)
            patch = dict(changes) or None
            variables = {"answer": answer, "answeredBy": person.person_id, "applicationPatch": patch}
    try:
        await services.client.complete_user_task(
            task.user_task_key, variables, bearer=services.engine_bearer(person)
        )
    except CommandRejected as error:
        if error.rejection_type in ("INVALID_STATE", "NOT_FOUND"):
            raise Problem("conflict", "This has been answered already.") from error
        raise
    await services.poller.hint(entry.process_instance_key)


async def _check_changes(services: Services, entry: CaseEntry, changes: Mapping[str, Any]) -> None:
    rows = await services.client.variables(entry.process_instance_key, names=["application"])
    current = [row.parsed() for row in rows if row.scope_key == entry.process_instance_key]
    merged = {**(current[0] if current else {}), **changes}
    parsed = parse_application(merged, today=utc_date(services.clock.now_ms()))
    if not isinstance(parsed, ParsedApplication):
        raise Problem("invalid", problems=[problem.to_json() for problem in parsed])


async def withdraw(services: Services, entry: CaseEntry, person: Person) -> None:
    """Send the withdrawal. Raises `Problem` 409 when the case is over."""
    try:
        await services.client.correlate_message(
            WITHDRAWN_MESSAGE, entry.case_id, {"withdrawnBy": person.person_id}
        )
    except CommandRejected as error:
        if error.rejection_type == "NOT_FOUND":
            raise Problem("conflict", "This application is closed already.") from error
        raise
    await services.poller.hint(entry.process_instance_key)

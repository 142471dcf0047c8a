"""What the customer does to his own case after submitting: answer a task, withdraw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum.bff.auth.people import Person
from aurum.bff.decisions import find_task
from aurum.bff.problems import Problem
from aurum.bff.services import Services
from aurum.domain.application import ParsedApplication, parse_application
from aurum.domain.tasks import CUSTOMER_TASKS, PROVIDE_INFORMATION, WITHDRAWN_MESSAGE
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
    """Complete a customer task. The changed application is validated before anything is sent.

    Raises `Problem`: 404 no such task of the customer, 409 answered already, 422 invalid fields.
    """
    task = await find_task(services, entry, task_id)
    if task.element_id not in CUSTOMER_TASKS:
        raise Problem("not-found")
    if task.state != "CREATED":
        raise Problem("conflict", "This has been answered already.")
    if not answer.strip() and not changes:
        raise Problem("invalid", problems=[{"field": "/answer", "code": "REQUIRED"}])
    if changes or task.element_id != PROVIDE_INFORMATION:
        await _check_changes(services, entry, changes)
    variables = {
        "answer": answer,
        "answeredBy": person.person_id,
        "applicationPatch": dict(changes) or None,
    }
    try:
        await services.client.complete_user_task(task.user_task_key, variables)
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

"""A person decides: what he saw, whether he may, and the signed receipt that the process believes.

Everything is read again from the engine at the moment of the decision. The public task id is a
keyed hash, so the open tasks of the case are searched for the one it names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aurum.bff.auth import policy
from aurum.bff.auth.people import Person
from aurum.bff.problems import Problem
from aurum.bff.services import Services
from aurum.camunda.models import UserTaskRow
from aurum.domain.basis import basis_hash
from aurum.domain.reasons import REASONS
from aurum.domain.receipts import DecisionOutcome, Receipt, sign_receipt
from aurum.domain.tasks import ADVISOR_REVIEW, ADVISOR_TASKS, AGENT_HAND_OFF, SECOND_APPROVAL
from aurum.errors import CommandRejected
from aurum.feed.registry import CaseEntry
from aurum.instants import iso_utc
from aurum.keys import opaque_key

RESULT_VARIABLE = {ADVISOR_REVIEW: "reviewDecision", SECOND_APPROVAL: "approvalDecision"}
BASIS_VARIABLES = ("application", "checks", "quote", "risk", "route", "decisions", "editors", "submitter")
DECLINE_FAMILY = "decline"


@dataclass(frozen=True, slots=True)
class Desk:
    """One task with what a decision on it rests on."""

    entry: CaseEntry
    task: UserTaskRow
    variables: Mapping[str, Any]
    basis: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What the person wants."""

    outcome: DecisionOutcome
    reason_code: str = ""
    question: str = ""
    fields: Sequence[str] = ()


async def find_task(services: Services, entry: CaseEntry, task_id: str) -> UserTaskRow:
    """Return the engine's row of a public task id, in whatever state. Raises `Problem` 404."""
    for row in await services.client.user_tasks(process_instance_key=entry.process_instance_key):
        if opaque_key(services.secrets.keys, row.user_task_key) == task_id:
            return row
    raise Problem("not-found")


async def open_desk(services: Services, entry: CaseEntry, task_id: str) -> Desk:
    """Return task, basis variables and basis hash. Raises `Problem` 404 for an unknown or customer's task."""
    task = await find_task(services, entry, task_id)
    if task.element_id not in ADVISOR_TASKS and task.element_id != AGENT_HAND_OFF:
        raise Problem("not-found")
    rows = await services.client.variables(entry.process_instance_key, names=BASIS_VARIABLES)
    root = {row.name: row.parsed() for row in rows if row.scope_key == entry.process_instance_key}
    application = root.get("application")
    basis = basis_hash(
        application.get("hash") if isinstance(application, Mapping) else None,
        root.get("checks"),
        root.get("quote"),
        root.get("risk"),
        root.get("route"),
        task.user_task_key,
    )
    return Desk(entry, task, root, basis)


async def decide(
    services: Services, desk: Desk, person: Person, decision: Decision, *, if_match: str | None
) -> Receipt:
    """Complete the task with a signed receipt and return it.

    Raises `Problem`: 403 not this person, 428 without If-Match, 412 changed since, 409 already decided
    (with who and what), 422 incomplete.
    """
    _check_person(desk, person)
    if desk.task.element_id not in ADVISOR_TASKS:
        raise Problem("conflict", "This is a question to answer, not a decision.")
    if desk.task.state != "CREATED":
        raise already_decided(desk)
    if if_match is None:
        raise Problem("precondition-required")
    if if_match.strip().removeprefix("W/").strip('"') != desk.basis:
        raise Problem("changed", "Somebody changed the case; look at it again before you decide.")
    if desk.task.assignee not in (None, "", person.person_id):
        raise Problem("conflict", "Somebody else has claimed this task.", assignee=desk.task.assignee)
    _check_decision(desk, decision)
    quote = desk.variables.get("quote")
    cents = quote.get("depositUsdCents") if isinstance(quote, Mapping) else None
    receipt = Receipt(
        case_id=desk.entry.case_id,
        task_key=desk.task.user_task_key,
        element_id=desk.task.element_id,
        outcome=decision.outcome,
        reason_code=decision.reason_code,
        person=person.person_id,
        deposit_usd_cents=cents if isinstance(cents, int) else None,
        basis_hash=desk.basis,
        at=iso_utc(services.clock.now_ms()),
        question=decision.question,
        fields=tuple(decision.fields),
    )
    variables = {RESULT_VARIABLE[desk.task.element_id]: sign_receipt(services.secrets.receipts, receipt)}
    try:
        bearer = services.engine_bearer(person)
        await services.client.complete_user_task(
            desk.task.user_task_key, variables, action=decision.outcome, bearer=bearer
        )
    except CommandRejected as error:
        if error.rejection_type in ("INVALID_STATE", "NOT_FOUND"):
            await services.poller.hint(desk.entry.process_instance_key)
            raise already_decided(await open_desk_again(services, desk)) from error
        raise
    await services.poller.hint(desk.entry.process_instance_key)
    return receipt


async def open_desk_again(services: Services, desk: Desk) -> Desk:
    """Read the variables once more, for who decided what."""
    task_id = opaque_key(services.secrets.keys, desk.task.user_task_key)
    return await open_desk(services, desk.entry, task_id)


def already_decided(desk: Desk) -> Problem:
    """Return the 409 that names the winner, as far as the engine already shows it."""
    for receipt in reversed(desk.variables.get("decisions") or []):
        if isinstance(receipt, Mapping) and receipt.get("taskKey") == desk.task.user_task_key:
            return Problem(
                "conflict",
                "This has been decided already.",
                decidedBy=receipt.get("person"),
                outcome=receipt.get("outcome"),
            )
    return Problem("conflict", "This has been decided already.", decidedBy=None, outcome=None)


def _check_person(desk: Desk, person: Person) -> None:
    """Group, and for four eyes: nobody who has had a hand in the case."""
    if not policy.may_decide(person, desk.task.candidate_groups):
        raise Problem("not-permitted", "This task is for another group.")
    involved = {desk.variables.get("submitter"), *(desk.variables.get("editors") or [])}
    if desk.task.element_id == SECOND_APPROVAL:
        decided = desk.variables.get("decisions") or []
        involved |= {receipt.get("person") for receipt in decided if isinstance(receipt, Mapping)}
    if person.person_id in involved:
        raise Problem("not-permitted", "A second person has to decide this.")


def _check_decision(desk: Desk, decision: Decision) -> None:
    if decision.outcome == "request-info" and desk.task.element_id == SECOND_APPROVAL:
        raise Problem("invalid", problems=[{"field": "/outcome", "code": "NOT_POSSIBLE_HERE"}])
    if decision.outcome == "decline" and decision.reason_code not in decline_reasons():
        raise Problem("invalid", problems=[{"field": "/reasonCode", "code": "REQUIRED"}])
    if decision.outcome == "request-info" and not decision.question.strip():
        raise Problem("invalid", problems=[{"field": "/question", "code": "REQUIRED"}])


def decline_reasons() -> dict[str, str]:
    """Return the reason codes a person may decline with, and their words."""
    return {code: reason.advisor for code, reason in REASONS.items() if reason.family == DECLINE_FAMILY}

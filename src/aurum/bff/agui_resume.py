"""What an AG-UI client's `resume` does: submit an application, answer a task, decide.

The same functions as behind the REST routes, so the same checks. An entry for a task that is
closed or unknown is ignored and the run reports what is true now.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from aurum.bff.answers import answer_task
from aurum.bff.auth import policy
from aurum.bff.auth.people import Person
from aurum.bff.decisions import Decision, decide, find_task, open_desk
from aurum.bff.problems import Problem, refused_fields
from aurum.bff.services import Services
from aurum.bff.submissions import submit, thread_key
from aurum.domain.application_model import Application
from aurum.domain.receipts import DecisionOutcome
from aurum.domain.tasks import AGENT_HAND_OFF, CUSTOMER_TASKS
from aurum.feed.registry import CaseEntry

SUBMIT_INTERRUPT = "submit_application"


class ResumeEntry(BaseModel):
    """One answer to one interrupt."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")

    interrupt_id: str = Field(max_length=128)
    status: Literal["resolved", "cancelled"] = "resolved"
    payload: Any = None


class DecisionPayload(BaseModel):
    """An advisor's answer, as `responseSchema` asks for it."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    outcome: DecisionOutcome
    basis_hash: str = Field(max_length=128)
    reason_code: str = Field(default="", max_length=64)
    question: str = Field(default="", max_length=2_000)
    fields: list[str] = Field(default_factory=list, max_length=40)


class AnswerPayload(BaseModel):
    """A customer's answer."""

    model_config = ConfigDict(extra="forbid")

    answer: str = Field(default="", max_length=4_000)
    changes: dict[str, Any] = Field(default_factory=dict, max_length=60)


@cache
def application_schema() -> dict[str, Any]:
    """Return the JSON Schema of an application, without `$schema` and `$id`."""
    schema = Application.model_json_schema(by_alias=True)
    return {name: value for name, value in schema.items() if name not in ("$schema", "$id")}


async def intake(
    services: Services, person: Person, thread_id: str, resume: Sequence[ResumeEntry]
) -> CaseEntry | None:
    """Start the case if the resume brings an application; None when it brings none."""
    for entry in resume:
        if entry.interrupt_id == SUBMIT_INTERRUPT and entry.status == "resolved":
            return (await submit(services, person.person_id, thread_key(thread_id), entry.payload)).entry
    return None


async def answer(services: Services, person: Person, entry: CaseEntry, resume: Sequence[ResumeEntry]) -> bool:
    """Apply the first resolved entry that names a task of the case; True when one was applied."""
    for item in resume:
        if item.status != "resolved":
            continue
        try:
            task = await find_task(services, entry, item.interrupt_id)
        except Problem:
            continue
        if task.state != "CREATED":
            continue
        try:
            if task.element_id in CUSTOMER_TASKS or task.element_id == AGENT_HAND_OFF:
                await _answer(services, person, entry, item)
            else:
                await _decide(services, person, entry, item)
        except ValidationError as error:
            fields = refused_fields(
                error.errors(include_url=False, include_context=False, include_input=False)
            )
            raise Problem("invalid", "The answer does not fit the question.", problems=fields) from error
        return True
    return False


async def _answer(services: Services, person: Person, entry: CaseEntry, item: ResumeEntry) -> None:
    if person.persona != "advisor" and not policy.may_answer(person, entry):
        raise Problem("not-permitted")
    payload = AnswerPayload.model_validate(item.payload)
    await answer_task(
        services, entry, item.interrupt_id, person, answer=payload.answer, changes=payload.changes
    )


async def _decide(services: Services, person: Person, entry: CaseEntry, item: ResumeEntry) -> None:
    payload = DecisionPayload.model_validate(item.payload)
    desk = await open_desk(services, entry, item.interrupt_id)
    wanted = Decision(payload.outcome, payload.reason_code, payload.question, tuple(payload.fields))
    await decide(services, desk, person, wanted, if_match=payload.basis_hash)

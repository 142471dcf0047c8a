"""What the account and the decline worker believe instead of process variables.

Anybody who can complete a user task by the engine's own interface can write `decisions`, `route` or
`depositUsdCents`. So: the amount is computed again, every receipt must carry the BFF's signature and
fit this case, this amount and this very picture of it, and the engine must say that the task was
completed in this process instance. Anything else is `IntegrityBroken`: an incident, no account.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from aurum.domain import tasks
from aurum.domain.adverse_media import with_adverse_media
from aurum.domain.application import application_hash
from aurum.domain.basis import basis_hash
from aurum.domain.canonical import NotCanonical
from aurum.domain.identity import expired_problems, verify_identity
from aurum.domain.pep import screen_pep
from aurum.domain.quotes import RATE_AGE_DAYS_MAX, quote_deposit
from aurum.domain.receipts import Receipt, verify_receipt
from aurum.domain.screening import screen_sanctions
from aurum.domain.tax import verify_tax_status
from aurum.errors import IntegrityBroken, ProviderUnavailable
from aurum_workers.ports import JobInput, WorkerDeps

SEARCH_LAG_RETRY_MS = 3_000
"""A completed task may look open for as long as the engine's search is behind (0.5 to 3 s)."""

LAGGING_STATES = frozenset({"CREATING", "CREATED", "ASSIGNING", "UPDATING", "COMPLETING"})
"""States in which a completed task may still be shown."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A verified receipt and its place in the order of decisions."""

    position: int
    receipt: Receipt


def require_application(job: JobInput) -> Mapping[str, Any]:
    """Return the application if its hash is really its own."""
    application = job.application()
    try:
        true_hash = application_hash(application)
    except NotCanonical as error:
        raise IntegrityBroken("the application has no canonical form") from error
    if true_hash != application["hash"]:
        raise IntegrityBroken("the application is not the one that was checked")
    return application


def require_cents(job: JobInput, application: Mapping[str, Any], deps: WorkerDeps) -> int:
    """Return the deposit in US cents, computed again from the application and the quoted day's rate."""
    quote = job.variables.get("quote")
    if not isinstance(quote, Mapping):
        raise IntegrityBroken("there is no quote")
    day = _quoted_day(quote.get("rateDate"), deps.today())
    again = quote_deposit(application["initialDeposit"], deps.rates, on=day)
    if again.deposit_usd_cents is None:
        raise IntegrityBroken("the deposit cannot be converted")
    # The quoted day must be a day with a rate of its own, recent, or the last there is.
    stale = again.currency != "USD" and _too_old(day, deps)
    if again.rate_date != quote.get("rateDate") or stale:
        raise IntegrityBroken("the quoted rate is not one that could have been quoted")
    quoted = quote.get("depositUsdCents")
    if isinstance(quoted, bool) or quoted != again.deposit_usd_cents:
        raise IntegrityBroken("the quoted deposit is not what the application and the rate give")
    return again.deposit_usd_cents


def checks_clear_again(application: Mapping[str, Any], deps: WorkerDeps) -> bool:
    """Whether all four checks, done again here and now on the application itself, are clear.

    Stored results are variables too. Takes as long as screening does: call it in a thread.
    """
    today, as_of = deps.today(), deps.now_text()
    if expired_problems(application, today=today):
        return False
    pep = screen_pep(application, deps.peps.entries, today=today, as_of=as_of, source=deps.peps.source)
    again = (
        verify_identity(application, today=today, as_of=as_of),
        verify_tax_status(application, today=today, as_of=as_of),
        screen_sanctions(application, deps.sanctions.entries, as_of=as_of, source=deps.sanctions.source),
        with_adverse_media(pep, application, deps.media.entries),
    )
    return all(check.outcome == "clear" for check in again)


def verified_decisions(job: JobInput, deps: WorkerDeps) -> list[Decided]:
    """Return all receipts of the case in order. One that does not verify breaks the whole list."""
    decisions = job.variables.get("decisions")
    if not isinstance(decisions, list):
        raise IntegrityBroken("there is no list of decisions")
    found = [
        Decided(position, verify_receipt(deps.receipts_secret, entry))
        for position, entry in enumerate(decisions)
    ]
    if any(decided.receipt.case_id != job.text("caseId") for decided in found):
        raise IntegrityBroken("a decision receipt belongs to another case")
    return found


def last_of(decisions: list[Decided], element_id: str) -> Decided:
    """Return the latest decision made in one kind of task. Raises `IntegrityBroken` without one."""
    made = [decided for decided in decisions if decided.receipt.element_id == element_id]
    if not made:
        raise IntegrityBroken(f"nobody decided {element_id!r}")
    return made[-1]


def require_basis(job: JobInput, application: Mapping[str, Any], receipt: Receipt) -> None:
    """Raise unless the person saw exactly what the case holds now."""
    variables = job.variables
    try:
        current = basis_hash(
            application["hash"],
            variables.get("checks"),
            variables.get("quote"),
            variables.get("risk"),
            variables.get("route"),
            receipt.task_key,
        )
    except NotCanonical as error:
        raise IntegrityBroken("the case has no canonical form") from error
    if current != receipt.basis_hash:
        raise IntegrityBroken("the decision was made about something else than the case holds")


async def require_task_completed(job: JobInput, deps: WorkerDeps, receipt: Receipt) -> None:
    """Raise unless the engine says that this very task was completed in this process instance."""
    task = await deps.user_task_state(receipt.task_key)
    if task is not None:
        if str(task.get("processInstanceKey")) != job.process_instance_key:
            raise IntegrityBroken("the decided task belongs to another process instance")
        if task.get("elementId") != receipt.element_id:
            raise IntegrityBroken("the decided task is of another kind")
        if task.get("state") == "COMPLETED":
            return
    if job.retries > 1 and (task is None or task.get("state") in LAGGING_STATES):
        raise ProviderUnavailable(
            "the engine's search does not show the decided task as completed yet",
            retry_after_ms=SEARCH_LAG_RETRY_MS,
        )
    raise IntegrityBroken("the decided task is not completed")


def require_distinct(
    first: Receipt, second: Receipt | None, *, submitter: str, editors: frozenset[str]
) -> None:
    """Raise unless approvers are neither applicant nor editor, and not each other."""
    approvers = [first.person] if second is None else [first.person, second.person]
    if any(not person or person == submitter or person in editors for person in approvers):
        raise IntegrityBroken("somebody approved an application of their own making")
    if len(set(approvers)) != len(approvers):
        raise IntegrityBroken("one person gave both approvals")


def editors_of(job: JobInput) -> frozenset[str]:
    """Return everybody who changed the application. Raises `IntegrityBroken` for another shape."""
    editors = job.variables.get("editors")
    if not isinstance(editors, list) or not all(isinstance(person, str) for person in editors):
        raise IntegrityBroken("the list of editors is not readable")
    return frozenset(editors)


def review_element_of(decisions: list[Decided]) -> str:
    """Return the kind of task that the latest decision was made in."""
    if not decisions:
        raise IntegrityBroken("nobody decided anything")
    element_id = decisions[-1].receipt.element_id
    if element_id not in tasks.ADVISOR_TASKS:
        raise IntegrityBroken("a decision was made in a task that decides nothing")
    return element_id


def _quoted_day(text: object, today: date) -> date:
    try:
        day = date.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        day = None
    if day is None or day > today:
        raise IntegrityBroken("the quote names no possible day")
    return day


def _too_old(day: date, deps: WorkerDeps) -> bool:
    """Old rates are allowed only while nothing newer was ever published (a snapshot that ended)."""
    if (deps.today() - day).days <= RATE_AGE_DAYS_MAX:
        return False
    newest = deps.rates.rate_to_usd("EUR", deps.today())
    return newest is None or newest.day != day

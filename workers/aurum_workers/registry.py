"""The table of service tasks: element, job type, what it reads, writes and throws, and who does it."""

from __future__ import annotations

from aurum.domain import tasks
from aurum_workers import (
    open_account,
    parse_application,
    quote_deposit,
    screen_pep,
    screen_sanctions,
    send_decline,
    tools,
    verify_identity,
    verify_tax_status,
    welcome_customer,
)
from aurum_workers.jobspec import JobSpec, tools_in
from aurum_workers.ports import Handler


def _spec(
    element_id: str, handler: Handler, fetches: str, writes: str, errors: tuple[str, ...] = ()
) -> JobSpec:
    return JobSpec(
        element_id,
        tasks.JOB_TYPES[element_id],
        handler,
        tuple(fetches.split()),
        tuple(writes.split()),
        errors,
    )


_OPEN_ACCOUNT_FETCHES = "caseId submitter editors application checks quote risk route decisions"

REGISTRY: tuple[JobSpec, ...] = (
    _spec(
        tasks.PARSE_APPLICATION,
        parse_application.handle,
        "caseId application",
        "application parsed",
        ("APPLICATION_INVALID",),
    ),
    _spec(
        tasks.VERIFY_IDENTITY,
        verify_identity.handle,
        "application",
        "identityCheck",
        ("DOCUMENT_EXPIRED",),
    ),
    _spec(tasks.VERIFY_TAX_STATUS, verify_tax_status.handle, "application", "taxCheck"),
    _spec(tasks.SCREEN_SANCTIONS, screen_sanctions.handle, "application nameVariants", "sanctionsCheck"),
    _spec(tasks.SCREEN_PEP, screen_pep.handle, "application", "pepCheck"),
    _spec(tasks.QUOTE_DEPOSIT, quote_deposit.handle, "application", "quote"),
    _spec(
        tasks.OPEN_ACCOUNT,
        open_account.handle,
        _OPEN_ACCOUNT_FETCHES,
        "account",
        ("ACCOUNT_REFUSED",),
    ),
    _spec(tasks.WELCOME_CUSTOMER, welcome_customer.handle, "caseId application account", "welcome"),
    _spec(tasks.SEND_DECLINE, send_decline.handle, "caseId application decisions", "declineNotice"),
    *tools_in(tools),
)

BY_JOB_TYPE: dict[str, JobSpec] = {spec.job_type: spec for spec in REGISTRY}


def table() -> str:
    """Return the Markdown table of workers/README.md."""
    lines = ["| task | job type | variables_to_fetch | writes | errors |", "|---|---|---|---|---|"]
    for spec in REGISTRY:
        errors = ", ".join(f"`{code}`" for code in spec.errors) or "none"
        fetches, writes = ", ".join(spec.fetches), ", ".join(spec.writes)
        lines.append(f"| `{spec.element_id}` | `{spec.job_type}` | {fetches} | {writes} | {errors} |")
    return "\n".join(lines)

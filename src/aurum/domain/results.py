"""Which local variables a completed task leaves behind: the names of `docs/process-variables.md`. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Owed:
    """Local variables of one task: those it always leaves and those it may leave."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()


RESULT_VARIABLES: dict[str, Owed] = {
    "parse_application": Owed(("application", "parsed")),
    "collect_checks": Owed(("checks",)),
    "verify_identity": Owed(("identityCheck",)),
    "verify_tax_status": Owed(("taxCheck",)),
    "screen_sanctions": Owed(("sanctionsCheck",)),
    "screen_pep": Owed(("pepCheck",)),
    "quote_deposit": Owed(("quote",)),
    "advisor_review": Owed(("reviewDecision",)),
    "second_approval": Owed(("approvalDecision",)),
    "provide_information": Owed(("answeredBy",), ("applicationPatch", "answer")),
    "correct_application": Owed(("answeredBy",), ("applicationPatch", "answer")),
    "application_invalid": Owed(("problems",)),
    "document_expired": Owed(("problems",)),
    "account_refused": Owed((), ("refusal",)),
    "open_account": Owed(("account",)),
    "welcome_customer": Owed(("welcome",)),
    "send_decline": Owed(("declineNotice",)),
}
"""Element id -> owed variables. A boundary event owes what the error carried. Business rule tasks are
not here: their decision instance is the result."""

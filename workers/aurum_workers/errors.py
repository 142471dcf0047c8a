"""The BPMN errors that workers throw. Each code equals the one in the process file."""

from __future__ import annotations

from collections.abc import Sequence

from aurum.domain.problems import Problem
from aurum.errors import BpmnError


class ApplicationInvalid(BpmnError):
    """The application cannot be processed as it is; `problems` go back to the customer."""

    error_code = "APPLICATION_INVALID"

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(
            f"{len(problems)} fields to correct",
            variables={"problems": [problem.to_json() for problem in problems]},
        )


class DocumentExpired(BpmnError):
    """The identity document was no longer valid on the day it was checked."""

    error_code = "DOCUMENT_EXPIRED"

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(
            "the identity document has expired",
            variables={"problems": [problem.to_json() for problem in problems]},
        )


class AccountRefused(BpmnError):
    """The ledger does not take this account; a person looks again. `code` is in the reason catalogue."""

    error_code = "ACCOUNT_REFUSED"

    def __init__(self, code: str, ledger: str) -> None:
        super().__init__(
            f"the ledger refused: {code}",
            variables={"refusal": {"code": code, "ledger": ledger, "simulated": True}},
        )


class RateUnavailable(BpmnError):
    """Nobody publishes a rate for these currencies; the agent is told."""

    error_code = "RATE_UNAVAILABLE"

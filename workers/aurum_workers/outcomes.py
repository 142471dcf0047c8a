"""What a job ends with: the one command for each way a handler can end. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, assert_never

from aurum.errors import BpmnError, EngineUnavailable, IntegrityBroken, ProviderUnavailable

BACKOFF_FIRST_MS = 1_000
BACKOFF_MAX_MS = 30_000
RETRIES_DECLARED = 3
"""Retries in the process file; used only to see how often a job has failed already."""

ENGINE_RETRY_MS = 2_000


@dataclass(frozen=True, slots=True)
class Complete:
    """The work is done."""

    variables: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Throw:
    """A modelled outcome: the process continues at the boundary event."""

    error_code: str
    message: str
    variables: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fail:
    """Not done. With `retries` 0 the engine raises an incident at once."""

    message: str
    retries: int
    backoff_ms: int


Outcome = Complete | Throw | Fail


def outcome_of(error: Exception, *, retries: int) -> Throw | Fail:
    """Translate what a handler raised. `retries` is what the activated job had left.

    Messages of unexpected errors are replaced by their type: they may quote a person's data.
    """
    left = max(retries - 1, 0)
    match error:
        case BpmnError():
            return Throw(error.error_code, str(error), dict(error.variables))
        case ProviderUnavailable():
            return Fail(str(error), left, error.retry_after_ms)
        case EngineUnavailable():
            return Fail(str(error), left, ENGINE_RETRY_MS)
        case IntegrityBroken():
            return Fail(f"integrity: {error}", 0, 0)
        case _:
            failed_before = max(RETRIES_DECLARED - retries, 0)
            backoff = min(BACKOFF_FIRST_MS * 2 ** min(failed_before, 10), BACKOFF_MAX_MS)
            return Fail(f"{type(error).__name__} in the worker", left, backoff)


def describe(outcome: Outcome) -> str:
    """Return one word for logs and counters."""
    match outcome:
        case Complete():
            return "completed"
        case Throw():
            return "thrown"
        case Fail():
            return "failed"
        case _:
            assert_never(outcome)

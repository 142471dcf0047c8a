"""Every exception AURUM raises on purpose, and nothing else. Bottom layer.

Values inside, exceptions at the edge: cores answer with unions. An exception from here names a
case that a shell must translate: to a job command, to a problem document, to an exit code.
Messages never contain a person's data; data that code needs sits in attributes.
"""

from __future__ import annotations


class AurumError(Exception):
    """Root of the deliberate errors."""


class BpmnError(AurumError):
    """A business outcome modelled in the process. Never retried.

    `error_code` equals the code in the `.bpmn`; `variables` travel to the catching event.
    """

    error_code: str = ""

    def __init__(self, message: str, *, variables: dict[str, object] | None = None) -> None:
        super().__init__(message)
        self.variables: dict[str, object] = variables or {}


class ProviderUnavailable(AurumError):
    """Something outside did not answer; trying later may help."""

    def __init__(self, message: str, *, retry_after_ms: int = 5_000) -> None:
        super().__init__(message)
        self.retry_after_ms = retry_after_ms


class CommandRejected(AurumError):
    """The engine refused a command.

    `rejection_type` is one of INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, INVALID_STATE,
    PROCESSING_ERROR, EXCEEDED_BATCH_RECORD_SIZE.
    """

    def __init__(self, rejection_type: str, reason: str) -> None:
        super().__init__(f"{rejection_type}: {reason}")
        self.rejection_type = rejection_type
        self.reason = reason


class EngineUnavailable(AurumError):
    """The engine could not be reached or was too busy; the outcome of the command is unknown."""


class NotPermitted(AurumError):
    """This person sees the object but may not do this to it."""


class IntegrityBroken(AurumError):
    """Evidence does not hold: a receipt, a signature or a recomputation disagrees. Never retried."""


class StreamClosed(AurumError):
    """The hub ended this subscription."""

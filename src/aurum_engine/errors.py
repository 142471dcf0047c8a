"""What the engine raises at its edge, and nothing else.

`Rejection` is the answer "no" to one command: nothing was changed. The other
errors concern the engine as a whole: a log that is damaged or in use, one that
cannot be written for now, or an engine that stopped and must be opened again.
"""

from __future__ import annotations

from enum import StrEnum


class RejectionType(StrEnum):
    """Zeebe's rejection types, by name."""

    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    NOT_FOUND = "NOT_FOUND"
    ALREADY_EXISTS = "ALREADY_EXISTS"
    INVALID_STATE = "INVALID_STATE"
    FORBIDDEN = "FORBIDDEN"
    PROCESSING_ERROR = "PROCESSING_ERROR"
    EXCEEDED_BATCH_RECORD_SIZE = "EXCEEDED_BATCH_RECORD_SIZE"


class EngineError(Exception):
    """Base of everything the engine raises on purpose."""


class Rejection(EngineError):
    """A command was refused; the state is as before. `reason` is one English sentence for the caller."""

    def __init__(self, rejection_type: RejectionType, reason: str) -> None:
        super().__init__(f"{rejection_type}: {reason}")
        self.rejection_type = rejection_type
        self.reason = reason


class EngineStopped(EngineError):
    """The engine carries out no commands: it was closed, or stopped itself. Nothing was changed."""

    def again(self) -> EngineStopped:
        """Return an equal error, so that each caller raises one with a traceback of its own."""
        return EngineStopped(str(self))


class LogNotWritable(EngineStopped):
    """The log cannot be written at the moment, so commands are refused; reading goes on.

    `is_full`: there is no space left. The engine tries again by itself, so callers may as well.
    """

    def __init__(self, reason: str, *, is_full: bool = False) -> None:
        super().__init__(reason)
        self.is_full = is_full

    def again(self) -> LogNotWritable:
        """Return an equal error."""
        return LogNotWritable(str(self), is_full=self.is_full)


class EngineBusy(EngineError):
    """Too many callers wait already. Nothing was done; the same call may be made again a little later."""


class LogLocked(EngineError):
    """Another process holds the log; two writers on one log would destroy it."""


class LogCorrupt(EngineError):
    """A record of the log fails its checksum, is missing, or has an unknown form."""


REFUSALS = (Rejection, EngineStopped, EngineBusy)
"""What any command may meet, and both surfaces translate."""


def invalid_argument(reason: str) -> Rejection:
    """Return an INVALID_ARGUMENT rejection."""
    return Rejection(RejectionType.INVALID_ARGUMENT, reason)


def not_found(reason: str) -> Rejection:
    """Return a NOT_FOUND rejection."""
    return Rejection(RejectionType.NOT_FOUND, reason)


def invalid_state(reason: str) -> Rejection:
    """Return an INVALID_STATE rejection."""
    return Rejection(RejectionType.INVALID_STATE, reason)


def forbidden(reason: str) -> Rejection:
    """Return a FORBIDDEN rejection. Its reason names no person."""
    return Rejection(RejectionType.FORBIDDEN, reason)


def already_exists(reason: str) -> Rejection:
    """Return an ALREADY_EXISTS rejection."""
    return Rejection(RejectionType.ALREADY_EXISTS, reason)

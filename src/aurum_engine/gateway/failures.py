"""What goes wrong in a call, as one exception with a gRPC status, for the socket and in-process alike."""

from __future__ import annotations

from typing import Any

import grpc
import orjson

from aurum_engine.errors import EngineBusy, EngineStopped, LogNotWritable, Rejection, RejectionType
from aurum_engine.surface import DEFAULT_TENANT

_STATUS = {
    RejectionType.INVALID_ARGUMENT: grpc.StatusCode.INVALID_ARGUMENT,
    RejectionType.NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    RejectionType.ALREADY_EXISTS: grpc.StatusCode.ALREADY_EXISTS,
    RejectionType.INVALID_STATE: grpc.StatusCode.FAILED_PRECONDITION,
    RejectionType.FORBIDDEN: grpc.StatusCode.PERMISSION_DENIED,
    RejectionType.PROCESSING_ERROR: grpc.StatusCode.INTERNAL,
    RejectionType.EXCEEDED_BATCH_RECORD_SIZE: grpc.StatusCode.INTERNAL,
}


class CallFailed(Exception):
    """A call ends with a status other than OK. `details` is one sentence for the caller."""

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        super().__init__(f"{code.name}: {details}")
        self.code = code
        self.details = details


def failure_of(error: Rejection | EngineStopped | EngineBusy) -> CallFailed:
    """Return the gRPC form of what the engine raised.

    RESOURCE_EXHAUSTED is gRPC's own word for "the file system is out of space", and pyzeebe waits and
    tries again, as for back-pressure. Any other failure of the log is UNAVAILABLE.
    """
    if isinstance(error, Rejection):
        return CallFailed(_STATUS[error.rejection_type], error.reason)
    if isinstance(error, EngineBusy) or (isinstance(error, LogNotWritable) and error.is_full):
        return CallFailed(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
    return CallFailed(grpc.StatusCode.UNAVAILABLE, str(error))


def invalid(details: str) -> CallFailed:
    """Return an INVALID_ARGUMENT failure."""
    return CallFailed(grpc.StatusCode.INVALID_ARGUMENT, details)


def document(text: str) -> dict[str, Any]:
    """Return the variables of a request: a JSON object as text; nothing at all is an empty one."""
    if not text:
        return {}
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise invalid(f"expected the variables to be JSON, but: {error}") from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise invalid("expected the variables to be a JSON object")
    return value


def check_tenants(*tenant_ids: str) -> None:
    """Refuse every tenant but the default one."""
    for tenant_id in tenant_ids:
        if tenant_id not in {"", DEFAULT_TENANT}:
            raise invalid(f"expected tenant '{DEFAULT_TENANT}', but got '{tenant_id}'; there is no tenancy")

"""The JSON of a job's result. Explicit, so that nothing is ever "not serialisable" after the work is done.

pyzeebe serialises after the handler and, when that fails, neither completes nor fails the job: it
would run again for ever. So results are made plain here, where an error is still an error of the job.
"""

import math
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import orjson

VARIABLE_BYTES_MAX = 65_536
"""Budget of one process variable. Larger ones slow the engine for everybody."""


class ResultUnfit(TypeError):
    """A handler returned something that cannot be a process variable. A bug, not an outcome."""


def to_wire(result: Mapping[str, object], *, allowed: tuple[str, ...]) -> dict[str, Any]:
    """Return the result as plain JSON values: Decimal, dates and UUID become text.

    Raises `ResultUnfit` unless the names are exactly `allowed` and every value fits the budget. A
    worker that returned what it has read would overwrite what parallel branches wrote meanwhile.
    """
    if set(result) != set(allowed):
        raise ResultUnfit(f"returned {sorted(result)!r} instead of {sorted(allowed)!r}")
    plain = {name: _plain(value) for name, value in result.items()}
    for name, value in plain.items():
        if len(orjson.dumps(value)) > VARIABLE_BYTES_MAX:
            raise ResultUnfit(f"variable {name!r} is larger than {VARIABLE_BYTES_MAX} bytes")
    return plain


def _plain(value: object) -> Any:
    match value:
        case None | bool() | str():
            return value
        case int():
            if abs(value) >= 2**63:
                raise ResultUnfit("an integer is beyond 64 bits")
            return value
        case float():
            if not math.isfinite(value):
                raise ResultUnfit("a number is not finite")
            return value
        case Decimal():
            return format(value, "f")
        case datetime() | date():
            return value.isoformat()
        case UUID():
            return str(value)
        case Mapping():
            if not all(isinstance(key, str) for key in value):
                raise ResultUnfit("a key is not text")
            return {key: _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case _:
            raise ResultUnfit(f"a {type(value).__name__} is no process variable")

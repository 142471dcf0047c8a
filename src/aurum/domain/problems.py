"""What is wrong with submitted data: where (JSON pointer) and why (code). Never the value itself.

An unknown member is reported at its parent, because even its name came from outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError

_CODES = {
    "missing": "REQUIRED",
    "extra_forbidden": "UNKNOWN_FIELD",
    "string_too_long": "TOO_LONG",
    "string_too_short": "TOO_SHORT",
    "too_long": "TOO_MANY",
    "too_short": "TOO_FEW",
    "literal_error": "NOT_ALLOWED",
    "string_type": "NOT_TEXT",
    "string_unicode": "NOT_ALLOWED_CHARACTERS",
    "string_pattern_mismatch": "NOT_ALLOWED_CHARACTERS",
    "int_type": "NOT_A_NUMBER",
    "bool_type": "NOT_A_YES_OR_NO",
    "list_type": "NOT_A_LIST",
    "model_type": "NOT_AN_OBJECT",
    "model_attributes_type": "NOT_AN_OBJECT",
    "greater_than_equal": "OUT_OF_RANGE",
    "less_than_equal": "OUT_OF_RANGE",
}


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing to correct. `field` is a JSON pointer into the application, `""` is the whole."""

    field: str
    code: str

    def to_json(self) -> dict[str, str]:
        """Return `{"field": ..., "code": ...}` as in the `problems` variable."""
        return {"field": self.field, "code": self.code}


def problems_from(error: ValidationError, *, prefix: tuple[str, ...] = ()) -> list[Problem]:
    """Translate pydantic's errors. Their input, context and messages are dropped unread."""
    found = []
    for entry in error.errors(include_url=False, include_context=False, include_input=False):
        kind, where = entry["type"], (*prefix, *entry["loc"])
        if kind == "extra_forbidden":
            where = where[:-1]
        code = _CODES.get(kind, kind if kind.isupper() else "INVALID")
        found.append(Problem(pointer(where), code))
    return found


def pointer(where: Sequence[str | int]) -> str:
    """Return the RFC 6901 pointer of a path."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in where)

"""The 40-field application record: its shape, and one function that accepts or explains.

`parse_application` looks at everything before it answers: every field on its own, then the rules
between fields that are valid so far (`application_rules`). It returns a `ParsedApplication` or all
problems at once as `{field: JSON pointer, code}`. It never raises for any JSON value and never
repeats a value or an unknown field's name.

An expired document is *not* a problem here: the identity check says so on the day it looks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import TypeAdapter, ValidationError

from aurum.domain.application_model import Application
from aurum.domain.application_rules import cross_field_problems, warnings_about
from aurum.domain.canonical import NotCanonical, canonical_json, digest
from aurum.domain.problems import Problem, problems_from

APPLICATION_BYTES_MAX = 32_768
"""Submitted JSON. A full record with ten owners is about 8 KB; the snapshot budget is 32 KB."""

PROBLEMS_MAX = 50
"""More would not help anybody to correct a form."""

DERIVED_FIELDS = frozenset({"initialDepositUsd"})
"""Computed by the bank (the quote). Read for the count, never believed, never stored."""

UNHASHED_FIELDS = frozenset({"hash", "signature"}) | DERIVED_FIELDS

_ADAPTERS: Mapping[str, TypeAdapter[Any]] = {
    info.alias or name: TypeAdapter(info.rebuild_annotation())
    for name, info in Application.model_fields.items()
}
_REQUIRED = frozenset(
    info.alias or name for name, info in Application.model_fields.items() if info.is_required()
)

FIELDS: tuple[str, ...] = (*_ADAPTERS, *sorted(DERIVED_FIELDS))
"""The 40 field names on the wire."""


@dataclass(frozen=True, slots=True)
class ParsedApplication:
    """An accepted application. `record` is normalised JSON without derived fields, with `hash`."""

    record: dict[str, Any]
    fields_parsed: int
    warnings: tuple[str, ...]

    @property
    def hash(self) -> str:
        """`sha256:<hex>` that every check and decision refers to."""
        return str(self.record["hash"])


def parse_application(submitted: object, *, today: date) -> ParsedApplication | tuple[Problem, ...]:
    """Return the normalised record, or every problem found (never an empty tuple).

    `today` is the bank's calendar day. A `hash` from an earlier round is ignored and made anew.
    """
    if not isinstance(submitted, dict):
        return (Problem("", "NOT_AN_OBJECT"),)
    if (code := _unmeasurable(submitted)) is not None:
        return (Problem("", code),)
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    if any(key not in _ADAPTERS and key not in UNHASHED_FIELDS for key in submitted):
        problems.append(Problem("", "UNKNOWN_FIELD"))
    for name, adapter in _ADAPTERS.items():
        if submitted.get(name) is None:
            if name in _REQUIRED:
                problems.append(Problem(f"/{name}", "REQUIRED"))
            continue
        try:
            values[name] = adapter.validate_python(submitted[name])
        except ValidationError as error:
            problems.extend(problems_from(error, prefix=(name,)))
    problems.extend(_unreadable_ignored(submitted))
    problems.extend(cross_field_problems(values, today=today))
    if problems:
        return tuple(dict.fromkeys(problems))[:PROBLEMS_MAX]
    return _accepted(submitted, values)


def application_schema() -> dict[str, Any]:
    """Return the JSON Schema of a submission, for forms. Rules between fields are not in it."""
    return Application.model_json_schema(by_alias=True, mode="validation")


def application_hash(record: Mapping[str, Any]) -> str:
    """Return the hash of a normalised record, whatever `hash` it claims. Raises `NotCanonical`."""
    return digest({name: value for name, value in record.items() if name not in UNHASHED_FIELDS})


def _unreadable_ignored(submitted: Mapping[str, Any]) -> Iterator[Problem]:
    """Fields that are not believed must still be JSON: whoever hashes the submission relies on it."""
    for name in sorted(UNHASHED_FIELDS - {"signature"}):
        try:
            canonical_json(submitted.get(name))
        except NotCanonical:
            yield Problem(f"/{name}", "INVALID")


def _accepted(submitted: Mapping[str, Any], values: dict[str, Any]) -> ParsedApplication:
    record = {
        name: _ADAPTERS[name].dump_python(value, mode="json", by_alias=True, exclude_none=True)
        for name, value in values.items()
    }
    hashed = application_hash(record)
    warnings = warnings_about(values, application_hash=hashed)
    count = sum(1 for name in FIELDS if submitted.get(name) is not None)
    return ParsedApplication({**record, "hash": hashed}, count, warnings)


def _unmeasurable(submitted: Mapping[str, Any]) -> str | None:
    """Return the code for input whose size is too large, or that is not JSON at all."""
    try:
        return "TOO_LARGE" if len(json.dumps(submitted)) > APPLICATION_BYTES_MAX else None
    except RecursionError:
        return "TOO_LARGE"
    except (TypeError, ValueError):
        return "INVALID"

"""Job `parse-application`: normalise, validate, hash. Every edit by a person comes through here again."""

from __future__ import annotations

from typing import Any

from aurum.domain.application import ParsedApplication
from aurum.domain.application import parse_application as parse
from aurum_workers.errors import ApplicationInvalid
from aurum_workers.ports import JobInput, WorkerDeps


async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `application` (with `hash`) and `parsed`. Throws APPLICATION_INVALID with `problems`."""
    parsed = parse(job.variables.get("application"), today=deps.today())
    if not isinstance(parsed, ParsedApplication):
        raise ApplicationInvalid(parsed)
    return {
        "application": parsed.record,
        "parsed": {"fieldsParsed": parsed.fields_parsed, "warnings": list(parsed.warnings)},
    }

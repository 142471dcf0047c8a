"""Job `verify-identity`: document, machine zone and dates agree? Throws when the document has expired."""

from __future__ import annotations

from typing import Any

from aurum.domain.identity import expired_problems, verify_identity
from aurum_workers.errors import DocumentExpired
from aurum_workers.ports import JobInput, WorkerDeps


async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `identityCheck`. Throws DOCUMENT_EXPIRED with `problems`."""
    application = job.application()
    if problems := expired_problems(application, today=deps.today()):
        raise DocumentExpired(problems)
    return {
        "identityCheck": verify_identity(application, today=deps.today(), as_of=deps.now_text()).to_json()
    }

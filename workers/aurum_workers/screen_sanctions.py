"""Job `screen-sanctions`: all names on file, and any further spelling given, against the sanctions list."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from aurum.domain.screening import screen_sanctions
from aurum_workers.ports import JobInput, WorkerDeps

VARIANTS_MAX = 8
"""Further spellings taken: with the eleven names of a full record still below the screening's own limit."""

VARIANT_LENGTH_MAX = 120
"""Characters of a spelling, as of any name on file."""


async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `sanctionsCheck`. `nameVariants` only add names; anything that is no name is ignored."""
    listed = deps.sanctions
    # A published list has some 18,000 persons: tenths of a second that would stop every other job.
    check = await asyncio.to_thread(
        screen_sanctions,
        job.application(),
        listed.entries,
        as_of=deps.now_text(),
        source=listed.source,
        name_variants=name_variants(job.variables.get("nameVariants")),
    )
    return {"sanctionsCheck": replace(check, simulated=listed.simulated).to_json()}


def name_variants(given: object) -> tuple[str, ...]:
    """Return the usable further spellings, at most `VARIANTS_MAX`, in the given order."""
    if not isinstance(given, list):
        return ()
    names = [" ".join(name.split()) for name in given if isinstance(name, str)]
    usable = [name for name in names if 0 < len(name) <= VARIANT_LENGTH_MAX]
    return tuple(dict.fromkeys(usable))[:VARIANTS_MAX]

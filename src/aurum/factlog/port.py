"""What every fact log promises.

Facts of one case have dense indexes from 1 in append order. Appending is idempotent by `fact_id`:
a fact that is already there is skipped, whatever its content. When `append` returns, the new facts
are durable. The `incarnation` is a random text made with the log; a lost, restored or emptied log
has another one, so that a position of the old log is never taken for one of the new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from aurum.facts.vocabulary import Fact
from aurum.keys import CaseId


@dataclass(frozen=True, slots=True)
class LoggedFact:
    """A fact at its place: `index` is dense from 1 per case, `logged_ms` is when it was appended."""

    index: int
    logged_ms: int
    fact: Fact


class FactLog(Protocol):
    """An append-only log of facts per case."""

    @property
    def incarnation(self) -> str:
        """Random text that changes whenever history may have been lost."""
        ...

    async def append(self, case_id: CaseId, facts: Sequence[Fact], *, now_ms: int) -> list[LoggedFact]:
        """Append what is new, in the given order, and return it once it is durable."""
        ...

    async def read_after(self, case_id: CaseId, index: int) -> list[LoggedFact]:
        """Return all facts of the case with a greater index, in order; empty for an unknown case."""
        ...

    async def cases(self) -> list[CaseId]:
        """Return every case that has facts."""
        ...

    async def close(self) -> None:
        """Finish pending appends and release the store."""
        ...

"""Fact log in memory: for tests and for a throw-away demo. Loses everything with the process."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from aurum.factlog.port import LoggedFact
from aurum.facts.vocabulary import Fact
from aurum.keys import CaseId


class MemoryFactLog:
    """`FactLog` over dictionaries."""

    def __init__(self, incarnation: str | None = None) -> None:
        self._incarnation = incarnation or secrets.token_hex(8)
        self._facts: dict[CaseId, list[LoggedFact]] = {}
        self._seen: dict[CaseId, set[str]] = {}

    @property
    def incarnation(self) -> str:
        """Random text that changes whenever history may have been lost."""
        return self._incarnation

    async def append(self, case_id: CaseId, facts: Sequence[Fact], *, now_ms: int) -> list[LoggedFact]:
        """Append what is new, in the given order."""
        kept, seen = self._facts.setdefault(case_id, []), self._seen.setdefault(case_id, set())
        new: list[LoggedFact] = []
        for fact in facts:
            if fact.fact_id not in seen:
                seen.add(fact.fact_id)
                new.append(LoggedFact(index=len(kept) + len(new) + 1, logged_ms=now_ms, fact=fact))
        kept.extend(new)
        return new

    async def read_after(self, case_id: CaseId, index: int) -> list[LoggedFact]:
        """Return all facts of the case with a greater index, in order."""
        return self._facts.get(case_id, [])[max(index, 0) :]

    async def cases(self) -> list[CaseId]:
        """Return every case that has facts."""
        return [case_id for case_id, facts in self._facts.items() if facts]

    async def close(self) -> None:
        """Nothing to release."""

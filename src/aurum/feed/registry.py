"""Which case is which process instance, and whose it is. Server-side facts, never a client's word.

Filled from the log at start-up, by the BFF when it starts a case, and by the poller when it finds
an instance that nobody has told it about.
"""

from __future__ import annotations

from dataclasses import dataclass

from aurum.keys import CaseId, PersonId


@dataclass(frozen=True, slots=True)
class CaseEntry:
    """One case: its public id, the engine's key, the person who submitted it."""

    case_id: CaseId
    process_instance_key: str
    submitter: PersonId


class CaseRegistry:
    """All known cases, both ways round."""

    def __init__(self) -> None:
        self._by_case: dict[CaseId, CaseEntry] = {}
        self._by_instance: dict[str, CaseEntry] = {}

    def put(self, entry: CaseEntry) -> None:
        """Add a case; saying the same again changes nothing."""
        self._by_case[entry.case_id] = entry
        self._by_instance[entry.process_instance_key] = entry

    def by_case(self, case_id: str) -> CaseEntry | None:
        """Return the case, or None."""
        return self._by_case.get(CaseId(case_id))

    def by_instance(self, process_instance_key: str) -> CaseEntry | None:
        """Return the case of a process instance, or None."""
        return self._by_instance.get(process_instance_key)

    def of_submitter(self, person: str) -> list[CaseEntry]:
        """Return the person's own cases, oldest first."""
        return [entry for entry in self._by_case.values() if entry.submitter == person]

    def all(self) -> list[CaseEntry]:
        """Return every case, oldest first: engine keys ascend with time."""
        return sorted(self._by_case.values(), key=lambda entry: int(entry.process_instance_key))

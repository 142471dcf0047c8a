"""The sole appender: everything that enters a fact log goes through `Inbox.accept`.

One lock and one sequencer per case. A frame leaves only after its fact is committed, because
listeners are called with what the log has acknowledged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from aurum.clock import Clock
from aurum.factlog.port import FactLog, LoggedFact
from aurum.facts.vocabulary import Fact, InstanceEnded, InstanceStarted
from aurum.feed.registry import CaseEntry, CaseRegistry
from aurum.feed.sequencer import Sequencer
from aurum.keys import CaseId, PersonId

Listener = Callable[[CaseId, Sequence[LoggedFact]], None]


class Inbox:
    """Orders and appends facts, and tells listeners what was appended."""

    def __init__(self, log: FactLog, registry: CaseRegistry, clock: Clock) -> None:
        self._log = log
        self._registry = registry
        self._clock = clock
        self._sequencers: dict[CaseId, Sequencer] = {}
        self._locks: dict[CaseId, asyncio.Lock] = {}
        self._listeners: list[Listener] = []
        self._ended: set[CaseId] = set()

    def listen(self, listener: Listener) -> None:
        """Call `listener(case_id, logged)` after each durable append, in order per case."""
        self._listeners.append(listener)

    async def load(self) -> None:
        """Read which cases the log knows. Call once, before anything else."""
        for case_id in await self._log.cases():
            for entry in await self._log.read_after(case_id, 0):
                if isinstance(entry.fact, InstanceStarted):
                    self._register(case_id, entry.fact)
                elif isinstance(entry.fact, InstanceEnded):
                    self._ended.add(case_id)

    def is_ended(self, case_id: CaseId) -> bool:
        """Has the end of this case been logged?"""
        return case_id in self._ended

    async def knows(self, case_id: CaseId, fact_id: str) -> bool:
        """Has this fact been appended?"""
        async with self._lock(case_id):
            return (await self._sequencer(case_id)).knows(fact_id)

    async def accept(self, case_id: CaseId, facts: Sequence[Fact]) -> list[LoggedFact]:
        """Append what is new and ready; returns it after the commit. Held facts go later."""
        async with self._lock(case_id):
            sequencer = await self._sequencer(case_id)
            ready = sequencer.offer(facts, self._clock.now_ms())
            if not ready:
                return []
            try:
                logged = await self._log.append(case_id, ready, now_ms=self._clock.now_ms())
            except BaseException:
                # The sequencer believes these are appended; forget it so that the next look tries again.
                self._sequencers.pop(case_id, None)
                raise
            for entry in logged:
                if isinstance(entry.fact, InstanceStarted):
                    self._register(case_id, entry.fact)
                elif isinstance(entry.fact, InstanceEnded):
                    self._ended.add(case_id)
            for listener in self._listeners:
                listener(case_id, logged)
            return logged

    async def read(self, case_id: CaseId, *, after: int = 0) -> list[LoggedFact]:
        """Return every logged fact of the case with an index greater than `after`, in order."""
        return await self._log.read_after(case_id, after)

    async def holds(self, case_id: CaseId) -> bool:
        """Is a fact of this case waiting for its prerequisites?"""
        async with self._lock(case_id):
            return (await self._sequencer(case_id)).next_due_ms() is not None

    def _register(self, case_id: CaseId, fact: InstanceStarted) -> None:
        self._registry.put(CaseEntry(case_id, fact.process_instance_key, PersonId(fact.submitter)))

    def _lock(self, case_id: CaseId) -> asyncio.Lock:
        return self._locks.setdefault(case_id, asyncio.Lock())

    async def _sequencer(self, case_id: CaseId) -> Sequencer:
        sequencer = self._sequencers.get(case_id)
        if sequencer is None:
            sequencer = Sequencer(entry.fact for entry in await self._log.read_after(case_id, 0))
            self._sequencers[case_id] = sequencer
        return sequencer

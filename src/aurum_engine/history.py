"""A log folded into a state: from the newest good snapshot on, or from the first record.

Rule 1: what is damaged is named, and never used. A call tree with a damaged record is quarantined; a
deployment that is damaged, or a record whose damage cannot be attributed, raises LogCorrupt.
Rule 2: records of the first release have no links; they are made while folding, and stored once.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Sequence

from aurum_engine.core.capture import Capture, open_snapshot
from aurum_engine.core.codec import UnknownEvent, decode_step
from aurum_engine.core.events import Event
from aurum_engine.core.links import Links, decode_links, digest, next_value
from aurum_engine.core.processor import Processor
from aurum_engine.core.records import Damage
from aurum_engine.core.snapshot_rows import SnapshotUnreadable
from aurum_engine.errors import LogCorrupt
from aurum_engine.log.record import Log, Record, StoredSnapshot

logger = logging.getLogger(__name__)

LINKS_AT_ONCE = 10_000
"""Records lifted to the new form in one transaction, when a log of the first release is opened."""


class History:
    """The state of one engine and how it came to be; grows record by record."""

    def __init__(self, *, business_id_unique: bool = True) -> None:
        self._business_id_unique = business_id_unique
        self.processor = Processor(business_id_unique=business_id_unique)
        """The state."""
        self.chains: dict[int, bytes] = {}
        """The chain value of each call tree."""
        self.position = 0
        """The newest record that is folded in."""
        self.at_ms = 0
        """Its time."""
        self.snapshot_position = 0
        """The snapshot it began with; 0 for none."""
        self.unlinked: list[tuple[int, bytes]] = []
        """Links that records should have had."""

    def load(self, log: Log) -> None:
        """Fold a log; without cycle collection, since everything made here stays. Raises LogCorrupt."""
        collecting = gc.isenabled()
        gc.disable()
        try:
            for snapshot in log.snapshots():
                if self.begin_with(snapshot):
                    break
            for record in log.read_from(self.position + 1):
                self.take(record)
                if len(self.unlinked) >= LINKS_AT_ONCE:
                    self._store_links(log)
            self._store_links(log)
        finally:
            if collecting:
                gc.enable()

    def _store_links(self, log: Log) -> None:
        if self.unlinked:
            log.add_links(self.unlinked)
            self.unlinked = []

    def begin_with(self, snapshot: StoredSnapshot) -> bool:
        """Take over the state of a snapshot. Returns False, loudly and unchanged, for a damaged one."""
        fault = snapshot.fault
        if not fault:
            try:
                state, chains, position = open_snapshot(snapshot.head, snapshot.chunks)
            except (SnapshotUnreadable, ValueError, TypeError, LookupError) as error:
                fault = f"it cannot be read: {error!r}"
        if fault:
            logger.error("the snapshot after record %d is passed over: %s", snapshot.position, fault)
            return False
        self.processor = Processor(state, business_id_unique=self._business_id_unique)
        self.chains, self.position, self.snapshot_position = chains, position, position
        return True

    def take(self, record: Record) -> None:
        """Fold in a stored record. Raises LogCorrupt."""
        links = _links(record)
        if record.fault:
            self._lose(record, links)
        else:
            self.at_ms = record.at_ms
            self._fold(record, links)
        self.position = record.position

    def add(self, position: int, at_ms: int, payload: bytes, events: Sequence[Event]) -> Record:
        """Return the record of events that were just applied, linked to what was before."""
        links = self.processor.link(events, at_ms, self.chains, digest(position, at_ms, payload))
        self.position, self.at_ms = position, at_ms
        return Record(position, at_ms, payload, links.encode())

    def capture(self) -> Capture:
        """Begin a snapshot of the state as it is now."""
        return self.processor.capture(self.chains, self.position, self.at_ms)

    def _fold(self, record: Record, links: Links | None) -> None:
        try:
            events = decode_step(record.payload)
        except (UnknownEvent, ValueError, TypeError) as error:
            raise LogCorrupt(f"record {record.position} cannot be read: {error}") from error
        known = digest(record.position, record.at_ms, record.payload)
        if links is not None:
            broken = [
                root for root, value in links.chain if next_value(self.chains.get(root), known) != value
            ]
            if broken:
                self._quarantine(record.position, "it does not continue the chain of hashes", broken)
            self.chains.update(links.chain)
            self.processor.replay(events, record.at_ms)
            return
        self.processor.replay(events, record.at_ms)
        made = self.processor.link(events, record.at_ms, self.chains, known)
        self.unlinked.append((record.position, made.encode()))

    def _lose(self, record: Record, links: Links | None) -> None:
        where = f"record {record.position} is damaged ({record.fault})"
        if links is None:
            raise LogCorrupt(f"{where}, and what it concerns is not known")
        if links.defines:
            raise LogCorrupt(f"{where}, and it holds a deployment")
        logger.error("%s; quarantined: %s", where, [root for root, _ in links.chain])
        self.chains.update(links.chain)
        self.processor.lose(links, Damage(record.position, record.fault))

    def _quarantine(self, position: int, fault: str, roots: Sequence[int]) -> None:
        logger.error("record %d is damaged (%s); quarantined: %s", position, fault, roots)
        self.processor.quarantine(roots, Damage(position, fault), self.at_ms)


def _links(record: Record) -> Links | None:
    """Return the links of a record; None when it has none that can be read."""
    if not record.links:
        return None
    try:
        return decode_links(record.links)
    except (ValueError, TypeError) as error:
        logger.error("the links of record %d cannot be read and are made anew: %s", record.position, error)
        return None

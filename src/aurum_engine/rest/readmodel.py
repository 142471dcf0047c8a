"""What searches see: the engine's state as it was `lag_ms` ago, like Camunda's secondary storage.

`Tape` wraps a log and keeps what was stored until it is old enough; `ReadModel` folds it, with the
engine's own appliers, into a second state. So all kinds of things are seen as of one moment, and
what is seen is durable. With no lag there is no second state: searches read the engine's own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from aurum_engine.clock import Clock
from aurum_engine.core.state import StateView
from aurum_engine.history import History
from aurum_engine.log.record import Log, Record, StoredSnapshot
from aurum_engine.service import EngineService


class Tape:
    """A log that remembers, in order, what went through it and was not taken yet."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._records: deque[Record] = deque()  # Appended by the log's thread, taken by the event loop.
        self._noted = 0
        self.base: StoredSnapshot | None = None
        """The snapshot with which the engine began; the records go on from it."""

    def append(self, batch: Sequence[Record]) -> None:
        """Store records; they can be taken only once they are stored."""
        self._log.append(batch)
        for record in batch:
            self._note(record)

    def _note(self, record: Record) -> None:
        if record.position > self._noted:
            self._noted = record.position
            self._records.append(record)

    def read_from(self, position: int) -> Iterator[Record]:
        """Yield stored records; those of the first reading, the replay, can be taken as well."""
        for record in self._log.read_from(position):
            self._note(record)
            yield record

    def first_position(self) -> int:
        """Return the oldest position."""
        return self._log.first_position()

    def add_links(self, links: Sequence[tuple[int, bytes]]) -> None:
        """Store links of old records."""
        self._log.add_links(links)

    def write_chunk(self, position: int, number: int, chunk: bytes) -> None:
        """Store a part of a snapshot."""
        self._log.write_chunk(position, number, chunk)

    def complete_snapshot(self, position: int, head: bytes, *, keep_records: int | None) -> None:
        """Store the head of a snapshot."""
        self._log.complete_snapshot(position, head, keep_records=keep_records)

    def snapshots(self) -> Iterator[StoredSnapshot]:
        """Yield the snapshots, and remember the one at which the caller stopped: he begins with it."""
        for snapshot in self._log.snapshots():
            self.base = snapshot
            yield snapshot
        self.base = None

    def last_position(self) -> int:
        """Return the newest position."""
        return self._log.last_position()

    def checkpoint(self) -> None:
        """Tidy up."""
        self._log.checkpoint()

    def reopen(self) -> None:
        """Make the log writable again."""
        self._log.reopen()

    def close(self) -> None:
        """Release the log."""
        self._log.close()

    def take_until(self, at_ms: int) -> Iterator[Record]:
        """Yield and forget the records that were processed at or before `at_ms`, in log order."""
        while self._records and self._records[0].at_ms <= at_ms:
            yield self._records.popleft()


class ReadModel:
    """The state searches read. `lag_ms` 0 reads the engine's own."""

    def __init__(self, service: EngineService, clock: Clock, *, tape: Tape | None, lag_ms: int) -> None:
        if lag_ms > 0 and tape is None:
            raise ValueError("a lagging read model needs the tape of its engine's log")
        self._service = service
        self._clock = clock
        self._tape = tape
        self._lag_ms = lag_ms
        self._history = History()
        if tape is not None and tape.base is not None:
            self._history.begin_with(tape.base)
            tape.base = None

    def view(self) -> StateView:
        """Return the state of `lag_ms` ago, for reading at once, without waiting in between."""
        if self._tape is None or self._lag_ms <= 0:
            return self._service.view()
        for record in self._tape.take_until(self._clock.now_ms() - self._lag_ms):
            self._history.take(record)
        self._history.unlinked.clear()  # The engine itself has stored them.
        return self._history.processor.view

    @property
    def write_problem(self) -> str | None:
        """Why the engine refuses commands at the moment; None when it does not."""
        return self._service.write_problem

    async def settled(self) -> None:
        """Return once what `view` showed may be told to others, because it is durable.

        Raises EngineStopped, also when only the past was shown: a stopped engine answers nothing.
        """
        await self._service.committed()

"""A process that appends to a log and says `stored N` when record N is acknowledged.

Arguments: the log's file, records to append, and FULL or NORMAL (what SQLite syncs).
"""

from __future__ import annotations

import sys
from pathlib import Path

from aurum_engine.log.record import Record
from aurum_engine.log.sqlite import SqliteLog, Synchronous

CHECKPOINT_EVERY = 16
"""Records between checkpoints, so that several fall into a run."""


def payload(position: int) -> bytes:
    """Return what record `position` holds: of different lengths, over a page now and then."""
    return b"%d:" % position + bytes(position % 251 for _ in range(position * 97 % 6_000))


def main(path: Path, count: int, synchronous: Synchronous) -> None:
    """Append records in batches of one to three."""
    log = SqliteLog(path, synchronous=synchronous)
    position = log.last_position()
    while position < count:
        size = min(1 + position % 3, count - position)
        log.append([Record(n, 1_000 + n, payload(n)) for n in range(position + 1, position + size + 1)])
        position += size
        print(f"stored {position}", flush=True)  # noqa: T201
        if position % CHECKPOINT_EVERY < size:
            log.checkpoint()
    log.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), Synchronous(sys.argv[3]))

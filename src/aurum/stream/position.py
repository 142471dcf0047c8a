"""A place in a stream: `<epoch>.<seq>`. Pure.

`seq` counts frames of one (case, view) and is dense from 1; 0 is "before the first". The epoch
changes whenever the same number could mean another frame: another log, another case, another view,
another projection. Whatever a client sends, the answer is a position or None, never an error.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from aurum.keys import CaseId, View
from aurum.projection import PROJECTION_VERSION

EPOCH_CHARS = 10
"""40 bits of a hash: a client is asked about one epoch at a time, so chance collisions do not matter."""

POSITION_CHARS_MAX = 64
"""Longer texts are garbage and are not parsed."""


@dataclass(frozen=True, slots=True)
class StreamPosition:
    """After the frame `seq` of the stream `epoch`."""

    epoch: str
    seq: int

    def __str__(self) -> str:
        return f"{self.epoch}.{self.seq}"


def epoch_of(incarnation: str, case_id: CaseId, view: View, version: int = PROJECTION_VERSION) -> str:
    """Return the epoch of one view of one case over one log: 10 hex characters."""
    text = f"{incarnation}/{case_id}/{view}/{version}"
    return hashlib.sha256(text.encode()).hexdigest()[:EPOCH_CHARS]


def parse_position(text: str | None) -> StreamPosition | None:
    """Return the position written in a `Last-Event-ID`, or None for anything that is not one."""
    if text is None or len(text) > POSITION_CHARS_MAX or not text.isascii():
        return None
    epoch, dot, seq = text.partition(".")
    if not dot or len(epoch) != EPOCH_CHARS or not seq.isdigit() or (len(seq) > 1 and seq[0] == "0"):
        return None
    return StreamPosition(epoch, int(seq))

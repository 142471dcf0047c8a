"""What a view was after any number of facts, without folding from the first one each time.

A fold goes forward only, so every `CHECKPOINT_EVERY` facts a view is kept (views are immutable and
share what did not change). Facts are masked before they are folded: the past shows an operator no
more than the present does. Folding is done in a thread, one look at a time per view: the first look
at a long case takes longer than an event loop may stand still.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from aurum.factlog.port import LoggedFact
from aurum.facts.vocabulary import Fact
from aurum.feed.inbox import Inbox
from aurum.projection.context import ProjectionContext
from aurum.projection.operator import masked
from aurum.projection.project import initial_view, project
from aurum.projection.view import Frame, ViewState
from aurum.stream.channel import Channel

CHECKPOINT_EVERY = 16
"""Facts between two kept views: at most so many are folded for one look, about 2 ms."""

FOLDS_MAX = 24
"""Pasts kept, one per case and view, the least looked at going first: about 300 kB for a demo case."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A view after `index` of `of` facts; `frames` are what the last of them put out."""

    index: int
    of: int
    fact_id: str | None
    logged_ms: int | None
    view: ViewState
    frames: Sequence[Frame]


class PastFold:
    """The past of one view of one case. It only grows, as the log does."""

    def __init__(self, context: ProjectionContext) -> None:
        self._context = context
        self._facts: list[tuple[Fact, int]] = []
        self._kept = [initial_view(context)]
        self.lock = asyncio.Lock()

    @property
    def length(self) -> int:
        """How many facts are known here."""
        return len(self._facts)

    def extend(self, logged: Sequence[LoggedFact]) -> None:
        """Take in what the log has more; what is known already is skipped."""
        for entry in logged:
            if entry.index == len(self._facts) + 1:
                self._facts.append((masked(entry.fact), entry.logged_ms))

    def at(self, index: int) -> Moment | None:
        """Return the view after `index` facts; None past the end. Index 0 is before anything happened."""
        if index > len(self._facts):
            return None
        if index == 0:
            return Moment(0, len(self._facts), None, None, self._kept[0], ())
        # The last fact is always folded here: its frames are part of the answer.
        start = min((index - 1) // CHECKPOINT_EVERY, len(self._kept) - 1)
        view, frames = self._kept[start], list[Frame]()
        for place in range(start * CHECKPOINT_EVERY, index):
            if place % CHECKPOINT_EVERY == 0 and place // CHECKPOINT_EVERY == len(self._kept):
                self._kept.append(view)
            fact, at_ms = self._facts[place]
            view, frames = project(self._context, view, fact, at_ms)
        fact, at_ms = self._facts[index - 1]
        return Moment(index, len(self._facts), fact.fact_id, at_ms, view, frames)


class PastFolds:
    """The pasts that somebody looked at lately."""

    def __init__(self) -> None:
        self._folds: OrderedDict[str, PastFold] = OrderedDict()

    async def at(self, inbox: Inbox, channel: Channel, index: int) -> Moment | None:
        """Return a moment of the channel's view; None past the last logged fact."""
        key = channel.epoch  # One per (log, case, view, projection): a new log is a new past.
        fold = self._folds.setdefault(key, PastFold(channel.context))
        self._folds.move_to_end(key)
        if len(self._folds) > FOLDS_MAX:
            self._folds.popitem(last=False)
        async with fold.lock:
            fold.extend(await inbox.read(channel.context.case_id, after=fold.length))
            return await asyncio.to_thread(fold.at, index)

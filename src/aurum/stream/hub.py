"""All channels. Builds one from the log when somebody asks, keeps it fed, and lets it go when idle."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from aurum.factlog.port import FactLog, LoggedFact
from aurum.keys import VIEWS, CaseId, View
from aurum.projection.context import ProjectionContext
from aurum.stream.channel import Channel
from aurum.stream.position import epoch_of

IDLE_CHANNELS_MAX = 1_000
"""Channels kept without a reader: about 100 kB each, so 100 MB; an older one is folded again on demand."""


class Hub:
    """Channels by (case, view)."""

    def __init__(self, log: FactLog, key_secret: bytes) -> None:
        self._log = log
        self._key_secret = key_secret
        self._channels: OrderedDict[tuple[CaseId, View], Channel] = OrderedDict()
        self.closing = False

    def publish(self, case_id: CaseId, facts: Sequence[LoggedFact]) -> None:
        """Feed facts that the log has acknowledged (listener of the inbox)."""
        for view in VIEWS:
            channel = self._channels.get((case_id, view))
            if channel is not None:
                channel.fold(facts)

    async def channel(self, case_id: CaseId, view: View) -> Channel:
        """Return the channel with everything the log holds so far."""
        key = (case_id, view)
        channel = self._channels.get(key)
        if channel is None:
            channel = Channel(self._context(case_id, view), epoch_of(self._log.incarnation, case_id, view))
            self._channels[key] = channel
            try:
                channel.fold(await self._log.read_after(case_id, 0))
            except BaseException:
                self._channels.pop(key, None)
                raise
            channel.ready.set()
        self._channels.move_to_end(key)
        await channel.ready.wait()
        self._let_go()
        return channel

    def close(self) -> None:
        """End every subscription soon: readers wake up and see `closing`."""
        self.closing = True
        for channel in self._channels.values():
            channel.wake_all()

    def watched(self) -> set[CaseId]:
        """Return the cases that somebody reads now."""
        return {case_id for (case_id, _), channel in self._channels.items() if channel.readers}

    def readers(self) -> int:
        """Return how many subscriptions are open."""
        return sum(channel.readers for channel in self._channels.values())

    def _context(self, case_id: CaseId, view: View) -> ProjectionContext:
        return ProjectionContext(
            view=view,
            case_id=case_id,
            key_secret=self._key_secret,
            customer_epoch=epoch_of(self._log.incarnation, case_id, "customer"),
        )

    def _let_go(self) -> None:
        idle = [
            key for key, channel in self._channels.items() if channel.readers == 0 and channel.ready.is_set()
        ]
        for key in idle[: max(len(idle) - IDLE_CHANNELS_MAX, 0)]:
            del self._channels[key]

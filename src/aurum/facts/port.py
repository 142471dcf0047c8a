"""How a worker or the BFF tells the feed that something happened. A port: shells implement it.

Both calls are best effort and never raise for a lost message: the poller finds every durable fact
by itself. They only make it sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from aurum.facts.vocabulary import Fact


class FactSink(Protocol):
    """The feed, seen by those who do the work."""

    async def hint(self, process_instance_key: str) -> None:
        """Say that this instance has just changed; the poller looks at it at once."""
        ...

    async def offer(self, process_instance_key: str, facts: Sequence[Fact]) -> None:
        """Hand over facts whose cause the engine has already acknowledged."""
        ...

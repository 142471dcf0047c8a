"""Who is let in: how many commands and callers may wait, and what overtakes the others.

Rule 1: whoever is refused is refused at once and nothing was done for him; `EngineBusy` says so.
Rule 2: nothing here waits or counts time; the service and its surfaces do the waiting.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from aurum_engine.core import commands as c
from aurum_engine.core.events import Event
from aurum_engine.errors import EngineBusy

COMMANDS_WAITING_MAX = 1_024
"""Commands that may wait to be processed: four commits, about a third of a second of work.

Beyond them new work is refused: a caller who is told to come back later does better than one whose
deadline runs out in a queue.
"""

FINISHING_FACTOR = 2
"""How much more room there is for commands that finish work: they make room themselves, and a worker
whose completion is refused has worked for nothing."""

CALLERS_WAITING_MAX = 1_024
"""Long polls, job streams and awaited results that may be open together.

Each holds a task and a connection's stream, about 20 KiB. A worker of ten job types holds ten.
"""

_FINISHING = (
    c.CompleteJob,
    c.FailJob,
    c.ThrowError,
    c.YieldJob,
    c.UpdateJob,
    c.UpdateJobTimeout,
    c.CompleteUserTask,
    c.CancelProcessInstance,
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one engine lets wait."""

    commands_waiting_max: int = COMMANDS_WAITING_MAX
    callers_waiting_max: int = CALLERS_WAITING_MAX

    def __post_init__(self) -> None:
        if self.commands_waiting_max < 1 or self.callers_waiting_max < 1:
            raise ValueError("limits must be at least 1")

    def check(self, command: c.Command, waiting: int) -> None:
        """Raise EngineBusy when a command may not join the `waiting` ones. A tick always may."""
        room = self.commands_waiting_max
        if isinstance(command, _FINISHING):
            room *= FINISHING_FACTOR
        if waiting >= room and not isinstance(command, c.Tick):
            raise EngineBusy(f"{waiting} commands wait already; try again a little later")


class WaitingRoom:
    """Counts the callers that wait for something to happen."""

    def __init__(self, limits: Limits) -> None:
        self._places = limits.callers_waiting_max
        self.taken = 0
        """How many wait now."""

    @contextlib.contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place while waiting. Raises EngineBusy when there is none."""
        if self.taken >= self._places:
            raise EngineBusy(f"{self.taken} callers wait already; try again a little later")
        self.taken += 1
        try:
            yield
        finally:
            self.taken -= 1


@dataclass(frozen=True, slots=True)
class Push:
    """A command to carry out before the next one of the queue; `heard` gets its durable reply."""

    command: c.PushJob
    heard: Callable[[c.JobsReply], None]


class JobPusher(Protocol):
    """Gives new jobs to somebody before any other command can see them."""

    def pushes(self, events: Iterable[Event]) -> Sequence[Push]:
        """Return what to carry out right after these events."""

    def stop(self, reason: str) -> None:
        """Hear that the engine has stopped, and why."""


def reply_to(push: Push) -> asyncio.Future[c.Reply]:
    """Return the future of a push's reply; `heard` gets an empty one when it could not be carried out."""
    reply: asyncio.Future[c.Reply] = asyncio.get_running_loop().create_future()

    def tell(done: asyncio.Future[c.Reply]) -> None:
        answer = None if done.cancelled() or done.exception() is not None else done.result()
        push.heard(answer if isinstance(answer, c.JobsReply) else c.JobsReply(()))

    reply.add_done_callback(tell)
    return reply

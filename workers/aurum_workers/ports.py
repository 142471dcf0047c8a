"""What a handler gets: the job it works on and everything it may use. No pyzeebe in here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import httpx

from aurum.clock import Clock
from aurum.domain.quotes import Rates
from aurum.errors import IntegrityBroken
from aurum.facts.port import FactSink
from aurum.facts.vocabulary import Fact
from aurum.instants import iso_utc, utc_date
from aurum_workers.ledger import Ledger
from aurum_workers.lists import ScreeningList, synthetic_media, synthetic_peps, synthetic_sanctions
from aurum_workers.rates import bundled_rates

UserTaskState = Callable[[str], Awaitable[Mapping[str, Any] | None]]
"""User task key -> `{state, processInstanceKey, elementId, assignee}` as the engine's REST says, or None.

Raises `ProviderUnavailable` or `EngineUnavailable` when the engine does not answer.
"""


class NoSink:
    """Tells nobody; the poller finds every durable fact by its global queries."""

    async def hint(self, process_instance_key: str) -> None:
        """Say nothing."""

    async def offer(self, process_instance_key: str, facts: Sequence[Fact]) -> None:
        """Hand over nothing."""


@dataclass(frozen=True, slots=True)
class HttpAccess:
    """What the HTTP connector may use. Nothing, unless said here.

    `secrets` answer `{{secrets.NAME}}` in addresses; `bases` are the addresses (scheme, host, port and
    path before the last part) that may be read. `transport` replaces the network in tests.
    """

    secrets: Mapping[str, str] = field(default_factory=dict)
    bases: tuple[str, ...] = ()
    transport: httpx.AsyncBaseTransport | None = None


@dataclass(frozen=True, slots=True)
class WorkerDeps:
    """Everything outside of a job that handlers use. `receipts_secret` is the BFF's, 32 bytes or more."""

    receipts_secret: bytes
    ledger: Ledger
    clock: Clock
    user_task_state: UserTaskState
    sink: FactSink = field(default_factory=NoSink)
    pace_seconds: float = 0.0
    """Pause before each handler: the time a real provider would take. Counts against the lease."""

    rates: Rates = field(default_factory=bundled_rates)
    sanctions: ScreeningList = field(default_factory=synthetic_sanctions)
    peps: ScreeningList = field(default_factory=synthetic_peps)
    media: ScreeningList = field(default_factory=synthetic_media)
    http: HttpAccess = field(default_factory=HttpAccess)

    def now_text(self) -> str:
        """The instant as our wire writes it."""
        return iso_utc(self.clock.now_ms())

    def today(self) -> date:
        """The bank's calendar day (UTC)."""
        return utc_date(self.clock.now_ms())


@dataclass(frozen=True, slots=True)
class JobInput:
    """One activated job without its transport. Keys are text; `variables` are the fetched ones only.

    `headers` are the task headers of the model.
    """

    key: str
    process_instance_key: str
    retries: int
    variables: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)

    def application(self) -> Mapping[str, Any]:
        """Return the normalised application. Raises `IntegrityBroken` when it never was parsed."""
        application = self.variables.get("application")
        if not isinstance(application, dict) or not isinstance(application.get("hash"), str):
            raise IntegrityBroken("the application of this case has not been through parse_application")
        return application

    def text(self, name: str) -> str:
        """Return a text variable. Raises `IntegrityBroken` when it is missing or of another type."""
        value = self.variables.get(name)
        if not isinstance(value, str) or not value:
            raise IntegrityBroken(f"variable {name!r} is not text")
        return value


def could_not(code: str) -> dict[str, str]:
    """Return what a tool of the agent gives instead of a result. `code` is in the reason catalogue."""
    return {"status": "failed", "code": code}


Handler = Callable[[JobInput, WorkerDeps], Awaitable[dict[str, Any]]]
"""Does the work of one job type and returns exactly the variables it writes.

Raises `BpmnError` (modelled outcome), `ProviderUnavailable` (try later) or `IntegrityBroken`
(incident); anything else is a bug and is retried with back-off.
"""

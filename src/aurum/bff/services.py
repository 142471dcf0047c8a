"""What the routes work with: one frozen bundle, made by the composition root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aurum.audit import AuditLog
from aurum.bff.auth.people import Person
from aurum.bff.auth.tokens import Tokens
from aurum.bff.past import PastFolds
from aurum.camunda.rest import CamundaRest
from aurum.clock import Clock
from aurum.feed.inbox import Inbox
from aurum.feed.poller import Poller
from aurum.feed.registry import CaseRegistry
from aurum.stream.hub import Hub
from aurum.stream.queue import TaskQueue

WorkerHealth = Callable[[], float | None]
"""Seconds since the workers last heard from the gateway; None when they run in another process."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """Keys of this installation; each has one use."""

    keys: bytes
    cases: bytes
    receipts: bytes
    service_token: str


@dataclass(frozen=True, slots=True)
class Services:
    """The running parts behind the routes."""

    client: CamundaRest
    registry: CaseRegistry
    inbox: Inbox
    poller: Poller
    hub: Hub
    queue: TaskQueue
    tokens: Tokens
    clock: Clock
    secrets: Secrets
    audit: AuditLog
    people: Mapping[str, Person]
    demo: bool
    bpmn_process_id: str
    past: PastFolds = field(default_factory=PastFolds)
    examples: Callable[[], Mapping[str, Mapping[str, Any]]] = field(default=dict)
    engine_bearer: Callable[[Person], str | None] = field(default=lambda _: None)
    """The token by which the engine knows a person; None: the service acts, and the engine names it."""
    worker_silence: WorkerHealth = field(default=lambda: None)
    before_close: Callable[[], Awaitable[None]] | None = None

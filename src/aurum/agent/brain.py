"""The seam to any model: what a brain is asked and what it answers. No provider in here.

A brain answers one turn as a stream of events. It never retries (the engine does), never runs a
tool, and learns only what a customer may see. Events are frozen and JSON-serialisable.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from aurum.errors import AurumError


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model sees it: the BPMN's id, documentation and parameters."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CallMade:
    """A call of an earlier turn."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """What a call of an earlier turn gave back, as far as the customer may see it."""

    id: str
    name: str
    content: Any
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of the conversation. `provider_state` is opaque and goes back unchanged (signatures)."""

    role: Literal["user", "assistant"]
    content: str = ""
    calls: tuple[CallMade, ...] = ()
    answers: tuple[CallAnswer, ...] = ()
    provider_state: Any = None


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """All a brain is told. `tools` keep their order, so that a provider's prompt cache holds."""

    system: str
    tools: tuple[ToolSpec, ...]
    messages: tuple[Message, ...]
    max_tokens: int


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of prose."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallStarted:
    """The model has begun to write a call. `id` is the brain's own."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolArgsDelta:
    """A piece of a call's arguments, as JSON text."""

    id: str
    json: str


@dataclass(frozen=True, slots=True)
class ToolCallReady:
    """A call is complete: the provider said so."""

    id: str
    name: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of this turn."""

    input: int
    output: int
    cache_read: int = 0
    cache_write: int = 0


@dataclass(frozen=True, slots=True)
class Stopped:
    """The provider's message is complete. Open set of reasons; only `tool_use` lets calls run."""

    reason: str
    provider_state: Any = None


TurnEvent = TextDelta | ToolCallStarted | ToolArgsDelta | ToolCallReady | Usage | Stopped

FailureKind = Literal["auth", "rate", "overloaded", "refused", "bad_request"]


class BrainFailed(AurumError):
    """The provider gave no answer. `kind` says whose fault it is, `retry_after_ms` when to ask again."""

    def __init__(self, kind: FailureKind, message: str, *, retry_after_ms: int = 1_000) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.retry_after_ms = retry_after_ms


class Brain(Protocol):
    """One model behind one provider. `name` is the provider's, `model` its id: both are on the record."""

    @property
    def name(self) -> str:
        """Provider, such as `shadow` or `anthropic`."""
        ...

    @property
    def model(self) -> str:
        """Model id as the provider spells it."""
        ...

    def turn(self, request: TurnRequest) -> AsyncIterator[TurnEvent]:
        """Answer one turn; the last event is `Stopped`. Raises `BrainFailed`."""
        ...

"""The fold's own state of one view, and the frames it puts out. Pure data.

A `Frame` has a dense `seq` from 1. Boundary frames (run start, run end) are templates: who may
answer, which run id and which protocol words depend on the viewer, so `stream.boundary` finishes
them per connection under the same id.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from aurum.projection.events import Event
from aurum.projection.model import CaseModel


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that a run's end puts to whoever may answer it.

    `groups` are candidate groups; `("customer",)` means the submitter alone.
    """

    interrupt: Event
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunEnd:
    """How a run ended: what is asked, and the result when the case is over."""

    asked: tuple[Asked, ...] = ()
    result: dict[str, Any] | None = None
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """One AG-UI event at its place. `run_end` is set on RUN_FINISHED templates only."""

    seq: int
    event: Event
    fact_id: str
    run_end: RunEnd | None = None

    @property
    def is_boundary(self) -> bool:
        """Is this finished per connection?"""
        return self.event["type"] in ("RUN_STARTED", "RUN_FINISHED")


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A tool call without its result. `attempt` counts the runs it has been opened in, from 1.

    A result must name a call of its own run, so a call that is still open at a rest is answered
    there ("delayed") and opened again, under the next attempt's id, when work goes on.
    """

    call_id: str
    name: str
    arguments: str = "{}"
    attempt: int = 1

    @property
    def wire_id(self) -> str:
        """The id on the wire: the first attempt has no suffix."""
        return self.call_id if self.attempt == 1 else f"{self.call_id}:{self.attempt}"


@dataclass(frozen=True, slots=True)
class ViewState:
    """All that the next fact and a prelude need to know."""

    model: CaseModel = field(default_factory=CaseModel)
    state: dict[str, Any] = field(default_factory=dict)
    shown: dict[str, Any] = field(default_factory=dict)
    """The visible variables inside `state`: reused while the model's variables do not change."""
    messages: tuple[dict[str, Any], ...] = ()
    seq: int = 0
    run: int = 0
    run_open: bool = False
    last_end: RunEnd = field(default_factory=RunEnd)
    open_steps: tuple[str, ...] = ()
    open_calls: tuple[OpenCall, ...] = ()
    open_texts: tuple[str, ...] = ()
    inner: ViewState | None = None
    inner_masked: ViewState | None = None
    """The operator's copies of the customer's fold: the real one for ids, the masked one for content."""

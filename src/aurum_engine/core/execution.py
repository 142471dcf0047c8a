"""One command at work: collects events, hands out keys, and runs steps until none is left.

Rule 1: code with an `Execution` reads `state` and changes it only by `emit`.
Rule 2: a command is judged before the first `emit`; after it, nothing may raise a `Rejection`.
Rule 3: steps are queued, not nested, so that a long straight process cannot exhaust the stack.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from aurum_engine.bpmn.model import Element, ElementType, Process
from aurum_engine.core.events import Event
from aurum_engine.core.models import Models
from aurum_engine.core.records import ElementInstance, ErrorType
from aurum_engine.core.state import StateView

EVENTS_PER_COMMAND_MAX = 10_000
"""Above this, the next element to be entered gets an incident instead of running on.

One onboarding instance makes about 200 events in all; a command that makes 10,000 is a model that
loops without a wait state, and would otherwise hold the only writer for ever.
"""


class Stuck(Exception):
    """An element cannot go on; becomes an incident. Raised before the step changed anything."""

    def __init__(self, error_type: ErrorType, message: str) -> None:
        super().__init__(message)
        self.error_type = error_type
        self.message = message


class Behaviour(Protocol):
    """What one element type does."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Do what entering the element means; input mappings are applied already.

        May raise `Stuck`; what was emitted before it may be emitted again when the incident is resolved.
        """

    def before_completion(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Do what belongs to the end, after output mappings. May raise `Stuck` before it emits."""

    def child_ended(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Decide how an active scope goes on after a path inside it has come to its end."""

    def after_completion(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Do what follows, after the element is completed and its flows are taken."""


class Execution:
    """The unit of work of one command."""

    def __init__(
        self,
        state: StateView,
        models: Models,
        behaviours: Mapping[ElementType, Behaviour],
        apply: Callable[[Event], None],
        now_ms: int,
    ) -> None:
        self.state = state
        self.models = models
        self.behaviours = behaviours
        self.now_ms = now_ms
        self.events: list[Event] = []
        self._apply = apply
        self._last_key = state.last_key
        self._steps: deque[tuple[Callable[..., None], tuple[Any, ...]]] = deque()
        self._idle: dict[tuple[Callable[..., None], tuple[Any, ...]], None] = {}

    @property
    def is_exhausted(self) -> bool:
        """Tell whether the command has made as many events as one command may."""
        return len(self.events) >= EVENTS_PER_COMMAND_MAX

    def new_key(self) -> int:
        """Return the next key; it becomes real with the event that carries it."""
        self._last_key += 1
        return self._last_key

    def emit(self, event: Event) -> None:
        """Record `event` and apply it at once, so that the rest of the command sees it."""
        self.events.append(event)
        self._apply(event)

    def later(self, step: Callable[..., None], *args: Any) -> None:
        """Queue `step(self, *args)` behind the steps already queued."""
        self._steps.append((step, args))

    def when_idle(self, step: Callable[..., None], *args: Any) -> None:
        """Queue `step(self, *args)`, once, for when no other step is left: nothing moves any more."""
        self._idle[step, args] = None

    def run(self) -> None:
        """Run queued steps until none is left."""
        while self._steps or self._idle:
            if self._steps:
                step, args = self._steps.popleft()
            else:
                step, args = next(iter(self._idle))
                del self._idle[step, args]
            step(self, *args)

    def process_of(self, instance: ElementInstance) -> Process:
        """Return the model that an element instance runs."""
        return self.models.process(instance.process_definition_key, instance.bpmn_process_id)

    def element_of(self, instance: ElementInstance) -> Element:
        """Return the model element of an element instance."""
        process = self.process_of(instance)
        if instance.element_type == ElementType.MULTI_INSTANCE_BODY:
            return process.bodies[instance.element_id]
        return process.elements[instance.element_id]

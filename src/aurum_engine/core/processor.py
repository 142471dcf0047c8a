"""The engine without its shell: one command in, events applied, a reply or a rejection out.

Rule 1: `process` is the only way to change the state while running, `replay` the only one at start.
Rule 2: a rejection changes nothing. Any other exception is a bug; the state may then be half
changed, and the shell must rebuild it from the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aurum_engine.core import (
    ad_hoc,
    decisions,
    deployments,
    incidents,
    instances,
    jobs,
    messages,
    signals,
    ticks,
    user_tasks,
)
from aurum_engine.core import commands as c
from aurum_engine.core.appliers import apply
from aurum_engine.core.appliers.quarantine import freeze
from aurum_engine.core.behaviours import REGISTRY
from aurum_engine.core.capture import Capture
from aurum_engine.core.codec import decode_step
from aurum_engine.core.events import Event
from aurum_engine.core.execution import Execution
from aurum_engine.core.links import Links, links_of
from aurum_engine.core.models import Models
from aurum_engine.core.ownership import NEW, root_of_event
from aurum_engine.core.quarantine import judge
from aurum_engine.core.records import Damage
from aurum_engine.core.state import State, StateView
from aurum_engine.errors import Rejection

_HANDLERS: dict[type[c.Command], Callable[[Execution, Any], c.Reply]] = {
    c.DeployResources: deployments.deploy,
    c.ActivateJobs: jobs.activate_jobs,
    c.PushJob: jobs.push_job,
    c.YieldJob: jobs.yield_job,
    c.CompleteJob: jobs.complete_job,
    c.ActivateAdHoc: ad_hoc.activate_by_command,
    c.FailJob: jobs.fail_job,
    c.ThrowError: jobs.throw_job_error,
    c.UpdateJob: jobs.update,
    c.UpdateJobRetries: jobs.update_retries,
    c.UpdateJobTimeout: jobs.update_timeout,
    c.PublishMessage: messages.publish,
    c.CorrelateMessage: messages.correlate_now,
    c.BroadcastSignal: signals.broadcast_by_command,
    c.CancelProcessInstance: instances.cancel,
    c.SetVariables: instances.set_variables,
    c.ResolveIncident: incidents.resolve,
    c.EvaluateDecision: decisions.evaluate_command,
    c.AssignUserTask: user_tasks.assign,
    c.UnassignUserTask: user_tasks.unassign,
    c.UpdateUserTask: user_tasks.update,
    c.CompleteUserTask: user_tasks.complete_task,
}


@dataclass(frozen=True, slots=True)
class Step:
    """Outcome of one command: what happened, in order, and the answer."""

    events: tuple[Event, ...]
    outcome: c.Reply | Rejection


class Processor:
    """Owns the state. Single-threaded: one command at a time."""

    def __init__(self, state: State | None = None, *, business_id_unique: bool = True) -> None:
        """Begin with a state, which is its own from then on; None is an empty one."""
        self._business_id_unique = business_id_unique
        self._state = State() if state is None else state
        self._models = Models(self._state)

    @property
    def view(self) -> StateView:
        """Return the state for reading."""
        return self._state

    def replay(self, events: Iterable[Event], at_ms: int) -> None:
        """Apply the events of one stored command, but for those of quarantined call trees."""
        for event in events:
            if self._state.quarantined and self._skip(event):
                continue
            apply(self._state, event, at_ms)

    def _skip(self, event: Event) -> bool:
        """Tell whether an event is a quarantined tree's; its key counts as made all the same."""
        state = self._state
        root = root_of_event(state.owners, event)
        if root not in state.quarantined:
            return False
        if type(event) in NEW:
            state.owners.note(event.key, root)
        state.last_key = max(state.last_key, event.key)
        return True

    def lose(self, links: Links, damage: Damage) -> None:
        """Take in a record whose payload is damaged: quarantine its trees, and do what others share of it."""
        state = self._state
        first = state.last_key + 1
        shared = decode_step(links.shared)
        for event in shared:
            if not (state.quarantined and self._skip(event)):
                apply(state, event, links.at_ms)
        roots = [root for root, _ in links.chain]
        if links.last_key >= first and roots:  # Whatever it made cannot be told apart; it is all damaged.
            known = {event.key for event in shared}
            for key in range(first, links.last_key + 1):
                if key not in known:
                    state.owners.note(key, roots[0])
        state.last_key = max(state.last_key, links.last_key)
        self.quarantine(roots, damage, links.at_ms)

    def quarantine(self, roots: Iterable[int], damage: Damage, at_ms: int) -> None:
        """Keep call trees out of everything from now on."""
        for root in roots:
            freeze(self._state, root, damage, at_ms)

    def link(
        self, events: Sequence[Event], at_ms: int, chains: dict[int, bytes], record_digest: bytes
    ) -> Links:
        """Return the links of a record whose events have been applied; `chains` grow by it."""
        return links_of(self._state.owners, events, at_ms, self._state.last_key, chains, record_digest)

    def capture(self, chains: Mapping[int, bytes], position: int, at_ms: int) -> Capture:
        """Begin a snapshot of the state as it is now, after the record at `position`."""
        return Capture(self._state, chains, position, at_ms)

    def process(self, command: c.Command, now_ms: int) -> Step:
        """Carry out one command at time `now_ms` and return what happened."""
        state = self._state
        x = Execution(state, self._models, REGISTRY, lambda event: apply(state, event, now_ms), now_ms)
        try:
            if state.quarantined:
                judge(state, command)
            reply = self._dispatch(x, command)
        except Rejection as rejection:
            if x.events:
                raise AssertionError(
                    f"{command!r} was rejected after it had changed something"
                ) from rejection
            return Step((), rejection)
        x.run()
        return Step(tuple(x.events), reply)

    def _dispatch(self, x: Execution, command: c.Command) -> c.Reply:
        if isinstance(command, c.CreateProcessInstance):
            return instances.create(x, command, business_id_unique=self._business_id_unique)
        if isinstance(command, c.Tick):
            return ticks.tick(x)
        return _HANDLERS[type(command)](x, command)

    def state_equals(self, other: Processor) -> bool:
        """Tell whether two processors hold equal states."""
        return self._state == other._state

    def differences(self, other: Processor) -> list[str]:
        """Return the names of the tables in which two processors differ."""
        return self._state.differences(other._state)

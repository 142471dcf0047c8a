"""The engine without its shell: one command in, events applied, a reply or a rejection out.

Rule 1: `process` is the only way to change the state while running, `replay` the only one at start.
Rule 2: a rejection changes nothing. Any other exception is a bug; the state may then be half
changed, and the shell must rebuild it from the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
from aurum_engine.core.behaviours import REGISTRY
from aurum_engine.core.events import Event
from aurum_engine.core.execution import Execution
from aurum_engine.core.models import Models
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

    def __init__(self, *, business_id_unique: bool = True) -> None:
        self._business_id_unique = business_id_unique
        self._state = State()
        self._models = Models(self._state)

    @property
    def view(self) -> StateView:
        """Return the state for reading."""
        return self._state

    def replay(self, events: Iterable[Event], at_ms: int) -> None:
        """Apply the events of one stored command."""
        for event in events:
            apply(self._state, event, at_ms)

    def process(self, command: c.Command, now_ms: int) -> Step:
        """Carry out one command at time `now_ms` and return what happened."""
        state = self._state
        x = Execution(state, self._models, REGISTRY, lambda event: apply(state, event, now_ms), now_ms)
        try:
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

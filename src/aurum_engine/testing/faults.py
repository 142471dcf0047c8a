"""What goes wrong between a worker and an engine, on demand: planned faults, each for a number of calls.

Operations carry the names of the gateway's RPCs; REST calls are named alike (`operation_of`). A fault
that was planned and never met is still in `pending`, so that a test can say that it was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

_REST = {
    r"POST .*/jobs/activation": "ActivateJobs",
    r"POST .*/jobs/[^/]+/completion": "CompleteJob",
    r"POST .*/jobs/[^/]+/failure": "FailJob",
    r"POST .*/jobs/[^/]+/error": "ThrowError",
    r"POST .*/process-instances": "CreateProcessInstance",
    r"POST .*/process-instances/[^/]+/cancellation": "CancelProcessInstance",
    r"POST .*/messages/publication": "PublishMessage",
    r"POST .*/signals/broadcast": "BroadcastSignal",
    r"POST .*/incidents/[^/]+/resolution": "ResolveIncident",
    r"POST .*/deployments": "DeployResource",
    r"POST .*/decision-definitions/evaluation": "EvaluateDecision",
    r"GET .*/topology": "Topology",
}


def operation_of(method: str, path: str) -> str:
    """Return the RPC's name of a REST call; `METHOD path` when there is no such RPC."""
    call = f"{method} {path}"
    found = (name for pattern, name in _REST.items() if re.fullmatch(pattern, call))
    return next(found, call)


class Refusal(StrEnum):
    """How a call is refused, with nothing carried out."""

    UNAUTHENTICATED = "UNAUTHENTICATED"
    RESOURCE_EXHAUSTED = "RESOURCE_EXHAUSTED"
    UNAVAILABLE = "UNAVAILABLE"


@dataclass(slots=True)
class _Plan:
    operation: str
    what: str
    times: int
    refusal: Refusal | None = None
    variables: Mapping[str, Any] | None = None


class Faults:
    """Switches of one engine. Each returns at once; the fault happens when the operation is called."""

    def __init__(self) -> None:
        self._plans: list[_Plan] = []

    def refuse(self, operation: str, refusal: Refusal = Refusal.UNAVAILABLE, *, times: int = 1) -> None:
        """Refuse calls: UNAUTHENTICATED (401), RESOURCE_EXHAUSTED or UNAVAILABLE (503)."""
        self._plans.append(_Plan(operation, "refuse", times, refusal=refusal))

    def back_pressure(self, operation: str, *, times: int = 1) -> None:
        """Refuse calls as an engine does that has too much to do."""
        self.refuse(operation, Refusal.RESOURCE_EXHAUSTED, times=times)

    def lose_answer(self, operation: str, *, times: int = 1) -> None:
        """Carry calls out and lose what the engine answers: the caller sees a broken connection."""
        self._plans.append(_Plan(operation, "lose answer", times))

    def deliver_twice(self, *, times: int = 1) -> None:
        """Give every job of an activation to the worker twice."""
        self._plans.append(_Plan("ActivateJobs", "deliver twice", times))

    def supersede(self, variables: Mapping[str, Any] | None = None, *, times: int = 1) -> None:
        """Let another worker complete the job, with `variables`, just before this worker does."""
        self._plans.append(_Plan("CompleteJob", "supersede", times, variables=variables or {}))

    @property
    def pending(self) -> list[str]:
        """What was planned and has not happened yet, as `operation: fault`."""
        return [f"{plan.operation}: {plan.what}" for plan in self._plans for _ in range(plan.times)]

    def take_refusal(self, operation: str) -> Refusal | None:
        """Return how this call is to be refused, if it is; that one is used up then."""
        plan = self._take(operation, "refuse")
        return None if plan is None else plan.refusal

    def take_lost_answer(self, operation: str) -> bool:
        """Tell whether this call's answer gets lost."""
        return self._take(operation, "lose answer") is not None

    def take_double(self) -> bool:
        """Tell whether this activation's jobs come twice."""
        return self._take("ActivateJobs", "deliver twice") is not None

    def take_superseding(self) -> Mapping[str, Any] | None:
        """Return the variables of the other worker, when there is one."""
        plan = self._take("CompleteJob", "supersede")
        return None if plan is None else plan.variables

    def _take(self, operation: str, what: str) -> _Plan | None:
        for plan in self._plans:
            if plan.operation == operation and plan.what == what:
                plan.times -= 1
                if plan.times < 1:
                    self._plans.remove(plan)
                return plan
        return None

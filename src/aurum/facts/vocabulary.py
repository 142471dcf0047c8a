"""The kinds of facts. Frozen, view-independent, and free of JSON names (that is `codec.py`).

A fact says once what the engine knows. Its `fact_id` is made from engine keys, so that a worker, a
poller and a rebuild after a lost log all write the same fact under the same id, and the log keeps
one. `docs/facts.md` is the table. Times are Unix milliseconds of the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from aurum.facts.turns import ToolReturned, TurnAbandoned, TurnCommitted, TurnText

JsonObject = Mapping[str, Any]

EndState = Literal["COMPLETED", "TERMINATED"]

CONTAINER_TYPES = frozenset(
    {"PROCESS", "SUB_PROCESS", "EVENT_SUB_PROCESS", "AD_HOC_SUB_PROCESS", "AD_HOC_SUB_PROCESS_INNER_INSTANCE"}
)
"""Element types that hold other elements and therefore are never a leaf."""


@dataclass(frozen=True, slots=True)
class InstanceStarted:
    """The process instance of the case exists."""

    process_instance_key: str
    bpmn_process_id: str
    version: int
    submitter: str
    at_ms: int

    @property
    def fact_id(self) -> str:
        """`pi:<key>:ACTIVE`."""
        return f"pi:{self.process_instance_key}:ACTIVE"


@dataclass(frozen=True, slots=True)
class InstanceEnded:
    """The process instance is over. Nothing of the case follows."""

    process_instance_key: str
    state: EndState
    at_ms: int

    @property
    def fact_id(self) -> str:
        """`pi:<key>:<state>`."""
        return f"pi:{self.process_instance_key}:{self.state}"


@dataclass(frozen=True, slots=True)
class ElementStarted:
    """A token entered an element. `element_type` is Camunda's REST name, such as SERVICE_TASK."""

    element_instance_key: str
    element_id: str
    element_type: str
    at_ms: int

    @property
    def fact_id(self) -> str:
        """`el:<key>:ACTIVE`."""
        return f"el:{self.element_instance_key}:ACTIVE"


@dataclass(frozen=True, slots=True)
class ElementEnded:
    """A token left an element, by completing it or by being taken away."""

    element_instance_key: str
    element_id: str
    element_type: str
    state: EndState
    at_ms: int

    @property
    def fact_id(self) -> str:
        """`el:<key>:<state>`."""
        return f"el:{self.element_instance_key}:{self.state}"


@dataclass(frozen=True, slots=True)
class ResultRecorded:
    """What a completed task returned: its local variables, which never change afterwards.

    Carries no time: the worker that reports it does not know the engine's.
    """

    element_instance_key: str
    element_id: str
    variables: JsonObject

    @property
    def fact_id(self) -> str:
        """`result:<key>`."""
        return f"result:{self.element_instance_key}"


@dataclass(frozen=True, slots=True)
class DecisionEvaluated:
    """A DMN decision gave its output; inputs and matched rules are the engine's own audit."""

    decision_instance_key: str
    element_instance_key: str
    element_id: str
    decision_id: str
    decision_name: str
    decision_version: int
    inputs: tuple[JsonObject, ...]
    matched_rules: tuple[JsonObject, ...]
    output: Any
    at_ms: int

    @property
    def fact_id(self) -> str:
        """`dec:<decisionInstanceKey>`."""
        return f"dec:{self.decision_instance_key}"


@dataclass(frozen=True, slots=True)
class TaskOpened:
    """A user task waits for a person."""

    user_task_key: str
    element_instance_key: str
    element_id: str
    candidate_groups: tuple[str, ...]
    due_date: str | None
    at_ms: int

    @property
    def fact_id(self) -> str:
        """`ut:<key>:CREATED`."""
        return f"ut:{self.user_task_key}:CREATED"


@dataclass(frozen=True, slots=True)
class TaskClosed:
    """A user task was completed by a person or taken away by the process."""

    user_task_key: str
    element_instance_key: str
    element_id: str
    state: Literal["COMPLETED", "CANCELED"]
    at_ms: int

    @property
    def fact_id(self) -> str:
        """`ut:<key>:<state>`."""
        return f"ut:{self.user_task_key}:{self.state}"


@dataclass(frozen=True, slots=True)
class IncidentRaised:
    """An element is stuck until somebody helps."""

    incident_key: str
    element_instance_key: str
    element_id: str
    error_type: str
    message: str
    at_ms: int

    @property
    def fact_id(self) -> str:
        """`inc:<key>:ACTIVE`."""
        return f"inc:{self.incident_key}:ACTIVE"


@dataclass(frozen=True, slots=True)
class IncidentResolved:
    """The incident is over. `at_ms` is when it was raised: the engine tells no time of its end."""

    incident_key: str
    element_instance_key: str
    element_id: str
    at_ms: int

    @property
    def fact_id(self) -> str:
        """`inc:<key>:RESOLVED`."""
        return f"inc:{self.incident_key}:RESOLVED"


Fact = (
    InstanceStarted
    | InstanceEnded
    | ElementStarted
    | ElementEnded
    | ResultRecorded
    | DecisionEvaluated
    | TaskOpened
    | TaskClosed
    | IncidentRaised
    | IncidentResolved
    | TurnText
    | TurnAbandoned
    | TurnCommitted
    | ToolReturned
)

LIVE_ONLY = (TurnText, TurnAbandoned)
"""Kinds that no search shows: losing them loses no data, only the watching of it."""

"""The executable model of one process: frozen, complete, without a trace of XML.

Rule 1: what is here was validated; the core never asks whether a reference exists.
Rule 2: element types carry Camunda's REST names, so that search returns them as they are.
Rule 3: a `Text` that is FEEL was parsed at deployment; evaluation cannot meet a syntax error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from aurum_engine.feel.api import Expression


class ElementType(StrEnum):
    """Kinds of elements of the subset, by their names in the REST API."""

    PROCESS = "PROCESS"
    SUB_PROCESS = "SUB_PROCESS"
    EVENT_SUB_PROCESS = "EVENT_SUB_PROCESS"
    AD_HOC_SUB_PROCESS = "AD_HOC_SUB_PROCESS"
    AD_HOC_SUB_PROCESS_INNER_INSTANCE = "AD_HOC_SUB_PROCESS_INNER_INSTANCE"
    START_EVENT = "START_EVENT"
    INTERMEDIATE_CATCH_EVENT = "INTERMEDIATE_CATCH_EVENT"
    INTERMEDIATE_THROW_EVENT = "INTERMEDIATE_THROW_EVENT"
    BOUNDARY_EVENT = "BOUNDARY_EVENT"
    END_EVENT = "END_EVENT"
    TASK = "TASK"
    MANUAL_TASK = "MANUAL_TASK"
    SERVICE_TASK = "SERVICE_TASK"
    SEND_TASK = "SEND_TASK"
    RECEIVE_TASK = "RECEIVE_TASK"
    USER_TASK = "USER_TASK"
    CALL_ACTIVITY = "CALL_ACTIVITY"
    MULTI_INSTANCE_BODY = "MULTI_INSTANCE_BODY"
    BUSINESS_RULE_TASK = "BUSINESS_RULE_TASK"
    SCRIPT_TASK = "SCRIPT_TASK"
    EXCLUSIVE_GATEWAY = "EXCLUSIVE_GATEWAY"
    PARALLEL_GATEWAY = "PARALLEL_GATEWAY"
    INCLUSIVE_GATEWAY = "INCLUSIVE_GATEWAY"
    EVENT_BASED_GATEWAY = "EVENT_BASED_GATEWAY"


SCOPE_TYPES = frozenset(
    {
        ElementType.PROCESS,
        ElementType.SUB_PROCESS,
        ElementType.EVENT_SUB_PROCESS,
        ElementType.AD_HOC_SUB_PROCESS,
    }
)
"""Elements that contain others and own a variable scope for them."""


class EventKind(StrEnum):
    """What an event waits for or does."""

    NONE = "NONE"
    MESSAGE = "MESSAGE"
    TIMER = "TIMER"
    ERROR = "ERROR"
    SIGNAL = "SIGNAL"
    LINK = "LINK"
    ESCALATION = "ESCALATION"
    TERMINATE = "TERMINATE"
    UNSUPPORTED = "UNSUPPORTED"
    """Only while a resource is judged: its definition was reported already."""


class TimerKind(StrEnum):
    """The three timer definitions of BPMN."""

    DATE = "DATE"
    DURATION = "DURATION"
    CYCLE = "CYCLE"


class Binding(StrEnum):
    """Which version of a called resource is used."""

    LATEST = "latest"
    DEPLOYMENT = "deployment"
    VERSION_TAG = "versionTag"


@dataclass(frozen=True, slots=True)
class Text:
    """A text attribute; `expression` is set when it starts with `=` and is then FEEL."""

    source: str
    expression: Expression | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class IoMapping:
    """`zeebe:input` or `zeebe:output`; `target` is a variable name or a dotted path."""

    source: Text
    target: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JobDefinition:
    """`zeebe:taskDefinition`: the job an element creates."""

    type: Text
    retries: Text


@dataclass(frozen=True, slots=True)
class MessageDefinition:
    """A message to wait for. `correlation_key` is absent for message start events of a process."""

    name: Text
    correlation_key: Text | None


@dataclass(frozen=True, slots=True)
class TimerDefinition:
    """When a timer fires; the text is ISO 8601 (or cron for a cycle) or FEEL giving it."""

    kind: TimerKind
    text: Text


@dataclass(frozen=True, slots=True)
class ErrorDefinition:
    """Error or escalation, thrown or caught. `code` None catches every one (never for a throw)."""

    code: Text | None


@dataclass(frozen=True, slots=True)
class CalledDecision:
    """`zeebe:calledDecision`."""

    decision_id: Text
    result_variable: str
    binding: Binding
    version_tag: str | None


@dataclass(frozen=True, slots=True)
class CalledProcess:
    """`zeebe:calledElement`: which process a call activity starts, and which variables cross over."""

    process_id: Text
    binding: Binding
    version_tag: str | None
    propagate_parent: bool
    propagate_child: bool


@dataclass(frozen=True, slots=True)
class Script:
    """`zeebe:script`: a FEEL expression and the variable that takes its result."""

    expression: Text
    result_variable: str


@dataclass(frozen=True, slots=True)
class UserTaskDefinition:
    """Everything `zeebe:userTask` and its neighbours say about work for a person."""

    native: bool
    assignee: Text | None = None
    candidate_users: Text | None = None
    candidate_groups: Text | None = None
    due_date: Text | None = None
    follow_up_date: Text | None = None
    priority: Text | None = None
    form_id: Text | None = None
    form_binding: Binding = Binding.LATEST
    form_version_tag: str | None = None
    form_key: str | None = None
    external_form_reference: Text | None = None


@dataclass(frozen=True, slots=True)
class AdHocDefinition:
    """What makes a sub-process ad-hoc. With a job definition beside it, a worker decides instead.

    `activatable` are the ids of the activities inside that nothing leads to; `elements` describes
    them in the shape of the variable `adHocSubProcessElements`.
    """

    active_elements: Text | None
    completion_condition: Text | None
    cancel_remaining: bool
    output_collection: str | None
    output_element: Text | None
    activatable: tuple[str, ...] = ()
    elements: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class LoopDefinition:
    """`zeebe:loopCharacteristics`: an activity runs once for each item of a collection.

    `output_variable` is the variable that `output_element` reads when it only reads one.
    """

    is_sequential: bool
    input_collection: Text
    input_element: str | None
    output_collection: str | None
    output_element: Text | None
    output_variable: str | None


INNER_INSTANCE_SUFFIX = "#innerInstance"
"""Appended to the id of an ad-hoc sub-process: the id of the scope around each activation."""


@dataclass(frozen=True, slots=True)
class SequenceFlow:
    """An arrow. `condition` only after an exclusive gateway."""

    id: str
    source_id: str
    target_id: str
    condition: Text | None


@dataclass(frozen=True, slots=True)
class Element:
    """One element. Parts that do not belong to its type are None or empty.

    `parent_id` is the id of the surrounding process or sub-process (the process itself has "").
    `start_event_id` of a scope is the event at which it begins when it is entered by a flow
    or by a create command; None for a process that only messages start.
    """

    id: str
    name: str
    type: ElementType
    parent_id: str
    documentation: str = ""
    incoming: tuple[str, ...] = ()
    outgoing: tuple[str, ...] = ()
    default_flow: str | None = None
    event: EventKind = EventKind.NONE
    interrupting: bool = True
    attached_to: str | None = None
    message: MessageDefinition | None = None
    timer: TimerDefinition | None = None
    error: ErrorDefinition | None = None
    escalation: ErrorDefinition | None = None
    signal: Text | None = None
    link: str | None = None
    job: JobDefinition | None = None
    headers: tuple[tuple[str, str], ...] = ()
    properties: tuple[tuple[str, str], ...] = ()
    inputs: tuple[IoMapping, ...] = ()
    outputs: tuple[IoMapping, ...] = ()
    script: Script | None = None
    decision: CalledDecision | None = None
    user_task: UserTaskDefinition | None = None
    called: CalledProcess | None = None
    ad_hoc: AdHocDefinition | None = None
    loop: LoopDefinition | None = None
    start_event_id: str | None = None
    boundary_ids: tuple[str, ...] = ()
    event_sub_process_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Process:
    """One executable process. `root` is the process as an element and scope.

    A multi-instance activity is two elements of one id: the activity in `elements`, to which nothing
    leads, and in `bodies` the element around its instances, with the flows and boundary events.
    """

    id: str
    name: str
    version_tag: str | None
    elements: Mapping[str, Element]
    flows: Mapping[str, SequenceFlow]
    start_event_ids: tuple[str, ...]
    bodies: Mapping[str, Element] = field(default_factory=dict)

    def entry(self, element_id: str) -> Element:
        """Return the element that is entered when a flow leads to `element_id`."""
        return self.bodies.get(element_id) or self.elements[element_id]

    @property
    def root(self) -> Element:
        """Return the process itself as an element."""
        return self.elements[self.id]

    def outgoing(self, element: Element) -> tuple[SequenceFlow, ...]:
        """Return the flows that leave `element`, in document order."""
        return tuple(self.flows[flow_id] for flow_id in element.outgoing)

    def message_starts(self) -> tuple[Element, ...]:
        """Return the message start events of the process itself."""
        return tuple(
            self.elements[i] for i in self.start_event_ids if self.elements[i].event is EventKind.MESSAGE
        )

    def signal_starts(self) -> tuple[Element, ...]:
        """Return the signal start events of the process itself."""
        return tuple(
            self.elements[i] for i in self.start_event_ids if self.elements[i].event is EventKind.SIGNAL
        )

    def event_starts(self, scope: Element) -> tuple[Element, ...]:
        """Return the start events of the event sub-processes directly inside `scope`."""
        starts = (self.elements[i].start_event_id for i in scope.event_sub_process_ids)
        return tuple(self.elements[i] for i in starts if i is not None)

    def boundaries(self, element: Element) -> tuple[Element, ...]:
        """Return the boundary events attached to `element`, in document order."""
        return tuple(self.elements[i] for i in element.boundary_ids) if element.boundary_ids else ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a resource cannot be deployed; `element_id` is "" when the resource as a whole is meant."""

    element_id: str
    reason: str

    def __str__(self) -> str:
        return f"{self.element_id!r}: {self.reason}" if self.element_id else self.reason

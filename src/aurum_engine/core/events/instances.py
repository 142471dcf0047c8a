"""Process instances: elements, flows, variables. See the rules in the package."""

from __future__ import annotations

from typing import Any

from aurum_engine.core.structs import Record


class ProcessInstanceCreated(Record, frozen=True):
    """A process instance exists; its root element is activated next. See `records.ProcessInstance`."""

    key: int
    process_definition_key: int
    bpmn_process_id: str
    version: int
    version_tag: str | None
    name: str
    business_id: str | None
    tags: tuple[str, ...]
    start_event_id: str
    start_correlation_key: str | None
    parent_element_key: int | None
    parent_key: int | None
    root_key: int


class ElementActivated(Record, frozen=True):
    """An element was entered. `consumed` are the flows whose tokens it took from its scope."""

    key: int
    element_id: str
    element_name: str
    element_type: str
    process_instance_key: int
    process_definition_key: int
    bpmn_process_id: str
    scope_key: int
    consumed: tuple[str, ...]


class ElementCompleted(Record, frozen=True):
    """An element was left in the regular way."""

    key: int


class ElementTerminated(Record, frozen=True):
    """An element was ended from outside."""

    key: int


class ScopeInterrupted(Record, frozen=True):
    """An interrupting event ended the ordinary flow of scope `key`: its waiting tokens are gone."""

    key: int


class AdHocFulfilled(Record, frozen=True):
    """The ad-hoc sub-process `key` ends when what is active inside it has ended."""

    key: int


class LoopStarted(Record, frozen=True):
    """The multi-instance body `key` runs its activity for each of `items` (JSON)."""

    key: int
    items: Any


class PayloadKept(Record, frozen=True):
    """What an event brought waits with the event sub-process `key`, which is stuck before its start event."""

    key: int
    variables: Any


class SequenceFlowTaken(Record, frozen=True):
    """`key` is the process instance; the token waits in `scope_key` until an element consumes it."""

    key: int
    flow_id: str
    scope_key: int


class VariableCreated(Record, frozen=True):
    """A scope has a new variable."""

    key: int
    name: str
    value: Any
    scope_key: int
    process_instance_key: int


class VariableUpdated(Record, frozen=True):
    """The variable `key` has a new value."""

    key: int
    name: str
    value: Any
    scope_key: int

"""What the state holds of waiting: timers, subscriptions, buffered messages. Rules as in `records.py`."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from aurum_engine.core.structs import Record


class Timer(Record, frozen=True):
    """Fires at `due_ms` for `target_id` while `element_instance_key` is active.

    `repetitions` left including this one; -1 is for ever. `cycle` is the text it was made from.
    That of a start event waits at its process definition, whose key stands for the element instance.
    """

    key: int
    element_instance_key: int
    process_instance_key: int
    target_id: str
    due_ms: int
    repetitions: int
    cycle: str


class SubscriptionState(StrEnum):
    """Whether a message subscription waits, has received, or was closed."""

    CREATED = "CREATED"
    CORRELATED = "CORRELATED"
    DELETED = "DELETED"


class MessageSubscription(Record, frozen=True):
    """An element instance that waits for a message; `target_id` is the event that will be triggered."""

    key: int
    message_name: str
    correlation_key: str
    target_id: str
    interrupting: bool
    element_instance_key: int
    process_instance_key: int
    process_definition_key: int
    bpmn_process_id: str
    state: SubscriptionState
    updated_ms: int


class MessageStartSubscription(Record, frozen=True):
    """The latest version of a process that a message can start."""

    key: int
    message_name: str
    bpmn_process_id: str
    process_definition_key: int
    start_event_id: str


class Message(Record, frozen=True):
    """A buffered message, kept until `deadline_ms`; `correlated` holds the process ids that had it."""

    key: int
    name: str
    correlation_key: str
    message_id: str
    variables: Any
    deadline_ms: int
    correlated: tuple[str, ...]


class SignalSubscription(Record, frozen=True):
    """An element instance waits for a signal; only open ones are kept."""

    key: int
    signal_name: str
    target_id: str
    interrupting: bool
    element_instance_key: int


class SignalStart(Record, frozen=True):
    """A signal of that name starts the latest version of a process."""

    key: int
    signal_name: str
    bpmn_process_id: str
    process_definition_key: int
    start_event_id: str

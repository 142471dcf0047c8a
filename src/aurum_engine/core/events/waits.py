"""What is waited for: timers, subscriptions, messages. See the rules in the package."""

from __future__ import annotations

from typing import Any

from aurum_engine.core.structs import Record


class TimerCreated(Record, frozen=True):
    """An element waits for a time."""

    key: int
    element_instance_key: int
    process_instance_key: int
    target_id: str
    due_ms: int
    repetitions: int
    cycle: str


class TimerTriggered(Record, frozen=True):
    """The timer fired."""

    key: int


class TimerCanceled(Record, frozen=True):
    """Nobody waits for the timer any more."""

    key: int


class SubscriptionOpened(Record, frozen=True):
    """An element waits for a message."""

    key: int
    message_name: str
    correlation_key: str
    target_id: str
    interrupting: bool
    element_instance_key: int
    process_instance_key: int
    process_definition_key: int
    bpmn_process_id: str


class SubscriptionCorrelated(Record, frozen=True):
    """The subscription `key` received a message; when interrupting, it is over."""

    key: int
    message_key: int


class SubscriptionClosed(Record, frozen=True):
    """It no longer waits."""

    key: int


class MessagePublished(Record, frozen=True):
    """A message arrived and is buffered until its deadline."""

    key: int
    name: str
    correlation_key: str
    message_id: str
    variables: Any
    deadline_ms: int


class MessageCorrelated(Record, frozen=True):
    """The message `key` went to a process; it will not go to that process id again."""

    key: int
    bpmn_process_id: str


class MessageExpired(Record, frozen=True):
    """The message is forgotten."""

    key: int


class SignalOpened(Record, frozen=True):
    """An element waits for a signal."""

    key: int
    signal_name: str
    target_id: str
    interrupting: bool
    element_instance_key: int


class SignalClosed(Record, frozen=True):
    """It no longer waits."""

    key: int


class SignalBroadcast(Record, frozen=True):
    """A signal went to everybody who waited for it at that time."""

    key: int
    signal_name: str


class SignalStartOpened(Record, frozen=True):
    """Signals of this name can start the (latest version of the) process."""

    key: int
    signal_name: str
    bpmn_process_id: str
    process_definition_key: int
    start_event_id: str


class SignalStartClosed(Record, frozen=True):
    """They no longer can, since a newer version was deployed."""

    key: int
    signal_name: str
    bpmn_process_id: str

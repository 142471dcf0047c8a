"""What is waited for: timers, subscriptions, messages. See the rules in the package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TimerCreated:
    """An element waits for a time."""

    key: int
    element_instance_key: int
    process_instance_key: int
    target_id: str
    due_ms: int
    repetitions: int
    cycle: str


@dataclass(frozen=True, slots=True)
class TimerTriggered:
    """The timer fired."""

    key: int


@dataclass(frozen=True, slots=True)
class TimerCanceled:
    """Nobody waits for the timer any more."""

    key: int


@dataclass(frozen=True, slots=True)
class SubscriptionOpened:
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


@dataclass(frozen=True, slots=True)
class SubscriptionCorrelated:
    """The subscription `key` received a message; when interrupting, it is over."""

    key: int
    message_key: int


@dataclass(frozen=True, slots=True)
class SubscriptionClosed:
    """It no longer waits."""

    key: int


@dataclass(frozen=True, slots=True)
class MessagePublished:
    """A message arrived and is buffered until its deadline."""

    key: int
    name: str
    correlation_key: str
    message_id: str
    variables: Any
    deadline_ms: int


@dataclass(frozen=True, slots=True)
class MessageCorrelated:
    """The message `key` went to a process; it will not go to that process id again."""

    key: int
    bpmn_process_id: str


@dataclass(frozen=True, slots=True)
class MessageExpired:
    """The message is forgotten."""

    key: int


@dataclass(frozen=True, slots=True)
class SignalOpened:
    """An element waits for a signal."""

    key: int
    signal_name: str
    target_id: str
    interrupting: bool
    element_instance_key: int


@dataclass(frozen=True, slots=True)
class SignalClosed:
    """It no longer waits."""

    key: int


@dataclass(frozen=True, slots=True)
class SignalBroadcast:
    """A signal went to everybody who waited for it at that time."""

    key: int
    signal_name: str


@dataclass(frozen=True, slots=True)
class SignalStartOpened:
    """Signals of this name can start the (latest version of the) process."""

    key: int
    signal_name: str
    bpmn_process_id: str
    process_definition_key: int
    start_event_id: str


@dataclass(frozen=True, slots=True)
class SignalStartClosed:
    """They no longer can, since a newer version was deployed."""

    key: int
    signal_name: str
    bpmn_process_id: str

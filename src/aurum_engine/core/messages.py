"""Messages: published, buffered for their time to live, correlated once per process id.

Followed: Camunda's documentation of message correlation. A message goes to every process that waits
for it, to each process id once over all versions, and starts at most one active instance per
correlation key and process.
"""

from __future__ import annotations

from aurum_engine.core.audit import audit
from aurum_engine.core.commands import CorrelateMessage, MessageReply, PublishMessage
from aurum_engine.core.events import MessageCorrelated, MessageExpired, MessagePublished
from aurum_engine.core.execution import Execution
from aurum_engine.core.instances import start_instance
from aurum_engine.core.spans import end_of
from aurum_engine.core.triggers import correlate, is_waiting
from aurum_engine.core.variables import document
from aurum_engine.core.waits import MessageStartSubscription
from aurum_engine.errors import already_exists, invalid_argument, not_found


def publish(x: Execution, command: PublishMessage) -> MessageReply:
    """Carry out PublishMessage."""
    if not command.name:
        raise invalid_argument("expected a message name, but none was given")
    variables = document(command.variables)
    deadline_ms = end_of(x.now_ms, max(command.time_to_live_ms, 0), "timeToLive")
    message_id = (command.name, command.correlation_key, command.message_id)
    known = x.state.message_ids.get(message_id)
    if command.message_id and known is not None and x.state.messages[known].deadline_ms > x.now_ms:
        raise already_exists(f"a message with the id '{command.message_id}' is already published")
    if known is not None:
        x.emit(MessageExpired(known))
    key = x.new_key()
    x.emit(
        MessagePublished(
            key, command.name, command.correlation_key, command.message_id, variables, deadline_ms
        )
    )
    _offer(x, key)
    if command.time_to_live_ms <= 0:
        x.later(_expire, key)
    return MessageReply(key)


def correlate_now(x: Execution, command: CorrelateMessage) -> MessageReply:
    """Carry out CorrelateMessage; it is never buffered."""
    if not command.name:
        raise invalid_argument("expected a message name, but none was given")
    variables = document(command.variables)
    if not _takers(x, command.name, command.correlation_key):
        raise not_found(
            f"expected to correlate message '{command.name}' with key '{command.correlation_key}',"
            " but nobody waits for it"
        )
    key = x.new_key()
    x.emit(MessagePublished(key, command.name, command.correlation_key, "", variables, x.now_ms))
    instances = _offer(x, key)
    x.later(_expire, key)
    audit(x, "CORRELATE", "MESSAGE", key, command.actor, process_instance_key=instances[0])
    return MessageReply(key, instances[0])


def _takers(x: Execution, name: str, correlation_key: str) -> bool:
    if x.state.waiting.get((name, correlation_key)):
        return True
    starts = x.state.message_starts.get(name, {})
    return any(_may_start(x, start, correlation_key) for start in starts.values())


def _may_start(x: Execution, start: MessageStartSubscription, correlation_key: str) -> bool:
    return not correlation_key or not x.state.started_by_key.get((start.bpmn_process_id, correlation_key))


def _offer(x: Execution, message_key: int) -> list[int]:
    """Give a new message to all who wait for it; return the instances that took it, in order."""
    message = x.state.messages[message_key]
    instances = []
    for key in list(x.state.waiting.get((message.name, message.correlation_key), ())):
        subscription = x.state.subscriptions[key]
        taken = x.state.messages[message_key].correlated
        if subscription.bpmn_process_id not in taken and is_waiting(x, subscription):
            instances.append(subscription.process_instance_key)
            correlate(x, subscription, message_key, message.variables)
    for start in list(x.state.message_starts.get(message.name, {}).values()):
        taken = x.state.messages[message_key].correlated
        if start.bpmn_process_id not in taken and _may_start(x, start, message.correlation_key):
            instances.append(_start(x, start, message_key))
    return instances


def _start(x: Execution, start: MessageStartSubscription, message_key: int) -> int:
    message = x.state.messages[message_key]
    x.emit(MessageCorrelated(message_key, start.bpmn_process_id))
    return start_instance(
        x,
        x.state.process_definitions[start.process_definition_key],
        start.start_event_id,
        variables={},
        results=message.variables,
        start_correlation_key=message.correlation_key or None,
    )


def start_next_buffered(x: Execution, bpmn_process_id: str, correlation_key: str) -> None:
    """Start an instance with the oldest buffered message for a correlation key that became free."""
    candidates = []
    for name, starts in x.state.message_starts.items():
        start = starts.get(bpmn_process_id)
        if start is None or not _may_start(x, start, correlation_key):
            continue
        for key in x.state.buffered.get((name, correlation_key), ()):
            message = x.state.messages[key]
            if bpmn_process_id not in message.correlated and message.deadline_ms > x.now_ms:
                candidates.append((key, start))
    if candidates:
        message_key, start = min(candidates, key=lambda candidate: candidate[0])
        _start(x, start, message_key)


def _expire(x: Execution, key: int) -> None:
    """Forget a message; it may be gone already when an expired twin was published again."""
    if key in x.state.messages:
        x.emit(MessageExpired(key))


def expire(x: Execution, key: int) -> None:
    """Forget a message whose time to live is over."""
    _expire(x, key)

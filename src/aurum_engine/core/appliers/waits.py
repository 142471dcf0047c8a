"""Appliers: what is waited for: timers, subscriptions, messages. See the rules in the package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from aurum_engine.core import events as e
from aurum_engine.core import waits as w
from aurum_engine.core.appliers.indexes import discard
from aurum_engine.core.deadlines import DueKind
from aurum_engine.core.state import State
from aurum_engine.core.structs import changed


def _timer_created(state: State, event: e.TimerCreated, at_ms: int) -> None:
    state.timers[event.key] = w.Timer(
        event.key,
        event.element_instance_key,
        event.process_instance_key,
        event.target_id,
        event.due_ms,
        event.repetitions,
        event.cycle,
    )
    state.element_timers.setdefault(event.element_instance_key, {})[event.key] = None
    state.deadlines.push(event.due_ms, DueKind.TIMER, event.key)


def _timer_ended(state: State, event: e.TimerTriggered | e.TimerCanceled, at_ms: int) -> None:
    timer = state.timers.pop(event.key)
    discard(state.element_timers, timer.element_instance_key, event.key)


def _subscription_opened(state: State, event: e.SubscriptionOpened, at_ms: int) -> None:
    state.subscriptions[event.key] = w.MessageSubscription(
        key=event.key,
        message_name=event.message_name,
        correlation_key=event.correlation_key,
        target_id=event.target_id,
        interrupting=event.interrupting,
        element_instance_key=event.element_instance_key,
        process_instance_key=event.process_instance_key,
        process_definition_key=event.process_definition_key,
        bpmn_process_id=event.bpmn_process_id,
        state=w.SubscriptionState.CREATED,
        updated_ms=at_ms,
    )
    state.waiting.setdefault((event.message_name, event.correlation_key), {})[event.key] = None
    state.element_subscriptions.setdefault(event.element_instance_key, {})[event.key] = None
    state.instance_subscriptions.setdefault(event.process_instance_key, []).append(event.key)


def _subscription_ended(state: State, key: int, at_ms: int, now: w.SubscriptionState) -> None:
    subscription = state.subscriptions[key]
    state.subscriptions[key] = changed(subscription, state=now, updated_ms=at_ms)
    discard(state.waiting, (subscription.message_name, subscription.correlation_key), key)
    discard(state.element_subscriptions, subscription.element_instance_key, key)


def _subscription_correlated(state: State, event: e.SubscriptionCorrelated, at_ms: int) -> None:
    subscription = state.subscriptions[event.key]
    if subscription.interrupting:
        _subscription_ended(state, event.key, at_ms, w.SubscriptionState.CORRELATED)
    else:
        state.subscriptions[event.key] = changed(subscription, updated_ms=at_ms)


def _subscription_closed(state: State, event: e.SubscriptionClosed, at_ms: int) -> None:
    _subscription_ended(state, event.key, at_ms, w.SubscriptionState.DELETED)


def _message_published(state: State, event: e.MessagePublished, at_ms: int) -> None:
    state.messages[event.key] = w.Message(
        event.key,
        event.name,
        event.correlation_key,
        event.message_id,
        event.variables,
        event.deadline_ms,
        (),
    )
    state.buffered.setdefault((event.name, event.correlation_key), {})[event.key] = None
    if event.message_id:
        state.message_ids[event.name, event.correlation_key, event.message_id] = event.key
    state.deadlines.push(event.deadline_ms, DueKind.MESSAGE, event.key)


def _message_correlated(state: State, event: e.MessageCorrelated, at_ms: int) -> None:
    message = state.messages[event.key]
    correlated = (*message.correlated, event.bpmn_process_id)
    state.messages[event.key] = changed(message, correlated=correlated)


def _message_expired(state: State, event: e.MessageExpired, at_ms: int) -> None:
    message = state.messages.pop(event.key)
    discard(state.buffered, (message.name, message.correlation_key), event.key)
    if message.message_id:
        state.message_ids.pop((message.name, message.correlation_key, message.message_id), None)


def _signal_opened(state: State, event: e.SignalOpened, at_ms: int) -> None:
    state.signal_subscriptions[event.key] = w.SignalSubscription(
        event.key, event.signal_name, event.target_id, event.interrupting, event.element_instance_key
    )
    state.signal_waiting.setdefault(event.signal_name, {})[event.key] = None
    state.element_signals.setdefault(event.element_instance_key, {})[event.key] = None


def _signal_closed(state: State, event: e.SignalClosed, at_ms: int) -> None:
    subscription = state.signal_subscriptions.pop(event.key)
    discard(state.signal_waiting, subscription.signal_name, event.key)
    discard(state.element_signals, subscription.element_instance_key, event.key)


def _signal_broadcast(state: State, event: e.SignalBroadcast, at_ms: int) -> None:
    """Change nothing: what it brought about are events of their own."""


def _signal_start_opened(state: State, event: e.SignalStartOpened, at_ms: int) -> None:
    state.signal_starts.setdefault(event.signal_name, {})[event.bpmn_process_id] = w.SignalStart(
        event.key,
        event.signal_name,
        event.bpmn_process_id,
        event.process_definition_key,
        event.start_event_id,
    )


def _signal_start_closed(state: State, event: e.SignalStartClosed, at_ms: int) -> None:
    starts = state.signal_starts[event.signal_name]
    del starts[event.bpmn_process_id]
    if not starts:
        del state.signal_starts[event.signal_name]


APPLIERS: Mapping[type[e.Event], Callable[[State, Any, int], None]] = {
    e.TimerCreated: _timer_created,
    e.TimerTriggered: _timer_ended,
    e.TimerCanceled: _timer_ended,
    e.SubscriptionOpened: _subscription_opened,
    e.SubscriptionCorrelated: _subscription_correlated,
    e.SubscriptionClosed: _subscription_closed,
    e.MessagePublished: _message_published,
    e.MessageCorrelated: _message_correlated,
    e.MessageExpired: _message_expired,
    e.SignalOpened: _signal_opened,
    e.SignalClosed: _signal_closed,
    e.SignalBroadcast: _signal_broadcast,
    e.SignalStartOpened: _signal_start_opened,
    e.SignalStartClosed: _signal_start_closed,
}
"""Appliers of the events in `events/waits.py`."""

"""Signals: broadcast to all who wait for the name at that time, and to each process that it starts.

Followed: Camunda's documentation of signals. Nothing is buffered and nothing is correlated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum_engine.bpmn.model import Element
from aurum_engine.core.audit import audit
from aurum_engine.core.commands import BroadcastSignal, SignalReply
from aurum_engine.core.evaluation import evaluate_string
from aurum_engine.core.events import SignalBroadcast, SignalClosed
from aurum_engine.core.execution import Execution
from aurum_engine.core.instances import start_instance
from aurum_engine.core.records import ElementInstance
from aurum_engine.core.triggers import trigger
from aurum_engine.core.variables import document
from aurum_engine.errors import invalid_argument


def broadcast_by_command(x: Execution, command: BroadcastSignal) -> SignalReply:
    """Carry out BroadcastSignal."""
    if not command.name:
        raise invalid_argument("expected a signal name, but none was given")
    key = _broadcast(x, command.name, document(command.variables))
    audit(x, "CREATE", "SIGNAL", key, command.actor)
    return SignalReply(key)


def throw_signal(x: Execution, element: Element, instance: ElementInstance) -> None:
    """Broadcast the signal of a throw event with its local variables. Raises Stuck before it does."""
    if element.signal is None:
        raise AssertionError(f"signal event {element.id!r} without signal passed the reader")
    name = evaluate_string(x, element.signal, instance.key)
    _broadcast(x, name, {v.name: v.value for v in x.state.scopes.get(instance.key, {}).values()})


def _broadcast(x: Execution, name: str, variables: Mapping[str, Any]) -> int:
    key = x.new_key()
    x.emit(SignalBroadcast(key, name))
    for subscription_key in list(x.state.signal_waiting.get(name, ())):
        x.later(_catch, subscription_key, variables)
    for start in list(x.state.signal_starts.get(name, {}).values()):
        definition = x.state.process_definitions[start.process_definition_key]
        x.later(_start, definition.key, start.start_event_id, variables)
    return key


def _catch(x: Execution, subscription_key: int, variables: Mapping[str, Any]) -> None:
    """Trigger the event of a subscription, unless something before it closed it."""
    subscription = x.state.signal_subscriptions.get(subscription_key)
    if subscription is None:
        return
    if subscription.interrupting:
        x.emit(SignalClosed(subscription_key))
    trigger(x, subscription.element_instance_key, subscription.target_id, variables)


def _start(x: Execution, definition_key: int, start_event_id: str, variables: Mapping[str, Any]) -> None:
    definition = x.state.process_definitions[definition_key]
    start_instance(x, definition, start_event_id, variables={}, results=variables)

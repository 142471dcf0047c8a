"""Events that reach a running instance: scopes begin, messages correlate, timers fire, errors climb.

One place for all of them, because they form one circle: a trigger begins a scope, a scope opens
subscriptions, and a subscription may find a buffered message that triggers at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from aurum_engine.bpmn.model import Element, ElementType, ErrorDefinition
from aurum_engine.core.events import (
    ElementActivated,
    MessageCorrelated,
    PayloadKept,
    SequenceFlowTaken,
    SubscriptionCorrelated,
)
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.lifecycle import activate, complete, interrupt, raise_incident, terminate
from aurum_engine.core.records import NO_KEY, ElementInstance, Retry
from aurum_engine.core.subscriptions import open_subscriptions
from aurum_engine.core.variables import apply_inputs
from aurum_engine.core.waits import MessageSubscription


def listen(x: Execution, instance: ElementInstance, catches: Iterable[Element]) -> None:
    """Wait at `instance` for `catches`; buffered messages are looked at after what is queued."""
    for key in open_subscriptions(x, instance, catches):
        x.later(correlate_buffered, key)


def begin(x: Execution, scope: ElementInstance, start: Element, results: Mapping[str, Any]) -> None:
    """Run a scope's start event, then wait for its event sub-processes.

    In this order, so that their expressions see what the start event brought. When they cannot be
    opened the scope gets an incident and its tokens wait until it is resolved.
    """
    activate(x, start, scope, results=results)
    subscribe(x, scope)


def subscribe(x: Execution, scope: ElementInstance) -> None:
    """Wait for the event sub-processes of a scope; an incident there holds its tokens back."""
    process = x.process_of(scope)
    try:
        listen(x, scope, process.event_starts(x.element_of(scope)))
    except Stuck as stuck:
        raise_incident(x, scope, stuck, Retry.SUBSCRIBE)


def correlate_buffered(x: Execution, subscription_key: int) -> None:
    """Give a new subscription the oldest buffered message, or all of them when it does not interrupt."""
    subscription = x.state.subscriptions[subscription_key]
    place = (subscription.message_name, subscription.correlation_key)
    for message_key in list(x.state.buffered.get(place, ())):
        if not is_waiting(x, subscription):
            return
        message = x.state.messages[message_key]
        if subscription.bpmn_process_id not in message.correlated and message.deadline_ms > x.now_ms:
            correlate(x, subscription, message_key, message.variables)


def is_waiting(x: Execution, subscription: MessageSubscription) -> bool:
    """Tell whether a subscription is still open."""
    place = (subscription.message_name, subscription.correlation_key)
    return subscription.key in x.state.waiting.get(place, ())


def correlate(
    x: Execution, subscription: MessageSubscription, message_key: int, variables: Mapping[str, Any]
) -> None:
    """Hand a message to a waiting subscription and trigger its event."""
    x.emit(MessageCorrelated(message_key, subscription.bpmn_process_id))
    x.emit(SubscriptionCorrelated(subscription.key, message_key))
    trigger(x, subscription.element_instance_key, subscription.target_id, variables)


def trigger(x: Execution, waiting_key: int, target_id: str, results: Mapping[str, Any]) -> None:
    """Let the event `target_id` happen for the element instance that waits for it."""
    waiting = x.state.elements[waiting_key]
    process = x.process_of(waiting)
    target = process.elements[target_id]
    if target_id == waiting.element_id:
        complete(x, waiting_key, results)
    elif target.type is ElementType.BOUNDARY_EVENT:
        if target.interrupting:
            terminate(x, waiting_key)
        activate(x, target, x.state.elements[waiting.scope_key], results=results)
    elif target.type is ElementType.INTERMEDIATE_CATCH_EVENT:
        (flow_id,) = target.incoming
        complete(x, waiting_key, flows=())
        x.emit(SequenceFlowTaken(waiting.process_instance_key, flow_id, waiting.scope_key))
        scope = x.state.elements[waiting.scope_key]
        activate(x, target, scope, consumed=(flow_id,), results=results, has_happened=True)
    else:
        if target.interrupting:
            interrupt(x, waiting_key)
        _enter_event_sub_process(x, process.elements[target.parent_id], target, waiting, results)


def _enter_event_sub_process(
    x: Execution, element: Element, start: Element, scope: ElementInstance, results: Mapping[str, Any]
) -> None:
    key = x.new_key()
    x.emit(
        ElementActivated(
            key=key,
            element_id=element.id,
            element_name=element.name,
            element_type=element.type,
            process_instance_key=scope.process_instance_key,
            process_definition_key=scope.process_definition_key,
            bpmn_process_id=scope.bpmn_process_id,
            scope_key=scope.key,
            consumed=(),
        )
    )
    instance = x.state.elements[key]
    try:
        apply_inputs(x, element, instance)
    except Stuck as stuck:
        if results:
            x.emit(PayloadKept(key, dict(results)))
        raise_incident(x, instance, stuck, Retry.ACTIVATE)
        return
    begin(x, instance, start, results)


Pick = Callable[[Element], ErrorDefinition | None]
"""What an event catches, of one kind: errors or escalations."""


def _catchers(x: Execution, thrower_key: int, pick: Pick) -> Iterator[tuple[int, list[Element]]]:
    """Yield (waiting element instance, catching events) from the thrower outwards, also through callers.

    An event sub-process does not catch what is thrown inside it.
    """
    key, came_from = thrower_key, ""
    while key != NO_KEY:
        instance = x.state.elements[key]
        process = x.process_of(instance)
        element = x.element_of(instance)
        if not instance.interrupted:
            starts = process.event_starts(element)
            yield key, [start for start in starts if pick(start) and start.parent_id != came_from]
        yield key, [event for event in process.boundaries(element) if pick(event)]
        key, came_from = x.state.caller_of(instance), instance.element_id


def _catcher(x: Execution, thrower_key: int, code: str, pick: Pick) -> tuple[int, Element] | None:
    """Return who catches a code: the nearest scope, in it an exact code before a catch-all."""
    for waiting_key, events in _catchers(x, thrower_key, pick):
        catch_all = None
        for event in events:
            caught = pick(event)
            if caught is None:
                continue
            if caught.code is None:
                catch_all = event
            elif caught.code.source == code:
                return waiting_key, event
        if catch_all is not None:
            return waiting_key, catch_all
    return None


def throw_error(x: Execution, thrower_key: int, code: str, results: Mapping[str, Any]) -> bool:
    """Let the nearest catch event take an error. Returns False, with nothing changed, when there is none."""
    found = _catcher(x, thrower_key, code, lambda event: event.error)
    if found is not None:
        trigger(x, found[0], found[1].id, results)
    return found is not None


def throw_escalation(x: Execution, thrower_key: int, code: str) -> None:
    """Let the nearest catch event take an escalation, if there is one; the thrower may end with its scope."""
    found = _catcher(x, thrower_key, code, lambda event: event.escalation)
    if found is not None:
        trigger(x, found[0], found[1].id, {})

"""What an element instance waits for: timers, messages and signals, opened and closed.

Everything is evaluated before anything is opened, so that a failing expression leaves no half.
"""

from __future__ import annotations

from collections.abc import Iterable

from aurum_engine.bpmn.model import Element, TimerDefinition
from aurum_engine.bpmn.schedule import InvalidSchedule, Schedule, schedule
from aurum_engine.core.evaluation import evaluate_key, evaluate_string
from aurum_engine.core.events import (
    SignalClosed,
    SignalOpened,
    SubscriptionClosed,
    SubscriptionOpened,
    TimerCanceled,
    TimerCreated,
)
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.records import ElementInstance, ErrorType


def _schedule(x: Execution, timer: TimerDefinition, scope_key: int) -> Schedule:
    text = evaluate_string(x, timer.text, scope_key)
    try:
        return schedule(timer.kind, text, x.now_ms)
    except InvalidSchedule as error:
        raise Stuck(ErrorType.EXTRACT_VALUE_ERROR, f"timer {timer.text.source!r}: {error}") from None


def open_subscriptions(x: Execution, instance: ElementInstance, catches: Iterable[Element]) -> list[int]:
    """Wait at `instance` for what `catches` catch; return the keys of the message subscriptions.

    Names, keys and times are evaluated now, once; later changes of variables do not matter. Raises
    Stuck (EXTRACT_VALUE_ERROR) before anything is opened.
    """
    timers: list[tuple[Element, Schedule]] = []
    messages: list[tuple[Element, str, str]] = []
    signals: list[tuple[Element, str]] = []
    for catch in catches:
        # A catch event that is itself the waiting element sees its own locals (input mappings).
        if catch.timer is not None:
            timers.append((catch, _schedule(x, catch.timer, instance.key)))
        elif catch.message is not None and catch.message.correlation_key is not None:
            name = evaluate_string(x, catch.message.name, instance.key)
            messages.append((catch, name, evaluate_key(x, catch.message.correlation_key, instance.key)))
        elif catch.signal is not None:
            signals.append((catch, evaluate_string(x, catch.signal, instance.key)))
    for catch, name in signals:
        x.emit(SignalOpened(x.new_key(), name, catch.id, catch.interrupting, instance.key))
    for catch, when in timers:
        x.emit(
            TimerCreated(
                key=x.new_key(),
                element_instance_key=instance.key,
                process_instance_key=instance.process_instance_key,
                target_id=catch.id,
                due_ms=when.due_ms,
                repetitions=when.repetitions,
                cycle=when.cycle,
            )
        )
    opened = []
    for catch, name, correlation_key in messages:
        key = x.new_key()
        x.emit(
            SubscriptionOpened(
                key=key,
                message_name=name,
                correlation_key=correlation_key,
                target_id=catch.id,
                interrupting=catch.interrupting,
                element_instance_key=instance.key,
                process_instance_key=instance.process_instance_key,
                process_definition_key=instance.process_definition_key,
                bpmn_process_id=instance.bpmn_process_id,
            )
        )
        opened.append(key)
    return opened


def close_subscriptions(x: Execution, element_instance_key: int, keep: Iterable[str] = ()) -> None:
    """Stop waiting at an element instance for timers, messages and signals, but for the events `keep`."""
    for key in list(x.state.element_timers.get(element_instance_key, ())):
        if x.state.timers[key].target_id not in keep:
            x.emit(TimerCanceled(key))
    for key in list(x.state.element_subscriptions.get(element_instance_key, ())):
        if x.state.subscriptions[key].target_id not in keep:
            x.emit(SubscriptionClosed(key))
    for key in list(x.state.element_signals.get(element_instance_key, ())):
        if x.state.signal_subscriptions[key].target_id not in keep:
            x.emit(SignalClosed(key))

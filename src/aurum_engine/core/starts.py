"""What starts the latest version of a process without being asked: messages, signals, times.

Names and times of start events are evaluated at deployment, without variables.
"""

from __future__ import annotations

from collections.abc import Iterator

from aurum_engine.bpmn.model import Element, EventKind, Process, Text, TimerDefinition
from aurum_engine.bpmn.schedule import InvalidSchedule, Schedule, schedule
from aurum_engine.core.events import (
    MessageStartClosed,
    MessageStartOpened,
    SignalStartClosed,
    SignalStartOpened,
    TimerCanceled,
    TimerCreated,
)
from aurum_engine.core.execution import Execution
from aurum_engine.core.records import NO_KEY
from aurum_engine.feel.api import to_json


def _text_of(text: Text, now_ms: int) -> str:
    """Return a fixed text, or what FEEL gives without variables; "" when that is no text."""
    if text.expression is None:
        return text.source
    value = to_json(text.expression.evaluate({}, now_ms=now_ms).value)
    return value if isinstance(value, str) else ""


def _schedule(timer: TimerDefinition, now_ms: int) -> Schedule:
    return schedule(timer.kind, _text_of(timer.text, now_ms), now_ms)


def _starts(process: Process, event: EventKind) -> Iterator[Element]:
    for element_id in process.start_event_ids:
        if process.elements[element_id].event is event:
            yield process.elements[element_id]


def _name_of(element: Element) -> str:
    text = element.signal if element.message is None else element.message.name
    return "" if text is None else _text_of(text, 0)


def start_problems(resource_name: str, process: Process, now_ms: int) -> list[str]:
    """Return why start events of a process cannot be waited for."""
    problems = []
    for event in (EventKind.MESSAGE, EventKind.SIGNAL):
        for element in _starts(process, event):
            if not _name_of(element):
                problems.append(f"'{resource_name}': {element.id!r}: {event.lower()} name gives no text")
    for element in _starts(process, EventKind.TIMER):
        try:
            if element.timer is not None:
                _schedule(element.timer, now_ms)
        except InvalidSchedule as error:
            problems.append(f"'{resource_name}': {element.id!r}: {error}")
    return problems


def close_starts(x: Execution, process_id: str, definition_key: int) -> None:
    """Let nothing start what was the latest version of a process."""
    for name, signals in list(x.state.signal_starts.items()):
        if process_id in signals:
            x.emit(SignalStartClosed(signals[process_id].key, name, process_id))
    for name, messages in list(x.state.message_starts.items()):
        if process_id in messages:
            x.emit(MessageStartClosed(messages[process_id].key, name, process_id))
    for key in list(x.state.element_timers.get(definition_key, ())):
        x.emit(TimerCanceled(key))


def open_starts(x: Execution, process: Process, definition_key: int) -> None:
    """Wait for everything that starts a new version. A start timer waits at its definition."""
    for element in _starts(process, EventKind.SIGNAL):
        name = _name_of(element)
        x.emit(SignalStartOpened(x.new_key(), name, process.id, definition_key, element.id))
    for element in _starts(process, EventKind.MESSAGE):
        name = _name_of(element)
        x.emit(MessageStartOpened(x.new_key(), name, process.id, definition_key, element.id))
    for element in _starts(process, EventKind.TIMER):
        if element.timer is None:
            raise AssertionError(f"timer start event {element.id!r} without timer passed the reader")
        when = _schedule(element.timer, x.now_ms)
        x.emit(
            TimerCreated(
                key=x.new_key(),
                element_instance_key=definition_key,
                process_instance_key=NO_KEY,
                target_id=element.id,
                due_ms=when.due_ms,
                repetitions=when.repetitions,
                cycle=when.cycle,
            )
        )

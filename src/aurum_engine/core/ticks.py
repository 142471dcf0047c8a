"""What time brings: one due thing after the other, earliest first."""

from __future__ import annotations

from aurum_engine.bpmn.schedule import FOREVER, InvalidSchedule, next_of_cycle
from aurum_engine.core.commands import TickReply
from aurum_engine.core.deadlines import DueKind
from aurum_engine.core.events import TimerCreated, TimerTriggered
from aurum_engine.core.execution import Execution
from aurum_engine.core.instances import start_instance
from aurum_engine.core.jobs import job_due
from aurum_engine.core.messages import expire
from aurum_engine.core.triggers import trigger

DUE_PER_TICK_MAX = 200
"""Due things handled by one TICK, so that other commands get their turn after a long pause."""


def tick(x: Execution) -> TickReply:
    """Carry out Tick. More may be due afterwards: `next_due_ms()` tells."""
    handled = 0
    while handled < DUE_PER_TICK_MAX and not x.is_exhausted:
        due = x.state.deadlines.first()
        if due is None or due[0] > x.now_ms:
            break
        _, kind, key = due
        if kind == DueKind.TIMER:
            _fire(x, key)
        elif kind == DueKind.JOB:
            job_due(x, key)
        else:
            expire(x, key)
        x.run()
        handled += 1
    return TickReply(handled)


def _fire(x: Execution, key: int) -> None:
    timer = x.state.timers[key]
    x.emit(TimerTriggered(key))
    if timer.cycle and timer.repetitions != 1:
        left = FOREVER if timer.repetitions == FOREVER else timer.repetitions - 1
        try:
            due_ms = next_of_cycle(timer.cycle, timer.due_ms)
        except InvalidSchedule:
            # The cycle ran out of the calendar (or its cron never fires again): it is over.
            due_ms = None
        if due_ms is not None:
            x.emit(
                TimerCreated(
                    key=x.new_key(),
                    element_instance_key=timer.element_instance_key,
                    process_instance_key=timer.process_instance_key,
                    target_id=timer.target_id,
                    due_ms=due_ms,
                    repetitions=left,
                    cycle=timer.cycle,
                )
            )
    definition = x.state.process_definitions.get(timer.element_instance_key)
    if definition is not None:
        start_instance(x, definition, timer.target_id, variables={}, results={})
    else:
        trigger(x, timer.element_instance_key, timer.target_id, {})

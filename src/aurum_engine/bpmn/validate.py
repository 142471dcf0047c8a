"""How the elements of a process must hang together. Reports every violation, changes nothing.

Followed: BPMN 2.0 and Camunda's documented deployment rules. Each rule is one small function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from aurum_engine.bpmn.extensions import Report
from aurum_engine.bpmn.links import LINK_FLOW_SUFFIX
from aurum_engine.bpmn.model import SCOPE_TYPES, Element, ElementType, EventKind, Process, TimerKind
from aurum_engine.bpmn.reader import TASK_TYPES
from aurum_engine.bpmn.schedule import check

JOB_ONLY = frozenset({ElementType.SERVICE_TASK, ElementType.SEND_TASK})

THROWING = frozenset({ElementType.END_EVENT, ElementType.INTERMEDIATE_THROW_EVENT})
"""Events that throw; all others catch."""

CHOOSING = frozenset({ElementType.EXCLUSIVE_GATEWAY, ElementType.INCLUSIVE_GATEWAY})
"""Gateways whose outgoing flows have conditions."""

HOST_TYPES = TASK_TYPES | {
    ElementType.SUB_PROCESS,
    ElementType.AD_HOC_SUB_PROCESS,
    ElementType.CALL_ACTIVITY,
}
"""What boundary events may be attached to."""

LOOP_TYPES = TASK_TYPES | {ElementType.SUB_PROCESS, ElementType.CALL_ACTIVITY}
"""What may be a multi-instance activity."""

ANYWHERE = frozenset({EventKind.MESSAGE, EventKind.SIGNAL})
"""Event definitions that have a meaning wherever an event may stand."""

EVENTS_ALLOWED = {
    ElementType.START_EVENT: ANYWHERE | {EventKind.NONE, EventKind.TIMER},
    ElementType.END_EVENT: ANYWHERE
    | {EventKind.NONE, EventKind.ERROR, EventKind.TERMINATE, EventKind.ESCALATION},
    ElementType.INTERMEDIATE_CATCH_EVENT: ANYWHERE | {EventKind.TIMER, EventKind.LINK},
    ElementType.INTERMEDIATE_THROW_EVENT: ANYWHERE | {EventKind.NONE, EventKind.LINK, EventKind.ESCALATION},
    ElementType.BOUNDARY_EVENT: ANYWHERE | {EventKind.TIMER, EventKind.ERROR, EventKind.ESCALATION},
}
"""Event definitions by place. Start events inside event sub-processes are judged on their own."""


def validate(process: Process, report: Report) -> None:
    """Report everything that makes `process` unfit for execution."""
    _flows(process, report)
    inside: dict[str, list[Element]] = {}
    for element in process.elements.values():
        inside.setdefault(element.parent_id, []).append(element)
    for element in process.elements.values():
        _scope(element, inside.get(element.id, []), report)
        _event(process, element, report)
        _boundary(process, element, report)
        _task(element, report)
        _loop(element, report)
        _gateway(process, element, report)
        _event_gateway(process, element, report)
    _unique_codes(process, report)
    _unique_names(process, report)


def _flows(process: Process, report: Report) -> None:
    for flow in process.flows.values():
        source, target = process.elements.get(flow.source_id), process.elements.get(flow.target_id)
        if source is None:
            report(flow.id, f"sequence flow comes from nowhere: {flow.source_id!r} is unknown")
        if target is None:
            report(flow.id, f"sequence flow leads to nowhere: {flow.target_id!r} is unknown")
        if source is None or target is None:
            continue
        if source.parent_id != target.parent_id:
            report(flow.id, "sequence flow crosses the border of a sub-process")
        if target.type in {ElementType.START_EVENT, ElementType.BOUNDARY_EVENT}:
            report(flow.id, f"sequence flow leads into a {target.type.lower()}")
        if source.type is ElementType.END_EVENT:
            report(flow.id, "sequence flow leaves an end event")
        if ElementType.EVENT_SUB_PROCESS in {source.type, target.type}:
            report(flow.id, "an event sub-process has no sequence flows")
        if flow.condition is not None and source.type not in CHOOSING:
            report(flow.id, "a condition is supported only after an exclusive or inclusive gateway")


def _scope(element: Element, inside: list[Element], report: Report) -> None:
    if element.type not in SCOPE_TYPES:
        return
    starts = [e for e in inside if e.type is ElementType.START_EVENT]
    none_starts = [e for e in starts if e.event is EventKind.NONE]
    if element.type is ElementType.PROCESS:
        if not starts:
            report(element.id, "process has no start event")
        if len(none_starts) > 1:
            report(element.id, "process has more than one none start event")
    elif element.type is ElementType.SUB_PROCESS:
        if len(starts) != 1 or len(none_starts) != 1:
            report(element.id, "sub-process needs exactly one start event, without event definition")
    elif element.type is ElementType.AD_HOC_SUB_PROCESS:
        _ad_hoc(element, inside, report)
    elif len(starts) != 1 or none_starts:
        report(
            element.id,
            "event sub-process needs exactly one start event: message, timer, error, signal or escalation",
        )


def _ad_hoc(element: Element, inside: list[Element], report: Report) -> None:
    ad_hoc = element.ad_hoc
    if ad_hoc is None:
        raise AssertionError(f"ad-hoc sub-process {element.id!r} without definition passed the reader")
    if not ad_hoc.activatable:
        report(element.id, "ad-hoc sub-process has no activity that can be activated")
    for inner in inside:
        if inner.type in {ElementType.START_EVENT, ElementType.END_EVENT}:
            report(inner.id, f"an ad-hoc sub-process must not contain a {inner.type.lower()}")
    if element.job is None:
        return
    for name, value in (
        ("activeElementsCollection", ad_hoc.active_elements),
        ("completionCondition", ad_hoc.completion_condition),
    ):
        if value is not None:
            report(element.id, f"{name} is not supported beside a zeebe:taskDefinition: the worker decides")


def _event(process: Process, element: Element, report: Report) -> None:
    parent = process.elements.get(element.parent_id)
    in_event_sub_process = parent is not None and parent.type is ElementType.EVENT_SUB_PROCESS
    if element.type is ElementType.START_EVENT and in_event_sub_process:
        if element.event is EventKind.ERROR and not element.interrupting:
            report(element.id, "an error start event must be interrupting")
        _waits(element, report)
    elif element.type in EVENTS_ALLOWED:
        if element.event not in {*EVENTS_ALLOWED[element.type], EventKind.UNSUPPORTED}:
            kind = element.event.lower()
            report(element.id, f"{kind} event definition is not supported on a {element.type.lower()}")
        _waits(element, report, starts_process=element.type is ElementType.START_EVENT)
    if element.link is not None and element.type is ElementType.INTERMEDIATE_THROW_EVENT:
        if len(element.outgoing) > 1:
            report(element.id, "a throwing link event has no outgoing sequence flow")
    elif element.link is not None and any(LINK_FLOW_SUFFIX not in flow for flow in element.incoming):
        report(element.id, "a catching link event has no incoming sequence flow")
    if element.type in THROWING:
        if (element.event is EventKind.MESSAGE) != (element.job is not None):
            report(element.id, "a zeebe:taskDefinition belongs to throwing message events, and they need one")
        for thrown in (element.error, element.escalation):
            if thrown is not None and thrown.code is None:
                report(element.id, f"a throwing {element.event.lower()} event needs a code")


def _waits(element: Element, report: Report, *, starts_process: bool = False) -> None:
    """Judge message, timer and error definitions of anything that catches."""
    if element.type in THROWING:
        return
    if element.message is not None and not starts_process:
        _correlates(element, report)
    if element.timer is not None:
        fixed = not element.timer.text.source.startswith("=")
        problem = check(element.timer.kind, element.timer.text.source) if fixed else None
        if problem is not None:
            report(element.id, problem)
        _repeats(element, element.timer.kind, report, starts_process=starts_process)
    for caught in (element.error, element.escalation):
        if caught is not None and caught.code is not None and caught.code.source.startswith("="):
            report(element.id, "the code of a catch event must be a fixed text")


def _repeats(element: Element, kind: TimerKind, report: Report, *, starts_process: bool) -> None:
    if starts_process:
        if kind is TimerKind.DURATION:
            report(element.id, "a timer start event of a process needs a date or a cycle")
        return
    repeatable = element.type in {ElementType.BOUNDARY_EVENT, ElementType.START_EVENT}
    if kind is TimerKind.CYCLE and (not repeatable or element.interrupting):
        report(element.id, "a timer cycle is supported only on non-interrupting events")


def _correlates(element: Element, report: Report) -> None:
    if element.message is not None and element.message.correlation_key is None:
        report(element.id, "message needs a zeebe:subscription with a correlationKey")


def _boundary(process: Process, element: Element, report: Report) -> None:
    if element.type is not ElementType.BOUNDARY_EVENT:
        return
    host = process.elements.get(element.attached_to or "")
    if host is None or host.parent_id != element.parent_id:
        report(element.id, f"boundary event is attached to {element.attached_to!r}, which is not beside it")
    elif host.type not in HOST_TYPES:
        report(element.id, f"boundary event is attached to a {host.type.lower()}")
    if element.event is EventKind.ERROR and not element.interrupting:
        report(element.id, "an error boundary event must be interrupting")
    if element.event is EventKind.ESCALATION and host is not None and host.type in TASK_TYPES:
        report(element.id, "an escalation boundary event is attached to a sub-process or call activity")
    if element.incoming:
        report(element.id, "boundary event has an incoming sequence flow")


def _loop(element: Element, report: Report) -> None:
    if element.loop is not None and element.type not in LOOP_TYPES:
        report(element.id, f"multi-instance is not supported on a {element.type.lower()}")


def _task(element: Element, report: Report) -> None:
    if element.type in JOB_ONLY and element.job is None:
        report(element.id, "task needs a zeebe:taskDefinition with a job type")
    if element.type is ElementType.SCRIPT_TASK and (element.job is None) == (element.script is None):
        report(element.id, "script task needs either a zeebe:script or a zeebe:taskDefinition")
    if element.type is ElementType.BUSINESS_RULE_TASK and (element.job is None) == (element.decision is None):
        report(element.id, "business rule task needs either a zeebe:calledDecision or a zeebe:taskDefinition")
    if element.type is ElementType.RECEIVE_TASK:
        _correlates(element, report)


def _gateway(process: Process, element: Element, report: Report) -> None:
    if element.type not in CHOOSING:
        if element.default_flow is not None:
            report(element.id, "a default flow is supported only on an exclusive or inclusive gateway")
        return
    if element.default_flow is not None and element.default_flow not in element.outgoing:
        report(element.id, f"default flow {element.default_flow!r} does not leave this gateway")
    if len(element.outgoing) < 2:
        return
    for flow in process.outgoing(element):
        if flow.condition is None and flow.id != element.default_flow:
            kind = element.type.lower()
            report(flow.id, f"sequence flow after an {kind} needs a condition or to be the default")


def _event_gateway(process: Process, element: Element, report: Report) -> None:
    if element.type is not ElementType.EVENT_BASED_GATEWAY:
        return
    if len(element.outgoing) < 2:
        report(element.id, "event-based gateway needs at least two outgoing sequence flows")
    for flow in process.outgoing(element):
        target = process.elements.get(flow.target_id)
        if target is None:
            continue
        if target.type is not ElementType.INTERMEDIATE_CATCH_EVENT:
            report(flow.id, "an event-based gateway leads only to intermediate catch events")
        elif len(target.incoming) > 1:
            report(
                target.id, "a catch event after an event-based gateway has no other incoming sequence flow"
            )


def _catch_groups(process: Process) -> Iterator[tuple[str, list[Element]]]:
    """Yield the catch events that compete with each other: of one activity, and of one scope."""
    for element in process.elements.values():
        yield element.id, [process.elements[i] for i in element.boundary_ids]
        if element.type is ElementType.EVENT_BASED_GATEWAY:
            targets = (process.elements.get(flow.target_id) for flow in process.outgoing(element))
            yield element.id, [target for target in targets if target is not None]
        if element.type in SCOPE_TYPES:
            yield element.id, list(process.event_starts(element))


def _unique_codes(process: Process, report: Report) -> None:
    for owner_id, catches in _catch_groups(process):
        caught = [("error", e.error) for e in catches if e.error is not None]
        caught += [("escalation", e.escalation) for e in catches if e.escalation is not None]
        codes = Counter((kind, None if c.code is None else c.code.source) for kind, c in caught)
        for (kind, code), count in codes.items():
            if count > 1:
                what = f"any {kind}" if code is None else f"{kind} code {code!r}"
                report(owner_id, f"{what} is caught more than once in the same scope")


def _unique_names(process: Process, report: Report) -> None:
    starts = [*process.message_starts(), *process.signal_starts()]
    for owner_id, catches in [*_catch_groups(process), (process.id, starts)]:
        names = Counter(f"message {e.message.name.source!r}" for e in catches if e.message is not None)
        names.update(f"signal {e.signal.source!r}" for e in catches if e.signal is not None)
        for name, count in names.items():
            if count > 1:
                report(owner_id, f"{name} is caught more than once in the same scope")

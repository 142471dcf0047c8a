"""From XML to model, one scope at a time. Reads what is there and reports what is not understood.

`validate.py` judges how the elements hang together; here only single elements are judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lxml import etree

from aurum_engine.bpmn.declarations import Definitions
from aurum_engine.bpmn.extensions import Extensions, Report, read_text
from aurum_engine.bpmn.links import link_flows, read_link
from aurum_engine.bpmn.loops import read_loop
from aurum_engine.bpmn.model import (
    INNER_INSTANCE_SUFFIX,
    AdHocDefinition,
    Element,
    ElementType,
    ErrorDefinition,
    EventKind,
    MessageDefinition,
    Process,
    SequenceFlow,
    Text,
    TimerDefinition,
    TimerKind,
)
from aurum_engine.bpmn.tools import describe
from aurum_engine.bpmn.xml import BPMN, attribute, child, children, split, text_of

TYPES = {
    "startEvent": ElementType.START_EVENT,
    "endEvent": ElementType.END_EVENT,
    "intermediateCatchEvent": ElementType.INTERMEDIATE_CATCH_EVENT,
    "intermediateThrowEvent": ElementType.INTERMEDIATE_THROW_EVENT,
    "boundaryEvent": ElementType.BOUNDARY_EVENT,
    "task": ElementType.TASK,
    "manualTask": ElementType.MANUAL_TASK,
    "serviceTask": ElementType.SERVICE_TASK,
    "sendTask": ElementType.SEND_TASK,
    "receiveTask": ElementType.RECEIVE_TASK,
    "userTask": ElementType.USER_TASK,
    "businessRuleTask": ElementType.BUSINESS_RULE_TASK,
    "scriptTask": ElementType.SCRIPT_TASK,
    "exclusiveGateway": ElementType.EXCLUSIVE_GATEWAY,
    "parallelGateway": ElementType.PARALLEL_GATEWAY,
    "inclusiveGateway": ElementType.INCLUSIVE_GATEWAY,
    "eventBasedGateway": ElementType.EVENT_BASED_GATEWAY,
    "subProcess": ElementType.SUB_PROCESS,
    "adHocSubProcess": ElementType.AD_HOC_SUB_PROCESS,
    "callActivity": ElementType.CALL_ACTIVITY,
}

WITHOUT_EFFECT = frozenset(
    {
        "documentation",
        "extensionElements",
        "incoming",
        "outgoing",
        "laneSet",
        "textAnnotation",
        "association",
        "group",
        "dataObject",
        "dataObjectReference",
        "dataStoreReference",
        "dataInputAssociation",
        "dataOutputAssociation",
        "property",
        "ioSpecification",
        "conditionExpression",
    }
)
"""BPMN elements that a diagram may carry and that never change how it runs."""

LOOPS = frozenset({"multiInstanceLoopCharacteristics", "standardLoopCharacteristics"})
PARTS_OF_SCOPE = {"subProcess": LOOPS, "adHocSubProcess": LOOPS | {"completionCondition"}}
"""Children of a sub-process that say something about itself."""

EVENT_DEFINITIONS = {
    "messageEventDefinition": EventKind.MESSAGE,
    "timerEventDefinition": EventKind.TIMER,
    "errorEventDefinition": EventKind.ERROR,
    "terminateEventDefinition": EventKind.TERMINATE,
    "signalEventDefinition": EventKind.SIGNAL,
    "linkEventDefinition": EventKind.LINK,
    "escalationEventDefinition": EventKind.ESCALATION,
}

ELEMENTS_MAX = 5_000
"""Elements and flows of one process. The largest model known to us has 300; reading 5,000 takes half
a second, in which the engine does nothing else."""

TIMERS = {"timeDate": TimerKind.DATE, "timeDuration": TimerKind.DURATION, "timeCycle": TimerKind.CYCLE}

TASK_TYPES = frozenset(
    {
        ElementType.TASK,
        ElementType.MANUAL_TASK,
        ElementType.SERVICE_TASK,
        ElementType.SEND_TASK,
        ElementType.RECEIVE_TASK,
        ElementType.USER_TASK,
        ElementType.BUSINESS_RULE_TASK,
        ElementType.SCRIPT_TASK,
    }
)
"""Activities without an inside; with sub-processes these may carry boundary events."""

NEVER_ACTIVATED = frozenset(
    {
        ElementType.START_EVENT,
        ElementType.BOUNDARY_EVENT,
        ElementType.END_EVENT,
        ElementType.EVENT_SUB_PROCESS,
    }
)
"""What begins by itself, or has no place in an ad-hoc sub-process, though no flow leads to it."""


def read_process(node: etree._Element, definitions: Definitions, report: Report) -> Process:
    """Return the process in `node`, complete as far as it could be understood."""
    process_id = attribute(node, "id") or ""
    extensions = Extensions(node, process_id, report)
    reader = _ScopeReader(definitions, report)
    reader.read(node, process_id)
    reader.flows |= link_flows(reader.elements.values(), report)
    version_tag = extensions.find("versionTag")
    name = attribute(node, "name") or ""
    starts = tuple(
        e.id
        for e in reader.elements.values()
        if e.type is ElementType.START_EVENT and e.parent_id == process_id
    )
    none_starts = [i for i in starts if reader.elements[i].event is EventKind.NONE]
    root = Element(
        id=process_id,
        name=name,
        type=ElementType.PROCESS,
        parent_id="",
        documentation=text_of(child(node, BPMN, "documentation")),
        properties=extensions.properties(),
        start_event_id=none_starts[0] if none_starts else None,
        event_sub_process_ids=reader.event_sub_processes().get(process_id, ()),
    )
    return Process(
        id=process_id,
        name=name,
        version_tag=None if version_tag is None else attribute(version_tag, "value"),
        elements={process_id: root, **reader.linked()},
        flows=reader.flows,
        start_event_ids=starts,
    )


class _ScopeReader:
    """Collects the elements and flows of a process and of everything inside it."""

    def __init__(self, definitions: Definitions, report: Report) -> None:
        self._definitions = definitions
        self._report = report
        self.elements: dict[str, Element] = {}
        self.flows: dict[str, SequenceFlow] = {}

    def read(self, scope: etree._Element, scope_id: str) -> None:
        """Read all children of `scope`, and theirs."""
        for node in scope:
            namespace, kind = split(node)
            if namespace != BPMN or kind in WITHOUT_EFFECT:
                continue
            if kind in PARTS_OF_SCOPE.get(split(scope)[1], ()):
                continue  # Read with the sub-process itself.
            if len(self.elements) + len(self.flows) >= ELEMENTS_MAX:
                self._report("", f"a process has at most {ELEMENTS_MAX} elements and sequence flows")
                return
            element_id = attribute(node, "id") or ""
            if not element_id:
                self._report(scope_id, f"a bpmn:{kind} inside has no id")
            elif element_id in self.elements or element_id in self.flows:
                self._report(element_id, "id is used twice")
            elif kind == "sequenceFlow":
                self._read_flow(node, element_id)
            elif kind in TYPES:
                self._read_element(node, element_id, scope_id, TYPES[kind])
            else:
                self._report(element_id, f"bpmn:{kind} is not supported")

    def _read_flow(self, node: etree._Element, flow_id: str) -> None:
        condition = child(node, BPMN, "conditionExpression")
        source = text_of(condition)
        text = None
        if source:
            if not source.startswith("="):
                self._report(flow_id, f"condition must be FEEL and start with '=', not {source!r}")
            else:
                text = read_text(source, "condition", flow_id, self._report)
        self.flows[flow_id] = SequenceFlow(
            flow_id, attribute(node, "sourceRef") or "", attribute(node, "targetRef") or "", text
        )

    def _read_element(self, node: etree._Element, element_id: str, scope_id: str, kind: ElementType) -> None:
        if attribute(node, "isForCompensation") == "true":
            self._report(element_id, "compensation is not supported")
        extensions = Extensions(node, element_id, self._report)
        event, message, timer, error = self._read_event(node, element_id, extensions)
        if kind is ElementType.RECEIVE_TASK:
            message = self._message(node, element_id)
        triggered = kind is ElementType.SUB_PROCESS and attribute(node, "triggeredByEvent") == "true"
        is_user_task = kind is ElementType.USER_TASK
        self.elements[element_id] = Element(
            id=element_id,
            name=attribute(node, "name") or "",
            type=ElementType.EVENT_SUB_PROCESS if triggered else kind,
            parent_id=scope_id,
            documentation=text_of(child(node, BPMN, "documentation")),
            default_flow=attribute(node, "default"),
            event=event,
            interrupting=_interrupting(node, kind),
            attached_to=attribute(node, "attachedToRef"),
            message=message,
            timer=timer,
            error=error,
            escalation=self._escalation(node, element_id),
            link=read_link(node, element_id, self._report),
            signal=self._signal(node, element_id),
            job=extensions.job(),
            headers=extensions.headers(),
            properties=extensions.properties(),
            inputs=extensions.mappings("input"),
            outputs=extensions.mappings("output"),
            script=extensions.script(),
            decision=extensions.decision(),
            user_task=extensions.user_task() if is_user_task else None,
            called=extensions.called() if kind is ElementType.CALL_ACTIVITY else None,
            loop=read_loop(node, element_id, self._report),
            ad_hoc=extensions.ad_hoc(node) if kind is ElementType.AD_HOC_SUB_PROCESS else None,
        )
        if kind in {ElementType.SUB_PROCESS, ElementType.AD_HOC_SUB_PROCESS}:
            self.read(node, element_id)

    def _read_event(
        self, node: etree._Element, element_id: str, extensions: Extensions
    ) -> tuple[EventKind, MessageDefinition | None, TimerDefinition | None, ErrorDefinition | None]:
        definitions = [n for n in node if split(n)[0] == BPMN and split(n)[1].endswith("EventDefinition")]
        if not definitions:
            return EventKind.NONE, None, None, None
        if len(definitions) > 1:
            self._report(element_id, "more than one event definition")
        definition = definitions[0]
        kind = split(definition)[1]
        if kind not in EVENT_DEFINITIONS:
            self._report(element_id, f"bpmn:{kind} is not supported")
            return EventKind.UNSUPPORTED, None, None, None
        event = EVENT_DEFINITIONS[kind]
        catches = split(node)[1] not in {"endEvent", "intermediateThrowEvent"}
        message = self._message(definition, element_id) if event is EventKind.MESSAGE and catches else None
        timer = self._timer(definition, element_id, extensions) if event is EventKind.TIMER else None
        error = self._code(definition, element_id, "error") if event is EventKind.ERROR else None
        return event, message, timer, error

    def _message(self, node: etree._Element, element_id: str) -> MessageDefinition | None:
        reference = attribute(node, "messageRef")
        message = self._definitions.messages.get(reference or "")
        if message is None:
            self._report(element_id, f"message {reference!r} is not defined")
        return message

    def _timer(self, node: etree._Element, element_id: str, extensions: Extensions) -> TimerDefinition | None:
        found = [(TIMERS[split(n)[1]], text_of(n)) for n in children(node, BPMN, *TIMERS)]
        found = [(kind, text) for kind, text in found if text]
        if len(found) != 1:
            self._report(element_id, "timer needs exactly one of timeDate, timeDuration, timeCycle")
            return None
        kind, text = found[0]
        return TimerDefinition(kind, extensions.text(text, "timer"))

    def _code(self, node: etree._Element, element_id: str, kind: str) -> ErrorDefinition | None:
        reference = attribute(node, f"{kind}Ref")
        if reference is None:
            return ErrorDefinition(None)
        declared = self._definitions.errors if kind == "error" else self._definitions.escalations
        if reference not in declared:
            self._report(element_id, f"{kind} {reference!r} is not defined")
            return None
        return ErrorDefinition(declared[reference])

    def _escalation(self, node: etree._Element, element_id: str) -> ErrorDefinition | None:
        definition = child(node, BPMN, "escalationEventDefinition")
        return None if definition is None else self._code(definition, element_id, "escalation")

    def _signal(self, node: etree._Element, element_id: str) -> Text | None:
        definition = child(node, BPMN, "signalEventDefinition")
        if definition is None:
            return None
        reference = attribute(definition, "signalRef")
        signal = self._definitions.signals.get(reference or "")
        if signal is None:
            self._report(element_id, f"signal {reference!r} is not defined")
        return signal

    def event_sub_processes(self) -> dict[str, tuple[str, ...]]:
        """Return the ids of the event sub-processes directly inside each scope that has any."""
        found: dict[str, tuple[str, ...]] = {}
        for element in self.elements.values():
            if element.type is ElementType.EVENT_SUB_PROCESS:
                found[element.parent_id] = (*found.get(element.parent_id, ()), element.id)
        return found

    def linked(self) -> dict[str, Element]:
        """Return the elements with flows, boundary events and inner starts entered."""
        incoming: dict[str, list[str]] = {}
        outgoing: dict[str, list[str]] = {}
        boundaries: dict[str, list[str]] = {}
        starts: dict[str, list[str]] = {}
        for flow in self.flows.values():
            outgoing.setdefault(flow.source_id, []).append(flow.id)
            incoming.setdefault(flow.target_id, []).append(flow.id)
        for element in self.elements.values():
            if element.attached_to is not None:
                boundaries.setdefault(element.attached_to, []).append(element.id)
            if element.type is ElementType.START_EVENT:
                starts.setdefault(element.parent_id, []).append(element.id)
        event_sub_processes = self.event_sub_processes()
        elements = {
            e.id: replace(
                e,
                incoming=tuple(incoming.get(e.id, ())),
                outgoing=tuple(outgoing.get(e.id, ())),
                boundary_ids=tuple(boundaries.get(e.id, ())),
                start_event_id=next(iter(starts.get(e.id, ())), None),
                event_sub_process_ids=event_sub_processes.get(e.id, ()),
            )
            for e in self.elements.values()
        }
        for element in list(elements.values()):
            if element.ad_hoc is not None:
                elements |= self._ad_hoc(element, element.ad_hoc, elements)
        return elements

    def _ad_hoc(
        self, element: Element, ad_hoc: AdHocDefinition, elements: Mapping[str, Element]
    ) -> dict[str, Element]:
        """Return an ad-hoc sub-process that knows what can be activated in it, and its inner scope."""
        roots = [
            e
            for e in elements.values()
            if e.parent_id == element.id and not e.incoming and e.type not in NEVER_ACTIVATED
        ]
        described = tuple(describe(root, self._report) for root in roots)
        inner_id = element.id + INNER_INSTANCE_SUFFIX
        if inner_id in elements:
            self._report(inner_id, "id is reserved for the activations of an ad-hoc sub-process")
        inner = Element(
            id=inner_id,
            name=element.name,
            type=ElementType.AD_HOC_SUB_PROCESS_INNER_INSTANCE,
            parent_id=element.id,
        )
        complete = replace(ad_hoc, activatable=tuple(root.id for root in roots), elements=described)
        return {element.id: replace(element, ad_hoc=complete), inner_id: inner}


def _interrupting(node: etree._Element, kind: ElementType) -> bool:
    name = "cancelActivity" if kind is ElementType.BOUNDARY_EVENT else "isInterrupting"
    return attribute(node, name) != "false"

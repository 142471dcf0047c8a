"""BPMN with Zeebe extensions from a short description, so that a scenario fits on a screen.

A process (or sub-process) is `flow` plus `elements`. `flow` is arrows, split by `;` or line breaks:
`start -> work -> end`, and behind the last target a condition `[= x > 1]` or `[default]`.
Elements that are not described are guessed from their place: the first is a start event, one
without outgoing arrow an end event; inside an ad-hoc sub-process all are tasks. The result is plain
BPMN, for any engine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any
from xml.sax.saxutils import escape, quoteattr

HEAD = (
    '<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"'
    ' xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="definitions" targetNamespace="urn:scenario">'
)

_ARROW = re.compile(r"\s*->\s*")
_GUARD = re.compile(r"^(?P<path>.*?)\s*(?:\[(?P<guard>.+)\])?\s*$", re.DOTALL)


def build(process: Mapping[str, Any]) -> bytes:
    """Return the BPMN of one described process."""
    definitions = _Definitions()
    body = _scope(process, definitions)
    name = quoteattr(process.get("name", process["id"]))
    tag = process.get("version_tag")
    extension = f'<zeebe:versionTag value="{tag}"/>' if tag else ""
    text = (
        f"{HEAD}{definitions.xml()}<bpmn:process id={quoteattr(process['id'])} name={name}"
        f' isExecutable="true">{_extensions([extension])}{body}</bpmn:process></bpmn:definitions>'
    )
    return text.encode()


class _Definitions:
    """Messages, errors and signals used by a process; each is declared once per use."""

    def __init__(self) -> None:
        self._nodes: list[str] = []

    def message(self, message: Mapping[str, Any]) -> str:
        identity = f"message_{len(self._nodes)}"
        key = message.get("key")
        subscription = f"<zeebe:subscription correlationKey={quoteattr(key)}/>" if key else ""
        name = quoteattr(message["name"])
        self._nodes.append(
            f'<bpmn:message id="{identity}" name={name}>{_extensions([subscription])}</bpmn:message>'
        )
        return identity

    def signal(self, name: str) -> str:
        identity = f"signal_{len(self._nodes)}"
        self._nodes.append(f'<bpmn:signal id="{identity}" name={quoteattr(name)}/>')
        return identity

    def escalation(self, code: str) -> str:
        identity = f"escalation_{len(self._nodes)}"
        self._nodes.append(f'<bpmn:escalation id="{identity}" escalationCode={quoteattr(code)}/>')
        return identity

    def error(self, code: str) -> str:
        identity = f"error_{len(self._nodes)}"
        self._nodes.append(f'<bpmn:error id="{identity}" errorCode={quoteattr(code)}/>')
        return identity

    def xml(self) -> str:
        return "".join(self._nodes)


def _arrows(flow: str) -> list[tuple[str, str, str | None]]:
    arrows = []
    for line in re.split(r"[;\n]", flow):
        match = _GUARD.match(line.strip())
        if match is None or not match["path"]:
            continue
        path = _ARROW.split(match["path"])
        pairs = list(pairwise(path))
        for index, (source, target) in enumerate(pairs):
            arrows.append((source, target, match["guard"] if index == len(pairs) - 1 else None))
    return arrows


def _scope(scope: Mapping[str, Any], definitions: _Definitions) -> str:
    described: dict[str, dict[str, Any]] = {k: dict(v or {}) for k, v in scope.get("elements", {}).items()}
    arrows = _arrows(scope.get("flow", ""))
    names = list(dict.fromkeys([n for s, t, _ in arrows for n in (s, t)] + list(described)))
    outgoing: dict[str, list[str]] = {}
    incoming: dict[str, list[str]] = {}
    flows = []
    for source, target, guard in arrows:
        flow_id = f"{source}_to_{target}"
        outgoing.setdefault(source, []).append(flow_id)
        incoming.setdefault(target, []).append(flow_id)
        condition = ""
        if guard == "default":
            described.setdefault(source, {})["default"] = flow_id
        elif guard is not None:
            condition = _condition("conditionExpression", guard)
        flows.append(
            f'<bpmn:sequenceFlow id="{flow_id}" sourceRef="{source}" targetRef="{target}">'
            f"{condition}</bpmn:sequenceFlow>"
        )
    nodes = []
    for index, name in enumerate(names):
        element = described.get(name, {})
        guess = "startEvent" if index == 0 else "task" if name in outgoing else "endEvent"
        if scope.get("type") == "adHocSubProcess":
            guess = "task"
        element.setdefault("type", guess)
        links = "".join(f"<bpmn:incoming>{i}</bpmn:incoming>" for i in incoming.get(name, ()))
        links += "".join(f"<bpmn:outgoing>{o}</bpmn:outgoing>" for o in outgoing.get(name, ()))
        nodes.append(_element(name, element, links, definitions))
    return "".join(nodes + flows)


def _loop(loop: Mapping[str, Any] | None) -> str:
    if loop is None:
        return ""
    values = {name: value for name, value in loop.items() if name != "sequential"}
    sequential = ' isSequential="true"' if loop.get("sequential") else ""
    body = _extensions([_attributes("loopCharacteristics", values)])
    return (
        f"<bpmn:multiInstanceLoopCharacteristics{sequential}>{body}</bpmn:multiInstanceLoopCharacteristics>"
    )


def _condition(node: str, text: str | None) -> str:
    if text is None:
        return ""
    return f'<bpmn:{node} xsi:type="bpmn:tFormalExpression">{escape(text)}</bpmn:{node}>'


def _extensions(nodes: list[str]) -> str:
    body = "".join(nodes)
    return f"<bpmn:extensionElements>{body}</bpmn:extensionElements>" if body else ""


def _attributes(node: str, values: Mapping[str, Any]) -> str:
    body = " ".join(f"{name}={quoteattr(str(value))}" for name, value in values.items())
    return f"<zeebe:{node} {body}/>"


def _element(name: str, element: Mapping[str, Any], links: str, definitions: _Definitions) -> str:
    kind = element["type"]
    attributes = {"id": name, "name": element.get("name")}
    attributes |= {"default": element.get("default"), "attachedToRef": element.get("attached")}
    if "interrupting" in element:
        flag = "cancelActivity" if kind == "boundaryEvent" else "isInterrupting"
        attributes[flag] = "true" if element["interrupting"] else "false"
    if kind == "eventSubProcess":
        kind = "subProcess"
        attributes["triggeredByEvent"] = "true"
    if kind == "receiveTask":
        attributes["messageRef"] = definitions.message(element["message"])
    if "cancel_remaining" in element:
        attributes["cancelRemainingInstances"] = "true" if element["cancel_remaining"] else "false"
    head = " ".join(
        f"{key}={quoteattr(str(value))}" for key, value in attributes.items() if value is not None
    )
    inside = _scope(element, definitions) if kind in {"subProcess", "adHocSubProcess"} else ""
    inside += _loop(element.get("loop"))
    inside += _condition("completionCondition", element.get("completion"))
    text = f"<bpmn:documentation>{escape(element['text'])}</bpmn:documentation>" if "text" in element else ""
    body = text + _extensions(_zeebe(element)) + links + _event(kind, element, definitions) + inside
    return f"<bpmn:{kind} {head}>{body}</bpmn:{kind}>"


def _zeebe(element: Mapping[str, Any]) -> list[str]:
    nodes = []
    if "job" in element:
        retries = {"retries": element["retries"]} if "retries" in element else {}
        nodes.append(_attributes("taskDefinition", {"type": element["job"], **retries}))
    if "ad_hoc" in element:
        nodes.append(_attributes("adHoc", element["ad_hoc"]))
    if "properties" in element:
        found = [_attributes("property", {"name": k, "value": v}) for k, v in element["properties"].items()]
        nodes.append(f"<zeebe:properties>{''.join(found)}</zeebe:properties>")
    if "called" in element:
        nodes.append(_attributes("calledElement", element["called"]))
    if "headers" in element:
        headers = [_attributes("header", {"key": k, "value": v}) for k, v in element["headers"].items()]
        nodes.append(f"<zeebe:taskHeaders>{''.join(headers)}</zeebe:taskHeaders>")
    mappings = [
        _attributes(kind, {"source": source, "target": target})
        for kind in ("input", "output")
        for target, source in _pairs(element.get(f"{kind}s", {}))
    ]
    if mappings:
        nodes.append(f"<zeebe:ioMapping>{''.join(mappings)}</zeebe:ioMapping>")
    if "script" in element:
        script = {"expression": element["script"], "resultVariable": element["result"]}
        nodes.append(_attributes("script", script))
    if "decision" in element:
        called = {"decisionId": element["decision"], "resultVariable": element["result"]}
        nodes.append(_attributes("calledDecision", called | element.get("binding", {})))
    if element.get("native", element["type"] == "userTask"):
        nodes.append("<zeebe:userTask/>")
    for name in ("assignmentDefinition", "taskSchedule", "priorityDefinition", "formDefinition"):
        if name in element:
            nodes.append(_attributes(name, element[name]))
    nodes += element.get("zeebe", [])
    return nodes


def _pairs(mappings: Any) -> list[tuple[str, str]]:
    """Return (target, source) pairs of a mapping, or of a list of single mappings when targets repeat."""
    if isinstance(mappings, Mapping):
        return list(mappings.items())
    return [pair for single in mappings for pair in single.items()]


def _event(kind: str, element: Mapping[str, Any], definitions: _Definitions) -> str:
    if "message" in element and kind != "receiveTask":
        return f'<bpmn:messageEventDefinition messageRef="{definitions.message(element["message"])}"/>'
    if "signal" in element:
        return f'<bpmn:signalEventDefinition signalRef="{definitions.signal(element["signal"])}"/>'
    if "escalation" in element:
        code = element["escalation"]
        reference = f'escalationRef="{definitions.escalation(code)}"' if code else ""
        return f"<bpmn:escalationEventDefinition {reference}/>"
    if element.get("throws") == "message":
        return "<bpmn:messageEventDefinition/>"
    if "link" in element:
        return f"<bpmn:linkEventDefinition name={quoteattr(element['link'])}/>"
    if "error" in element:
        reference = f'errorRef="{definitions.error(element["error"])}"' if element["error"] else ""
        return f"<bpmn:errorEventDefinition {reference}/>"
    for name in ("timeDate", "timeDuration", "timeCycle"):
        if name in element:
            inner = f'<bpmn:{name} xsi:type="bpmn:tFormalExpression">{escape(element[name])}</bpmn:{name}>'
            return f"<bpmn:timerEventDefinition>{inner}</bpmn:timerEventDefinition>"
    return "<bpmn:terminateEventDefinition/>" if element.get("terminate") else element.get("raw", "")

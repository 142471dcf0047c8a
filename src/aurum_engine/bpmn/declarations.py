"""What a file declares beside its processes, for their events to refer to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

from aurum_engine.bpmn.extensions import Extensions, Report, read_text
from aurum_engine.bpmn.model import MessageDefinition, Text
from aurum_engine.bpmn.xml import BPMN, attribute, children


@dataclass(frozen=True, slots=True)
class Definitions:
    """Messages, codes of errors and escalations, and names of signals of one file, by id."""

    messages: Mapping[str, MessageDefinition]
    errors: Mapping[str, Text | None]
    escalations: Mapping[str, Text | None]
    signals: Mapping[str, Text]


def read_definitions(root: etree._Element, report: Report) -> Definitions:
    """Return what a `bpmn:definitions` element declares."""
    messages = {}
    for node in children(root, BPMN, "message"):
        message_id = attribute(node, "id") or ""
        extensions = Extensions(node, message_id, report)
        key = extensions.optional(extensions.find("subscription"), "correlationKey")
        name = attribute(node, "name")
        if not name:
            report(message_id, "message has no name")
        messages[message_id] = MessageDefinition(extensions.text(name or "", "message name"), key)
    errors, escalations = _codes(root, "error", report), _codes(root, "escalation", report)
    signals = {}
    for node in children(root, BPMN, "signal"):
        signal_id, name = attribute(node, "id") or "", attribute(node, "name")
        if not name:
            report(signal_id, "signal has no name")
        signals[signal_id] = read_text(name or "", "signal name", signal_id, report)
    return Definitions(messages, errors, escalations, signals)


def _codes(root: etree._Element, kind: str, report: Report) -> dict[str, Text | None]:
    """Return the codes of the errors or escalations of a file, by id; None without code."""
    codes: dict[str, Text | None] = {}
    for node in children(root, BPMN, kind):
        node_id, code = attribute(node, "id") or "", attribute(node, f"{kind}Code")
        codes[node_id] = read_text(code, f"{kind} code", node_id, report) if code else None
    return codes

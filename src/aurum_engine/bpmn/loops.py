"""Multi-instance activities: read from their markers, and taken apart into body and activity."""

from __future__ import annotations

from dataclasses import replace

from lxml import etree

from aurum_engine.bpmn.extensions import Extensions, Report
from aurum_engine.bpmn.model import Element, ElementType, LoopDefinition, Process, Text
from aurum_engine.bpmn.xml import BPMN, attribute, child, children, split
from aurum_engine.feel.api import parse_tree
from aurum_engine.feel.literals import first_name

MARKER = "multiInstanceLoopCharacteristics"


def read_loop(node: etree._Element, element_id: str, report: Report) -> LoopDefinition | None:
    """Return the loop of an activity; None when it has none, or one that was reported."""
    for part in children(node, BPMN, "standardLoopCharacteristics"):
        report(element_id, f"bpmn:{split(part)[1]} is not supported")
    marker = child(node, BPMN, MARKER)
    if marker is None:
        return None
    for part in children(marker, BPMN, "completionCondition", "loopCardinality"):
        report(element_id, f"bpmn:{split(part)[1]} of a multi-instance activity is not supported")
    extensions = Extensions(marker, element_id, report)
    loop = extensions.find("loopCharacteristics")
    collection = extensions.optional(loop, "inputCollection")
    if loop is None or collection is None:
        report(element_id, f"bpmn:{MARKER} needs a zeebe:loopCharacteristics with an inputCollection")
        return None
    output, name = extensions.optional(loop, "outputElement"), attribute(loop, "outputCollection") or None
    if (name is None) != (output is None):
        report(element_id, "zeebe:loopCharacteristics needs both outputCollection and outputElement")
    for what, text in (("inputCollection", collection), ("outputElement", output)):
        if text is not None and not text.source.startswith("="):
            report(element_id, f"{what} must be FEEL and start with '='")
    return LoopDefinition(
        is_sequential=attribute(marker, "isSequential") == "true",
        input_collection=collection,
        input_element=attribute(loop, "inputElement") or None,
        output_collection=name,
        output_element=output,
        output_variable=_read_variable(output),
    )


def _read_variable(text: Text | None) -> str | None:
    if text is None or text.expression is None:
        return None
    return first_name(parse_tree(text.source[1:]))


def with_bodies(process: Process) -> Process:
    """Return the process with each multi-instance activity taken apart; it must have been validated."""
    looped = [element for element in process.elements.values() if element.loop is not None]
    if not looped:
        return process
    inner = {e.id: replace(e, incoming=(), outgoing=(), boundary_ids=(), loop=None) for e in looped}
    return replace(
        process,
        elements={**process.elements, **inner},
        bodies={element.id: _body(element) for element in looped},
    )


def _body(element: Element) -> Element:
    return Element(
        id=element.id,
        name=element.name,
        type=ElementType.MULTI_INSTANCE_BODY,
        parent_id=element.parent_id,
        incoming=element.incoming,
        outgoing=element.outgoing,
        boundary_ids=element.boundary_ids,
        loop=element.loop,
    )

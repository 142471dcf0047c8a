"""Link events: a throwing and a catching one of the same name are joined by a flow nobody drew."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from aurum_engine.bpmn.extensions import Report
from aurum_engine.bpmn.model import Element, ElementType, SequenceFlow
from aurum_engine.bpmn.xml import BPMN, attribute, child

LINK_FLOW_SUFFIX = "#link"
"""Appended to the id of a throwing link event: the id of its flow."""


def read_link(node: etree._Element, element_id: str, report: Report) -> str | None:
    """Return the name of a link event; None for any other event."""
    definition = child(node, BPMN, "linkEventDefinition")
    if definition is None:
        return None
    name = attribute(definition, "name")
    if not name:
        report(element_id, "link event has no name")
    return name


def link_flows(elements: Iterable[Element], report: Report) -> dict[str, SequenceFlow]:
    """Return the flows between link events; they connect events of one scope."""
    throws: list[Element] = []
    catches: dict[tuple[str, str | None], Element] = {}
    for element in elements:
        if element.link is None:
            continue
        if element.type is ElementType.INTERMEDIATE_THROW_EVENT:
            throws.append(element)
        elif (element.parent_id, element.link) in catches:
            report(element.id, f"link {element.link!r} is caught more than once in the same scope")
        else:
            catches[element.parent_id, element.link] = element
    flows = {}
    for throw in throws:
        target = catches.get((throw.parent_id, throw.link))
        if target is None:
            report(throw.id, f"link {throw.link!r} is caught nowhere in the same scope")
        else:
            flow_id = throw.id + LINK_FLOW_SUFFIX
            flows[flow_id] = SequenceFlow(flow_id, throw.id, target.id, None)
    return flows

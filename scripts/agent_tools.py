"""Writes docs/agent-tools.md from the model: one row for each tool of the agent.

Usage: `python scripts/agent_tools.py` writes the file; a test compares it with `document()`.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from aurum.domain.agent_tools import TOOL_VARIABLE
from aurum.domain.audience_tables import VARIABLES
from aurum.domain.grants import Grant

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs/agent-tools.md"
NS = {
    "bpmn": "http://www.omg.org/spec/BPMN/20100524/MODEL",
    "zeebe": "http://camunda.org/schema/zeebe/1.0",
}
KINDS = {"serviceTask", "scriptTask", "businessRuleTask", "userTask"}

HEAD = """# The tools of the agent

Thirteen activities inside `onboarding_agent`, and nothing else, are what the model may use: names,
descriptions and parameters come from `bpmn/wealth-onboarding.bpmn` (element id, documentation, `fromAi`).
This page is written from it by `python scripts/agent_tools.py`; a test compares.

No argument makes a check, an amount or a route better: tools read what is on file, and further spellings
only add names to screen. What a tool gives is a preview; the steps after the agent make every missing
check, fix the amount and decide the route.

"""

PARAMETER = re.compile(r'fromAi\(toolCall\.(\w+), "([^"]*)", "(\w+)", (.*), \{required: (true|false)\}\)$')


def document() -> str:
    """Return the whole page."""
    process = ElementTree.parse(ROOT / "bpmn/wealth-onboarding.bpmn").getroot()
    agent = process.find(".//bpmn:adHocSubProcess", NS)
    if agent is None:
        raise SystemExit("the model has no agent")
    tools = [element for element in agent if element.tag.rpartition("}")[2] in KINDS]
    events = agent.findall("bpmn:boundaryEvent", NS)
    lines = [
        "| tool | kind | inputs | outputs | card | failure | audience |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [f"| {' | '.join(_row(tool, events))} |" for tool in tools]
    words = [f"- `{tool.attrib['id']}`: {tool.findtext('bpmn:documentation', '', NS)}" for tool in tools]
    return HEAD + "\n".join(lines) + "\n\n## What the model reads\n\n" + "\n".join(words) + "\n"


def _row(tool: Element, events: list[Element]) -> list[str]:
    properties = {p.attrib["name"]: p.attrib["value"] for p in tool.findall(".//zeebe:property", NS)}
    return [
        f"`{tool.attrib['id']}`",
        _kind(tool),
        ", ".join(_parameters(tool)) or "none",
        properties["returns"],
        properties.get("card", "none"),
        "; ".join(_failures(tool, properties, events)) or "none",
        _audience(tool.attrib["id"]),
    ]


def _kind(tool: Element) -> str:
    definition = tool.find(".//zeebe:taskDefinition", NS)
    if definition is not None:
        return f"job `{definition.attrib['type']}`"
    decision = tool.find(".//zeebe:calledDecision", NS)
    if decision is not None:
        return f"decision `{decision.attrib['decisionId']}`"
    if tool.find(".//zeebe:script", NS) is not None:
        return "FEEL script"
    owner = tool.find(".//zeebe:assignmentDefinition", NS)
    return (
        "user task of the customer"
        if owner is not None and "assignee" in owner.attrib
        else "user task of advisors"
    )


def _parameters(tool: Element) -> list[str]:
    found = []
    for mapping in tool.findall(".//zeebe:input", NS):
        parameter = PARAMETER.search(mapping.attrib["source"])
        if parameter is not None:
            name, _, kind, _, required = parameter.groups()
            found.append(f"`{name}` ({kind}{'' if required == 'true' else ', optional'})")
    return found


def _failures(tool: Element, properties: dict[str, str], events: list[Element]) -> list[str]:
    found = [f"code `{code}`" for code in properties.get("fails", "").split(",") if code]
    for event in events:
        if event.attrib["attachedToRef"] != tool.attrib["id"]:
            continue
        timer = event.findtext(".//bpmn:timeDuration", None, NS)
        if timer is not None:
            found.append(f"`timeout` after {timer}")
        else:
            output = event.find(".//zeebe:output", NS)
            code = re.search(r'code: "(\w+)"', "" if output is None else output.attrib["source"])
            found.append(f"code `{code.group(1) if code else '?'}`")
    if tool.find(".//zeebe:taskDefinition", NS) is not None:
        found.append("an outage is tried again, then an incident")
    return found


def _audience(tool_id: str) -> str:
    """Say what the customer, and with them the model, learns of the result."""
    grant = VARIABLES[TOOL_VARIABLE[tool_id]]
    if "customer" not in grant.views:
        return "bank only; customer and model: done"
    if "customer" in grant.projections:
        return "customer and model: done; bank: all"
    hidden = [name for name, field in (grant.fields or {}).items() if _hidden(field)]
    return f"all, but not to the customer: {', '.join(hidden)}" if hidden else "all"


def _hidden(field: Grant) -> bool:
    return "customer" not in field.views


if __name__ == "__main__":
    TARGET.write_text(document(), encoding="utf-8")

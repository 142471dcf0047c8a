"""Promises of the process files that no linter knows: careful defaults, named owners, one row that opens.

Reads `bpmn/`, `dmn/` and `docs/process-variables.md` as text; runs no engine.
"""

from __future__ import annotations

import itertools
import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from aurum.domain.agent_tools import TOOL_VARIABLE

ROOT = Path(__file__).resolve().parents[2]
NS = {
    "bpmn": "http://www.omg.org/spec/BPMN/20100524/MODEL",
    "bpmndi": "http://www.omg.org/spec/BPMN/20100524/DI",
    "di": "http://www.omg.org/spec/DD/20100524/DI",
    "dc": "http://www.omg.org/spec/DD/20100524/DC",
    "zeebe": "http://camunda.org/schema/zeebe/1.0",
    "dmn": "https://www.omg.org/spec/DMN/20191111/MODEL/",
}
CONTRACT = (ROOT / "docs/process-variables.md").read_text("utf-8")
FLOW_NODES = (
    "startEvent",
    "endEvent",
    "boundaryEvent",
    "subProcess",
    "adHocSubProcess",
    "exclusiveGateway",
)
TOOL_KINDS = ("serviceTask", "scriptTask", "businessRuleTask", "userTask")


def read(path: str) -> Element:
    return ElementTree.parse(ROOT / path).getroot()


PROCESS = read("bpmn/wealth-onboarding.bpmn")
ROUTE = read("dmn/onboarding-route.dmn")
RISK = read("dmn/risk-score.dmn")


def one(path: str, within: Element) -> Element:
    found = within.find(path, NS)
    assert found is not None, path
    return found


def all_of(kind: str, within: Element = PROCESS) -> list[Element]:
    return within.findall(f".//{kind}", NS)


def drawn_ids() -> Iterator[str]:
    scopes = ("bpmn:process/*", "bpmn:subProcess/*", "bpmn:adHocSubProcess/*")
    for element in [element for scope in scopes for element in all_of(scope)]:
        name = element.tag.rpartition("}")[2]
        if name.endswith("Task") or name in FLOW_NODES or name == "sequenceFlow":
            yield element.attrib["id"]


def rules_of(decision: str, root: Element) -> list[tuple[str, list[str], list[str]]]:
    found = []
    for rule in all_of(f"dmn:decision[@id='{decision}']//dmn:rule", root):
        cells = [e.findtext("dmn:text", "", NS) for e in rule.findall("dmn:inputEntry", NS)]
        outputs = [e.findtext("dmn:text", "", NS) for e in rule.findall("dmn:outputEntry", NS)]
        found.append((rule.attrib["id"], cells, outputs))
    return found


def test_every_service_task_fetches_and_writes_what_the_contract_says() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (`[a-z.:1-]+` \| [\w, ]+) \|", CONTRACT, re.MULTILINE))
    drawn = {}
    for task in all_of("bpmn:serviceTask"):
        job_type = one(".//zeebe:taskDefinition", task).attrib["type"]
        fetched = one(".//zeebe:property[@name='fetchVariables']", task).attrib["value"]
        drawn[task.attrib["id"]] = f"`{job_type}` | {fetched.replace(',', ', ')}"

    assert drawn == rows


def test_every_rule_task_calls_a_decision_that_exists() -> None:
    known = {
        d.attrib["id"]
        for path in ROOT.glob("dmn/*.dmn")
        for d in all_of("dmn:decision", read(f"dmn/{path.name}"))
    }
    called = {c.attrib["decisionId"] for c in all_of("zeebe:calledDecision")}

    assert called == {"suitability", "risk_score", "onboarding_route"}
    assert called <= known


def contract_targets() -> dict[str, set[str]]:
    """Element id -> case variables its row of the contract lets it write."""
    targets = {}
    for line in CONTRACT.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 8:
            for element_id in re.findall(r"`(\w+)`", cells[1]):
                targets[element_id] = set(re.findall(r"`([\w.]+)`(?! ->)", cells[5]))
    return targets


@pytest.mark.parametrize(
    "task",
    [
        task
        for kind in TOOL_KINDS
        for task in all_of(f"bpmn:{kind}")
        if task.attrib["id"] != "escalate_review"
    ],
    ids=lambda task: task.attrib["id"],
)
def test_a_task_writes_what_the_contract_lets_it_write_and_nothing_else(task: Element) -> None:
    outputs = {o.attrib["target"] for o in all_of("zeebe:output", task)}

    assert outputs
    assert outputs == contract_targets()[task.attrib["id"]]


@pytest.mark.parametrize("gateway", all_of("bpmn:exclusiveGateway"), ids=lambda g: g.attrib["id"])
def test_every_choice_has_a_default_and_conditions_that_cannot_be_null(gateway: Element) -> None:
    flows = [f for f in all_of("bpmn:sequenceFlow") if f.attrib["sourceRef"] == gateway.attrib["id"]]
    if len(flows) == 1:
        return

    conditions = {f.attrib["id"]: f.findtext("bpmn:conditionExpression", None, NS) for f in flows}
    assert conditions.pop(gateway.attrib["default"]) is None
    assert all(text and text.startswith("=(") and text.endswith(") = true") for text in conditions.values())


@pytest.mark.parametrize(
    ("gateway", "careful"),
    [
        ("identity_known", "verify_identity"),
        ("tax_known", "verify_tax_status"),
        ("sanctions_known", "screen_sanctions"),
        ("pep_known", "screen_pep"),
        ("route_gateway", "review_merge"),
        ("review_gateway", "review_merge"),
        ("four_eyes_gateway", "approval_merge"),
        ("approval_gateway", "approval_merge"),
    ],
)
def test_the_default_is_the_careful_way(gateway: str, careful: str) -> None:
    default = one(f".//bpmn:exclusiveGateway[@id='{gateway}']", PROCESS).attrib["default"]

    assert one(f".//bpmn:sequenceFlow[@id='{default}']", PROCESS).attrib["targetRef"] == careful


@pytest.mark.parametrize("task", all_of("bpmn:userTask"), ids=lambda t: t.attrib["id"])
def test_every_user_task_has_a_form_words_and_an_audience(task: Element) -> None:
    form_id = one(".//zeebe:formDefinition", task).attrib["formId"]
    form = json.loads((ROOT / f"bpmn/forms/{form_id}.form").read_text("utf-8"))
    audience = one(".//zeebe:property[@name='audience']", task).attrib["value"]
    owner = one(".//zeebe:assignmentDefinition", task).attrib

    assert task.find(".//zeebe:userTask", NS) is not None
    assert form["id"] == form_id
    assert task.attrib["name"]
    assert task.findtext("bpmn:documentation", "", NS)
    assert ("assignee" in owner) == (audience == "customer")
    assert ("candidateGroups" in owner) == (audience == "advisor")


AGENT = one(".//bpmn:adHocSubProcess", PROCESS)
TOOLS = [element for element in AGENT if element.tag.rpartition("}")[2] in TOOL_KINDS]


def test_the_agent_has_thirteen_tools_each_with_a_name_and_words_for_the_model() -> None:
    assert {tool.attrib["id"] for tool in TOOLS} == set(TOOL_VARIABLE)
    assert len(TOOLS) == 13
    assert all(tool.attrib["name"] and tool.findtext("bpmn:documentation", "", NS) for tool in TOOLS)
    assert not AGENT.findall(".//bpmn:sequenceFlow", NS)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.attrib["id"])
def test_a_tool_says_whose_call_it_is_and_writes_its_result_only(tool: Element) -> None:
    inputs = [(i.attrib["source"], i.attrib["target"]) for i in all_of("zeebe:input", tool)]
    outputs = [o.attrib["target"] for o in all_of("zeebe:output", tool)]
    result = tool.find(".//*[@resultVariable]")

    assert inputs[0] == ("=toolCall._meta.id", "toolCallId")
    assert outputs == ["toolCallResult"]
    assert result is None or result.attrib["resultVariable"] not in {target for _, target in inputs}


def test_what_the_agents_events_write_is_a_tools_result_too() -> None:
    events = AGENT.findall("bpmn:boundaryEvent", NS)

    assert {e.attrib["attachedToRef"] for e in events} < {tool.attrib["id"] for tool in TOOLS}
    assert {o.attrib["target"] for e in events for o in all_of("zeebe:output", e)} == {"toolCallResult"}


def test_only_the_agents_own_four_variables_leave_it() -> None:
    mapping = one("bpmn:extensionElements/zeebe:ioMapping", AGENT)
    outputs = {o.attrib["target"] for o in all_of("zeebe:output", mapping)}

    assert outputs == {"messages", "agent", "agentOutcome", "toolCallResults"}


def test_every_check_follows_the_agent_whatever_it_did() -> None:
    flows = {f.attrib["sourceRef"]: f.attrib["targetRef"] for f in all_of("bpmn:sequenceFlow")}

    assert flows["parse_application"] == "onboarding_agent"
    assert flows["onboarding_agent"] == "collect_checks"
    assert flows["collect_checks"] == "identity_known"


def test_the_preview_of_the_risk_reads_the_checks_that_will_be_collected() -> None:
    preview = one(".//bpmn:businessRuleTask[@id='preview_risk']", PROCESS)
    collected = one(".//bpmn:scriptTask[@id='collect_checks']//zeebe:script", PROCESS)

    known = one(".//zeebe:input[@target='checks']", preview)
    assert known.attrib["source"] == collected.attrib["expression"]


def test_the_page_of_the_tools_says_what_the_model_says() -> None:
    written = runpy.run_path(str(ROOT / "scripts/agent_tools.py"))["document"]()

    assert (ROOT / "docs/agent-tools.md").read_text("utf-8") == written


def test_every_end_event_has_a_name() -> None:
    ends = {e.attrib["id"]: e.get("name") for e in all_of("bpmn:endEvent")}

    assert set(ends) == {"account_opened", "declined", "withdrawn", "expired", "review_escalated"}
    assert all(ends.values())


def test_the_diagram_shows_every_element_once() -> None:
    shown = [e.attrib["bpmnElement"] for e in all_of("bpmndi:BPMNShape") + all_of("bpmndi:BPMNEdge")]

    assert sorted(shown) == sorted(drawn_ids())


def test_every_line_of_the_diagram_is_horizontal_or_vertical() -> None:
    for edge in all_of("bpmndi:BPMNEdge"):
        points = [(p.attrib["x"], p.attrib["y"]) for p in all_of("di:waypoint", edge)]
        for (x1, y1), (x2, y2) in itertools.pairwise(points):
            assert x1 == x2 or y1 == y2, edge.attrib["id"]


def test_one_row_opens_without_a_person_and_the_last_one_sends_everything_to_an_advisor() -> None:
    rules = rules_of("onboarding_route", ROUTE)
    table = one(".//dmn:decision[@id='onboarding_route']/dmn:decisionTable", ROUTE)

    assert table.attrib["hitPolicy"] == "FIRST"
    assert [rule_id for rule_id, _, outputs in rules if outputs[0] != '"advisor"'] == ["auto_within_limit"]
    assert rules[0][1:] == (
        ["]0..150000000]", '"whole"', '"low", "medium"', "count(?) = 0"],
        ['"auto"', '""', '"WITHIN_LIMIT"'],
    )
    assert set(rules[-1][1]) == {"-"}
    assert rules[-1][2] == ['"advisor"', '"advisors"', '"NEEDS_REVIEW"']


def test_every_kind_of_risk_factor_is_added_up_once() -> None:
    kinds = {outputs[1].strip('"') for _, _, outputs in rules_of("risk_factors", RISK)}
    summed = [cells[0] for _, cells, _ in rules_of("risk_points", RISK)]

    assert sorted(summed) == sorted(f'some f in ? satisfies f.dimension = "{kind}"' for kind in kinds)


def test_every_risk_factor_has_its_own_code_and_adds_points() -> None:
    rules = rules_of("risk_factors", RISK)
    codes = [outputs[0] for _, _, outputs in rules]

    assert len(set(codes)) == len(codes)
    assert all(int(outputs[2]) > 0 for _, _, outputs in rules)
    assert all(rule_id == f"rf_{outputs[0].strip(chr(34)).lower()}" for rule_id, _, outputs in rules)

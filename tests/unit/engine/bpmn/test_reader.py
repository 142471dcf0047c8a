"""What a BPMN resource becomes, and how it is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.conformance.scenarios.builder import HEAD, build

from aurum_engine.bpmn.api import InvalidBpmn, read_bpmn
from aurum_engine.bpmn.model import ElementType, EventKind
from aurum_engine.bpmn.reader import TYPES


def problems_of(source: bytes) -> dict[str, str]:
    with pytest.raises(InvalidBpmn) as refused:
        read_bpmn(source)
    found: dict[str, str] = {}
    for problem in refused.value.problems:
        found[problem.element_id] = found.get(problem.element_id, "") + problem.reason + "\n"
    return found


def in_process(body: str) -> bytes:
    process = f'<bpmn:process id="p" isExecutable="true"><bpmn:startEvent id="start"/>{body}</bpmn:process>'
    return f"{HEAD}{process}</bpmn:definitions>".encode()


def test_elements_keep_their_place_flows_and_extensions() -> None:
    (process,) = read_bpmn(
        build(
            {
                "id": "p",
                "version_tag": "v1",
                "flow": "start -> sub -> end; late -> late_end",
                "elements": {
                    "sub": {
                        "type": "subProcess",
                        "flow": "in -> work -> out",
                        "elements": {"work": {"type": "serviceTask", "job": "w", "headers": {"a": "b"}}},
                    },
                    "late": {"type": "boundaryEvent", "attached": "sub", "timeDuration": "PT1H"},
                },
            }
        )
    )

    work, sub = process.elements["work"], process.elements["sub"]
    assert process.version_tag == "v1"
    assert work.parent_id == "sub"
    assert work.headers == (("a", "b"),)
    assert sub.start_event_id == "in"
    assert [e.id for e in process.boundaries(sub)] == ["late"]
    assert process.elements["late"].event is EventKind.TIMER
    assert process.elements["out"].type is ElementType.END_EVENT


def test_a_process_that_is_not_executable_is_left_out_but_one_must_be() -> None:
    text = f'{HEAD}<bpmn:process id="p" isExecutable="false"/></bpmn:definitions>'

    assert "no executable process" in problems_of(text.encode())[""]


@pytest.mark.parametrize(
    ("kind", "element"),
    [
        ("calledElement", '<bpmn:callActivity id="x"/>'),
        ("complexGateway", '<bpmn:complexGateway id="x"/>'),
        ("transaction", '<bpmn:transaction id="x"/>'),
        (
            "conditionalEventDefinition",
            '<bpmn:intermediateCatchEvent id="x"><bpmn:conditionalEventDefinition/>'
            "</bpmn:intermediateCatchEvent>",
        ),
        (
            "multiInstanceLoopCharacteristics",
            '<bpmn:task id="x"><bpmn:multiInstanceLoopCharacteristics/></bpmn:task>',
        ),
    ],
)
def test_an_element_outside_of_the_subset_is_refused_by_name(kind: str, element: str) -> None:
    assert kind in problems_of(in_process(element))["x"]


@pytest.mark.parametrize(
    "extension", ["executionListeners", "loopCharacteristics", "adHoc", "calledElement", "taskListeners"]
)
def test_an_extension_that_would_change_behaviour_is_refused_by_name(extension: str) -> None:
    body = (
        '<bpmn:serviceTask id="x"><bpmn:extensionElements><zeebe:taskDefinition type="w"/>'
        f"<zeebe:{extension}/></bpmn:extensionElements></bpmn:serviceTask>"
    )

    assert f"zeebe:{extension}" in problems_of(in_process(body))["x"]


def test_all_problems_of_a_resource_are_reported_at_once() -> None:
    found = problems_of(
        build(
            {
                "id": "p",
                "flow": "start -> work -> gate; gate -> a [x > 1]; gate -> b",
                "elements": {
                    "work": {"type": "serviceTask"},
                    "gate": {"type": "exclusiveGateway"},
                    "wait": {"type": "receiveTask", "message": {"name": ""}},
                    "script": {"type": "scriptTask", "script": "=1 +", "result": "x"},
                    "late": {"type": "boundaryEvent", "attached": "nobody", "timeDuration": "soon"},
                },
            }
        )
    )

    assert set(found) >= {"work", "gate_to_a", "gate_to_b", "message_0", "wait", "script", "late"}


def test_bad_feel_is_reported_with_its_position() -> None:
    source = build(
        {
            "id": "p",
            "flow": "start -> s -> end",
            "elements": {"s": {"type": "scriptTask", "script": "=(1", "result": "r"}},
        }
    )

    assert "at position" in problems_of(source)["s"]


@pytest.mark.parametrize(
    ("description", "element_id", "reason"),
    [
        ({"flow": "start -> gate; gate -> a [= x]; gate -> b"}, "gate_to_b", "needs a condition"),
        ({"flow": "start -> work -> end"}, "work", "job type"),
    ],
    ids=["no condition", "no job"],
)
def test_structure_is_judged(description: dict[str, str], element_id: str, reason: str) -> None:
    elements = {"gate": {"type": "exclusiveGateway"}, "work": {"type": "serviceTask"}}
    used = {name: e for name, e in elements.items() if name in description["flow"]}

    assert reason in problems_of(build({"id": "p", "elements": used, **description}))[element_id]


def test_a_flow_that_crosses_a_border_or_ends_nowhere_is_refused() -> None:
    found = problems_of(
        in_process(
            '<bpmn:subProcess id="sub"><bpmn:startEvent id="in"/></bpmn:subProcess>'
            '<bpmn:sequenceFlow id="cross" sourceRef="start" targetRef="in"/>'
            '<bpmn:sequenceFlow id="lost" sourceRef="start" targetRef="gone"/>'
        )
    )

    assert "crosses" in found["cross"]
    assert "nowhere" in found["lost"]


def test_entities_and_document_types_are_refused() -> None:
    bomb = b'<!DOCTYPE d [<!ENTITY a "aaaa">]>' + in_process("").replace(b'id="start"', b'id="&a;"')

    assert "document type" in problems_of(bomb)[""]


@pytest.mark.parametrize("source", [b"", b"<a/>", b"not xml", b"\xff\xfe", b"<bpmn:definitions/>"])
def test_what_is_no_bpmn_is_one_problem_of_the_resource(source: bytes) -> None:
    assert list(problems_of(source)) == [""]


def test_ids_are_unique() -> None:
    assert "twice" in problems_of(in_process('<bpmn:task id="start"/>'))["start"]


def test_every_element_that_is_read_is_on_the_page() -> None:
    page = (Path(__file__).parents[4] / "docs" / "supported-bpmn.md").read_text(encoding="utf-8")
    words = {kind: re.sub(r"([A-Z])", r" \1", kind).lower() for kind in TYPES}
    words |= {"subProcess": "sub-process", "adHocSubProcess": "ad-hoc sub-process"}
    words |= {"eventBasedGateway": "event-based gateway"}

    assert [kind for kind, name in words.items() if name not in page] == []

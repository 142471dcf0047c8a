"""Requirement graphs through the public door: order, knowledge, types and failures."""

from __future__ import annotations

import pytest

from aurum_engine.dmn.api import InvalidDmn, evaluate_decision, parse_drg

_HEAD = (
    '<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="drg" name="Drg" namespace="ns">'
)


def decision(name: str, text: str, *requires: str, type_ref: str = "", knowledge: str = "") -> str:
    required = "".join(
        f'<informationRequirement><requiredDecision href="#{other}"/></informationRequirement>'
        for other in requires
    )
    if knowledge:
        required += f'<knowledgeRequirement><requiredKnowledge href="#{knowledge}"/></knowledgeRequirement>'
    of_type = f'typeRef="{type_ref}"' if type_ref else ""
    return (
        f'<decision id="{name}" name="{name}"><variable name="{name}" {of_type}/>{required}'
        f"<literalExpression><text>{text}</text></literalExpression></decision>"
    )


def file(*elements: str) -> bytes:
    return (_HEAD + "".join(elements) + "</definitions>").encode()


def test_required_decisions_are_evaluated_first_and_once() -> None:
    drg = parse_drg(
        file(
            decision("total", "left + right", "left", "right"),
            decision("left", "base + 1", "base"),
            decision("right", "base + 2", "base"),
            decision("base", "amount * 10"),
        )
    )

    result = evaluate_decision(drg, "total", {"amount": 1})

    assert result.output == 23
    assert [(d.decision_id, d.output) for d in result.decisions] == [
        ("base", 10),
        ("left", 11),
        ("right", 12),
        ("total", 23),
    ]


def test_a_drg_lists_its_decisions_and_what_they_require() -> None:
    drg = parse_drg(file(decision("a", "b", "b"), decision("b", "1")))

    assert (drg.drg_id, drg.name, drg.namespace) == ("drg", "Drg", "ns")
    assert [(d.decision_id, d.name, d.required) for d in drg.decisions] == [
        ("a", "a", ("b",)),
        ("b", "b", ()),
    ]


def test_a_decision_does_not_see_results_it_does_not_require() -> None:
    drg = parse_drg(
        file(decision("a", "b", "b"), decision("b", "c = null", "d"), decision("c", "1"), decision("d", "2"))
    )

    assert evaluate_decision(drg, "a", {}).output is True


def test_a_result_of_another_type_than_its_variable_fails_the_evaluation() -> None:
    drg = parse_drg(file(decision("a", "b", "b"), decision("b", '"text"', type_ref="number")))

    result = evaluate_decision(drg, "a", {})

    assert result.output is None
    assert result.failed_decision_id == "b"
    assert result.failure == "expected number, found string"


def test_a_knowledge_model_is_a_function_that_may_call_itself() -> None:
    model = (
        '<businessKnowledgeModel id="fac" name="fac"><variable name="fac"/><encapsulatedLogic>'
        '<formalParameter name="n" typeRef="number"/><literalExpression>'
        "<text>if n &lt; 2 then 1 else n * fac(n - 1)</text>"
        "</literalExpression></encapsulatedLogic></businessKnowledgeModel>"
    )
    drg = parse_drg(file(decision("a", "fac(5)", knowledge="fac"), model))

    assert evaluate_decision(drg, "a", {}).output == 120


def test_names_with_spaces_are_read_unquoted() -> None:
    xml = file(
        '<inputData id="i" name="Annual Income"><variable name="Annual Income"/></inputData>',
        '<decision id="a" name="a"><variable name="a"/><informationRequirement><requiredInput href="#i"/>'
        "</informationRequirement><literalExpression><text>Annual Income / 12</text></literalExpression>"
        "</decision>",
    )

    assert evaluate_decision(parse_drg(xml), "a", {"Annual Income": 24}).output == 2


@pytest.mark.parametrize(
    ("xml", "element_id", "word"),
    [
        (file(decision("a", "b", "b"), decision("b", "a", "a")), "a", "requires itself"),
        (file(decision("a", "b", "b")), "a", "does not exist"),
        (file(decision("a", "1", knowledge="k")), "a", "does not exist"),
        (file(*(decision(f"d{n}", "1", f"d{n + 1}") for n in range(99)), decision("d99", "1")), "d0", "deep"),
    ],
    ids=["a cycle", "a decision that is not there", "knowledge that is not there", "a chain without end"],
)
def test_requirements_that_cannot_be_met_are_refused(xml: bytes, element_id: str, word: str) -> None:
    with pytest.raises(InvalidDmn, match=word) as raised:
        parse_drg(xml)

    assert raised.value.element_id is not None
    assert word != "requires itself" or raised.value.element_id == element_id


def test_a_decision_that_takes_too_long_fails() -> None:
    drg = parse_drg(file(decision("a", "count(for x in 1..999999999 return x)")))

    result = evaluate_decision(drg, "a", {})

    assert result.output is None
    assert result.failed_decision_id == "a"


def test_now_is_the_instant_given() -> None:
    drg = parse_drg(file(decision("a", "today()")))

    assert evaluate_decision(drg, "a", {}, now_ms=0).output == "1970-01-01"


def test_an_external_function_gives_null() -> None:
    text = 'function(x) external {java: {class: "java.lang.Math", method signature: "cos(double)"}}'
    drg = parse_drg(file(decision("a", f"({text})(1) = null")))

    assert evaluate_decision(drg, "a", {}).output is True

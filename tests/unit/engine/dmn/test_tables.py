"""Decision tables through the public door: hit policies, failures and the audit."""

from __future__ import annotations

from typing import Any

import pytest

from aurum_engine.dmn.api import DecisionResult, InvalidDmn, evaluate_decision, parse_drg

_HEAD = (
    '<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="drg" name="Drg" namespace="ns">'
)


def table(
    rules: list[tuple[str, str]],
    *,
    policy: str = "UNIQUE",
    extra: str = "",
    default: str | None = None,
    values: str | None = None,
) -> bytes:
    """Return a file with one table: input `amount`, output `route`."""
    rows = "".join(
        f'<rule id="rule_{n}"><inputEntry id="i{n}"><text><![CDATA[{test}]]></text></inputEntry>'
        f'<outputEntry id="o{n}"><text>{output}</text></outputEntry></rule>'
        for n, (test, output) in enumerate(rules, 1)
    )
    allowed = f"<outputValues><text>{values}</text></outputValues>" if values else ""
    otherwise = f"<defaultOutputEntry><text>{default}</text></defaultOutputEntry>" if default else ""
    return (
        f'{_HEAD}<decision id="route" name="Route"><variable name="route"/>'
        f'<decisionTable id="t" hitPolicy="{policy}" {extra}>'
        '<input id="in" label="Amount"><inputExpression><text>amount</text></inputExpression></input>'
        f'<output id="out" name="route" label="Route">{allowed}{otherwise}</output>{rows}'
        "</decisionTable></decision></definitions>"
    ).encode()


def decide(xml: bytes, **variables: Any) -> DecisionResult:
    return evaluate_decision(parse_drg(xml), "route", variables)


ROUTE = table([("]0..150000000]", '"auto"'), ("-", '"advisor"')], policy="FIRST")


@pytest.mark.parametrize(
    ("amount", "route"),
    [
        (1, "auto"),
        (150_000_000, "auto"),
        (150_000_000.01, "advisor"),
        (150_000_001, "advisor"),
        (0, "advisor"),
        (-1, "advisor"),
        ("100", "advisor"),
        ("", "advisor"),
        (None, "advisor"),
        (True, "advisor"),
        ([100], "advisor"),
        ({"amount": 100}, "advisor"),
        (float("inf"), "advisor"),
        (float("nan"), "advisor"),
    ],
)
def test_a_table_that_fails_closed_routes_only_real_amounts(amount: Any, route: str) -> None:
    assert decide(ROUTE, amount=amount).output == route


def test_a_missing_amount_goes_to_the_last_row() -> None:
    assert decide(ROUTE).output == "advisor"


def test_the_audit_names_inputs_and_the_rule_that_counted() -> None:
    result = decide(ROUTE, amount=200_000_000)

    (decision,) = result.decisions
    assert (decision.decision_id, decision.name, decision.decision_type) == (
        "route",
        "Route",
        "DECISION_TABLE",
    )
    assert [(i.input_id, i.input_name, i.input_value) for i in decision.inputs] == [
        ("in", "Amount", 200_000_000)
    ]
    (rule,) = decision.matched_rules
    assert (rule.rule_id, rule.rule_index) == ("rule_2", 2)
    assert [(o.output_id, o.output_name, o.output_value) for o in rule.outputs] == [
        ("out", "route", "advisor")
    ]


@pytest.mark.parametrize(
    ("policy", "extra", "expected"),
    [
        ("FIRST", "", 20),
        ("RULE ORDER", "", [20, 10, 30]),
        ("OUTPUT ORDER", "", [30, 20, 10]),
        ("PRIORITY", "", 30),
        ("COLLECT", "", [20, 10, 30]),
        ("COLLECT", 'aggregation="SUM"', 60),
        ("COLLECT", 'aggregation="MIN"', 10),
        ("COLLECT", 'aggregation="MAX"', 30),
        ("COLLECT", 'aggregation="COUNT"', 3),
    ],
)
def test_a_hit_policy_chooses_among_matching_rules(policy: str, extra: str, expected: Any) -> None:
    rules = [("> 0", "20"), ("> 1", "10"), ("> 2", "30"), ("> 99", "40")]

    assert (
        decide(table(rules, policy=policy, extra=extra, values="40, 30, 20, 10"), amount=5).output == expected
    )


@pytest.mark.parametrize(
    "policy", ["UNIQUE", "ANY", "FIRST", "PRIORITY", "RULE ORDER", "OUTPUT ORDER", "COLLECT"]
)
def test_no_match_is_null_under_every_policy(policy: str) -> None:
    result = decide(table([("> 9", "1")], policy=policy), amount=1)

    assert (result.output, result.failure) == (None, None)
    assert result.decisions[0].matched_rules == ()


@pytest.mark.parametrize("aggregation", ["SUM", "COUNT", "MIN", "MAX"])
def test_no_match_is_null_even_when_counting(aggregation: str) -> None:
    xml = table([("> 9", "1")], policy="COLLECT", extra=f'aggregation="{aggregation}"')

    assert decide(xml, amount=1).output is None


def test_no_match_gives_the_default_output() -> None:
    assert decide(table([("> 9", '"a"')], default='"other"'), amount=1).output == "other"


def test_two_matches_fail_unique_even_with_equal_outputs() -> None:
    result = decide(table([("> 0", "1"), ("> 1", "1")]), amount=5)

    assert result.output is None
    assert result.failed_decision_id == "route"
    assert result.failure is not None
    assert "rule_1" in result.failure
    assert "rule_2" in result.failure
    (decision,) = result.decisions
    assert decision.output is None
    assert [rule.rule_index for rule in decision.matched_rules] == [1, 2]
    assert decision.inputs[0].input_value == 5


def test_any_needs_equal_outputs() -> None:
    assert decide(table([("> 0", "1"), ("> 1", "1")], policy="ANY"), amount=5).output == 1
    assert decide(table([("> 0", "1"), ("> 1", "2")], policy="ANY"), amount=5).failure is not None


def test_a_cell_that_is_no_test_fails_the_table_even_behind_the_first_hit() -> None:
    result = decide(table([("-", "1"), ("? + 1", "2")], policy="FIRST"), amount=5)

    assert result.failure is not None
    assert "rule_2" in result.failure


@pytest.mark.parametrize(
    ("xml", "element_id"),
    [
        (table([("< <", "1")]), "rule_1"),
        (table([("-", "1 +")]), "rule_1"),
        (table([("-", "1")], policy="LAST"), "t"),
        (table([("-", "1")], extra='aggregation="SUM"'), "t"),
        (b"<definitions", None),
        (b"<process xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' id='p'/>", "p"),
        (b"<!DOCTYPE d [<!ENTITY e 'x'>]>" + ROUTE, None),
    ],
)
def test_a_faulty_file_is_refused_naming_the_element(xml: bytes, element_id: str | None) -> None:
    with pytest.raises(InvalidDmn) as raised:
        parse_drg(xml)

    assert raised.value.element_id == element_id


def test_external_entities_are_not_read() -> None:
    xml = b"<!DOCTYPE d [<!ENTITY e SYSTEM 'file:///etc/hostname'>]>" + ROUTE.replace(b"Route", b"&e;")

    with pytest.raises(InvalidDmn):
        parse_drg(xml)


def test_an_unknown_decision_is_a_failure_and_no_exception() -> None:
    result = evaluate_decision(parse_drg(ROUTE), "other", {})

    assert result.failure is not None
    assert result.failed_decision_id == "other"

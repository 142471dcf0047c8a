"""The expressions of the agent's tools and of `collect_checks`, evaluated as the engine does.

Read from the model itself, so that nothing here can drift away from what is deployed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aurum.domain.agent_tools import CHECK_TOOLS, TOOL_VARIABLE
from aurum_engine.feel.api import parse_expression, to_json

ROOT = Path(__file__).parents[3]
NS = {
    "bpmn": "http://www.omg.org/spec/BPMN/20100524/MODEL",
    "zeebe": "http://camunda.org/schema/zeebe/1.0",
}
PROCESS = ElementTree.parse(ROOT / "bpmn/wealth-onboarding.bpmn").getroot()
RANKS = {"clear": 0, "failed": 2}
HASH = "sha256:now"


def element(element_id: str) -> ElementTree.Element:
    found = PROCESS.find(f".//*[@id='{element_id}']")
    assert found is not None
    return found


def script(element_id: str) -> str:
    found = element(element_id).find(".//zeebe:script", NS)
    assert found is not None
    return found.attrib["expression"]


def mapping(element_id: str, kind: str, target: str) -> str:
    (found,) = [m for m in element(element_id).iterfind(f".//zeebe:{kind}", NS) if m.get("target") == target]
    return str(found.attrib["source"])


def evaluate(expression: str, **variables: Any) -> Any:
    return to_json(parse_expression(expression.removeprefix("=")).evaluate(variables).value)


def collected(results: Any, checks: Any = None, application: Any = None) -> Any:
    application = {"hash": HASH} if application is None else application
    return evaluate(script("collect_checks"), application=application, checks=checks, toolCallResults=results)


def returned(tool: str, check: str, outcome: Any, basis: Any = HASH, of: Any = HASH) -> dict[str, Any]:
    """Return an entry of `toolCallResults` as a check tool leaves it."""
    result = {"outcome": outcome, "basisHash": of, "check": check}
    return {"id": "1.1.1x1:1", "elementId": tool, "basisHash": basis, "result": result}


def rank(outcome: Any) -> int:
    return RANKS.get(outcome, 1) if isinstance(outcome, str) else 1


outcomes = st.sampled_from(["clear", "review", "failed", "odd", 7, True])
hashes = st.sampled_from([HASH, "sha256:before", None, 5])
odd_entries = st.builds(
    returned,
    st.sampled_from(sorted(CHECK_TOOLS)),
    st.sampled_from([*CHECK_TOOLS.values(), None]),
    outcomes | st.none(),
    hashes,
    hashes,
)
# Two checks only, so that several results of one and the same are the rule.
good_entries = st.builds(
    lambda pair, outcome: returned(*pair, outcome),
    st.sampled_from([("check_tax_status", "tax"), ("check_sanctions", "sanctions")]),
    outcomes,
)
entries = good_entries | good_entries | odd_entries


@settings(max_examples=60)
@given(results=st.lists(entries, max_size=8))
def test_of_each_check_the_worst_about_this_very_application_is_kept(results: list[dict[str, Any]]) -> None:
    found = collected(results)

    for tool, name in CHECK_TOOLS.items():
        counted = [
            entry["result"]
            for entry in results
            if entry["elementId"] == tool
            and entry["basisHash"] == entry["result"]["basisHash"] == HASH
            and entry["result"]["check"] == name
            and entry["result"]["outcome"] is not None
        ]
        if counted:
            assert rank(found[name]["outcome"]) == max(rank(check["outcome"]) for check in counted)
            assert found[name] in counted
        else:
            assert name not in found
    assert set(found) <= set(CHECK_TOOLS.values())


@settings(max_examples=40)
@given(first=st.lists(entries, max_size=5), more=st.lists(entries, max_size=5))
def test_another_result_never_makes_a_check_better(
    first: list[dict[str, Any]], more: list[dict[str, Any]]
) -> None:
    before, after = collected(first), collected([*first, *more])

    for name, check in before.items():
        assert rank(after[name]["outcome"]) >= rank(check["outcome"])


@settings(max_examples=40)
@given(first=st.lists(entries, max_size=5), second=st.lists(entries, max_size=5))
def test_another_visit_of_the_agent_never_makes_a_check_better(
    first: list[dict[str, Any]], second: list[dict[str, Any]]
) -> None:
    before = collected(first)
    after = collected(second, before)

    assert all(rank(after[name]["outcome"]) >= rank(check["outcome"]) for name, check in before.items())


def test_a_changed_application_makes_every_check_missing() -> None:
    results = [returned(tool, name, "clear") for tool, name in CHECK_TOOLS.items()]
    before = collected(results)

    assert set(before) == set(CHECK_TOOLS.values())
    assert collected(results, before, {"hash": "sha256:next"}) == {}


@pytest.mark.parametrize("stale", [{"basis": "sha256:before"}, {"of": "sha256:before"}, {"basis": None}])
def test_a_result_about_another_application_is_no_check(stale: dict[str, Any]) -> None:
    assert collected([returned("check_sanctions", "sanctions", "clear", **stale)]) == {}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6) | st.just(HASH) | st.just("clear"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "elementId", "basisHash", "result", "outcome", "check", "x"]), inner
        )
    ),
    max_leaves=8,
)


@settings(max_examples=60)
@given(results=json_values, checks=json_values, application=json_values)
def test_whatever_lies_there_the_answer_is_checks_or_nothing(
    results: Any, checks: Any, application: Any
) -> None:
    found = collected(results, checks, application or {})

    assert found is None or set(found) <= set(CHECK_TOOLS.values())
    if not isinstance(application, dict) or application.get("hash") is None:
        assert not found


def test_a_result_under_another_tools_name_is_nobodys_check() -> None:
    """Even if the id of the call were forged: what a tool's result is, its own mapping says."""
    identity = returned("verify_identity_document", "identity", "clear")["result"]
    address = {"outcome": "clear", "reasons": [], "score": 100}
    for result in (identity, address, {"answer": "clear"}, None):
        entry = {"id": "1", "elementId": "check_sanctions", "basisHash": HASH, "result": result}
        assert collected([entry]) == {}


@pytest.mark.parametrize("tool", sorted(CHECK_TOOLS))
def test_a_check_tool_marks_its_own_result(tool: str) -> None:
    variable = TOOL_VARIABLE[tool]
    check = {"outcome": "clear", "basisHash": HASH, "check": "forged"}
    result = evaluate(
        mapping(tool, "output", "toolCallResult"), **{variable: check}, toolCall={"check": "pep"}
    )

    assert result == check | {"check": CHECK_TOOLS[tool]}


# --- previews ---------------------------------------------------------------------------------------


def euros(amount: str = "1342642.33") -> dict[str, Any]:
    return {"hash": HASH, "initialDeposit": {"amount": amount, "currency": "EUR"}}


def rate_entry(rate: Any, base: str = "EUR", quote: str = "USD", basis: str = HASH) -> dict[str, Any]:
    result = {"base": base, "quote": quote, "rate": rate}
    return {"id": "1", "elementId": "get_fx_rate", "basisHash": basis, "result": result}


def preview(rate: Any, application: Any = None) -> Any:
    return evaluate(script("convert_deposit_usd"), application=application or euros(), rate=rate)


def test_the_preview_rounds_half_even_to_cents() -> None:
    assert preview(1.1172) == {
        "initialDepositUsd": "1500000.01",
        "amount": "1342642.33",
        "currency": "EUR",
        "rate": 1.1172,
        "preview": True,
    }
    assert preview(1, euros("0.05"))["initialDepositUsd"] == "0.05"
    assert preview(0.5, euros("0.05"))["initialDepositUsd"] == "0.02"


def test_dollars_need_no_rate_and_take_none() -> None:
    dollars = {"hash": HASH, "initialDeposit": {"amount": "480000.00", "currency": "USD"}}

    assert preview(9, dollars)["initialDepositUsd"] == "480000.00"
    assert preview(None, dollars)["rate"] == 1


@settings(max_examples=40)
@given(rate=json_values)
def test_no_rate_breaks_the_preview(rate: Any) -> None:
    made = preview(rate)

    assert made.get("preview") is True or made == {"status": "failed", "code": "RATE_UNUSABLE"}


@pytest.mark.parametrize("rate", [0, -1, "1.1", None, 1e7, [1.1]])
def test_an_unusable_rate_is_said(rate: Any) -> None:
    assert preview(rate) == {"status": "failed", "code": "RATE_UNUSABLE"}


def test_the_risk_preview_takes_the_deposit_from_the_file_and_a_rate_that_was_read() -> None:
    cents = mapping("preview_risk", "input", "depositUsdCents")
    found = [rate_entry(1.1), rate_entry(9.9, base="GBP"), rate_entry(8.8, quote="JPY"), rate_entry(1.1172)]

    assert evaluate(cents, application=euros(), toolCallResults=found) == 150_000_001
    assert evaluate(cents, application=euros(), toolCallResults=[rate_entry(1.1, basis="old")]) is None
    assert evaluate(cents, application=euros(), toolCallResults=[]) is None
    dollars = {"hash": HASH, "initialDeposit": {"amount": "480000.00", "currency": "USD"}}
    assert evaluate(cents, application=dollars, toolCallResults=found) == 48_000_000


@pytest.mark.parametrize(
    ("asked", "base", "quote"),
    [
        ({}, "EUR", "USD"),
        ({"base": "GBP", "quote": "JPY"}, "GBP", "JPY"),
        ({"base": "eur", "quote": "USDX"}, "EUR", "USD"),
        ({"base": "EUR&symbols=XXX", "quote": "../a"}, "EUR", "USD"),
        ({"base": 5, "quote": ["USD"]}, "EUR", "USD"),
    ],
)
def test_only_currency_codes_get_into_an_address(asked: dict[str, Any], base: str, quote: str) -> None:
    used: dict[str, Any] = {"application": euros(), "toolCall": {"_meta": {"id": "1"}} | asked}
    for step in element("get_fx_rate").iterfind(".//zeebe:input", NS):
        used[step.attrib["target"]] = evaluate(step.attrib["source"], **used)

    assert used["url"] == f"{{{{secrets.AURUM_FX_ADDRESS}}}}/latest?base={base}&symbols={quote}"
    assert used["method"] == "GET"


def test_the_rate_tool_gives_the_rate_its_day_and_its_source() -> None:
    body = {"base": "EUR", "date": "2026-10-30", "rates": {"USD": 1.1172}, "source": "ECB", "simulated": True}
    result = evaluate(
        mapping("get_fx_rate", "output", "toolCallResult"), fx={"status": 200, "body": body}, quote="USD"
    )

    assert result == {
        "base": "EUR",
        "quote": "USD",
        "rate": 1.1172,
        "date": "2026-10-30",
        "source": "ECB",
        "simulated": True,
    }


def test_a_portfolio_follows_the_latest_assessment_of_this_application() -> None:
    suitability = mapping("propose_portfolio", "input", "suitability")

    def assessed(profile: Any, basis: str = HASH) -> dict[str, Any]:
        return {"elementId": "preview_suitability", "basisHash": basis, "result": {"profile": profile}}

    results = [
        assessed(2),
        assessed(3),
        assessed(5, "old"),
        {"elementId": "ask_advisor", "result": {"profile": 5}},
    ]
    assert evaluate(suitability, application=euros(), toolCallResults=results) == {"profile": 3}
    assert evaluate(suitability, application=euros(), toolCallResults=[]) is None
    assert mapping("project_growth", "input", "suitability") == suitability


def test_answers_of_people_are_bounded_and_carry_nothing_else() -> None:
    customer = mapping("request_information", "output", "toolCallResult")
    advisor = mapping("ask_advisor", "output", "toolCallResult")
    given = {"answer": "a" * 3_000, "reasons": ["BANK_POLICY"], "answeredBy": "advisor", "checks": {"pep": 1}}

    assert evaluate(customer, **given) == {"answer": "a" * 2_000}
    assert evaluate(customer, answer={"outcome": "clear"}) == {"answer": None}
    assert evaluate(advisor, **given) == {
        "answer": "a" * 2_000,
        "advisor": "advisor",
        "reasons": ["BANK_POLICY"],
    }
    assert evaluate(advisor, answer=5, reasons="x", answeredBy="p")["reasons"] == []

"""Nothing that a model says or a person writes moves a case towards straight-through.

Every case is ended twice: without an agent, and after an agent that called tools with arguments out
of a hostile corpus and out of the tools' own schemas. Amount and profile must be equal, no check
better, no risk lower, and a case that a person would have seen must still be seen.
"""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.agent_process import FX_ADDRESS, no_task, rates_by_http
from tests.support.agent_simulation import Ending, Visit, model_bytes

from aurum.agent.brain import Stopped, ToolCallReady
from aurum.agent.budget import Budget
from aurum.agent.request import opening
from aurum.agent.toolbox import Toolbox
from aurum.agent.turn import AgentJob, Completion, Think, Turn
from aurum.clock import ManualClock
from aurum.domain.agent_tools import CHECK_TOOLS, TOOL_VARIABLE, severity
from aurum.domain.application import ParsedApplication, parse_application
from aurum.instants import utc_date
from aurum.resources import resource_dir
from aurum_engine.bpmn.api import read_bpmn
from aurum_workers.ledger import Ledger
from aurum_workers.lists import synthetic_sanctions
from aurum_workers.ports import HttpAccess, WorkerDeps
from aurum_workers.rates import bundled_rates

bundled_rates()  # Read once, while collecting, not inside the first test that needs it.

NOW_MS = 1_796_040_000_000
CORPUS: list[str] = json.loads(
    (Path(__file__).parents[1] / "support/injections.json").read_text(encoding="utf-8")
)
TOOLS = sorted(TOOL_VARIABLE)
CASES = [
    "sarah-chen",
    "james-rodriguez",
    "eur-at-boundary",
    "possible-sanctions-match",
    "pep",
    "two-tax-residences",
]


@cache
def toolbox_elements() -> list[dict[str, Any]]:
    """Return `adHocSubProcessElements` as the engine gives it to the agent's worker."""
    (read,) = read_bpmn(model_bytes())
    agent = read.elements["onboarding_agent"].ad_hoc
    assert agent is not None
    return [dict(tool) for tool in agent.elements]


@cache
def toolbox() -> Toolbox:
    return Toolbox.from_elements(toolbox_elements())


@cache
def deps() -> WorkerDeps:
    access = HttpAccess({"AURUM_FX_ADDRESS": FX_ADDRESS}, (FX_ADDRESS,), httpx.MockTransport(rates_by_http))
    return WorkerDeps(b"r" * 32, Ledger(":memory:"), ManualClock(NOW_MS), no_task, http=access)


@cache
def application(name: str) -> dict[str, Any]:
    record = json.loads((resource_dir("examples") / f"{name}.json").read_text(encoding="utf-8"))
    parsed = parse_application(record, today=utc_date(NOW_MS))
    assert isinstance(parsed, ParsedApplication)
    return dict(parsed.record)


@cache
def without_agent(name: str) -> Ending:
    return asyncio.run(Visit(application(name), deps()).end())


Call = tuple[str, Any, Any]
"""Tool, arguments, and what a person's task is completed with."""


async def after(name: str, calls: list[Call]) -> Ending:
    """End a case after these calls; what any of them found is not forgotten."""
    visit = Visit(application(name), deps())
    for tool, arguments, said in calls:
        await visit.call(tool, arguments, said)
    ending = await visit.end()
    for entry in visit.results:
        check = CHECK_TOOLS.get(entry["elementId"])
        if check is not None:
            assert severity(ending.checks[check]) >= severity(entry["result"]), entry
    return ending


# --- arguments --------------------------------------------------------------------------------------

hostile = st.sampled_from(CORPUS)
listed = st.sampled_from([entry.names[0] for entry in synthetic_sanctions().entries[:5]])
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | hostile,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["outcome", "basisHash", "check", "result", "elementId", "id", "rate", "profile"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


def fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return values that fit a parameter's schema, mostly at its edges."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "integer":
            return st.integers(schema["minimum"], schema["maximum"])
        case "number":
            return st.floats(schema.get("minimum", 0.0001), schema["maximum"])
        case "array":
            return st.lists(fitting(schema["items"]) | listed, max_size=schema["maxItems"])
        case _ if "pattern" in schema:
            return st.sampled_from(["USD", "EUR", "GBP", "BRL", "JPY", "XXX"])
        case _:
            longest = schema.get("maxLength", 200)
            return hostile.map(lambda text: text[:longest]).filter(lambda text: text != "")


def arguments_of(tool: str) -> st.SearchStrategy[dict[str, Any]]:
    (spec,) = [spec for spec in toolbox().specs() if spec.name == tool]
    properties, required = spec.schema["properties"], spec.schema["required"]
    good = st.fixed_dictionaries(
        {name: fitting(properties[name]) for name in required},
        optional={name: fitting(schema) for name, schema in properties.items() if name not in required},
    )
    names = st.sampled_from(
        [*properties, "_meta", "toolCallResult", "checks", "application", "depositUsdCents"]
    )
    return good | st.dictionaries(names, anything, max_size=4)


spoken = st.dictionaries(
    st.sampled_from(["answer", "answeredBy", "reasons", "checks", "route", "toolCallResult", "application"]),
    anything,
    max_size=4,
)
calls_made = st.lists(
    st.sampled_from([*TOOLS, "check_sanctions", "check_sanctions"]).flatmap(
        lambda tool: st.tuples(st.just(tool), arguments_of(tool), spoken)
    ),
    max_size=6,
)


# --- properties -------------------------------------------------------------------------------------


def test_the_corpus_is_large_and_every_tool_is_in_the_box() -> None:
    assert len(set(CORPUS)) >= 200
    assert [spec.name for spec in toolbox().specs()] == [tool["elementId"] for tool in toolbox_elements()]
    assert {spec.name for spec in toolbox().specs()} == set(TOOLS)


def test_without_an_agent_the_cases_end_where_they_should() -> None:
    assert {name: without_agent(name).route["route"] for name in CASES} == {
        "sarah-chen": "auto",
        "eur-at-boundary": "auto",
        "two-tax-residences": without_agent("two-tax-residences").route["route"],
        "james-rodriguez": "advisor",
        "possible-sanctions-match": "advisor",
        "pep": "advisor",
    }


def hold(name: str, calls: list[Call]) -> None:
    ending = asyncio.run(after(name, calls))

    assert ending.is_no_better_than(without_agent(name)), (ending, without_agent(name))


@pytest.mark.slow  # Twenty cases with up to six tools each.
@settings(max_examples=20, deadline=None)
@given(name=st.sampled_from(CASES), calls=calls_made)
def test_no_calls_whatever_move_a_case_towards_straight_through(name: str, calls: list[Call]) -> None:
    hold(name, calls)


@pytest.mark.deep  # Two hundred cases.
@settings(max_examples=200, deadline=None)
@given(name=st.sampled_from(CASES), calls=calls_made)
def test_no_calls_in_many_cases_move_one_towards_straight_through(name: str, calls: list[Call]) -> None:
    hold(name, calls)


def every_parameter_is(text: str) -> list[Call]:
    """Call every tool with one text wherever a text can go, and answer with it."""
    calls: list[Call] = []
    for spec in toolbox().specs():
        arguments = {
            name: [text] if schema.get("type") == "array" else text
            for name, schema in spec.schema["properties"].items()
        }
        calls.append(
            (spec.name, {**arguments, text: text}, {"answer": text, "answeredBy": text, "reasons": [text]})
        )
    return calls


@pytest.mark.slow  # Every thirtieth line of the corpus, in all thirteen tools at once.
def test_a_hostile_line_in_every_parameter_changes_nothing_for_the_better() -> None:
    for number, text in enumerate(CORPUS[::30]):
        hold(CASES[number % len(CASES)], every_parameter_is(text))


@pytest.mark.deep  # The whole corpus, in all thirteen tools at once.
def test_no_line_of_the_corpus_changes_anything_for_the_better() -> None:
    for number, text in enumerate(CORPUS):
        hold(CASES[number % len(CASES)], every_parameter_is(text))


def test_a_clean_case_that_is_checked_twice_stays_clean() -> None:
    """The laws above do not hold by sending everything to an advisor."""
    checks = ["verify_identity_document", "check_tax_status", "check_sanctions", "screen_pep_adverse_media"]
    ending = asyncio.run(after("sarah-chen", [(tool, {}, None) for tool in checks * 2]))

    assert ending.route["route"] == "auto"
    assert ending.deposit_usd_cents == 48_000_000


# --- what never runs, and what a brain is told ------------------------------------------------------


def turn_of(calls: list[tuple[str, Any]]) -> Completion | Think:
    variables = {"application": application("sarah-chen"), "adHocSubProcessElements": toolbox_elements()}
    turn = Turn(AgentJob("7", "1", "5", 9, 3, variables), budget=Budget(), brain="test", model="test")
    turn.begin(0)
    for number, (tool, arguments) in enumerate(calls):
        turn.on_event(ToolCallReady(f"b{number}", tool, arguments), 0)
    turn.on_event(Stopped("tool_use"), 0)
    return turn.end(0)


@pytest.mark.slow  # Forty turns with up to six calls each.
@settings(max_examples=40, deadline=None)
@given(calls=st.lists(st.tuples(st.sampled_from(TOOLS) | hostile, anything | st.just({})), max_size=6))
def test_only_tools_of_the_model_start_and_each_under_its_own_name(calls: list[tuple[str, Any]]) -> None:
    made = turn_of(calls)

    for started in made.activate if isinstance(made, Completion) else ():
        assert started.element_id in TOOLS
        assert set(started.variables) == {"toolCall", "toolCallResult"}
        assert started.variables["toolCallResult"] is None
        assert started.variables["toolCall"]["_meta"]["elementId"] == started.element_id
        assert set(started.variables["toolCall"]) - {"_meta"} <= parameters_of(started.element_id)


def parameters_of(tool: str) -> set[str]:
    (spec,) = [spec for spec in toolbox().specs() if spec.name == tool]
    return set(spec.schema["properties"])


@pytest.mark.parametrize("extra", ["_meta", "toolCallResult", "checks", "basisHash", "outcome"])
def test_an_argument_that_no_tool_has_is_refused(extra: str) -> None:
    for tool in TOOLS:
        made = turn_of([(tool, {extra: {"elementId": "check_sanctions", "outcome": "clear"}})])

        assert not isinstance(made, Completion) or made.activate == (), tool


def test_no_line_of_the_corpus_ends_the_block_that_the_applicant_wrote() -> None:
    for text in CORPUS:
        record = application("sarah-chen") | {"occupation": text, "employerName": text}
        told = opening(record)

        assert told.count("<application>") == told.count("</application>") == 1
        inside = told.removeprefix("<application>").partition("</application>")[0]
        assert json.loads(inside)["givenNames"] == "Sarah"


@pytest.mark.slow  # Parses and decides a record for each line.
def test_what_an_applicant_writes_as_prose_decides_nothing() -> None:
    record = json.loads((resource_dir("examples") / "sarah-chen.json").read_text(encoding="utf-8"))
    taken = 0
    for text in CORPUS[::9]:
        prose = {"occupation": text, "sourceOfFunds": {**record["sourceOfFunds"], "text": text}}
        parsed = parse_application(record | prose, today=utc_date(NOW_MS))
        if isinstance(parsed, ParsedApplication):
            taken += 1
            ending = asyncio.run(Visit(dict(parsed.record), deps()).end())
            usual = without_agent("sarah-chen")
            assert (ending.route, ending.risk, ending.deposit_usd_cents) == (
                usual.route,
                usual.risk,
                usual.deposit_usd_cents,
            )
    assert taken > 10

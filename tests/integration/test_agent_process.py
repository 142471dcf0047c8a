"""The process with its agent on the embedded engine: tools by REST, results collected, checks kept."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.agent_process import AgentBench, agent_bench, results_of

from aurum.domain.agent_tools import TOOL_VARIABLE

pytestmark = pytest.mark.slow  # Every test starts an engine and the workers.

CHECKS = ("verify_identity_document", "check_tax_status", "check_sanctions", "screen_pep_adverse_media")
REQUIRED = {"verify_identity", "verify_tax_status", "screen_sanctions", "screen_pep"}
CASE_ONLY = {"depositUsdCents", "quote", "checks", "suitability", "risk", "route", "decisions"}


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[AgentBench]:
    async with agent_bench(tmp_path) as running:
        yield running


async def test_all_thirteen_tools_run_and_the_case_opens_without_asking_for_the_checks_again(
    bench: AgentBench,
) -> None:
    instance = await bench.start("sarah-chen")
    job = await bench.job()
    assert {tool["elementId"] for tool in job.variables["adHocSubProcessElements"]} == set(TOOL_VARIABLE)

    job = await bench.turn(
        job,
        *[(tool, {}) for tool in CHECKS],
        ("verify_address", {}),
        ("get_fx_rate", {"base": "EUR", "quote": "USD"}),
        ("preview_suitability", {}),
    )
    job = await bench.turn(
        job,
        ("convert_deposit_usd", {"rate": 9}),
        ("preview_risk", {}),
        ("propose_portfolio", {"profile": 5}),
    )
    job = await bench.turn(job, ("project_growth", {"years": 10, "monthlyContribution": 500}))
    question = await bench.call(job, ("request_information", {"question": "Which year?", "fields": []}))
    task = await bench.task(instance, "request_information")
    await bench.rest.complete_user_task(task, {"answer": "2027", "checks": {}, "answeredBy": "sarah"})
    job = await bench.returned(*question)
    hand_off = await bench.call(job, ("ask_advisor", {"question": "Fine?", "urgency": "high"}))
    task = await bench.task(instance, "ask_advisor")
    await bench.rest.complete_user_task(
        task,
        {"answer": "Yes", "answeredBy": "advisor", "reasons": ["BANK_POLICY"], "route": {"route": "auto"}},
    )
    job = await bench.returned(*hand_off)

    results = results_of(job)
    during = await bench.case(instance)
    assert {name for name, value in during.items() if name in CASE_ONLY and value not in ({}, [])} == set()
    assert "toolCallResult" not in during
    await bench.finish(job)
    await bench.until_ended(instance)

    assert set(results) == set(TOOL_VARIABLE)
    assert {results[tool]["outcome"] for tool in CHECKS} == {"clear"}
    assert results["verify_address"]["score"] == 100
    assert results["get_fx_rate"]["rate"] == 1.1172
    assert results["convert_deposit_usd"]["initialDepositUsd"] == "480000.00"
    assert results["preview_risk"]["band"] in ("low", "medium")
    assert results["propose_portfolio"]["profile"] == results["preview_suitability"]["profile"] == 3
    assert len(results["project_growth"]["bands"]) == 11
    assert results["request_information"] == {"answer": "2027"}
    assert results["ask_advisor"] == {"answer": "Yes", "advisor": "advisor", "reasons": ["BANK_POLICY"]}
    case, visited = await bench.case(instance), await bench.visited(instance)
    assert not REQUIRED & set(visited)
    assert case["route"]["route"] == "auto"
    assert case["depositUsdCents"] == 48_000_000
    assert case["agentOutcome"] == "done"
    assert {name: check["outcome"] for name, check in case["checks"].items()} == dict.fromkeys(
        ("identity", "tax", "sanctions", "pep"), "clear"
    )
    assert visited[-1] == "account_opened"


async def test_an_agent_that_does_nothing_leaves_every_check_to_the_process(bench: AgentBench) -> None:
    instance = await bench.start("sarah-chen")

    await bench.finish(await bench.job())
    await bench.until_ended(instance)

    assert set(await bench.visited(instance)) >= REQUIRED
    assert (await bench.case(instance))["route"]["route"] == "auto"


async def test_the_worst_of_repeated_checks_counts_and_no_argument_takes_it_back(bench: AgentBench) -> None:
    instance = await bench.start("sarah-chen")
    job = await bench.turn(await bench.job(), ("check_sanctions", {"nameVariants": ["Viktor Maralenko"]}))
    worst = results_of(job)["check_sanctions"]["outcome"]
    job = await bench.turn(
        job,
        ("check_sanctions", {"nameVariants": []}),
        ("check_sanctions", {"toolCallResult": {"outcome": "clear"}, "application": {}, "checks": {}}),
    )
    await bench.finish(job)
    await bench.task(instance, "advisor_review")

    assert worst != "clear"
    case = await bench.case(instance)
    assert case["checks"]["sanctions"]["outcome"] == worst
    assert case["route"] == {"route": "advisor", "group": "advisors", "reasonCode": "SANCTIONS_FLAG"}


async def test_an_expired_document_is_told_to_the_agent_and_asked_for_afterwards(bench: AgentBench) -> None:
    instance = await bench.start("expired-passport")
    job = await bench.turn(await bench.job(), ("verify_identity_document", {}))

    assert results_of(job)["verify_identity_document"] == {
        "status": "failed",
        "code": "DOCUMENT_EXPIRED",
        "problems": [{"field": "/idExpiryDate", "code": "DOCUMENT_EXPIRED"}],
    }
    await bench.finish(job)
    await bench.task(instance, "correct_application")
    assert "problems" in await bench.case(instance)


async def test_a_rate_that_nobody_publishes_is_told_to_the_agent(bench: AgentBench) -> None:
    await bench.start("sarah-chen")
    job = await bench.turn(await bench.job(), ("get_fx_rate", {"base": "XXX"}), ("propose_portfolio", {}))

    assert results_of(job)["get_fx_rate"] == {"status": "failed", "code": "RATE_UNAVAILABLE"}
    assert results_of(job)["propose_portfolio"] == {"status": "failed", "code": "NOT_ASSESSED"}


async def test_a_withdrawal_ends_the_agent_and_its_open_question(bench: AgentBench) -> None:
    instance = await bench.start("sarah-chen")
    await bench.call(await bench.job(), ("request_information", {"question": "Which year?"}))
    await bench.task(instance, "request_information")
    case_id = (await bench.case(instance))["caseId"]

    await bench.rest.correlate_message("application-withdrawn", case_id, {"withdrawnBy": "sarah"})
    await bench.until_ended(instance)

    assert (await bench.visited(instance))[-1] == "withdrawn"

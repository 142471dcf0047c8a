"""The shadow brain's script: the same case gives the same words, and every tool is asked for once."""

import asyncio
import json
from typing import Any

import pytest

from aurum.agent.brain import (
    CallAnswer,
    CallMade,
    Message,
    Stopped,
    TextDelta,
    ToolCallReady,
    ToolSpec,
    TurnEvent,
    TurnRequest,
)
from aurum.agent.brains.shadow import ShadowBrain
from aurum.domain.agent_tools import TOOL_VARIABLE

ALL = tuple(ToolSpec(name, "", {}) for name in TOOL_VARIABLE)
ANSWERS: dict[str, Any] = {
    "verify_identity_document": {"outcome": "clear"},
    "preview_suitability": {"profile": 3, "label": "Balanced", "contradictions": []},
    "propose_portfolio": {"allocation": [{"assetClass": "bonds", "percent": 100}]},
    "get_fx_rate": {"rate": 1.1},
}


async def line(request: TurnRequest) -> list[TurnEvent]:
    brain = ShadowBrain(pause=asyncio.sleep)
    return [event async for event in brain.turn(request)]


async def conversation(
    application: dict[str, Any], answers: dict[str, Any], tools: tuple[ToolSpec, ...] = ALL
) -> list[tuple[str, list[str]]]:
    """Play the whole script; return (text, tools called) per turn."""
    messages = [Message("user", f"<application>{json.dumps(application)}</application>")]
    played = []
    for _ in range(12):
        events = await line(TurnRequest("", tools, tuple(messages), 100))
        text = "".join(event.text for event in events if isinstance(event, TextDelta))
        calls = [event for event in events if isinstance(event, ToolCallReady)]
        played.append((text, [call.name for call in calls]))
        stopped = events[-1]
        assert isinstance(stopped, Stopped)
        assert (stopped.reason == "tool_use") == bool(calls)
        if not calls:
            return played
        made = tuple(CallMade(call.id, call.name, call.arguments) for call in calls)
        told = tuple(CallAnswer(c.id, c.name, answers.get(c.name, {"status": "done"})) for c in calls)
        messages += [Message("assistant", text, made), Message("user", "", (), told)]
    raise AssertionError("the script does not end")


async def test_a_straight_case_is_five_turns_in_the_order_of_the_cards() -> None:
    played = await conversation(
        {
            "givenNames": "Sarah Lin",
            "initialDeposit": {"currency": "USD"},
            "suitability": {"horizonYears": 7},
        },
        ANSWERS,
    )

    assert [calls for _, calls in played] == [
        [
            "verify_identity_document",
            "verify_address",
            "check_tax_status",
            "check_sanctions",
            "screen_pep_adverse_media",
        ],
        ["preview_suitability", "preview_risk"],
        ["propose_portfolio"],
        ["project_growth"],
        [],
    ]
    assert "Sarah" in played[0][0]


async def test_it_says_the_same_thing_twice() -> None:
    application = {"givenNames": "Ana", "preferredLanguage": "pt-BR"}

    assert await conversation(application, ANSWERS) == await conversation(application, ANSWERS)


async def test_a_foreign_deposit_asks_for_the_rate_and_converts_with_it() -> None:
    played = await conversation({"initialDeposit": {"currency": "EUR"}}, ANSWERS)

    called = [name for _, calls in played for name in calls]
    assert called.index("get_fx_rate") < called.index("convert_deposit_usd")


async def test_contradictions_are_asked_about_and_a_wish_for_a_person_is_passed_on() -> None:
    torn = {
        **ANSWERS,
        "preview_suitability": {"profile": 2, "contradictions": ["GROWTH_WITHOUT_RISK"]},
        "request_information": {"answer": "I would rather talk to an advisor."},
    }

    called = [name for _, calls in await conversation({}, torn) for name in calls]

    assert (
        called.index("request_information") < called.index("ask_advisor") < called.index("propose_portfolio")
    )
    assert called.count("request_information") == called.count("ask_advisor") == 1


async def test_a_plain_answer_brings_no_advisor() -> None:
    calm = {
        **ANSWERS,
        "preview_suitability": {"profile": 2, "contradictions": ["X"]},
        "request_information": {"answer": "Growth matters more."},
    }

    assert "ask_advisor" not in [name for _, calls in await conversation({}, calm) for name in calls]


@pytest.mark.parametrize("language", ["en", "fr", "es", "pt", "de", None])
async def test_it_speaks_four_languages_and_english_to_all_others(language: str | None) -> None:
    played = await conversation({"givenNames": "Ada", "preferredLanguage": language}, ANSWERS)

    assert all(text for text, _ in played)


async def test_it_ends_at_once_when_there_are_no_tools() -> None:
    assert len(await conversation({}, {}, tools=())) == 1


async def test_tools_that_fail_do_not_make_it_loop() -> None:
    failing = {name: {"status": "failed", "code": "X"} for name in TOOL_VARIABLE}

    played = await conversation({}, failing)

    called = [name for _, calls in played for name in calls]
    assert len(called) == len(set(called))

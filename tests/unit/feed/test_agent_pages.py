"""Search pages of the agent as facts: the same from an early and from a late look."""

import json
from typing import Any

from aurum.camunda.models import ElementInstanceRow, ProcessInstanceRow, VariableRow
from aurum.facts.turns import ToolReturned, TurnCommitted
from aurum.facts.vocabulary import ElementEnded, ElementStarted
from aurum.feed.reconcile import CaseSearch, reconcile

AD_HOC, TOOL = "15", "17"
TURN = f"{AD_HOC}.1.16x1000"
CALL = f"{TURN}:1"
ENTRY = {
    "id": TURN,
    "role": "assistant",
    "content": "Looking.",
    "calls": [{"id": CALL, "tool": "verify_address", "arguments": {}}],
    "rejected": [],
    "outcome": None,
    "brain": "shadow",
    "model": "shadow-1",
    "usage": {},
}


def element(key: str, element_id: str, kind: str, start: int, end: int | None = None) -> ElementInstanceRow:
    return ElementInstanceRow.model_validate(
        {
            "elementInstanceKey": key,
            "processInstanceKey": "1",
            "elementId": element_id,
            "type": kind,
            "state": "ACTIVE" if end is None else "COMPLETED",
            "startDate": f"2026-11-30T22:00:00.{start:03d}Z",
            "endDate": None if end is None else f"2026-11-30T22:00:00.{end:03d}Z",
            "hasIncident": False,
        }
    )


def variable(name: str, scope: str, value: Any) -> VariableRow:
    return VariableRow.model_validate(
        {
            "variableKey": "9",
            "name": name,
            "scopeKey": scope,
            "value": json.dumps(value),
            "processInstanceKey": "1",
        }
    )


def search(elements: list[ElementInstanceRow], variables: list[VariableRow]) -> CaseSearch:
    instance = ProcessInstanceRow.model_validate(
        {
            "processInstanceKey": "1",
            "processDefinitionId": "wealth-onboarding",
            "processDefinitionKey": "1",
            "processDefinitionVersion": 2,
            "state": "ACTIVE",
            "startDate": "2026-11-30T22:00:00.000Z",
            "hasIncident": False,
        }
    )
    return CaseSearch(instance, elements, variables=[variable("submitter", "1", "sarah"), *variables])


def test_a_turn_stands_before_the_tools_it_started_and_a_return_before_its_end() -> None:
    facts = reconcile(
        search(
            [
                element(AD_HOC, "onboarding_agent", "AD_HOC_SUB_PROCESS", 1),
                element(TOOL, "verify_address", "SERVICE_TASK", 5, 9),
            ],
            [
                variable("messages", AD_HOC, [ENTRY]),
                variable("toolCallId", TOOL, CALL),
                variable(
                    "toolCallResults", AD_HOC, [{"id": CALL, "elementId": "verify_address", "result": {}}]
                ),
            ],
        )
    )

    kinds = [type(fact) for fact in facts[1:]]
    assert kinds == [ElementStarted, TurnCommitted, ElementStarted, ToolReturned, ElementEnded]


def test_a_tool_whose_return_is_not_visible_yet_has_not_ended_yet() -> None:
    facts = reconcile(
        search(
            [
                element(AD_HOC, "onboarding_agent", "AD_HOC_SUB_PROCESS", 1),
                element(TOOL, "verify_address", "SERVICE_TASK", 5, 9),
            ],
            [
                variable("messages", AD_HOC, [ENTRY]),
                variable("toolCallId", TOOL, CALL),
                variable("toolCallResults", AD_HOC, []),
            ],
        )
    )

    assert not any(isinstance(fact, ElementEnded) for fact in facts)


def test_what_the_case_holds_after_the_agent_is_no_second_source() -> None:
    facts = reconcile(
        search(
            [element(AD_HOC, "onboarding_agent", "AD_HOC_SUB_PROCESS", 1, 20)],
            [variable("messages", AD_HOC, [ENTRY]), variable("messages", "1", [ENTRY])],
        )
    )

    assert [fact for fact in facts if isinstance(fact, TurnCommitted)] == [
        TurnCommitted(TURN, "Looking.", tuple(ENTRY["calls"]), (), None, "shadow", "shadow-1", {})  # type: ignore[arg-type]
    ]


def test_forged_entries_are_no_turns() -> None:
    forged: list[Any] = [
        {"id": "junk", "elementId": "verify_address", "result": {}},
        {"id": "15.1.16x1000:one", "elementId": "verify_address", "result": {}},
        None,
        7,
        {"role": "assistant"},
        {"role": "assistant", "id": "x.y.z"},
        {"role": "user"},
    ]

    facts = reconcile(
        search(
            [element(AD_HOC, "onboarding_agent", "AD_HOC_SUB_PROCESS", 1)],
            [variable("messages", AD_HOC, forged), variable("toolCallResults", AD_HOC, forged)],
        )
    )

    assert not any(isinstance(fact, TurnCommitted | ToolReturned) for fact in facts)

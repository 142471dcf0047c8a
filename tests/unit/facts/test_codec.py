"""Facts survive JSON, and unreadable ones are refused by name."""

import pytest

from aurum.facts.codec import UnreadableFact, from_json, to_json
from aurum.facts.turns import ToolReturned, TurnAbandoned, TurnCommitted, TurnText
from aurum.facts.vocabulary import (
    DecisionEvaluated,
    ElementEnded,
    ElementStarted,
    Fact,
    IncidentRaised,
    IncidentResolved,
    InstanceEnded,
    InstanceStarted,
    ResultRecorded,
    TaskClosed,
    TaskOpened,
)

FACTS: list[Fact] = [
    InstanceStarted("1", "wealth-onboarding", 2, "sarah", 10),
    InstanceEnded("1", "COMPLETED", 20),
    ElementStarted("2", "parse_application", "SERVICE_TASK", 11),
    ElementEnded("2", "parse_application", "SERVICE_TASK", "COMPLETED", 12),
    ResultRecorded("2", "parse_application", {"parsed": {"fieldsParsed": 40}}),
    DecisionEvaluated(
        "5-1", "4", "score_risk", "risk_score", "Risk", 1, ({"a": 1},), ({"r": 2},), {"s": 1}, 13
    ),
    TaskOpened("6", "7", "advisor_review", ("advisors",), None, 14),
    TaskClosed("6", "7", "advisor_review", "COMPLETED", 15),
    IncidentRaised("8", "9", "open_account", "JOB_NO_RETRIES", "no", 16),
    IncidentResolved("8", "9", "open_account", 16),
    TurnText("20.1.21x1000", 0, "Hello"),
    TurnAbandoned("20.1.21x1000"),
    TurnCommitted(
        "20.1.21x1000",
        "Hello",
        ({"id": "20.1.21x1000:1", "tool": "verify_address", "arguments": {}},),
        (),
        None,
        "shadow",
        "shadow-1",
        {},
    ),
    ToolReturned("20.1.21x1000:1", "verify_address", {"outcome": "clear"}),
]


@pytest.mark.parametrize(
    "name", ["", "x", "1.2", "1.2.3", "1.2.3x4:", "1.2.3x4:x", "a.b.cxd:1", "1.1.1x1.1:1"]
)
def test_an_id_that_is_no_calls_is_refused(name: str) -> None:
    told = to_json(ToolReturned("20.1.21x1000:1", "verify_address", {}))
    turn = to_json(TurnText("20.1.21x1000", 0, "Hello"))

    with pytest.raises(UnreadableFact):
        from_json({**told, "callId": name})
    with pytest.raises(UnreadableFact):
        from_json({**turn, "turnId": name})


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: type(fact).__name__)
def test_every_kind_reads_back_as_it_was_written(fact: Fact) -> None:
    assert from_json(to_json(fact)) == fact


def test_ids_are_distinct_and_made_of_engine_keys() -> None:
    assert [fact.fact_id for fact in FACTS] == [
        "pi:1:ACTIVE",
        "pi:1:COMPLETED",
        "el:2:ACTIVE",
        "el:2:COMPLETED",
        "result:2",
        "dec:5-1",
        "ut:6:CREATED",
        "ut:6:COMPLETED",
        "inc:8:ACTIVE",
        "inc:8:RESOLVED",
        "turn:20.1.21x1000:text:0",
        "turn:20.1.21x1000:abandoned",
        "turn:20.1.21x1000:committed",
        "tool:20.1.21x1000:1",
    ]


@pytest.mark.parametrize(
    "broken",
    [{"kind": "martian", "v": 1}, {"kind": "taskOpened", "v": 99}, {"kind": "taskOpened", "v": 1}, {}],
)
def test_an_unknown_shape_is_refused(broken: dict[str, object]) -> None:
    with pytest.raises(UnreadableFact):
        from_json(broken)

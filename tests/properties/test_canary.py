"""No field outside a view's audience reaches its frames: a canary in every text of every variable."""

import copy
import itertools
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.cases import CaseScript, check, receipt, to_advisor
from tests.support.world import example

from aurum.domain.audiences import visible_to
from aurum.facts.vocabulary import DecisionEvaluated, Fact, ResultRecorded
from aurum.keys import CaseId, View
from aurum.projection.context import ProjectionContext
from aurum.projection.project import initial_view, project
from aurum.stream.boundary import Viewer, finish
from aurum.stream.prelude import prelude

DECISION_VARIABLE = {"suitability": "suitability", "risk_score": "risk", "onboarding_route": "route"}


def planted(value: Any, numbers: Iterator[int]) -> Any:
    """Return the value with every text replaced by a canary of its own."""
    if isinstance(value, dict):
        return {name: planted(item, numbers) for name, item in value.items()}
    if isinstance(value, list):
        return [planted(item, numbers) for item in value]
    return f"canary-{next(numbers):05d}-" if isinstance(value, str) else value


def canaries(value: Any) -> set[str]:
    """Return the canaries in a value's JSON."""
    text = orjson.dumps(value).decode()
    return {part[:5] for part in text.split("canary-")[1:]}


def whole_case(numbers: Iterator[int]) -> list[Fact]:
    """James asked, answered and approved, with a canary in every text that a worker or person returned."""
    details = {"hits": [{"name": "x", "list": "y", "why": ["z"], "score": 88}], "documentType": "passport"}
    checked = {**check("review"), "details": details, "reasons": ["SANCTIONS_POSSIBLE"], "note": "secret"}
    script = CaseScript().start()
    script.service(
        "parse_application",
        {"application": example("james-rodriguez"), "parsed": {"fieldsParsed": 40, "warnings": ["W"]}},
    )
    for element_id, name in (
        ("verify_identity", "identityCheck"),
        ("verify_tax_status", "taxCheck"),
        ("screen_sanctions", "sanctionsCheck"),
        ("screen_pep", "pepCheck"),
    ):
        script.service(element_id, {name: checked})
    script.service("quote_deposit")
    script.rule("assess_suitability")
    script.rule(
        "score_risk", {"score": 65, "band": "high", "factors": [{"code": "SANCTIONS_MATCH", "points": 60}]}
    )
    script.rule("route_application", to_advisor()).ask("advisor_review")
    script.answer("advisor_review", {"reviewDecision": receipt("request-info")})
    script.ask("provide_information", ())
    script.answer(
        "provide_information", {"answeredBy": "james", "answer": "from a sale", "applicationPatch": {}}
    )
    script.ask("advisor_review").answer("advisor_review", {"reviewDecision": receipt("approve")})
    facts = script.service("open_account").service("welcome_customer").finish("account_opened").facts
    return [with_canaries(fact, numbers) for fact in facts]


def with_canaries(fact: Fact, numbers: Iterator[int]) -> Fact:
    if isinstance(fact, ResultRecorded):
        variables = planted(copy.deepcopy(dict(fact.variables)), numbers)
        for value in variables.values():
            # The outcome of a decision steers which words are said; as a canary nothing would be said.
            if isinstance(value, dict) and "outcome" in value and "signature" in value:
                value["outcome"] = fact.variables["reviewDecision"]["outcome"]
        return ResultRecorded(fact.element_instance_key, fact.element_id, variables)
    if isinstance(fact, DecisionEvaluated):
        inputs = tuple(planted(dict(item), numbers) for item in fact.inputs)
        rules = tuple(planted(dict(item), numbers) for item in fact.matched_rules)
        fields = {name: getattr(fact, name) for name in fact.__slots__}
        output = planted(fact.output, numbers)
        return DecisionEvaluated(**{**fields, "inputs": inputs, "matched_rules": rules, "output": output})
    return fact


def allowed(view: View, facts: list[Fact]) -> set[str]:
    """Return the canaries that the allow-list grants this view."""
    found: set[str] = set()
    for fact in facts:
        if isinstance(fact, ResultRecorded):
            for name, value in fact.variables.items():
                found |= canaries(visible_to(view, name, value))
                # The question and its fields are put to the customer, and the answer back to the bank.
                if name == "reviewDecision":
                    found |= canaries([value["question"], value["fields"]])
                if name in ("answer", "answeredBy"):
                    found |= canaries(visible_to(view, "answers", [{name: value}]))
                if name.endswith("Check"):
                    check_name = {"identityCheck": "identity", "taxCheck": "tax"}.get(name)
                    if check_name is not None:
                        found |= canaries(visible_to(view, "checks", {check_name: value}))
        elif isinstance(fact, DecisionEvaluated):
            found |= canaries(visible_to(view, DECISION_VARIABLE[fact.decision_id], fact.output))
    return found


def everything_read(view: View, facts: list[Fact]) -> bytes:
    """Return all that a reader of the view may ever get: the live stream and a prelude at every fact."""
    context = ProjectionContext(view, CaseId("case-1"), b"k" * 32, customer_epoch="0123456789")
    viewer = Viewer(view, frozenset({"advisors"}), is_submitter=True)
    state, parts = initial_view(context), []
    for fact in facts:
        state, frames = project(context, state, fact, 1)
        parts += [finish(frame, viewer) if frame.is_boundary else frame.event for frame in frames]
        parts += prelude(context, state, viewer, at_ms=1)
    return orjson.dumps(parts)


@given(start=st.integers(10_000, 50_000))
@settings(max_examples=5, deadline=None)
def test_nothing_outside_the_customers_audience_reaches_a_customer_frame(start: int) -> None:
    facts = whole_case(itertools.count(start))
    granted = allowed("customer", facts)

    read = canaries(orjson.loads(everything_read("customer", facts)))

    assert read <= granted
    assert read, "the test would pass on an empty stream"


def test_screening_shows_as_done_and_nothing_else() -> None:
    facts = whole_case(itertools.count(10_000))
    secret = {
        canary
        for fact in facts
        if isinstance(fact, ResultRecorded) and fact.element_id in ("screen_sanctions", "screen_pep")
        for canary in canaries(fact.variables)
    }
    secret |= {
        canary
        for fact in facts
        if isinstance(fact, DecisionEvaluated) and fact.decision_id in ("risk_score", "onboarding_route")
        for canary in canaries([fact.output, list(fact.inputs), list(fact.matched_rules)])
    }

    assert len(secret) > 20
    assert canaries(orjson.loads(everything_read("customer", facts))) & secret == set()


@pytest.mark.parametrize(
    "field",
    ["familyName", "dateOfBirth", "email", "phone", "idDocumentNumber", "mrz", "employerName"],
)
def test_the_operator_reads_no_personal_value(field: str) -> None:
    script = CaseScript().start()
    record = example("james-rodriguez")
    script.service(
        "parse_application", {"application": record, "parsed": {"fieldsParsed": 40, "warnings": []}}
    )

    read = everything_read("operator", script.facts)

    assert str(record[field]).encode() not in read

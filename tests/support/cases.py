"""Fact sequences of whole cases, for tests of everything behind the feed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

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

HASH = "sha256:" + "ab" * 32
START_MS = 1_764_540_000_000


def check(outcome: str = "clear") -> dict[str, Any]:
    return {
        "outcome": outcome,
        "basisHash": HASH,
        "reasons": [],
        "asOf": "2026-11-30T22:00:00.000Z",
        "source": "test (simulated)",
        "simulated": True,
        "details": {},
    }


RESULTS: dict[str, dict[str, Any]] = {
    "parse_application": {
        "application": {"givenNames": "Sarah", "familyName": "Chen", "hash": HASH},
        "parsed": {"fieldsParsed": 40, "warnings": []},
    },
    "verify_identity": {"identityCheck": check()},
    "verify_tax_status": {"taxCheck": check()},
    "screen_sanctions": {"sanctionsCheck": check()},
    "screen_pep": {"pepCheck": check()},
    "quote_deposit": {
        "quote": {
            "amount": "480000.00",
            "currency": "USD",
            "depositUsdCents": 48_000_000,
            "rate": "1",
            "rateDate": "2026-10-30",
            "rateSource": "par",
            "reason": None,
        }
    },
    "open_account": {
        "account": {
            "accountNumber": "AU12-3456-7890",
            "openedAt": "2026-11-30T22:00:01.000Z",
            "depositUsdCents": 48_000_000,
            "currency": "USD",
            "ledger": "demo ledger",
            "simulated": True,
        }
    },
    "welcome_customer": {"welcome": {"code": "welcome"}},
    "send_decline": {"declineNotice": {"code": "declined"}},
}

OUTPUTS: dict[str, tuple[str, Any]] = {
    "assess_suitability": ("suitability", {"profile": 3, "label": "Balanced", "contradictions": []}),
    "score_risk": ("risk_score", {"score": 10, "band": "low", "factors": []}),
    "route_application": (
        "onboarding_route",
        {"route": "auto", "group": "", "reasonCode": "WITHIN_LIMIT"},
    ),
}


@dataclass
class CaseScript:
    """Writes facts as the feed would, with ascending keys and times."""

    facts: list[Fact] = field(default_factory=list)
    key: int = 2251799813685300
    now_ms: int = START_MS
    instance: str = "2251799813685299"
    ad_hoc: str = ""
    turn: int = 0

    def start(self) -> CaseScript:
        self.facts.append(InstanceStarted(self.instance, "wealth-onboarding", 1, "sarah", self.now_ms))
        return self.event("application_submitted", "START_EVENT")

    def _next(self) -> str:
        self.key += 2
        self.now_ms += 3
        return str(self.key)

    def event(self, element_id: str, element_type: str) -> CaseScript:
        key = self._next()
        self.facts.append(ElementStarted(key, element_id, element_type, self.now_ms))
        self.facts.append(ElementEnded(key, element_id, element_type, "COMPLETED", self.now_ms))
        return self

    def service(self, element_id: str, result: dict[str, Any] | None = None) -> CaseScript:
        key = self._next()
        self.facts.append(ElementStarted(key, element_id, "SERVICE_TASK", self.now_ms))
        self.now_ms += 40
        self.facts.append(ResultRecorded(key, element_id, RESULTS[element_id] if result is None else result))
        self.facts.append(ElementEnded(key, element_id, "SERVICE_TASK", "COMPLETED", self.now_ms))
        return self

    def stuck(self, element_id: str) -> CaseScript:
        key = self._next()
        self.facts.append(ElementStarted(key, element_id, "SERVICE_TASK", self.now_ms))
        self.facts.append(IncidentRaised("9" + key, key, element_id, "JOB_NO_RETRIES", "no", self.now_ms))
        self.facts.append(IncidentResolved("9" + key, key, element_id, self.now_ms))
        self.facts.append(ResultRecorded(key, element_id, RESULTS[element_id]))
        self.facts.append(ElementEnded(key, element_id, "SERVICE_TASK", "COMPLETED", self.now_ms))
        return self

    def rule(self, element_id: str, output: Any = None) -> CaseScript:
        key = self._next()
        decision_id, usual = OUTPUTS[element_id]
        self.facts.append(ElementStarted(key, element_id, "BUSINESS_RULE_TASK", self.now_ms))
        self.facts.append(
            DecisionEvaluated(
                decision_instance_key=f"{key}7-1",
                element_instance_key=key,
                element_id=element_id,
                decision_id=decision_id,
                decision_name=decision_id,
                decision_version=1,
                inputs=({"id": "in", "name": "amount", "value": 48_000_000},),
                matched_rules=({"ruleId": "r1", "ruleIndex": 1, "outputs": {}},),
                output=usual if output is None else output,
                at_ms=self.now_ms,
            )
        )
        self.facts.append(ElementEnded(key, element_id, "BUSINESS_RULE_TASK", "COMPLETED", self.now_ms))
        return self

    def ask(self, element_id: str, groups: tuple[str, ...] = ("advisors",)) -> CaseScript:
        key = self._next()
        self.facts.append(ElementStarted(key, element_id, "USER_TASK", self.now_ms))
        self.facts.append(TaskOpened("8" + key, key, element_id, groups, None, self.now_ms))
        return self

    def answer(self, element_id: str, result: dict[str, Any]) -> CaseScript:
        opened = next(
            fact
            for fact in reversed(self.facts)
            if isinstance(fact, TaskOpened) and fact.element_id == element_id
        )
        key = opened.element_instance_key
        self.now_ms += 60_000
        self.facts.append(TaskClosed(opened.user_task_key, key, element_id, "COMPLETED", self.now_ms))
        self.facts.append(ResultRecorded(key, element_id, result))
        self.facts.append(ElementEnded(key, element_id, "USER_TASK", "COMPLETED", self.now_ms))
        return self

    def checks(self) -> CaseScript:
        self.service("parse_application")
        for element_id in ("verify_identity", "verify_tax_status", "screen_sanctions", "screen_pep"):
            self.event(f"{element_id}_known", "EXCLUSIVE_GATEWAY").service(element_id)
        return self.service("quote_deposit").rule("assess_suitability").rule("score_risk")

    # --- the agent --------------------------------------------------------------------------

    def agent_starts(self) -> CaseScript:
        self.ad_hoc = self._next()
        self.turn = 0
        self.facts.append(ElementStarted(self.ad_hoc, "onboarding_agent", "AD_HOC_SUB_PROCESS", self.now_ms))
        return self

    def _turn_id(self, attempt: int) -> str:
        return f"{self.ad_hoc}.{self.turn}.{self.key}x{self.now_ms + attempt}"

    def turn_dies(self, *chunks: str, told: bool = False) -> CaseScript:
        """An attempt at the next turn that comes to nothing, with or without saying so."""
        turn_id = f"{self.ad_hoc}.{self.turn + 1}.{self.key}x{self.now_ms}"
        self.now_ms += 5
        self._chunks(turn_id, chunks)
        if told:
            self.facts.append(TurnAbandoned(turn_id))
        return self

    def _chunks(self, turn_id: str, chunks: tuple[str, ...]) -> None:
        offset = 0
        for chunk in chunks:
            self.facts.append(TurnText(turn_id, offset, chunk))
            offset += len(chunk)

    def says(
        self,
        *chunks: str,
        rest: str = "",
        tools: dict[str, Any] | None = None,
        outcome: str | None = None,
    ) -> CaseScript:
        """A committed turn: text that arrived in chunks, `rest` that only the commit brings, tools."""
        self.turn += 1
        turn_id = self._turn_id(1)
        self._chunks(turn_id, chunks)
        calls = tuple(
            {"id": f"{turn_id}:{number}", "tool": tool, "arguments": {"question": "Which?"}}
            for number, tool in enumerate(tools or {}, 1)
        )
        text = "".join(chunks) + rest
        self.facts.append(
            TurnCommitted(turn_id, text, calls, (), outcome, "shadow", "shadow-1", {"input": 0, "output": 0})
        )
        for call, (tool, result) in zip(calls, (tools or {}).items(), strict=True):
            self._tool(str(call["id"]), tool, result)
        return self

    def _tool(self, call_id: str, tool: str, result: Any) -> None:
        wrapper, key = self._next(), self._next()
        inner = "AD_HOC_SUB_PROCESS_INNER_INSTANCE"
        asked = tool in ("request_information", "ask_advisor")
        kind = "USER_TASK" if asked else "SERVICE_TASK"
        self.facts.append(ElementStarted(wrapper, "onboarding_agent#inner", inner, self.now_ms))
        self.facts.append(ElementStarted(key, tool, kind, self.now_ms))
        if asked:
            groups = ("advisors",) if tool == "ask_advisor" else ()
            self.facts.append(TaskOpened("8" + key, key, tool, groups, None, self.now_ms))
            self.now_ms += 60_000
            self.facts.append(TaskClosed("8" + key, key, tool, "COMPLETED", self.now_ms))
        self.now_ms += 20
        self.facts.append(ToolReturned(call_id, tool, result))
        self.facts.append(ElementEnded(key, tool, kind, "COMPLETED", self.now_ms))
        self.facts.append(ElementEnded(wrapper, "onboarding_agent#inner", inner, "COMPLETED", self.now_ms))

    def agent_ends(self) -> CaseScript:
        self.facts.append(
            ElementEnded(self.ad_hoc, "onboarding_agent", "AD_HOC_SUB_PROCESS", "COMPLETED", self.now_ms)
        )
        return self

    def after_agent(self) -> CaseScript:
        key = self._next()
        checks = {name: check() for name in ("identity", "tax", "sanctions", "pep")}
        self.facts.append(ElementStarted(key, "collect_checks", "SCRIPT_TASK", self.now_ms))
        self.facts.append(ResultRecorded(key, "collect_checks", {"checks": checks}))
        self.facts.append(ElementEnded(key, "collect_checks", "SCRIPT_TASK", "COMPLETED", self.now_ms))
        for element_id in ("verify_identity", "verify_tax_status", "screen_sanctions", "screen_pep"):
            self.event(f"{element_id}_known", "EXCLUSIVE_GATEWAY")
        return self.service("quote_deposit").rule("assess_suitability").rule("score_risk")

    def finish(self, end_event: str) -> CaseScript:
        self.event(end_event, "END_EVENT")
        self.facts.append(InstanceEnded(self.instance, "COMPLETED", self.now_ms))
        return self


def receipt(outcome: str, element_id: str = "advisor_review") -> dict[str, Any]:
    return {
        "v": 1,
        "caseId": "case-1",
        "taskKey": "1",
        "elementId": element_id,
        "outcome": outcome,
        "reasonCode": "",
        "person": "advisor",
        "depositUsdCents": 162_000_000,
        "basisHash": HASH,
        "at": "2026-11-30T22:10:00.000Z",
        "question": "Where do the funds come from?" if outcome == "request-info" else "",
        "fields": ["/sourceOfFunds"] if outcome == "request-info" else [],
        "signature": "00",
    }


def straight_through() -> list[Fact]:
    """Sarah: no person needed."""
    script = CaseScript().start().checks().rule("route_application")
    script.event("route_gateway", "EXCLUSIVE_GATEWAY").service("open_account").service("welcome_customer")
    return script.finish("account_opened").facts


def to_advisor() -> dict[str, str]:
    return {"route": "advisor", "group": "advisors", "reasonCode": "DEPOSIT_OVER_1_5M"}


def reviewed(*outcomes: str) -> list[Fact]:
    """James: every outcome in turn; `request-info` loops through the customer, the last one ends it."""
    script = CaseScript().start()
    for outcome in outcomes:
        script.checks().rule("route_application", to_advisor()).event("route_gateway", "EXCLUSIVE_GATEWAY")
        script.ask("advisor_review").answer("advisor_review", {"reviewDecision": receipt(outcome)})
        if outcome == "request-info":
            script.ask("provide_information", ())
            script.answer(
                "provide_information",
                {"answeredBy": "james", "answer": "salary", "applicationPatch": {"sourceOfFunds": "salary"}},
            )
    if outcomes[-1] == "approve":
        return script.service("open_account").service("welcome_customer").finish("account_opened").facts
    return script.service("send_decline").finish("declined").facts


def parked() -> list[Fact]:
    """James, waiting for an advisor."""
    script = CaseScript().start().checks().rule("route_application", to_advisor())
    return script.event("route_gateway", "EXCLUSIVE_GATEWAY").ask("advisor_review").facts


def with_incident() -> list[Fact]:
    """Sarah, with a stuck account worker on the way."""
    script = CaseScript().start().checks().rule("route_application")
    script.event("route_gateway", "EXCLUSIVE_GATEWAY").stuck("open_account").service("welcome_customer")
    return script.finish("account_opened").facts


CHECKS: dict[str, Any] = {
    "verify_identity_document": check(),
    "check_tax_status": check(),
    "check_sanctions": check(),
    "screen_pep_adverse_media": check(),
}
PROPOSAL: dict[str, Any] = {
    "profile": 3,
    "allocation": [
        {"assetClass": "equities", "label": "Equities", "percent": 60},
        {"assetClass": "bonds", "label": "Bonds", "percent": 40},
    ],
    "rationaleCodes": [],
    "horizonYears": 10,
    "asOf": "2026-11-30T22:00:00.000Z",
    "source": "model portfolios (illustrative)",
    "simulated": True,
}


def with_agent() -> list[Fact]:
    """Sarah, accompanied: text in chunks, several tools at once, a last word."""
    script = CaseScript().start().service("parse_application").agent_starts()
    script.says("Good to have ", "you here.", tools=CHECKS)
    script.says("Your document ", rest="is in order.", tools={"propose_portfolio": PROPOSAL})
    script.says(rest="That is all.", outcome="done").agent_ends().after_agent().rule("route_application")
    script.event("route_gateway", "EXCLUSIVE_GATEWAY").service("open_account").service("welcome_customer")
    return script.finish("account_opened").facts


def agent_killed() -> list[Fact]:
    """Attempts that died with words half said, one of them quietly; then it goes on."""
    script = CaseScript().start().service("parse_application").agent_starts()
    script.turn_dies("Good to ", "have").turn_dies("Good to have you", told=True)
    script.says("Good to have ", "you here.", tools=CHECKS).turn_dies("Your doc")
    script.says(rest="Your document is in order.", outcome="done").agent_ends().after_agent()
    script.rule("route_application").event("route_gateway", "EXCLUSIVE_GATEWAY")
    return script.service("open_account").service("welcome_customer").finish("account_opened").facts


def agent_asks() -> list[Fact]:
    """The agent asks the customer, then an advisor, while the case rests."""
    script = CaseScript().start().service("parse_application").agent_starts()
    script.says("One question.", tools={"request_information": {"answer": "An advisor, please."}})
    script.says("Of course.", tools={"ask_advisor": {"answer": "Call me.", "advisor": "advisor"}})
    script.says("Done.", outcome="done").agent_ends().after_agent().rule("route_application", to_advisor())
    return script.event("route_gateway", "EXCLUSIVE_GATEWAY").ask("advisor_review").facts


ALL_CASES = {
    "straight_through": straight_through(),
    "approved": reviewed("approve"),
    "declined": reviewed("decline"),
    "asked_then_approved": reviewed("request-info", "request-info", "approve"),
    "parked": parked(),
    "with_incident": with_incident(),
    "with_agent": with_agent(),
    "agent_killed": agent_killed(),
    "agent_asks": agent_asks(),
}

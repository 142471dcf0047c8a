"""The agent's part of the model without an engine: mappings, handlers, tables, then the required steps.

Everything is read from the model and run by the code that ships: FEEL and DMN of the engine, handlers
of the workers. What an engine adds (order, retries, waiting) plays no part in what a case is worth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from aurum.domain.agent_tools import severity
from aurum.errors import BpmnError
from aurum.resources import resource_dir
from aurum_engine.dmn.api import Drg, evaluate_decision, parse_drg
from aurum_engine.feel.api import parse_expression, to_json
from aurum_workers.ports import JobInput, WorkerDeps
from aurum_workers.registry import BY_JOB_TYPE
from aurum_workers.wire import to_wire

NS = {
    "bpmn": "http://www.omg.org/spec/BPMN/20100524/MODEL",
    "zeebe": "http://camunda.org/schema/zeebe/1.0",
}
REQUIRED = {
    "identity": ("verify-identity", "identityCheck"),
    "tax": ("verify-tax-status", "taxCheck"),
    "sanctions": ("screen-sanctions", "sanctionsCheck"),
    "pep": ("screen-pep", "pepCheck"),
}
"""Check -> job type of its required step and the variable it returns."""

FILES = {"risk_score": "risk-score", "suitability": "suitability", "onboarding_route": "onboarding-route"}


@cache
def model_bytes() -> bytes:
    """Return the model as it is deployed."""
    return (resource_dir("bpmn") / "wealth-onboarding.bpmn").read_bytes()


@cache
def process() -> Element:
    """Return the root of the model."""
    return ElementTree.fromstring(model_bytes())


@cache
def element(element_id: str) -> Element:
    """Return an element of the model."""
    found = process().find(f".//*[@id='{element_id}']")
    assert found is not None, element_id
    return found


@cache
def drg(decision_id: str) -> Drg:
    """Return the tables a decision lives in."""
    return parse_drg((resource_dir("dmn") / f"{FILES[decision_id]}.dmn").read_bytes())


def evaluate(expression: str, variables: Mapping[str, Any]) -> Any:
    """Return the JSON of a FEEL expression with its leading `=`."""
    return to_json(parse_expression(expression.removeprefix("=").strip()).evaluate(variables).value)


def decide(decision_id: str, variables: Mapping[str, Any]) -> Any:
    """Return the output of a decision."""
    result = evaluate_decision(drg(decision_id), decision_id, variables)
    assert result.failure is None, result.failure
    return result.output


@dataclass(frozen=True, slots=True)
class Ending:
    """What a case is worth once the agent has ended and every required step is done."""

    deposit_usd_cents: int | None
    checks: Mapping[str, Any]
    suitability: Any
    risk: Any
    route: Any

    def is_no_better_than(self, other: Ending) -> bool:
        """Same amount and profile, no check better, no risk lower, no nearer to straight-through."""
        return (
            self.deposit_usd_cents == other.deposit_usd_cents
            and self.suitability == other.suitability
            and all(
                severity(self.checks[name]) >= severity(check) >= 0 for name, check in other.checks.items()
            )
            and self.risk["score"] >= other.risk["score"]
            and (self.route["route"] != "auto" or other.route["route"] == "auto")
        )


@dataclass
class Visit:
    """One visit of the agent to one case. `application` has been parsed."""

    application: Mapping[str, Any]
    deps: WorkerDeps
    results: list[Any] = field(default_factory=list)

    def case(self) -> dict[str, Any]:
        """Return what a tool can see of the case."""
        return {
            "application": self.application,
            "checks": {},
            "decisions": [],
            "submitter": "sarah",
            "toolCallResults": list(self.results),
        }

    async def call(
        self, tool: str, arguments: Mapping[str, Any], said: Mapping[str, Any] | None = None
    ) -> Any:
        """Run one tool and collect its result; `said` is what a person's task is completed with."""
        meta = {"id": f"call-{len(self.results) + 1}", "elementId": tool}
        inner = {"toolCall": {**arguments, "_meta": meta}, "toolCallResult": None}
        outcome = await self._run(element(tool), {**self.case(), **inner}, said or {})
        entry = evaluate(_output_element(), {**self.case(), **inner, "toolCallResult": outcome})
        self.results.append(entry)
        return outcome

    async def end(self) -> Ending:
        """End the agent: collect, make what is missing, fix the amount, decide."""
        collected = evaluate(_expression(element("collect_checks")), self.case())
        checks = dict(collected or {})
        for name, (job_type, variable) in REQUIRED.items():
            variables = {"application": self.application, "checks": checks}
            if evaluate(_done_condition(name), variables) is not True:
                checks[name] = (await self._job(job_type, variables))[variable]
        quote = (await self._job("quote-deposit", {"application": self.application}))["quote"]
        known = {
            "application": self.application,
            "checks": checks,
            "depositUsdCents": quote["depositUsdCents"],
        }
        risk = decide("risk_score", known)
        return Ending(
            quote["depositUsdCents"],
            checks,
            decide("suitability", known),
            risk,
            decide("onboarding_route", {**known, "risk": risk}),
        )

    async def _run(self, tool: Element, scope: dict[str, Any], said: Mapping[str, Any]) -> Any:
        visible = dict(scope)
        for mapping in tool.iterfind(".//zeebe:input", NS):
            _assign(visible, mapping.attrib["target"], evaluate(mapping.attrib["source"], visible))
        try:
            result = await self._work(tool, visible, said)
        except BpmnError as error:
            return _caught(tool, error, scope)
        (output,) = tool.findall(".//zeebe:output", NS)
        return evaluate(output.attrib["source"], {**visible, **result})

    async def _work(
        self, tool: Element, visible: Mapping[str, Any], said: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        definition = tool.find(".//zeebe:taskDefinition", NS)
        if definition is not None:
            headers = {h.attrib["key"]: h.attrib["value"] for h in tool.iterfind(".//zeebe:header", NS)}
            return await self._job(definition.attrib["type"], visible, headers)
        decision = tool.find(".//zeebe:calledDecision", NS)
        if decision is not None:
            made = decide(decision.attrib["decisionId"], visible)
            return {decision.attrib["resultVariable"]: made}
        script = tool.find(".//zeebe:script", NS)
        if script is not None:
            return {script.attrib["resultVariable"]: evaluate(script.attrib["expression"], visible)}
        return said

    async def _job(
        self, job_type: str, visible: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        spec = BY_JOB_TYPE[job_type]
        fetched = {name: visible[name] for name in spec.fetches if name in visible}
        result = await spec.handler(JobInput("1", "1", 3, fetched, headers or {}), self.deps)
        return to_wire(result, allowed=spec.writes)


def _assign(scope: dict[str, Any], target: str, value: Any) -> None:
    """Write a local; `a.b` writes inside an object of its own."""
    name, _, leaf = target.partition(".")
    scope[name] = {**scope.get(name, {}), leaf: value} if leaf else value


def _caught(tool: Element, error: BpmnError, scope: Mapping[str, Any]) -> Any:
    """Return what the tool's error event makes of an error."""
    for event in process().iterfind(f".//bpmn:boundaryEvent[@attachedToRef='{tool.attrib['id']}']", NS):
        definition = event.find("bpmn:errorEventDefinition", NS)
        if definition is None:
            continue
        code = element(definition.attrib["errorRef"]).attrib["errorCode"]
        if code == error.error_code:
            (output,) = event.findall(".//zeebe:output", NS)
            return evaluate(output.attrib["source"], {**scope, **error.variables})
    raise error


@cache
def _output_element() -> str:
    found = element("onboarding_agent").find("bpmn:extensionElements/zeebe:adHoc", NS)
    assert found is not None
    return found.attrib["outputElement"]


def _expression(task: Element) -> str:
    script = task.find(".//zeebe:script", NS)
    assert script is not None
    return script.attrib["expression"]


@cache
def _done_condition(name: str) -> str:
    condition = element(f"{name}_done").findtext("bpmn:conditionExpression", None, NS)
    assert condition is not None
    return condition

"""What the engine holds for one case, folded from its facts. Pure and view-independent.

Rule 1: the same set of facts gives the same model in whatever order they came. An element key says
which visit is the later one, so a late result of an earlier visit never overwrites a newer one.
Rule 2: no redaction here; `state.py` decides per view what is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from aurum.domain.agent_tools import CHECK_TOOLS, TOOL_VARIABLE, worst
from aurum.domain.stages import stage_of
from aurum.facts.turns import ToolReturned, TurnAbandoned, TurnCommitted, TurnText, visit_of_call
from aurum.facts.vocabulary import (
    CONTAINER_TYPES,
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
from aurum.projection.conversation import Conversation, converse

WAITING_TYPES = frozenset({"INTERMEDIATE_CATCH_EVENT", "RECEIVE_TASK", "EVENT_BASED_GATEWAY"})
"""Open elements of these types wait for an event: a token that rests."""

CHECK_OF_RESULT = {
    "identityCheck": "identity",
    "taxCheck": "tax",
    "sanctionsCheck": "sanctions",
    "pepCheck": "pep",
}
APPENDED_RESULTS = {"reviewDecision": "decisions", "approvalDecision": "decisions"}
DECISION_VARIABLE = {"suitability": "suitability", "risk_score": "risk", "onboarding_route": "route"}
"""Decision id -> the case variable its output becomes."""

END_STATUS = {
    "account_opened": "account_opened",
    "declined": "declined",
    "withdrawn": "withdrawn",
    "expired": "expired",
}
"""End events of the process -> status of the case."""


@dataclass(frozen=True, slots=True)
class OpenElement:
    """A token that stands in an element."""

    key: str
    element_id: str
    element_type: str
    since_ms: int


@dataclass(frozen=True, slots=True)
class OpenTask:
    """A user task that waits for a person."""

    key: str
    element_instance_key: str
    element_id: str
    groups: tuple[str, ...]
    due_date: str | None
    since_ms: int


@dataclass(frozen=True, slots=True)
class OpenIncident:
    """An element that is stuck."""

    key: str
    element_instance_key: str
    element_id: str
    error_type: str
    message: str
    since_ms: int


@dataclass(frozen=True, slots=True)
class CaseModel:
    """The whole of what the facts say. Mappings are never changed in place."""

    instance_key: str = ""
    process_version: int = 0
    submitter: str = ""
    started_ms: int = 0
    ended_state: str | None = None
    ended_ms: int = 0
    end_event: str | None = None
    elements: Mapping[str, OpenElement] = field(default_factory=dict)
    left: frozenset[str] = frozenset()
    latest: tuple[int, str] = (0, "")
    """Key and element id of the newest element that belongs to a stage: where the case stands."""
    tasks: Mapping[str, OpenTask] = field(default_factory=dict)
    incidents: Mapping[str, OpenIncident] = field(default_factory=dict)
    variables: Mapping[str, Any] = field(default_factory=dict)
    evaluations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    told: frozenset[str] = frozenset()
    """Elements whose result is known: a worker may tell before the engine's search shows their start."""
    origins: Mapping[str, int] = field(default_factory=dict)
    appended: Mapping[str, Mapping[int, Any]] = field(default_factory=dict)
    conversation: Conversation = field(default_factory=Conversation)

    def leaves(self) -> list[OpenElement]:
        """Open elements that hold no others, in key order."""
        found = [item for item in self.elements.values() if item.element_type not in CONTAINER_TYPES]
        return sorted(found, key=lambda item: int(item.key))

    def is_at_rest(self) -> bool:
        """Does every token wait for a person, an event or a repair, or is the case over?

        Only on positive evidence: nothing known to be open is not a rest.
        """
        if self.ended_state is not None:
            return True
        leaves = self.leaves()
        stuck = {incident.element_instance_key for incident in self.incidents.values()}
        asked = {task.element_instance_key for task in self.tasks.values()}
        return bool(leaves) and all(
            leaf.key in stuck or leaf.key in asked or leaf.element_type in WAITING_TYPES for leaf in leaves
        )


def advance(model: CaseModel, fact: Fact) -> CaseModel:
    """Return the model after one more fact."""
    match fact:
        case InstanceStarted():
            return replace(
                model,
                instance_key=fact.process_instance_key,
                process_version=fact.version,
                submitter=fact.submitter,
                started_ms=fact.at_ms,
            )
        case InstanceEnded():
            return replace(
                model, ended_state=fact.state, ended_ms=fact.at_ms, elements={}, tasks={}, incidents={}
            )
        case ElementStarted() | ElementEnded():
            return _with_element(model, fact)
        case ResultRecorded():
            told = replace(model, told=model.told | {fact.element_instance_key})
            return _with_result(told, int(fact.element_instance_key), fact.variables)
        case DecisionEvaluated():
            return _with_decision(model, fact)
        case TaskOpened() | TaskClosed():
            return _with_task(model, fact)
        case IncidentRaised() | IncidentResolved():
            return _with_incident(model, fact)
        case TurnText() | TurnAbandoned() | TurnCommitted():
            return replace(model, conversation=converse(model.conversation, fact))
        case ToolReturned():
            return _with_returned(model, fact)


def _with_returned(model: CaseModel, fact: ToolReturned) -> CaseModel:
    """Put a tool's result where it shows: of several checks in one visit the worst counts."""
    model = replace(model, conversation=converse(model.conversation, fact))
    visit = int(visit_of_call(fact.call_id))
    name = TOOL_VARIABLE.get(fact.element_id)
    if name is None or not isinstance(fact.result, Mapping):
        return model
    results = model.conversation.results_of(visit, fact.element_id)
    if fact.element_id in CHECK_TOOLS:
        check = worst(results)
        return model if check is None else _assign(model, name, visit, check)
    if name in DECISION_VARIABLE.values():
        return model  # The decision's own fact says it, with its inputs and rules.
    done = [item for item in results if isinstance(item, Mapping) and item.get("status") != "failed"]
    return _assign(model, name, visit, done[-1]) if done else model


def _with_element(model: CaseModel, fact: ElementStarted | ElementEnded) -> CaseModel:
    key = fact.element_instance_key
    if isinstance(fact, ElementStarted):
        if stage_of(fact.element_id) is not None:
            model = replace(model, latest=max(model.latest, (int(key), fact.element_id)))
        if key in model.left or model.ended_state is not None:
            return model
        opened = OpenElement(key, fact.element_id, fact.element_type, fact.at_ms)
        return replace(model, elements={**model.elements, key: opened})
    end_event = model.end_event
    if fact.element_type == "END_EVENT" and fact.state == "COMPLETED" and fact.element_id in END_STATUS:
        end_event = fact.element_id
    return replace(
        model,
        elements=_without(model.elements, key),
        incidents={k: v for k, v in model.incidents.items() if v.element_instance_key != key},
        left=model.left | {key},
        end_event=end_event,
    )


def _with_task(model: CaseModel, fact: TaskOpened | TaskClosed) -> CaseModel:
    if isinstance(fact, TaskClosed):
        return replace(model, tasks=_without(model.tasks, fact.user_task_key))
    if fact.element_instance_key in model.left or model.ended_state is not None:
        return model
    opened = OpenTask(
        fact.user_task_key,
        fact.element_instance_key,
        fact.element_id,
        fact.candidate_groups,
        fact.due_date,
        fact.at_ms,
    )
    return replace(model, tasks={**model.tasks, fact.user_task_key: opened})


def _with_incident(model: CaseModel, fact: IncidentRaised | IncidentResolved) -> CaseModel:
    if isinstance(fact, IncidentResolved):
        return replace(model, incidents=_without(model.incidents, fact.incident_key))
    if fact.element_instance_key in model.left or model.ended_state is not None:
        return model
    raised = OpenIncident(
        fact.incident_key,
        fact.element_instance_key,
        fact.element_id,
        fact.error_type,
        fact.message,
        fact.at_ms,
    )
    return replace(model, incidents={**model.incidents, fact.incident_key: raised})


def _with_decision(model: CaseModel, fact: DecisionEvaluated) -> CaseModel:
    key, mark = int(fact.element_instance_key), f"decision:{fact.decision_id}"
    if key < model.origins.get(mark, 0):
        return model
    evaluation = {
        "decisionId": fact.decision_id,
        "version": fact.decision_version,
        "inputs": list(fact.inputs),
        "matchedRules": list(fact.matched_rules),
        "atMs": fact.at_ms,
    }
    variable = DECISION_VARIABLE.get(fact.decision_id)
    variables = model.variables if variable is None else {**model.variables, variable: fact.output}
    return replace(
        model,
        variables=variables,
        evaluations={**model.evaluations, fact.decision_id: evaluation},
        origins={**model.origins, mark: key},
    )


def _with_result(model: CaseModel, key: int, result: Mapping[str, Any]) -> CaseModel:
    """Put a task's local variables where its output mappings put them, newest visit last."""
    for name, value in result.items():
        if name in APPENDED_RESULTS:
            model = _append(model, APPENDED_RESULTS[name], key, value)
        elif name == "answeredBy":
            model = _append(model, "answers", key, {"answer": result.get("answer"), "answeredBy": value})
        elif name == "checks":
            model = _collected(model, key, value)
        elif name not in ("answer", "applicationPatch"):
            model = _assign(model, name, key, value)
    return model


def _collected(model: CaseModel, key: int, value: object) -> CaseModel:
    """Take over the checks that the process collected from the agent's tools."""
    found = value if isinstance(value, Mapping) else {}
    for name, check in CHECK_OF_RESULT.items():
        if found.get(check) is not None:
            model = _assign(model, name, key, found[check])
    return model


def _assign(model: CaseModel, name: str, key: int, value: object) -> CaseModel:
    if key < model.origins.get(name, 0):
        return model
    variables = dict(model.variables)
    if name in CHECK_OF_RESULT:
        variables["checks"] = {**variables.get("checks", {}), CHECK_OF_RESULT[name]: value}
    else:
        variables[name] = value
    return replace(model, variables=variables, origins={**model.origins, name: key})


def _append(model: CaseModel, name: str, key: int, value: object) -> CaseModel:
    entries = {**model.appended.get(name, {}), key: value}
    in_order = [entries[origin] for origin in sorted(entries)]
    return replace(
        model,
        variables={**model.variables, name: in_order},
        appended={**model.appended, name: entries},
    )


def _without(mapping: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if name != key}

"""Turns one case's search pages into facts. Sans-IO, and the only rebuild function there is.

Rule 1: same pages, same facts, same ids, same order; nothing here knows what was seen before.
Rule 2: what is not visible yet is simply absent; the next look brings it.

Order inside one look: by engine time, then by key (ascending key = order of activation inside one
instance), then start < task < incident < decision < result < end. Containers end after everything
inside them, the instance last of all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from aurum.camunda.models import (
    DecisionInstanceRow,
    ElementInstanceRow,
    IncidentRow,
    ProcessInstanceRow,
    UserTaskRow,
    VariableRow,
)
from aurum.domain.results import RESULT_VARIABLES
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
from aurum.feed.agent_pages import AD_HOC, AgentPages, agent_pages, placed_returns, placed_turns

_LATEST = 2**63
_TURN, _START, _TASK, _INCIDENT, _DECISION, _RESOLVED, _CLOSED, _RESULT, _END = range(9)


@dataclass(frozen=True, slots=True)
class CaseSearch:
    """The search pages of one process instance, read in this order: elements first, variables last."""

    instance: ProcessInstanceRow
    elements: Sequence[ElementInstanceRow] = ()
    user_tasks: Sequence[UserTaskRow] = ()
    incidents: Sequence[IncidentRow] = ()
    decisions: Sequence[DecisionInstanceRow] = ()
    variables: Sequence[VariableRow] = field(default=())


_Placed = tuple[tuple[int, int, int], Fact]


def submitter_of(search: CaseSearch) -> str | None:
    """Return the person who submitted the case, or None while the variable is not visible."""
    key = search.instance.process_instance_key
    for row in search.variables:
        if row.name == "submitter" and row.scope_key == key:
            value = row.parsed()
            return value if isinstance(value, str) else None
    return None


def reconcile(search: CaseSearch) -> list[Fact]:
    """Return every durable fact the pages show, in causal order; empty until the submitter is visible."""
    submitter = submitter_of(search)
    if submitter is None:
        return []
    instance = search.instance
    started = InstanceStarted(
        instance.process_instance_key,
        instance.process_definition_id,
        instance.process_definition_version,
        submitter,
        instance.start_date,
    )
    agent = agent_pages(search.elements, search.variables)
    placed = [
        *_elements(search.elements, agent),
        *_tasks(search.user_tasks),
        *_incidents(search),
        *_decisions(search),
        *_results(search),
        *placed_turns(agent, search.elements, before=_TURN, latest=_LATEST),
        *placed_returns(agent, search.elements, rank=_RESULT, latest=_LATEST),
    ]
    ordered = [fact for _, fact in sorted(placed, key=lambda pair: pair[0])]
    ended: list[Fact] = []
    if instance.state in ("COMPLETED", "TERMINATED") and instance.end_date is not None:
        state = "COMPLETED" if instance.state == "COMPLETED" else "TERMINATED"
        ended = [InstanceEnded(instance.process_instance_key, state, instance.end_date)]  # type: ignore[arg-type]
    return [started, *ordered, *ended]


def _elements(rows: Sequence[ElementInstanceRow], agent: AgentPages) -> Iterable[_Placed]:
    open_ad_hocs = frozenset(
        row.element_instance_key for row in rows if row.type == AD_HOC and row.state == "ACTIVE"
    )
    for row in rows:
        if row.type == "PROCESS":
            continue
        key = int(row.element_instance_key)
        yield (
            (row.start_date, key, _START),
            ElementStarted(row.element_instance_key, row.element_id, row.type, row.start_date),
        )
        if agent.is_unanswered(row, open_ad_hocs):
            continue
        if row.state != "ACTIVE" and row.end_date is not None:
            last = _LATEST if row.type in CONTAINER_TYPES else key
            yield (
                (row.end_date, last, _END),
                ElementEnded(row.element_instance_key, row.element_id, row.type, row.state, row.end_date),
            )


def _tasks(rows: Iterable[UserTaskRow]) -> Iterable[_Placed]:
    for row in rows:
        if row.state == "CREATING":
            continue
        key = int(row.element_instance_key)
        yield (
            (row.creation_date, key, _TASK),
            TaskOpened(
                row.user_task_key,
                row.element_instance_key,
                row.element_id,
                row.candidate_groups,
                row.due_date,
                row.creation_date,
            ),
        )
        if row.state in ("COMPLETED", "CANCELED"):
            closed_ms = row.completion_date if row.completion_date is not None else row.creation_date
            state = "COMPLETED" if row.state == "COMPLETED" else "CANCELED"
            yield (
                (closed_ms, key, _CLOSED),
                TaskClosed(row.user_task_key, row.element_instance_key, row.element_id, state, closed_ms),  # type: ignore[arg-type]
            )


def _incidents(search: CaseSearch) -> Iterable[_Placed]:
    ended = {row.element_instance_key: row.end_date for row in search.elements}
    for row in search.incidents:
        key = int(row.element_instance_key)
        yield (
            (row.creation_time, key, _INCIDENT),
            IncidentRaised(
                row.incident_key,
                row.element_instance_key,
                row.element_id,
                row.error_type,
                row.error_message,
                row.creation_time,
            ),
        )
        if row.state == "RESOLVED":
            end = ended.get(row.element_instance_key)
            yield (
                (end if end is not None else _LATEST, key, _RESOLVED),
                IncidentResolved(
                    row.incident_key, row.element_instance_key, row.element_id, row.creation_time
                ),
            )


def _decisions(search: CaseSearch) -> Iterable[_Placed]:
    element_ids = {row.element_instance_key: row.element_id for row in search.elements}
    for row in search.decisions:
        element = row.element_instance_key
        if element is None or element not in element_ids:
            continue
        yield (
            (row.evaluation_date, int(element), _DECISION),
            DecisionEvaluated(
                decision_instance_key=row.decision_evaluation_instance_key,
                element_instance_key=element,
                element_id=element_ids[element],
                decision_id=row.decision_definition_id,
                decision_name=row.decision_definition_name,
                decision_version=row.decision_definition_version,
                inputs=tuple(
                    {"id": item.input_id, "name": item.input_name, "value": _json(item.input_value)}
                    for item in row.evaluated_inputs
                ),
                matched_rules=tuple(
                    {
                        "ruleId": rule.rule_id,
                        "ruleIndex": rule.rule_index,
                        "outputs": {
                            item.output_name: _json(item.output_value) for item in rule.evaluated_outputs
                        },
                    }
                    for rule in row.matched_rules
                ),
                output=_json(row.result),
                at_ms=row.evaluation_date,
            ),
        )


def _results(search: CaseSearch) -> Iterable[_Placed]:
    """Return the local variables of completed tasks, once all that the task owes are visible."""
    by_scope: dict[str, dict[str, VariableRow]] = {}
    for row in search.variables:
        by_scope.setdefault(row.scope_key, {})[row.name] = row
    for element in search.elements:
        owed = RESULT_VARIABLES.get(element.element_id)
        if owed is None or element.state != "COMPLETED" or element.end_date is None:
            continue
        local = by_scope.get(element.element_instance_key, {})
        if not all(name in local for name in owed.required):
            continue
        variables = {name: local[name].parsed() for name in (*owed.required, *owed.optional) if name in local}
        yield (
            (element.end_date, int(element.element_instance_key), _RESULT),
            ResultRecorded(element.element_instance_key, element.element_id, variables),
        )


def _json(text: str | None) -> object:
    return None if text is None else json.loads(text)

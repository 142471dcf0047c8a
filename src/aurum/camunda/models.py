"""The rows of the REST v2 search answers that AURUM reads. Lenient: unknown fields are ignored.

Keys are text everywhere, because a 64-bit number changes its value in JavaScript. Dates become
Unix milliseconds here and nowhere else.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel


def _epoch_ms(value: object) -> object:
    """Return Unix milliseconds of an ISO 8601 instant; leave everything else to pydantic."""
    if not isinstance(value, str):
        return value
    instant = datetime.fromisoformat(value)
    if instant.tzinfo is None:
        raise ValueError("an instant needs its offset")
    return round(instant.timestamp() * 1000)


Millis = Annotated[int, BeforeValidator(_epoch_ms)]


class Row(BaseModel):
    """Base of all rows."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True, extra="ignore")


class ProcessInstanceRow(Row):
    """One process instance; `business_id` since 8.9."""

    process_instance_key: str
    process_definition_id: str
    process_definition_key: str
    process_definition_version: int
    state: Literal["ACTIVE", "COMPLETED", "TERMINATED", "SUSPENDED"]
    start_date: Millis
    end_date: Millis | None = None
    has_incident: bool = False
    business_id: str | None = None


class ElementInstanceRow(Row):
    """One visit of an element."""

    element_instance_key: str
    element_id: str
    type: str
    state: Literal["ACTIVE", "COMPLETED", "TERMINATED"]
    start_date: Millis
    end_date: Millis | None = None
    process_instance_key: str
    has_incident: bool = False


class VariableRow(Row):
    """One variable of one scope. `value` is JSON text."""

    variable_key: str
    name: str
    value: str
    scope_key: str
    process_instance_key: str
    is_truncated: bool = False

    def parsed(self) -> Any:
        """Return the value as JSON. Raises ValueError when the text was cut off by the engine."""
        if self.is_truncated:
            raise ValueError(f"variable {self.name!r} came truncated")
        return json.loads(self.value)


class UserTaskRow(Row):
    """One user task; `state` is one of the nine of Camunda (CREATED is the waiting one)."""

    user_task_key: str
    element_id: str
    element_instance_key: str
    process_instance_key: str
    state: str
    creation_date: Millis
    completion_date: Millis | None = None
    assignee: str | None = None
    candidate_groups: tuple[str, ...] = ()
    due_date: str | None = None
    priority: int = 50
    name: str | None = None
    external_form_reference: str | None = None
    form_key: str | None = None


class IncidentRow(Row):
    """One incident; REST calls the element instance `elementInstanceKey`."""

    incident_key: str
    element_id: str
    element_instance_key: str
    process_instance_key: str
    error_type: str
    error_message: str = ""
    state: str
    creation_time: Millis
    job_key: str | None = None


class EvaluatedInputRow(Row):
    """One evaluated input of a decision; the value is JSON text."""

    input_id: str
    input_name: str
    input_value: str


class EvaluatedOutputRow(Row):
    """One output of a matched rule; the value is JSON text."""

    output_id: str
    output_name: str
    output_value: str


class MatchedRuleRow(Row):
    """One rule that matched, 1-based."""

    rule_id: str
    rule_index: int
    evaluated_outputs: tuple[EvaluatedOutputRow, ...] = ()


class DecisionInstanceRow(Row):
    """One evaluated decision; inputs and rules come only from the single GET."""

    decision_evaluation_instance_key: str
    decision_evaluation_key: str
    state: str
    evaluation_date: Millis
    decision_definition_id: str
    decision_definition_name: str
    decision_definition_version: int
    element_instance_key: str | None = None
    process_instance_key: str | None = None
    result: str | None = None
    evaluated_inputs: tuple[EvaluatedInputRow, ...] = ()
    matched_rules: tuple[MatchedRuleRow, ...] = ()


class CreatedInstance(Row):
    """Answer to a create command."""

    process_instance_key: str
    process_definition_id: str
    process_definition_version: int


class PageInfo(Row):
    """Paging part of a search answer."""

    total_items: int = 0
    end_cursor: str | None = None


class ProcessDefinitionRow(Row):
    """One deployed version of a process."""

    process_definition_key: str
    process_definition_id: str
    version: int
    name: str | None = None


class SearchPage(Row):
    """Untyped page; `rest.py` validates the items."""

    items: list[dict[str, Any]] = Field(default_factory=list)
    page: PageInfo = Field(default_factory=PageInfo)

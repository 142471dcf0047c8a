"""What can be searched: for each kind its fields, its candidates and its row.

Fields that Camunda has and this engine cannot answer (parents, batches, tags of other kinds) are
left out on purpose: a filter that silently matched nothing, or everything, would be worse than a 400.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from aurum_engine.core import records as r
from aurum_engine.core.state import StateView
from aurum_engine.rest import rows
from aurum_engine.rest.conditions import FieldType, condition
from aurum_engine.rest.problems import invalid
from aurum_engine.rest.query import Field, Kind, Predicate
from aurum_engine.surface import DEFAULT_TENANT

Reader = Callable[[StateView, Any], Any]


def attribute(name: str) -> Reader:
    """Return a reader of a record's attribute; an empty text counts as unset."""
    return lambda _, record: None if (value := getattr(record, name)) == "" else value


def key(name: str) -> Field:
    """Return a field that holds a key."""
    return Field(FieldType.KEY, attribute(name))


def text(name: str) -> Field:
    """Return a field that holds a text."""
    return Field(FieldType.TEXT, attribute(name))


def date(name: str) -> Field:
    """Return a field that holds Unix milliseconds."""
    return Field(FieldType.DATE, attribute(name))


def number(name: str) -> Field:
    """Return a field that holds a whole number."""
    return Field(FieldType.INT, attribute(name))


def enum(read: Reader | str, values: Iterable[str], *, sortable: bool = True) -> Field:
    """Return a field that holds one of `values`."""
    reader = attribute(read) if isinstance(read, str) else read
    return Field(FieldType.ENUM, reader, frozenset(values), sortable)


TENANT = Field(FieldType.TEXT, lambda *_: DEFAULT_TENANT)

KeyOf = Callable[[Any], Any]
_BY_KEY: KeyOf = lambda record: record.key  # noqa: E731


def _of_instance(
    index: Callable[[StateView], Mapping[int, Iterable[Any]]], table: Callable[[StateView], Mapping[Any, Any]]
) -> Callable[[StateView, Mapping[str, Any]], Iterable[Any]]:
    """Return candidates that use the index of one process instance when the filter names it."""

    def candidates(view: StateView, equalities: Mapping[str, Any]) -> Iterable[Any]:
        instance_key = equalities.get("processInstanceKey")
        records = table(view)
        if instance_key is None:
            return records.values()
        return [records[found] for found in index(view).get(instance_key, ())]

    return candidates


# --- process instances -----------------------------------------------------------------------


def _instances(view: StateView, equalities: Mapping[str, Any]) -> Iterable[r.ProcessInstance]:
    if "processInstanceKey" in equalities:
        found = view.process_instances.get(equalities["processInstanceKey"])
        return () if found is None else (found,)
    return view.process_instances.values()


def _has_variables(member: str, scope_of: Callable[[Any], int]) -> Callable[[Any], Predicate]:
    """Return a filter member: a list of {name, value} that must all hold in one scope of the record."""

    def wanted_variables(wanted: Any) -> Predicate:
        shape = invalid(f"filter.{member} must be a list of {{name, value}}")
        if not isinstance(wanted, list):
            raise shape
        tests = []
        for item in wanted:
            if (
                not isinstance(item, dict)
                or set(item) != {"name", "value"}
                or not isinstance(item["name"], str)
            ):
                raise shape
            test, _ = condition(FieldType.TEXT, item["value"], f"filter.{member}.value")
            tests.append((item["name"], test))

        def matches(view: StateView, record: Any) -> bool:
            scope = view.scopes.get(scope_of(record), {})
            return all(
                test(rows.json_text(scope[name].value) if name in scope else None) for name, test in tests
            )

        return matches

    return wanted_variables


def _has_tags(instance_of: Callable[[Any], int]) -> Callable[[Any], Predicate]:
    """Return a filter member: tags that the record's instance must all have."""

    def wanted_tags(wanted: Any) -> Predicate:
        if not isinstance(wanted, list) or not all(isinstance(item, str) for item in wanted):
            raise invalid("filter.tags must be a list of strings")
        return lambda view, record: set(wanted) <= set(view.process_instances[instance_of(record)].tags)

    return wanted_tags


def _has_element(wanted: Any) -> Predicate:
    test, _ = condition(FieldType.TEXT, wanted, "filter.elementId")
    return lambda view, record: any(
        test(view.elements[found].element_id) for found in view.instance_elements.get(record.key, ())
    )


def _has_error(wanted: Any) -> Predicate:
    test, _ = condition(FieldType.TEXT, wanted, "filter.errorMessage")
    return lambda view, record: any(
        test(view.incidents[found].message) for found in view.active_incidents.get(record.key, ())
    )


PROCESS_INSTANCES = Kind(
    name="process instances",
    candidates=_instances,
    key=_BY_KEY,
    row=rows.process_instance,
    any_of=True,
    special={
        "variables": _has_variables("variables", lambda record: record.key),
        "tags": _has_tags(lambda record: record.key),
        "elementId": _has_element,
        "errorMessage": _has_error,
    },
    fields={
        "processInstanceKey": key("key"),
        "processDefinitionId": text("bpmn_process_id"),
        "processDefinitionName": text("name"),
        "processDefinitionVersion": number("version"),
        "processDefinitionVersionTag": text("version_tag"),
        "processDefinitionKey": key("process_definition_key"),
        "startDate": date("started_ms"),
        "endDate": date("ended_ms"),
        "state": enum("state", r.LifecycleState),
        "hasIncident": Field(FieldType.BOOL, lambda view, record: view.has_incident(record.key)),
        "businessId": text("business_id"),
        "parentProcessInstanceKey": key("parent_key"),
        "parentElementInstanceKey": key("parent_element_key"),
        "tenantId": TENANT,
    },
)

ELEMENT_TYPES = frozenset(
    [
        "AD_HOC_SUB_PROCESS",
        "AD_HOC_SUB_PROCESS_INNER_INSTANCE",
        "BOUNDARY_EVENT",
        "BUSINESS_RULE_TASK",
        "CALL_ACTIVITY",
        "END_EVENT",
        "EVENT_BASED_GATEWAY",
        "EVENT_SUB_PROCESS",
        "EXCLUSIVE_GATEWAY",
        "INCLUSIVE_GATEWAY",
        "INTERMEDIATE_CATCH_EVENT",
        "INTERMEDIATE_THROW_EVENT",
        "MANUAL_TASK",
        "MULTI_INSTANCE_BODY",
        "PARALLEL_GATEWAY",
        "PROCESS",
        "RECEIVE_TASK",
        "SCRIPT_TASK",
        "SEND_TASK",
        "SEQUENCE_FLOW",
        "SERVICE_TASK",
        "START_EVENT",
        "SUB_PROCESS",
        "TASK",
        "UNKNOWN",
        "UNSPECIFIED",
        "USER_TASK",
    ]
)

ELEMENT_INSTANCES = Kind(
    name="element instances",
    candidates=_of_instance(lambda view: view.instance_elements, lambda view: view.elements),
    key=_BY_KEY,
    row=rows.element_instance,
    fields={
        "elementInstanceKey": key("key"),
        "elementId": text("element_id"),
        "elementName": Field(FieldType.TEXT, lambda _, record: record.element_name or record.element_id),
        "type": enum("element_type", ELEMENT_TYPES),
        "state": enum("state", r.LifecycleState),
        "startDate": date("started_ms"),
        "endDate": date("ended_ms"),
        "hasIncident": Field(FieldType.BOOL, rows.element_has_incident, sortable=False),
        "incidentKey": key("incident_key"),
        "processInstanceKey": key("process_instance_key"),
        "processDefinitionId": text("bpmn_process_id"),
        "processDefinitionKey": key("process_definition_key"),
        "elementInstanceScopeKey": Field(
            FieldType.KEY, lambda _, record: None if record.scope_key == r.NO_KEY else record.scope_key
        ),
        "tenantId": TENANT,
    },
)

# --- variables -------------------------------------------------------------------------------


def _variables(view: StateView, equalities: Mapping[str, Any]) -> Iterable[r.Variable]:
    if "scopeKey" in equalities:
        return view.scopes.get(equalities["scopeKey"], {}).values()
    if "processInstanceKey" in equalities:
        return view.variables_of(equalities["processInstanceKey"])
    return (view.scopes[scope][name] for scope, name in view.variable_scopes.values())


def variables(row: Callable[[StateView, r.Variable], rows.Row]) -> Kind:
    """Return the kind of variables, with rows that are cut off or whole."""
    return Kind(
        name="variables",
        candidates=_variables,
        key=_BY_KEY,
        row=row,
        fields={
            "variableKey": key("key"),
            "name": text("name"),
            "value": Field(FieldType.TEXT, lambda _, record: rows.json_text(record.value)),
            "scopeKey": key("scope_key"),
            "processInstanceKey": key("process_instance_key"),
            "isTruncated": Field(
                FieldType.BOOL, lambda view, record: row(view, record)["isTruncated"], sortable=False
            ),
            "tenantId": TENANT,
        },
    )


VARIABLES = variables(rows.found_variable)
VARIABLES_TRUNCATED = variables(rows.truncated_variable)

# --- user tasks, incidents, jobs -------------------------------------------------------------

USER_TASK_STATES = frozenset(
    [
        "CREATING",
        "CREATED",
        "ASSIGNING",
        "UPDATING",
        "COMPLETING",
        "COMPLETED",
        "CANCELING",
        "CANCELED",
        "FAILED",
    ]
)

USER_TASKS = Kind(
    name="user tasks",
    candidates=_of_instance(lambda view: view.instance_user_tasks, lambda view: view.user_tasks),
    key=_BY_KEY,
    row=rows.user_task,
    special={
        "processInstanceVariables": _has_variables(
            "processInstanceVariables", lambda record: record.process_instance_key
        ),
        "localVariables": _has_variables("localVariables", lambda record: record.element_instance_key),
        "tags": _has_tags(lambda record: record.process_instance_key),
    },
    fields={
        "userTaskKey": key("key"),
        "state": enum("state", USER_TASK_STATES),
        "assignee": text("assignee"),
        "priority": number("priority"),
        "elementId": text("element_id"),
        "name": text("name"),
        "candidateGroup": Field(FieldType.TEXTS, attribute("candidate_groups"), sortable=False),
        "candidateUser": Field(FieldType.TEXTS, attribute("candidate_users"), sortable=False),
        "processDefinitionId": text("bpmn_process_id"),
        "processDefinitionKey": key("process_definition_key"),
        "processInstanceKey": key("process_instance_key"),
        "elementInstanceKey": key("element_instance_key"),
        "creationDate": date("created_ms"),
        "completionDate": date("completed_ms"),
        "followUpDate": Field(FieldType.DATE, lambda _, record: rows.date_ms(record.follow_up_date)),
        "dueDate": Field(FieldType.DATE, lambda _, record: rows.date_ms(record.due_date)),
        "tenantId": TENANT,
    },
)

INCIDENTS = Kind(
    name="incidents",
    candidates=_of_instance(lambda view: view.instance_incidents, lambda view: view.incidents),
    key=_BY_KEY,
    row=rows.incident,
    fields={
        "incidentKey": key("key"),
        "errorType": enum("error_type", r.ErrorType),
        "errorMessage": text("message"),
        "state": enum("state", [*r.IncidentState, "PENDING", "MIGRATED", "UNKNOWN"]),
        "creationTime": date("created_ms"),
        "elementId": text("element_id"),
        "elementInstanceKey": key("element_instance_key"),
        "processInstanceKey": key("process_instance_key"),
        "processDefinitionId": text("bpmn_process_id"),
        "processDefinitionKey": key("process_definition_key"),
        "jobKey": key("job_key"),
        "tenantId": TENANT,
    },
)

JOB_STATES = [
    "CANCELED",
    "COMPLETED",
    "CREATED",
    "ERROR_THROWN",
    "FAILED",
    "MIGRATED",
    "RETRIES_UPDATED",
    "TIMED_OUT",
]
LISTENER_EVENT_TYPES = [
    "ASSIGNING",
    "CANCELING",
    "COMPLETING",
    "CREATING",
    "END",
    "START",
    "UNSPECIFIED",
    "UPDATING",
]
JOB_KINDS = ["AD_HOC_SUB_PROCESS", "BPMN_ELEMENT", "EXECUTION_LISTENER", "TASK_LISTENER"]

JOBS = Kind(
    name="jobs",
    candidates=_of_instance(lambda view: view.instance_jobs, lambda view: view.jobs),
    key=_BY_KEY,
    row=rows.job,
    fields={
        "jobKey": key("key"),
        "type": text("type"),
        "worker": Field(FieldType.TEXT, lambda _, record: record.worker),
        "state": enum(lambda _, record: rows.job_state(record), JOB_STATES),
        "kind": enum(rows.job_kind, JOB_KINDS),
        "retries": number("retries"),
        "hasFailedWithRetriesLeft": Field(FieldType.BOOL, lambda _, record: rows.job_retries_left(record)),
        "errorCode": text("error_code"),
        "errorMessage": text("error_message"),
        "deadline": Field(FieldType.DATE, lambda _, record: rows.job_deadline_ms(record)),
        "creationTime": date("created_ms"),
        "endTime": date("ended_ms"),
        "lastUpdateTime": date("ended_ms"),
        "isDenied": Field(FieldType.BOOL, lambda *_: None),
        "deniedReason": Field(FieldType.TEXT, lambda *_: None),
        "listenerEventType": enum(lambda *_: "UNSPECIFIED", LISTENER_EVENT_TYPES),
        "elementId": text("element_id"),
        "elementInstanceKey": key("element_instance_key"),
        "processInstanceKey": key("process_instance_key"),
        "processDefinitionId": text("bpmn_process_id"),
        "processDefinitionKey": key("process_definition_key"),
        "tenantId": TENANT,
    },
)

"""Engine records as the rows of Camunda 8.9: every required field, null when unset, keys as text.

Pure functions of a `StateView` and a record. Without tenancy everything belongs to the default
tenant.
"""

from __future__ import annotations

from typing import Any

import orjson

from aurum_engine.bpmn.model import ElementType
from aurum_engine.bpmn.schedule import InvalidSchedule, parse_date
from aurum_engine.core import records as r
from aurum_engine.core.state import StateView
from aurum_engine.rest.bodies import iso
from aurum_engine.surface import DEFAULT_TENANT

TRUNCATED_CHARS = 8_191
"""Characters of a variable shown by a search that does not ask for whole values; Camunda's number."""

Row = dict[str, Any]


def key_text(key: int | None) -> str | None:
    """Return a key as text; None and "no key" give None."""
    return None if key is None or key == r.NO_KEY else str(key)


def root_key(view: StateView, process_instance_key: int) -> str:
    """Return the key of the instance that called, over all levels, this one; often its own."""
    return str(view.process_instances[process_instance_key].root_key)


def optional_root_key(view: StateView, process_instance_key: int | None) -> str | None:
    """Return the same, or None when there is no instance."""
    return None if process_instance_key is None else root_key(view, process_instance_key)


def json_text(value: Any) -> str:
    """Return compact JSON."""
    return orjson.dumps(value).decode()


def date_ms(text: str | None) -> int | None:
    """Return Unix milliseconds of a task's date; None when it is unset."""
    if not text:
        return None
    try:
        return parse_date(text)
    except InvalidSchedule:
        return None


def process_instance(view: StateView, record: r.ProcessInstance) -> Row:
    """Return a process instance."""
    return {
        "processInstanceKey": str(record.key),
        "processDefinitionId": record.bpmn_process_id,
        "processDefinitionName": record.name or None,
        "processDefinitionVersion": record.version,
        "processDefinitionVersionTag": record.version_tag,
        "processDefinitionKey": str(record.process_definition_key),
        "startDate": iso(record.started_ms),
        "endDate": iso(record.ended_ms),
        "state": record.state.value,
        "hasIncident": view.has_incident(record.key),
        "tenantId": DEFAULT_TENANT,
        "parentProcessInstanceKey": key_text(record.parent_key),
        "parentElementInstanceKey": key_text(record.parent_element_key),
        "rootProcessInstanceKey": str(record.root_key),
        "tags": list(record.tags),
        "businessId": record.business_id,
    }


def element_has_incident(view: StateView, record: r.ElementInstance) -> bool:
    """Tell whether an element instance, or the instance it is the root of, is stuck."""
    if record.scope_key == r.NO_KEY:
        return view.has_incident(record.key)
    return record.incident_key is not None


def element_instance(view: StateView, record: r.ElementInstance) -> Row:
    """Return an element instance."""
    return {
        "elementInstanceKey": str(record.key),
        "elementId": record.element_id,
        "elementName": record.element_name or record.element_id,
        "type": record.element_type,
        "state": record.state.value,
        "startDate": iso(record.started_ms),
        "endDate": iso(record.ended_ms),
        "hasIncident": element_has_incident(view, record),
        "incidentKey": key_text(record.incident_key),
        "processInstanceKey": str(record.process_instance_key),
        "rootProcessInstanceKey": root_key(view, record.process_instance_key),
        "processDefinitionId": record.bpmn_process_id,
        "processDefinitionKey": str(record.process_definition_key),
        "tenantId": DEFAULT_TENANT,
    }


def variable(view: StateView, record: r.Variable) -> Row:
    """Return a variable with its whole value, as JSON text."""
    return {
        "variableKey": str(record.key),
        "name": record.name,
        "value": json_text(record.value),
        "scopeKey": str(record.scope_key),
        "processInstanceKey": str(record.process_instance_key),
        "rootProcessInstanceKey": root_key(view, record.process_instance_key),
        "tenantId": DEFAULT_TENANT,
    }


def found_variable(view: StateView, record: r.Variable) -> Row:
    """Return a variable as a search shows it: it tells whether the value is whole."""
    return variable(view, record) | {"isTruncated": False}


def truncated_variable(view: StateView, record: r.Variable) -> Row:
    """Return a variable with at most TRUNCATED_CHARS of its value."""
    row = found_variable(view, record)
    if len(row["value"]) > TRUNCATED_CHARS:
        row["value"] = row["value"][:TRUNCATED_CHARS]
        row["isTruncated"] = True
    return row


def user_task(view: StateView, record: r.UserTask) -> Row:
    """Return a user task."""
    instance = view.process_instances[record.process_instance_key]
    return {
        "userTaskKey": str(record.key),
        "name": record.name or None,
        "state": record.state.value,
        "assignee": record.assignee,
        "elementId": record.element_id,
        "elementInstanceKey": str(record.element_instance_key),
        "candidateGroups": list(record.candidate_groups),
        "candidateUsers": list(record.candidate_users),
        "processDefinitionId": record.bpmn_process_id,
        "processDefinitionKey": str(record.process_definition_key),
        "processDefinitionVersion": record.process_definition_version,
        "processName": instance.name or None,
        "processInstanceKey": str(record.process_instance_key),
        "rootProcessInstanceKey": root_key(view, record.process_instance_key),
        "creationDate": iso(record.created_ms),
        "completionDate": iso(record.completed_ms),
        "followUpDate": iso(date_ms(record.follow_up_date)),
        "dueDate": iso(date_ms(record.due_date)),
        "tenantId": DEFAULT_TENANT,
        "externalFormReference": record.external_form_reference,
        "formKey": key_text(record.form_key),
        "customHeaders": dict(record.headers),
        "priority": record.priority,
        "tags": list(instance.tags),
    }


def incident(view: StateView, record: r.Incident) -> Row:
    """Return an incident."""
    return {
        "incidentKey": str(record.key),
        "errorType": record.error_type.value,
        "errorMessage": record.message,
        "state": record.state.value,
        "creationTime": iso(record.created_ms),
        "elementId": record.element_id,
        "elementInstanceKey": str(record.element_instance_key),
        "processInstanceKey": str(record.process_instance_key),
        "rootProcessInstanceKey": root_key(view, record.process_instance_key),
        "processDefinitionId": record.bpmn_process_id,
        "processDefinitionKey": str(record.process_definition_key),
        "jobKey": key_text(record.job_key),
        "tenantId": DEFAULT_TENANT,
    }


_JOB_STATES = {
    r.JobState.ACTIVATABLE: "CREATED",
    r.JobState.ACTIVATED: "CREATED",
    r.JobState.BACKING_OFF: "FAILED",
}


def job_state(record: r.Job) -> str:
    """Return Camunda's name of a job's state. Being leased shows as a deadline, not as a state."""
    return _JOB_STATES.get(record.state, record.state.value)


def job_retries_left(record: r.Job) -> bool:
    """Tell whether a job has failed and will be offered again."""
    return record.state is r.JobState.BACKING_OFF and record.retries > 0


def job_deadline_ms(record: r.Job) -> int | None:
    """Return when the lease ends; None when there is no lease."""
    return record.deadline_ms if record.state is r.JobState.ACTIVATED else None


def job_kind(view: StateView, record: r.Job) -> str:
    """Return what a job belongs to."""
    is_ad_hoc = view.elements[record.element_instance_key].element_type == ElementType.AD_HOC_SUB_PROCESS
    return "AD_HOC_SUB_PROCESS" if is_ad_hoc else "BPMN_ELEMENT"


def job(view: StateView, record: r.Job) -> Row:
    """Return a job as a search shows it."""
    return {
        "jobKey": str(record.key),
        "type": record.type,
        "worker": record.worker,
        "state": job_state(record),
        "kind": job_kind(view, record),
        "listenerEventType": "UNSPECIFIED",
        "retries": record.retries,
        "isDenied": None,
        "deniedReason": None,
        "hasFailedWithRetriesLeft": job_retries_left(record),
        "errorCode": record.error_code or None,
        "errorMessage": record.error_message or None,
        "customHeaders": dict(record.headers),
        "deadline": iso(job_deadline_ms(record)),
        "endTime": iso(record.ended_ms),
        "creationTime": iso(record.created_ms),
        "lastUpdateTime": iso(record.ended_ms),
        "elementId": record.element_id,
        "elementInstanceKey": str(record.element_instance_key),
        "processDefinitionId": record.bpmn_process_id,
        "processDefinitionKey": str(record.process_definition_key),
        "processInstanceKey": str(record.process_instance_key),
        "rootProcessInstanceKey": root_key(view, record.process_instance_key),
        "tenantId": DEFAULT_TENANT,
    }


def process_definition(view: StateView, record: r.ProcessDefinition) -> Row:
    """Return a process definition."""
    return {
        "processDefinitionKey": str(record.key),
        "processDefinitionId": record.bpmn_process_id,
        "name": record.name or None,
        "resourceName": record.resource_name,
        "version": record.version,
        "versionTag": record.version_tag,
        "tenantId": DEFAULT_TENANT,
        "hasStartForm": False,
        "state": "ACTIVE",
    }

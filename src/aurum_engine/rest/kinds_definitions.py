"""Definitions, decisions and the audit log as searchable kinds; see `kinds.py`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aurum_engine.core import records as r
from aurum_engine.core.state import StateView
from aurum_engine.rest import rows, rows_decisions
from aurum_engine.rest.conditions import FieldType, condition
from aurum_engine.rest.kinds import TENANT, date, enum, key, number, text
from aurum_engine.rest.query import Field, Kind, Predicate


def _latest_process(wanted: Any) -> Predicate:
    test, _ = condition(FieldType.BOOL, wanted, "filter.isLatestVersion")
    return lambda view, record: test(view.process_versions[record.bpmn_process_id][-1] == record.key)


def _latest_decision(wanted: Any) -> Predicate:
    test, _ = condition(FieldType.BOOL, wanted, "filter.isLatestVersion")
    return lambda view, record: test(view.decision_versions[record.decision_id][-1] == record.key)


PROCESS_DEFINITIONS = Kind(
    name="process definitions",
    candidates=lambda view, _: view.process_definitions.values(),
    key=lambda record: record.key,
    row=rows.process_definition,
    special={"isLatestVersion": _latest_process},
    fields={
        "processDefinitionKey": key("key"),
        "processDefinitionId": text("bpmn_process_id"),
        "name": text("name"),
        "resourceName": text("resource_name"),
        "version": number("version"),
        "versionTag": text("version_tag"),
        "state": enum(lambda *_: "ACTIVE", ("ACTIVE", "DELETED", "DRAINING"), sortable=False),
        "hasStartForm": Field(FieldType.BOOL, lambda *_: False, sortable=False),
        "tenantId": TENANT,
    },
)

DECISION_DEFINITIONS = Kind(
    name="decision definitions",
    candidates=lambda view, _: view.decision_definitions.values(),
    key=lambda record: record.key,
    row=rows_decisions.decision_definition,
    special={"isLatestVersion": _latest_decision},
    fields={
        "decisionDefinitionKey": key("key"),
        "decisionDefinitionId": text("decision_id"),
        "name": text("name"),
        "version": number("version"),
        "decisionRequirementsId": text("drg_id"),
        "decisionRequirementsKey": key("drg_key"),
        "decisionRequirementsName": Field(
            FieldType.TEXT, lambda view, record: view.decision_requirements[record.drg_key].name
        ),
        "decisionRequirementsVersion": Field(
            FieldType.INT, lambda view, record: view.decision_requirements[record.drg_key].version
        ),
        "tenantId": TENANT,
    },
)


def _decisions(view: StateView, equalities: Mapping[str, Any]) -> Iterable[r.DecisionInstance]:
    instance_key = equalities.get("processInstanceKey")
    if instance_key is None:
        return view.decision_instances.values()
    return [view.decision_instances[found] for found in view.instance_decisions.get(instance_key, ())]


DECISION_INSTANCES = Kind(
    name="decision instances",
    candidates=_decisions,
    key=lambda record: (record.key, record.index),
    row=rows_decisions.decision_instance,
    fields={
        "decisionEvaluationInstanceKey": text("id"),
        "decisionEvaluationKey": key("key"),
        "state": enum("state", ("EVALUATED", "FAILED", "UNKNOWN", "UNSPECIFIED")),
        "evaluationDate": date("evaluated_ms"),
        "evaluationFailure": text("failure"),
        "decisionDefinitionId": text("decision_id"),
        "decisionDefinitionKey": key("decision_key"),
        "decisionDefinitionName": text("decision_name"),
        "decisionDefinitionVersion": number("decision_version"),
        "decisionDefinitionType": enum(
            lambda _, record: rows_decisions.decision_type(record),
            ("DECISION_TABLE", "LITERAL_EXPRESSION", "UNKNOWN", "UNSPECIFIED"),
        ),
        "rootDecisionDefinitionKey": key("root_decision_key"),
        "decisionRequirementsKey": key("drg_key"),
        "processDefinitionKey": key("process_definition_key"),
        "processInstanceKey": key("process_instance_key"),
        "elementInstanceKey": key("element_instance_key"),
        "tenantId": TENANT,
    },
)

ENTITY_TYPES = frozenset(
    [
        "AUTHORIZATION",
        "BATCH",
        "CLIENT",
        "DECISION",
        "GROUP",
        "INCIDENT",
        "JOB",
        "MAPPING_RULE",
        "PROCESS_INSTANCE",
        "RESOURCE",
        "ROLE",
        "TENANT",
        "USER",
        "USER_TASK",
        "VARIABLE",
    ]
)
OPERATION_TYPES = frozenset(
    [
        "ASSIGN",
        "CANCEL",
        "COMPLETE",
        "CREATE",
        "DELETE",
        "EVALUATE",
        "MIGRATE",
        "MODIFY",
        "RESOLVE",
        "RESUME",
        "SUSPEND",
        "UNASSIGN",
        "UNKNOWN",
        "UPDATE",
    ]
)


def _audit(view: StateView, _: Mapping[str, Any]) -> Iterable[r.AuditEntry]:
    # Camunda's log has no word for messages, and its clients stop at a word they do not know.
    return (entry for entry in view.audit_entries.values() if entry.entity_type in ENTITY_TYPES)


def _definition_id(view: StateView, record: r.AuditEntry) -> str | None:
    definition = view.process_definitions.get(record.process_definition_key or r.NO_KEY)
    return None if definition is None else definition.bpmn_process_id


def _concerned(entity_type: str) -> Field:
    return Field(
        FieldType.KEY, lambda _, record: record.entity_key if record.entity_type == entity_type else None
    )


AUDIT_LOG = Kind(
    name="the audit log",
    candidates=_audit,
    key=lambda record: record.key,
    row=rows_decisions.audit_entry,
    fields={
        "auditLogKey": key("key"),
        "entityKey": key("entity_key"),
        "entityType": enum("entity_type", ENTITY_TYPES),
        "operationType": enum("operation", OPERATION_TYPES),
        "result": enum(lambda *_: "SUCCESS", ("SUCCESS", "FAIL")),
        "timestamp": date("at_ms"),
        "actorId": text("actor"),
        "actorType": enum(
            lambda _, record: rows_decisions.audit_actor_type(record),
            ("ANONYMOUS", "CLIENT", "UNKNOWN", "USER"),
        ),
        "category": enum(
            lambda _, record: rows_decisions.audit_category(record),
            ("ADMIN", "DEPLOYED_RESOURCES", "USER_TASKS"),
        ),
        "processDefinitionKey": key("process_definition_key"),
        "processDefinitionId": Field(FieldType.TEXT, _definition_id),
        "processInstanceKey": key("process_instance_key"),
        "userTaskKey": _concerned("USER_TASK"),
        "jobKey": _concerned("JOB"),
        "decisionDefinitionKey": _concerned("DECISION"),
        "deploymentKey": _concerned("RESOURCE"),
        "tenantId": TENANT,
    },
)

"""Decisions and the audit log as rows of Camunda 8.9. Pure functions, as in `rows.py`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aurum_engine.core import commands as c
from aurum_engine.core import records as r
from aurum_engine.core.state import StateView
from aurum_engine.rest.bodies import iso
from aurum_engine.rest.rows import Row, json_text, key_text, optional_root_key
from aurum_engine.surface import DEFAULT_TENANT


def decision_definition(view: StateView, record: r.DecisionDefinition) -> Row:
    """Return a decision definition with the resource it is part of."""
    drg = view.decision_requirements[record.drg_key]
    return {
        "decisionDefinitionKey": str(record.key),
        "decisionDefinitionId": record.decision_id,
        "name": record.name,
        "version": record.version,
        "decisionRequirementsId": record.drg_id,
        "decisionRequirementsKey": str(record.drg_key),
        "decisionRequirementsName": drg.name,
        "decisionRequirementsVersion": drg.version,
        "tenantId": DEFAULT_TENANT,
    }


_DECISION_TYPES = frozenset({"DECISION_TABLE", "LITERAL_EXPRESSION"})


def decision_type(record: r.DecisionInstance) -> str:
    """Return Camunda's name for the logic; boxed contexts and the like are UNKNOWN to it."""
    return record.decision_type if record.decision_type in _DECISION_TYPES else "UNKNOWN"


def decision_instance(view: StateView, record: r.DecisionInstance) -> Row:
    """Return an evaluated decision as a search shows it, without inputs and rules."""
    return {
        "decisionEvaluationInstanceKey": record.id,
        "decisionEvaluationKey": str(record.key),
        "state": record.state,
        "evaluationDate": iso(record.evaluated_ms),
        "evaluationFailure": record.failure,
        "decisionDefinitionId": record.decision_id,
        "decisionDefinitionKey": str(record.decision_key),
        "decisionDefinitionName": record.decision_name,
        "decisionDefinitionVersion": record.decision_version,
        "decisionDefinitionType": decision_type(record),
        "rootDecisionDefinitionKey": str(record.root_decision_key),
        "processDefinitionKey": key_text(record.process_definition_key),
        "processInstanceKey": key_text(record.process_instance_key),
        "rootProcessInstanceKey": optional_root_key(view, record.process_instance_key),
        "elementInstanceKey": key_text(record.element_instance_key),
        "result": json_text(record.result),
        "tenantId": DEFAULT_TENANT,
    }


def _inputs(inputs: Iterable[Mapping[str, Any]]) -> list[Row]:
    return [
        {
            "inputId": item["inputId"],
            "inputName": item["inputName"],
            "inputValue": json_text(item["inputValue"]),
        }
        for item in inputs
    ]


def _rules(rules: Iterable[Mapping[str, Any]]) -> list[Row]:
    return [
        {
            "ruleId": rule["ruleId"],
            "ruleIndex": rule["ruleIndex"],
            "evaluatedOutputs": [
                {
                    "outputId": output["outputId"],
                    "outputName": output["outputName"],
                    "outputValue": json_text(output["outputValue"]),
                    "ruleId": rule["ruleId"],
                    "ruleIndex": rule["ruleIndex"],
                }
                for output in rule["evaluatedOutputs"]
            ],
        }
        for rule in rules
    ]


def decision_instance_with_audit(view: StateView, record: r.DecisionInstance) -> Row:
    """Return an evaluated decision with its inputs and matched rules."""
    return decision_instance(view, record) | {
        "evaluatedInputs": _inputs(record.inputs),
        "matchedRules": _rules(record.rules),
    }


def evaluation(reply: c.DecisionReply) -> Row:
    """Return the answer to an evaluation command."""
    decision = reply.decision
    return {
        "decisionDefinitionId": decision.decision_id,
        "decisionDefinitionKey": str(decision.key),
        "decisionDefinitionName": decision.name,
        "decisionDefinitionVersion": decision.version,
        "decisionEvaluationKey": str(reply.key),
        "decisionInstanceKey": str(reply.key),
        "decisionRequirementsId": decision.drg_id,
        "decisionRequirementsKey": str(decision.drg_key),
        "output": json_text(reply.output),
        "failedDecisionDefinitionId": reply.failed_decision_id,
        "failureMessage": reply.failure,
        "tenantId": DEFAULT_TENANT,
        "evaluatedDecisions": [
            {
                "decisionDefinitionId": item.decision_id,
                "decisionDefinitionName": item.decision_name,
                "decisionDefinitionVersion": item.decision_version,
                "decisionDefinitionType": decision_type(item),
                "decisionDefinitionKey": str(item.decision_key),
                "decisionEvaluationInstanceKey": item.id,
                "output": json_text(item.result),
                "tenantId": DEFAULT_TENANT,
                "matchedRules": _rules(item.rules),
                "evaluatedInputs": _inputs(item.inputs),
            }
            for item in reply.instances
        ],
    }


def audit_category(record: r.AuditEntry) -> str:
    """Return Camunda's category of an operation."""
    return "USER_TASKS" if record.entity_type == "USER_TASK" else "DEPLOYED_RESOURCES"


def audit_actor_type(record: r.AuditEntry) -> str:
    """Return who acted: a person who was recognised, a service with the token, or nobody in particular."""
    if record.is_person:
        return "USER"
    return "ANONYMOUS" if record.actor is None else "CLIENT"


def audit_entry(view: StateView, record: r.AuditEntry) -> Row:
    """Return an entry of the audit log. What an entry does not concern is null."""
    entity, key = record.entity_type, str(record.entity_key)
    definition = view.process_definitions.get(record.process_definition_key or r.NO_KEY)
    decision = view.decision_definitions.get(record.entity_key) if entity == "DECISION" else None
    return {
        "auditLogKey": str(record.key),
        "entityKey": key,
        "entityType": entity,
        "operationType": record.operation,
        "batchOperationKey": None,
        "batchOperationType": None,
        "timestamp": iso(record.at_ms),
        "actorId": record.actor,
        "actorType": audit_actor_type(record),
        "agentElementId": None,
        "tenantId": DEFAULT_TENANT,
        "result": "SUCCESS",
        "category": audit_category(record),
        "processDefinitionId": None if definition is None else definition.bpmn_process_id,
        "processDefinitionKey": key_text(record.process_definition_key),
        "processInstanceKey": key_text(record.process_instance_key),
        "rootProcessInstanceKey": optional_root_key(view, record.process_instance_key),
        "elementInstanceKey": None,
        "jobKey": key if entity == "JOB" else None,
        "userTaskKey": key if entity == "USER_TASK" else None,
        "decisionRequirementsId": None if decision is None else decision.drg_id,
        "decisionRequirementsKey": None if decision is None else str(decision.drg_key),
        "decisionDefinitionId": None if decision is None else decision.decision_id,
        "decisionDefinitionKey": None if decision is None else str(decision.key),
        "decisionEvaluationKey": None,
        "deploymentKey": key if entity == "RESOURCE" else None,
        "formKey": None,
        "resourceKey": None,
        "relatedEntityKey": None,
        "relatedEntityType": None,
        "entityDescription": None,
    }

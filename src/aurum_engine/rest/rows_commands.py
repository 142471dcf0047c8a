"""Answers to commands in the shapes of Camunda 8.9. Pure functions, as in `rows.py`."""

from __future__ import annotations

from aurum_engine.core import commands as c
from aurum_engine.core.state import StateView
from aurum_engine.rest.rows import Row, job_kind, root_key
from aurum_engine.surface import DEFAULT_TENANT


def activated_job(view: StateView, activated: c.ActivatedJob) -> Row:
    """Return a leased job; `deadline` is Unix milliseconds, as only here in REST."""
    job = activated.job
    return {
        "jobKey": str(job.key),
        "type": job.type,
        "processInstanceKey": str(job.process_instance_key),
        "rootProcessInstanceKey": root_key(view, job.process_instance_key),
        "processDefinitionId": job.bpmn_process_id,
        "processDefinitionVersion": job.process_definition_version,
        "processDefinitionKey": str(job.process_definition_key),
        "elementId": job.element_id,
        "elementInstanceKey": str(job.element_instance_key),
        "customHeaders": dict(job.headers),
        "worker": job.worker,
        "retries": job.retries,
        "deadline": job.deadline_ms or 0,
        "variables": dict(activated.variables),
        "tenantId": DEFAULT_TENANT,
        "kind": job_kind(view, job),
        "listenerEventType": "UNSPECIFIED",
        "userTask": None,
        "tags": list(view.process_instances[job.process_instance_key].tags),
    }


def deployed(reply: c.DeploymentReply) -> Row:
    """Return what a deployment brought: one entry per thing, its other kinds null."""
    kinds = ("processDefinition", "decisionDefinition", "decisionRequirements", "form", "resource")
    found: list[tuple[str, Row]] = []
    for process in reply.processes:
        row: Row = {
            "processDefinitionId": process.bpmn_process_id,
            "processDefinitionVersion": process.version,
            "processDefinitionKey": str(process.key),
            "resourceName": process.resource_name,
        }
        found.append(("processDefinition", row))
    for decision in reply.decisions:
        row = {
            "decisionDefinitionId": decision.decision_id,
            "version": decision.version,
            "name": decision.name,
            "decisionRequirementsId": decision.drg_id,
            "decisionDefinitionKey": str(decision.key),
            "decisionRequirementsKey": str(decision.drg_key),
        }
        found.append(("decisionDefinition", row))
    for drg in reply.decision_requirements:
        row = {
            "decisionRequirementsId": drg.drg_id,
            "decisionRequirementsName": drg.name,
            "version": drg.version,
            "resourceName": drg.resource_name,
            "decisionRequirementsKey": str(drg.key),
        }
        found.append(("decisionRequirements", row))
    for form in reply.forms:
        row = {
            "formId": form.form_id,
            "version": form.version,
            "resourceName": form.resource_name,
            "formKey": str(form.key),
        }
        found.append(("form", row))
    deployments = [dict.fromkeys(kinds) | {kind: row | {"tenantId": DEFAULT_TENANT}} for kind, row in found]
    return {"deploymentKey": str(reply.key), "tenantId": DEFAULT_TENANT, "deployments": deployments}

"""Engine replies as protobuf messages of pyzeebe's stubs. Pure functions; JSON travels as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson
from pyzeebe.proto import gateway_pb2 as pb

from aurum_engine.core import commands as c
from aurum_engine.core.records import DecisionInstance
from aurum_engine.surface import DEFAULT_TENANT as TENANT

RESPONSE_BYTES_MAX = 2 * 1024 * 1024
"""Jobs of one response. A client refuses messages above 4 MiB, and jobs it refused would stay leased."""


def json_text(value: Any) -> str:
    """Return compact JSON."""
    return orjson.dumps(value).decode()


def activated_job(activated: c.ActivatedJob) -> pb.ActivatedJob:
    """Return a leased job; `deadline` is Unix milliseconds."""
    job = activated.job
    return pb.ActivatedJob(
        key=job.key,
        type=job.type,
        processInstanceKey=job.process_instance_key,
        bpmnProcessId=job.bpmn_process_id,
        processDefinitionVersion=job.process_definition_version,
        processDefinitionKey=job.process_definition_key,
        elementId=job.element_id,
        elementInstanceKey=job.element_instance_key,
        customHeaders=json_text(dict(job.headers)),
        worker=job.worker,
        retries=job.retries,
        deadline=job.deadline_ms or 0,
        variables=json_text(dict(activated.variables)),
        tenantId=TENANT,
    )


def job_batches(jobs: Sequence[c.ActivatedJob]) -> Iterator[pb.ActivateJobsResponse]:
    """Yield leased jobs in responses that stay well below what a client accepts in one message."""
    batch, size = pb.ActivateJobsResponse(), 0
    for job in map(activated_job, jobs):
        job_bytes = job.ByteSize()
        if batch.jobs and size + job_bytes > RESPONSE_BYTES_MAX:
            yield batch
            batch, size = pb.ActivateJobsResponse(), 0
        batch.jobs.append(job)
        size += job_bytes
    if batch.jobs:
        yield batch


def created(reply: c.CreatedReply) -> pb.CreateProcessInstanceResponse:
    """Return the answer to a create command."""
    return pb.CreateProcessInstanceResponse(
        processDefinitionKey=reply.process_definition_key,
        bpmnProcessId=reply.bpmn_process_id,
        version=reply.version,
        processInstanceKey=reply.process_instance_key,
        tenantId=TENANT,
    )


def created_with_result(
    reply: c.CreatedReply, variables: Mapping[str, Any]
) -> pb.CreateProcessInstanceWithResultResponse:
    """Return the answer to a create command that waited for the end."""
    return pb.CreateProcessInstanceWithResultResponse(
        processDefinitionKey=reply.process_definition_key,
        bpmnProcessId=reply.bpmn_process_id,
        version=reply.version,
        processInstanceKey=reply.process_instance_key,
        variables=json_text(dict(variables)),
        tenantId=TENANT,
    )


def deployed(reply: c.DeploymentReply) -> pb.DeployResourceResponse:
    """Return what a deployment brought: processes, then decisions with their resources, then forms."""
    response = pb.DeployResourceResponse(key=reply.key, tenantId=TENANT)
    for process in reply.processes:
        response.deployments.add(
            process=pb.ProcessMetadata(
                bpmnProcessId=process.bpmn_process_id,
                version=process.version,
                processDefinitionKey=process.key,
                resourceName=process.resource_name,
                tenantId=TENANT,
            )
        )
    for decision in reply.decisions:
        response.deployments.add(
            decision=pb.DecisionMetadata(
                dmnDecisionId=decision.decision_id,
                dmnDecisionName=decision.name,
                version=decision.version,
                decisionKey=decision.key,
                dmnDecisionRequirementsId=decision.drg_id,
                decisionRequirementsKey=decision.drg_key,
                tenantId=TENANT,
            )
        )
    for drg in reply.decision_requirements:
        response.deployments.add(
            decisionRequirements=pb.DecisionRequirementsMetadata(
                dmnDecisionRequirementsId=drg.drg_id,
                dmnDecisionRequirementsName=drg.name,
                version=drg.version,
                decisionRequirementsKey=drg.key,
                resourceName=drg.resource_name,
                tenantId=TENANT,
            )
        )
    for form in reply.forms:
        response.deployments.add(
            form=pb.FormMetadata(
                formId=form.form_id,
                version=form.version,
                formKey=form.key,
                resourceName=form.resource_name,
                tenantId=TENANT,
            )
        )
    return response


def _matched_rules(rules: Iterable[Mapping[str, Any]]) -> list[pb.MatchedDecisionRule]:
    return [
        pb.MatchedDecisionRule(
            ruleId=rule["ruleId"],
            ruleIndex=rule["ruleIndex"],
            evaluatedOutputs=[
                pb.EvaluatedDecisionOutput(
                    outputId=output["outputId"],
                    outputName=output["outputName"],
                    outputValue=json_text(output["outputValue"]),
                )
                for output in rule["evaluatedOutputs"]
            ],
        )
        for rule in rules
    ]


def _evaluated(instance: DecisionInstance) -> pb.EvaluatedDecision:
    return pb.EvaluatedDecision(
        decisionKey=instance.decision_key,
        decisionId=instance.decision_id,
        decisionName=instance.decision_name,
        decisionVersion=instance.decision_version,
        decisionType=instance.decision_type,
        decisionOutput=json_text(instance.result),
        matchedRules=_matched_rules(instance.rules),
        evaluatedInputs=[
            pb.EvaluatedDecisionInput(
                inputId=item["inputId"],
                inputName=item["inputName"],
                inputValue=json_text(item["inputValue"]),
            )
            for item in instance.inputs
        ],
        tenantId=TENANT,
    )


def decided(reply: c.DecisionReply) -> pb.EvaluateDecisionResponse:
    """Return an evaluation; a failed one has the decision that failed and why."""
    decision = reply.decision
    return pb.EvaluateDecisionResponse(
        decisionKey=decision.key,
        decisionId=decision.decision_id,
        decisionName=decision.name,
        decisionVersion=decision.version,
        decisionRequirementsId=decision.drg_id,
        decisionRequirementsKey=decision.drg_key,
        decisionOutput=json_text(reply.output),
        evaluatedDecisions=[_evaluated(instance) for instance in reply.instances],
        failedDecisionId=reply.failed_decision_id or "",
        failureMessage=reply.failure or "",
        tenantId=TENANT,
        decisionInstanceKey=reply.key,
    )


def topology(host: str, port: int, version: str, *, is_healthy: bool) -> pb.TopologyResponse:
    """Return a cluster of one broker that leads its one partition."""
    health = pb.Partition.PartitionBrokerHealth
    return pb.TopologyResponse(
        brokers=[
            pb.BrokerInfo(
                nodeId=0,
                host=host,
                port=port,
                partitions=[
                    pb.Partition(
                        partitionId=1,
                        role=pb.Partition.PartitionBrokerRole.LEADER,
                        health=health.HEALTHY if is_healthy else health.UNHEALTHY,
                    )
                ],
                version=version,
            )
        ],
        clusterSize=1,
        partitionsCount=1,
        replicationFactor=1,
        gatewayVersion=version,
    )

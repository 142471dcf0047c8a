"""Decisions: evaluated for a rule task or on request, each with its audit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum_engine.core.audit import audit
from aurum_engine.core.commands import DecisionReply, EvaluateDecision
from aurum_engine.core.events import DecisionEvaluated
from aurum_engine.core.execution import Execution
from aurum_engine.core.records import DecisionDefinition, ElementInstance
from aurum_engine.core.variables import TooLarge, document, normalised
from aurum_engine.dmn.api import DecisionResult, EvaluatedDecision, evaluate_decision
from aurum_engine.errors import invalid_argument, not_found


def _audit_value(value: Any) -> Any:
    """Return a value for the audit; one that is too large to keep is replaced by a note that says so."""
    try:
        return normalised(value)
    except (TooLarge, TypeError) as error:
        return f"(not kept: {error})"


def _record(
    x: Execution, evaluated: EvaluatedDecision, drg_key: int, failed_id: str | None, failure: str | None
) -> dict[str, Any]:
    keys = x.state.decision_versions.get(evaluated.decision_id, ())
    same_drg = [d for d in map(x.state.decision_definitions.__getitem__, keys) if d.drg_key == drg_key]
    failed = failure is not None and evaluated.decision_id == failed_id
    return {
        "decisionId": evaluated.decision_id,
        "decisionName": evaluated.name,
        "decisionType": evaluated.decision_type,
        "decisionKey": same_drg[-1].key if same_drg else -1,
        "decisionVersion": same_drg[-1].version if same_drg else -1,
        "state": "FAILED" if failed else "EVALUATED",
        "failure": failure if failed else None,
        "result": _audit_value(evaluated.output),
        "inputs": [
            {"inputId": i.input_id, "inputName": i.input_name, "inputValue": _audit_value(i.input_value)}
            for i in evaluated.inputs
        ],
        "rules": [
            {
                "ruleId": rule.rule_id,
                "ruleIndex": rule.rule_index,
                "evaluatedOutputs": [
                    {
                        "outputId": output.output_id,
                        "outputName": output.output_name,
                        "outputValue": _audit_value(output.output_value),
                    }
                    for output in rule.outputs
                ],
            }
            for rule in evaluated.matched_rules
        ],
    }


def _evaluate(
    x: Execution,
    decision: DecisionDefinition,
    variables: Mapping[str, Any],
    instance: ElementInstance | None,
) -> tuple[int, DecisionResult]:
    drg = x.models.drg(decision.drg_key)
    result = evaluate_decision(drg, decision.decision_id, variables, now_ms=x.now_ms)
    audits = [
        _record(x, evaluated, decision.drg_key, result.failed_decision_id, result.failure)
        for evaluated in result.decisions
    ]
    if result.failure is not None and not any(a["state"] == "FAILED" for a in audits):
        failed_id = result.failed_decision_id or decision.decision_id
        infos = {info.decision_id: info.name for info in drg.decisions}
        unfinished = EvaluatedDecision(failed_id, infos.get(failed_id, failed_id), "UNKNOWN", None, (), ())
        audits.append(_record(x, unfinished, decision.drg_key, failed_id, result.failure))
    key = x.new_key()
    x.emit(
        DecisionEvaluated(
            key=key,
            root_decision_key=decision.key,
            drg_key=decision.drg_key,
            process_definition_key=None if instance is None else instance.process_definition_key,
            process_instance_key=None if instance is None else instance.process_instance_key,
            element_instance_key=None if instance is None else instance.key,
            failure=result.failure,
            failed_decision_id=result.failed_decision_id,
            decisions=tuple(audits),
        )
    )
    return key, result


def evaluate_definition(
    x: Execution,
    decision: DecisionDefinition,
    variables: Mapping[str, Any],
    instance: ElementInstance,
) -> DecisionResult:
    """Evaluate a decision for an element instance and keep its audit, also when it fails."""
    return _evaluate(x, decision, variables, instance)[1]


def evaluate_command(x: Execution, command: EvaluateDecision) -> DecisionReply:
    """Carry out EvaluateDecision."""
    if bool(command.decision_id) == (command.decision_key is not None):
        raise invalid_argument("expected either a decision id or a decision key")
    if command.decision_key is not None:
        decision = x.state.decision_definitions.get(command.decision_key)
        what = f"key '{command.decision_key}'"
    else:
        decision = x.state.latest_decision(command.decision_id)
        what = f"id '{command.decision_id}'"
    if decision is None:
        raise not_found(f"no decision found for {what}")
    key, result = _evaluate(x, decision, document(command.variables), None)
    audit(x, "EVALUATE", "DECISION", decision.key, command.actor)
    count = sum(1 for event in x.events if isinstance(event, DecisionEvaluated) for _ in event.decisions)
    instances = tuple(x.state.decision_instances[f"{key}-{index}"] for index in range(1, count + 1))
    output = None if result.failure is not None else _audit_value(result.output)
    return DecisionReply(key, decision, output, result.failure, result.failed_decision_id, instances)

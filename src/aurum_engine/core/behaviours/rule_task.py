"""Business rule tasks: a called decision, or a job."""

from __future__ import annotations

from aurum_engine.bpmn.model import Binding, CalledDecision, Element
from aurum_engine.core.behaviours.base import QuietEnd
from aurum_engine.core.behaviours.job_task import create_job
from aurum_engine.core.decisions import evaluate_definition
from aurum_engine.core.evaluation import ScopeVariables, evaluate_string
from aurum_engine.core.execution import Execution, Stuck
from aurum_engine.core.lifecycle import complete
from aurum_engine.core.records import DecisionDefinition, ElementInstance, ErrorType
from aurum_engine.core.variables import derived


def _find(x: Execution, called: CalledDecision, instance: ElementInstance) -> DecisionDefinition:
    """Return the decision that the binding names; it is resolved now, not at deployment."""
    decision_id = evaluate_string(x, called.decision_id, instance.key)
    keys = x.state.decision_versions.get(decision_id, ())
    versions = [x.state.decision_definitions[key] for key in keys]
    if called.binding is Binding.VERSION_TAG:
        versions = [d for d in versions if d.version_tag == called.version_tag]
    elif called.binding is Binding.DEPLOYMENT:
        definition = x.state.process_definitions[instance.process_definition_key]
        deployed = x.state.deployments[definition.deployment_key].decision_keys
        versions = [d for d in versions if d.key in deployed]
    if not versions:
        message = f"expected to evaluate decision '{decision_id}' ({called.binding}), but it is not deployed"
        raise Stuck(ErrorType.CALLED_DECISION_ERROR, message)
    return versions[-1]


class RuleTask(QuietEnd):
    """Evaluate and go on; a failed evaluation is an incident, with its audit kept."""

    def activate(self, x: Execution, element: Element, instance: ElementInstance) -> None:
        """Put the decision's output into its result variable."""
        if element.decision is None:
            if element.job is None:
                raise AssertionError(f"rule task {element.id!r} without work passed validation")
            create_job(x, element, instance, element.job)
            return
        decision = _find(x, element.decision, instance)
        variables = ScopeVariables(x.state, instance.key)
        result = evaluate_definition(x, decision, variables, instance)
        if result.failure is not None:
            message = f"expected to evaluate decision '{decision.decision_id}', but {result.failure}"
            raise Stuck(ErrorType.DECISION_EVALUATION_ERROR, message)
        name = element.decision.result_variable
        complete(x, instance.key, {name: derived(f"result variable {name!r}", result.output)})

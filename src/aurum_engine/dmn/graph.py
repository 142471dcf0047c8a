"""A decision requirements graph ready to run, and one session of running it. Pure.

A decision sees the variables given, the results of the decisions it requires, and the knowledge it
requires. Required decisions are evaluated first, each once. A decision whose value is not of the
type of its variable fails, as in Camunda; failing ends the session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from aurum_engine.dmn.audit import EvaluatedDecision, EvaluatedInput, MatchedRule, table_audit
from aurum_engine.dmn.boxed import Code, compile_boxed, function_maker
from aurum_engine.dmn.errors import InvalidDmn
from aurum_engine.dmn.model import Decision, Definitions, Knowledge, Service, Table
from aurum_engine.dmn.table import CompiledTable, TableFailed, TableOutcome, compile_table
from aurum_engine.dmn.types import TypeChecker
from aurum_engine.dmn.xml_types import type_of_reference
from aurum_engine.feel.api import check_size, name_table, to_json
from aurum_engine.feel.names import NameTable
from aurum_engine.feel.runtime import MISSING, AssertionFailed, BudgetExceeded, Run, Scope
from aurum_engine.feel.values import Function

REQUIREMENT_DEPTH_MAX = 60
"""Decisions in one chain of requirements; each level costs Python stack frames."""

_TYPES = {
    "Table": "DECISION_TABLE",
    "Literal": "LITERAL_EXPRESSION",
    "Context": "CONTEXT",
    "ListBox": "LIST",
    "Relation": "RELATION",
    "FunctionBox": "FUNCTION",
    "Invocation": "INVOCATION",
    "Conditional": "CONDITIONAL",
    "FilterBox": "FILTER",
    "IteratorBox": "ITERATOR",
}


class DecisionFailed(Exception):
    """A decision has no result; `decision_id` names it."""

    def __init__(self, decision_id: str, reason: str) -> None:
        super().__init__(reason)
        self.decision_id = decision_id
        self.reason = reason


class Graph:
    """Compiled decisions, knowledge and services of one file; immutable after construction."""

    __slots__ = ("_codes", "_makers", "definitions", "tables", "types")

    def __init__(self, definitions: Definitions) -> None:
        self.definitions = definitions
        names = name_table(definitions.names)
        self.types = TypeChecker(definitions.types, names)
        self._check_requirements()
        self.tables: dict[str, CompiledTable] = {}
        self._codes: dict[str, Code] = {}
        self._makers: dict[str, Callable[[Scope], Function | None]] = {}
        for decision in definitions.decisions.values():
            self._compile_decision(decision, names)
        for knowledge in definitions.knowledge.values():
            if knowledge.function is None:
                raise InvalidDmn(knowledge.element_id, "business knowledge model has no function")
            self._makers[knowledge.element_id] = function_maker(
                knowledge.variable.name, knowledge.function, names
            )

    def _compile_decision(self, decision: Decision, names: NameTable) -> None:
        if isinstance(decision.logic, Table):
            self.tables[decision.decision_id] = compile_table(decision.logic, names)
        else:
            self._codes[decision.decision_id] = compile_boxed(decision.logic, names)

    def _check_requirements(self) -> None:
        known = self.definitions
        for decision in known.decisions.values():
            for required in decision.required_decisions:
                if required not in known.decisions:
                    raise InvalidDmn(decision.decision_id, f"required decision {required!r} does not exist")
            for required in decision.required_inputs:
                if required not in known.inputs:
                    raise InvalidDmn(decision.decision_id, f"required input {required!r} does not exist")
            for required in decision.required_knowledge:
                if required not in known.knowledge and required not in known.services:
                    raise InvalidDmn(decision.decision_id, f"required knowledge {required!r} does not exist")
        depths: dict[str, int] = {}
        for decision_id in known.decisions:
            self._depth(decision_id, depths, ())

    def _depth(self, decision_id: str, depths: dict[str, int], path: tuple[str, ...]) -> int:
        if decision_id in path:
            raise InvalidDmn(decision_id, "decision requires itself")
        if len(path) > REQUIREMENT_DEPTH_MAX:
            raise InvalidDmn(
                decision_id, f"requirements are more than {REQUIREMENT_DEPTH_MAX} decisions deep"
            )
        if decision_id not in depths:
            required = self.definitions.decisions[decision_id].required_decisions
            below = [self._depth(other, depths, (*path, decision_id)) for other in required]
            depths[decision_id] = 1 + max(below, default=0)
            if depths[decision_id] > REQUIREMENT_DEPTH_MAX:
                raise InvalidDmn(
                    decision_id, f"requirements are more than {REQUIREMENT_DEPTH_MAX} decisions deep"
                )
        return depths[decision_id]

    def evaluate(self, decision_id: str, scope: Scope, audit: list[EvaluatedDecision]) -> Any:
        """Return the FEEL value of a decision; appends each evaluated decision to `audit`.

        Raises `DecisionFailed`, also when a budget of the run is used up.
        """
        return _Session(self, scope, {}, audit).decide(decision_id)

    def call_service(self, element_id: str, scope: Scope, arguments: Mapping[str, Any]) -> Any:
        """Return the value of a decision service over arguments by parameter name."""
        service = self.definitions.services[element_id]
        names = self.service_parameters(service)
        return _Session(self, scope, {}, []).serve(service, [arguments.get(name) for name, _ in names])

    def service_parameters(self, service: Service) -> list[tuple[str, str | None]]:
        """Return (name, type reference) of a service's parameters: input data, then decisions."""
        known = self.definitions
        variables = [known.inputs[i] for i in service.input_data]
        variables += [known.decisions[i].variable for i in service.input_decisions]
        return [(variable.name, variable.type_ref) for variable in variables]

    def function_of(self, knowledge: Knowledge, session: _Session) -> Function | None:
        """Return a knowledge model as function value; it sees itself and what it requires."""
        variables: dict[str, Any] = {}
        function = self._makers[knowledge.element_id](Scope(variables, session.scope, session.scope.run))
        if function is not None:
            variables[knowledge.variable.name] = function
        for required in knowledge.required_knowledge:
            if required != knowledge.element_id:
                name, value = session.knowledge(required)
                variables[name] = value
        return function

    def code_of(self, decision_id: str) -> Code:
        """Return the closure of a decision that is no table."""
        return self._codes[decision_id]


class _Session:
    """Results so far over one scope; a service call is a session of its own."""

    def __init__(
        self, graph: Graph, scope: Scope, results: dict[str, Any], audit: list[EvaluatedDecision]
    ) -> None:
        self.graph = graph
        self.scope = scope
        self.audit = audit
        self._results = results
        self._functions: dict[str, Any] = {}

    def decide(self, decision_id: str) -> Any:
        """Return the value of a decision, evaluating what it requires first."""
        if decision_id in self._results:
            return self._results[decision_id]
        known = self.graph.definitions
        decision = known.decisions[decision_id]
        variables: dict[str, Any] = {}
        for required in decision.required_knowledge:
            name, function = self.knowledge(required)
            variables[name] = function
        for required in decision.required_inputs:
            variable = known.inputs[required]
            given = self.scope.find(variable.name)
            # An input's type is not checked, as in Camunda; one that is missing is null.
            variables[variable.name] = None if given is MISSING else given
        for required in decision.required_decisions:
            variables[known.decisions[required].variable.name] = self.decide(required)
        value = self._evaluate(decision, Scope(variables, self.scope, self.scope.run))
        self._results[decision_id] = value
        return value

    def _evaluate(self, decision: Decision, scope: Scope) -> Any:
        try:
            value, record = self._evaluated(decision, scope)
        except (TableFailed, BudgetExceeded, AssertionFailed) as failure:
            raise DecisionFailed(decision.decision_id, str(failure)) from None
        except RecursionError:
            raise DecisionFailed(decision.decision_id, "evaluation is nested too deeply") from None
        self.audit.append(record)
        return value

    def _evaluated(self, decision: Decision, scope: Scope) -> tuple[Any, EvaluatedDecision]:
        table = self.graph.tables.get(decision.decision_id)
        if table is None:
            outcome = TableOutcome(self.graph.code_of(decision.decision_id)(scope), (), ())
        else:
            try:
                outcome = table.evaluate(scope)
            except TableFailed as failure:
                if failure.outcome is not None:
                    self.audit.append(_record(decision, table, failure.outcome, None))
                raise
        check_size(outcome.output)
        value, problem = self.graph.types.result_value(scope.run, outcome.output, decision.variable.type_ref)
        record = _record(decision, table, outcome, value)
        if problem is not None:
            self.audit.append(record)
            raise DecisionFailed(decision.decision_id, problem)
        return value, record

    def knowledge(self, element_id: str) -> tuple[str, Any]:
        """Return name and function of a knowledge model or decision service."""
        known = self.graph.definitions
        service = known.services.get(element_id)
        name = known.knowledge[element_id].variable.name if service is None else service.variable.name
        if element_id not in self._functions:
            self._functions[element_id] = None  # Two models that require each other meet a null here.
            self._functions[element_id] = (
                self.graph.function_of(known.knowledge[element_id], self)
                if service is None
                else self._service_function(service)
            )
        return name, self._functions[element_id]

    def _service_function(self, service: Service) -> Function:
        typed = self.graph.service_parameters(service)
        parameters = tuple(name for name, _ in typed)

        def call(run: Run, values: list[Any]) -> Any:
            if len(values) != len(parameters):
                return run.warn("FUNCTION_INVOCATION_FAILURE", f"Service takes {len(parameters)} arguments")
            return self.serve(service, values)

        types = tuple(type_of_reference(reference) for _, reference in typed)
        return Function(service.variable.name, (parameters,), call, parameter_types=types)

    def serve(self, service: Service, values: list[Any]) -> Any:
        """Return the value of a service's output decisions over its parameters."""
        typed: list[Any] = []
        for value, (_, type_ref) in zip(values, self.graph.service_parameters(service), strict=True):
            converted, problem = self.graph.types.result_value(self.scope.run, value, type_ref)
            if problem is not None:
                return self.scope.run.warn("FUNCTION_INVOCATION_FAILURE", f"argument {problem}")
            typed.append(converted)
        count = len(service.input_data)
        known = self.graph.definitions
        variables = {
            known.inputs[i].name: value for i, value in zip(service.input_data, typed[:count], strict=True)
        }
        results = dict(zip(service.input_decisions, typed[count:], strict=True))
        session = _Session(self.graph, Scope(variables, None, self.scope.run), results, [])
        outputs = {known.decisions[i].variable.name: session.decide(i) for i in service.outputs}
        value = next(iter(outputs.values())) if len(outputs) == 1 else outputs
        checked, problem = self.graph.types.result_value(self.scope.run, value, service.variable.type_ref)
        if problem is not None:
            return self.scope.run.warn("FUNCTION_INVOCATION_FAILURE", problem)
        return checked


def _record(
    decision: Decision, table: CompiledTable | None, outcome: TableOutcome, value: Any
) -> EvaluatedDecision:
    """Return the audit of one decision, of a failed one with the output null."""
    inputs: tuple[EvaluatedInput, ...] = ()
    rules: tuple[MatchedRule, ...] = ()
    if table is not None:
        check_size([*outcome.inputs, *(output for hit in outcome.hits for output in hit.outputs)])
        inputs, rules = table_audit(table, outcome)
    kind = "UNKNOWN" if decision.logic is None else _TYPES[type(decision.logic).__name__]
    return EvaluatedDecision(decision.decision_id, decision.name, kind, to_json(value), inputs, rules)

"""Zeebe extension elements of one BPMN element.

An extension that would change behaviour and is not in the subset is a problem
by name: it is never skipped. Extensions of other namespaces (modeler colours,
templates) do not change behaviour and are left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lxml import etree

from aurum_engine.bpmn.model import (
    AdHocDefinition,
    Binding,
    CalledDecision,
    CalledProcess,
    IoMapping,
    JobDefinition,
    Script,
    Text,
    UserTaskDefinition,
)
from aurum_engine.bpmn.xml import BPMN, ZEEBE, attribute, child, children, split, text_of
from aurum_engine.feel.api import FeelSyntaxError, parse_expression

Report = Callable[[str, str], None]
"""Called with (element id, reason) for each problem found."""

RETRIES_DEFAULT = "3"
"""Zeebe's default number of job retries."""

ALLOWED_EVERYWHERE = frozenset({"properties"})
ALLOWED = {
    "process": {"versionTag"},
    "serviceTask": {"taskDefinition", "taskHeaders", "ioMapping"},
    "sendTask": {"taskDefinition", "taskHeaders", "ioMapping"},
    "scriptTask": {"taskDefinition", "taskHeaders", "ioMapping", "script"},
    "businessRuleTask": {"taskDefinition", "taskHeaders", "ioMapping", "calledDecision"},
    "userTask": {
        "userTask",
        "assignmentDefinition",
        "taskSchedule",
        "priorityDefinition",
        "formDefinition",
        "taskHeaders",
        "ioMapping",
    },
    "receiveTask": {"ioMapping"},
    "task": {"ioMapping"},
    "manualTask": {"ioMapping"},
    "subProcess": {"ioMapping"},
    "callActivity": {"calledElement", "ioMapping"},
    "adHocSubProcess": {"adHoc", "taskDefinition", "taskHeaders", "ioMapping"},
    "startEvent": {"ioMapping", "formDefinition"},
    "endEvent": {"taskDefinition", "taskHeaders", "ioMapping"},
    "intermediateCatchEvent": {"ioMapping"},
    "intermediateThrowEvent": {"taskDefinition", "taskHeaders", "ioMapping"},
    "boundaryEvent": {"ioMapping"},
    "message": {"subscription"},
    "multiInstanceLoopCharacteristics": {"loopCharacteristics"},
}
"""Zeebe extension elements understood, by BPMN element. Everything else is refused by name."""


class Extensions:
    """The `extensionElements` of one BPMN element and what they say."""

    def __init__(self, node: etree._Element, element_id: str, report: Report) -> None:
        self._element_id = element_id
        self._report = report
        container = child(node, BPMN, "extensionElements")
        self._nodes = [] if container is None else [n for n in container if split(n)[0] == ZEEBE]
        kind = split(node)[1]
        allowed = ALLOWED.get(kind, set())
        for extension in self._nodes:
            name = split(extension)[1]
            if name not in allowed and name not in ALLOWED_EVERYWHERE:
                report(element_id, f"extension element zeebe:{name} is not supported on bpmn:{kind}")

    def find(self, name: str) -> etree._Element | None:
        """Return the extension element of that name; a second one is a problem."""
        found = [node for node in self._nodes if split(node)[1] == name]
        if len(found) > 1:
            self._report(self._element_id, f"more than one zeebe:{name}")
        return found[0] if found else None

    def _all(self, container: str, *names: str) -> Iterator[etree._Element]:
        node = self.find(container)
        if node is not None:
            yield from children(node, ZEEBE, *names)

    def text(self, source: str, what: str) -> Text:
        """Return `source` as text or parsed FEEL; bad FEEL is a problem with its position."""
        return read_text(source, what, self._element_id, self._report)

    def optional(self, node: etree._Element | None, name: str) -> Text | None:
        """Return an attribute as Text; None when the node or the attribute is absent or empty."""
        value = None if node is None else attribute(node, name)
        return self.text(value, name) if value else None

    def mappings(self, kind: str) -> tuple[IoMapping, ...]:
        """Return `zeebe:input` or `zeebe:output` mappings in document order."""
        found = []
        for node in self._all("ioMapping", kind):
            target = attribute(node, "target") or ""
            path = tuple(target.split("."))
            if not all(part.strip() for part in path):
                self._report(self._element_id, f"{kind} mapping has an invalid target {target!r}")
                continue
            source = attribute(node, "source")
            if not source:
                self._report(self._element_id, f"{kind} mapping to {target!r} has no source")
                continue
            found.append(IoMapping(self.text(source, f"source of {kind} {target!r}"), path))
        return tuple(found)

    def headers(self) -> tuple[tuple[str, str], ...]:
        """Return `zeebe:taskHeaders` as pairs; headers without key or value are left out, as Zeebe does."""
        pairs = ((attribute(n, "key"), attribute(n, "value")) for n in self._all("taskHeaders", "header"))
        return tuple((key, value) for key, value in pairs if key and value)

    def properties(self) -> tuple[tuple[str, str], ...]:
        """Return `zeebe:properties` as pairs."""
        nodes = self._all("properties", "property")
        return tuple((attribute(n, "name") or "", attribute(n, "value") or "") for n in nodes)

    def job(self) -> JobDefinition | None:
        """Return the task definition; a missing type is a problem."""
        node = self.find("taskDefinition")
        if node is None:
            return None
        job_type = attribute(node, "type")
        if not job_type:
            self._report(self._element_id, "zeebe:taskDefinition has no job type")
            return None
        retries = attribute(node, "retries") or RETRIES_DEFAULT
        if not retries.startswith("=") and not retries.strip().lstrip("-").isdigit():
            self._report(self._element_id, f"retries must be a number or an expression, not {retries!r}")
        return JobDefinition(self.text(job_type, "job type"), self.text(retries, "retries"))

    def script(self) -> Script | None:
        """Return the FEEL script."""
        node = self.find("script")
        if node is None:
            return None
        source, result = attribute(node, "expression"), attribute(node, "resultVariable")
        if not source or not result:
            self._report(self._element_id, "zeebe:script needs an expression and a resultVariable")
            return None
        if not source.startswith("="):
            source = "=" + source
        return Script(self.text(source, "script"), result)

    def ad_hoc(self, node: etree._Element) -> AdHocDefinition:
        """Return what `bpmn:adHocSubProcess` itself and `zeebe:adHoc` say."""
        adhoc = self.find("adHoc")
        condition = text_of(child(node, BPMN, "completionCondition"))
        collection = None if adhoc is None else attribute(adhoc, "outputCollection")
        output = self.optional(adhoc, "outputElement")
        if bool(collection) != (output is not None):
            self._report(self._element_id, "zeebe:adHoc needs both outputCollection and outputElement")
        if attribute(node, "ordering") not in {None, "Parallel"}:
            self._report(self._element_id, "ordering other than Parallel is not supported")
        definition = AdHocDefinition(
            active_elements=self.optional(adhoc, "activeElementsCollection"),
            completion_condition=self.text(condition, "completionCondition") if condition else None,
            cancel_remaining=attribute(node, "cancelRemainingInstances") != "false",
            output_collection=collection or None,
            output_element=output,
        )
        expressions = {
            "activeElementsCollection": definition.active_elements,
            "completionCondition": definition.completion_condition,
            "outputElement": definition.output_element,
        }
        for name, text in expressions.items():
            if text is not None and not text.source.startswith("="):
                self._report(self._element_id, f"{name} must be FEEL and start with '='")
        return definition

    def _binding(self, node: etree._Element) -> tuple[Binding, str | None]:
        kind, tag = attribute(node, "bindingType") or "latest", attribute(node, "versionTag")
        if kind not in {str(binding) for binding in Binding}:
            self._report(self._element_id, f"binding type {kind!r} is unknown")
            return Binding.LATEST, None
        if kind == Binding.VERSION_TAG and not tag:
            self._report(self._element_id, "binding type versionTag needs a versionTag")
        return Binding(kind), tag

    def decision(self) -> CalledDecision | None:
        """Return the called decision."""
        node = self.find("calledDecision")
        if node is None:
            return None
        decision_id, result = attribute(node, "decisionId"), attribute(node, "resultVariable")
        if not decision_id or not result:
            self._report(self._element_id, "zeebe:calledDecision needs a decisionId and a resultVariable")
            return None
        binding, tag = self._binding(node)
        return CalledDecision(self.text(decision_id, "decisionId"), result, binding, tag)

    def called(self) -> CalledProcess | None:
        """Return the called process of a call activity.

        Whether all its variables come back must be said: versions of Camunda differ in the default.
        """
        node = self.find("calledElement")
        process_id = None if node is None else attribute(node, "processId")
        if node is None or not process_id:
            self._report(self._element_id, "call activity needs a zeebe:calledElement with a processId")
            return None
        all_back = attribute(node, "propagateAllChildVariables")
        if all_back is None and not list(self._all("ioMapping", "output")):
            reason = "zeebe:calledElement must say propagateAllChildVariables, or have output mappings"
            self._report(self._element_id, reason)
        binding, tag = self._binding(node)
        return CalledProcess(
            self.text(process_id, "processId"),
            binding,
            tag,
            propagate_parent=attribute(node, "propagateAllParentVariables") != "false",
            propagate_child=all_back == "true",
        )

    def user_task(self) -> UserTaskDefinition:
        """Return what is said about a user task; `native` tells whether it is one or a job."""
        assignment, schedule = self.find("assignmentDefinition"), self.find("taskSchedule")
        form, priority = self.find("formDefinition"), self.find("priorityDefinition")
        native = self.find("userTask") is not None
        binding, tag = (Binding.LATEST, None) if form is None else self._binding(form)
        form_key = None if form is None else attribute(form, "formKey")
        if native and form_key:
            self._report(self._element_id, "formKey is not allowed on a zeebe:userTask; use formId")
        if not native and priority is not None:
            self._report(self._element_id, "zeebe:priorityDefinition needs zeebe:userTask")
        return UserTaskDefinition(
            native=native,
            assignee=self.optional(assignment, "assignee"),
            candidate_users=self.optional(assignment, "candidateUsers"),
            candidate_groups=self.optional(assignment, "candidateGroups"),
            due_date=self.optional(schedule, "dueDate"),
            follow_up_date=self.optional(schedule, "followUpDate"),
            priority=self.optional(priority, "priority"),
            form_id=self.optional(form, "formId"),
            form_binding=binding,
            form_version_tag=tag,
            form_key=form_key,
            external_form_reference=self.optional(form, "externalReference"),
        )


def read_text(source: str, what: str, element_id: str, report: Report) -> Text:
    """Return a text, as parsed FEEL when it starts with `=`; a syntax error is reported with its position."""
    if not source.startswith("="):
        return Text(source)
    try:
        return Text(source, parse_expression(source[1:]))
    except FeelSyntaxError as error:
        report(element_id, f"{what} is no valid FEEL: {error.message} at position {error.position}")
        return Text(source)

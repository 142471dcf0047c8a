"""The peer: SpiffWorkflow on an equivalent model, its state saved with an fsync after every step.

It reads no Zeebe models and no FEEL, so the same steps are written in its own terms: jobs become manual
tasks that the driver completes, gateways keep their questions, and every shipped decision table becomes
a table of its own with as many rules, columns and tested cells, its tests in Python. Left out in its
favour: literal decisions, io mappings, the agent's tools, timers, error events and message subscriptions.
Its state is one JSON document a step, the form its serializer makes.
"""

from __future__ import annotations

import importlib.util
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lxml import etree

from benchmarks.engine import onboarding
from benchmarks.engine.core import Run

BPMN = "http://www.omg.org/spec/BPMN/20100524/MODEL"
SPIFF = "http://spiffworkflow.org/bpmn/schema/1.0/core"
SKIPPABLE = {
    "verify-identity": "identity",
    "verify-tax-status": "tax",
    "screen-sanctions": "sanctions",
    "screen-pep": "pep",
}
DMN = "https://www.omg.org/spec/DMN/20191111/MODEL/"


def installed() -> bool:
    """Tell whether the peer can be imported."""
    return importlib.util.find_spec("SpiffWorkflow") is not None


class _Model:
    """A process of one line of steps with a way around some of them."""

    def __init__(self) -> None:
        self.root = etree.Element(
            f"{{{BPMN}}}definitions", nsmap={None: BPMN, "spiffworkflow": SPIFF}, targetNamespace="benchmark"
        )
        self.process = etree.SubElement(self.root, f"{{{BPMN}}}process", id="peer", isExecutable="true")
        self.flows = 0
        self.last = self.node("startEvent", "start")

    def node(self, kind: str, name: str, **attributes: str) -> str:
        etree.SubElement(self.process, f"{{{BPMN}}}{kind}", id=name, name=name, **attributes)
        return name

    def flow(self, source: str, target: str, condition: str | None = None) -> str:
        self.flows += 1
        name = f"flow_{self.flows}"
        flow = etree.SubElement(
            self.process, f"{{{BPMN}}}sequenceFlow", id=name, sourceRef=source, targetRef=target
        )
        if condition is not None:
            etree.SubElement(flow, f"{{{BPMN}}}conditionExpression").text = condition
        return name

    def then(self, kind: str, name: str) -> None:
        self.flow(self.last, self.node(kind, name))
        self.last = name

    def skippable(self, name: str, check: str) -> None:
        gateway = self.node("exclusiveGateway", f"{check}_known", default=f"flow_{self.flows + 2}")
        self.flow(self.last, gateway)
        self.flow(gateway, self.node("manualTask", name))
        merge = self.node("exclusiveGateway", f"{check}_merge")
        self.flow(gateway, merge, f"checks.get('{check}') is not None")
        self.flow(name, merge)
        self.last = merge

    def decision(self, name: str) -> None:
        self.then("businessRuleTask", f"decide_{name}")
        task = self.process.find(f"{{{BPMN}}}businessRuleTask[@id='decide_{name}']")
        assert task is not None
        extensions = etree.SubElement(task, f"{{{BPMN}}}extensionElements")
        etree.SubElement(extensions, f"{{{SPIFF}}}calledDecisionId").text = name


def model(tables: Sequence[str]) -> bytes:
    """Return the equivalent process as BPMN; it decides the tables before the account is opened."""
    made = _Model()
    for job_type in onboarding.ANSWERS:
        if job_type in SKIPPABLE:
            made.skippable(job_type, SKIPPABLE[job_type])
            continue
        if job_type == "open-account":
            for name in tables:
                made.decision(name)
        made.then("manualTask", job_type)
    made.then("endEvent", "end")
    text: bytes = etree.tostring(made.root, xml_declaration=True, encoding="UTF-8")
    return text


def tables() -> dict[str, bytes]:
    """Return each shipped decision table in the peer's terms, by decision id.

    A cell that tests something tests `submitter` for a text it is not, but for those of the first rule.
    """
    found = {}
    for name, content in onboarding.files():
        if not name.endswith(".dmn"):
            continue
        for decision in etree.fromstring(content).iter(f"{{{DMN}}}decision"):
            table = decision.find(f"{{{DMN}}}decisionTable")
            if table is not None:
                found[decision.get("id")] = _translated(decision.get("id"), table)
    return found


def _translated(name: str, table: Any) -> bytes:
    root = etree.Element(f"{{{DMN}}}definitions", nsmap={None: DMN}, id=f"{name}_file", name=name)
    decision = etree.SubElement(root, f"{{{DMN}}}decision", id=name, name=name)
    made = etree.SubElement(decision, f"{{{DMN}}}decisionTable", id=f"{name}_table")
    made.set("hitPolicy", "COLLECT" if table.get("hitPolicy") == "COLLECT" else "UNIQUE")
    for number, _ in enumerate(table.findall(f"{{{DMN}}}input")):
        clause = etree.SubElement(made, f"{{{DMN}}}input", id=f"{name}_in_{number}", label="submitter")
        expression = etree.SubElement(clause, f"{{{DMN}}}inputExpression", id=f"{name}_ex_{number}")
        etree.SubElement(expression, f"{{{DMN}}}text").text = "submitter"
    etree.SubElement(made, f"{{{DMN}}}output", id=f"{name}_out", label=name, name=name)
    for row, rule in enumerate(table.findall(f"{{{DMN}}}rule")):
        copy = etree.SubElement(made, f"{{{DMN}}}rule", id=f"{name}_rule_{row}")
        for column, cell in enumerate(rule.findall(f"{{{DMN}}}inputEntry")):
            text = (cell.findtext(f"{{{DMN}}}text") or "").strip()
            test = "" if text in ("", "-") else ("'sarah'" if row == 0 else f"'nobody-{row}-{column}'")
            entry = etree.SubElement(copy, f"{{{DMN}}}inputEntry", id=f"{name}_{row}_{column}")
            etree.SubElement(entry, f"{{{DMN}}}text").text = test
        output = etree.SubElement(copy, f"{{{DMN}}}outputEntry", id=f"{name}_{row}_result")
        etree.SubElement(output, f"{{{DMN}}}text").text = f"'{name}-{row}'"
    text: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return text


class _Store:
    """Stored workflows: one row each, on disk when `save` returns."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("CREATE TABLE workflows (number INTEGER PRIMARY KEY, state TEXT NOT NULL)")

    def save(self, number: int, state: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO workflows VALUES (?, ?)", (number, state))

    def close(self) -> None:
        self._db.close()


def run(instances: int) -> Run:
    """Bring instances to their end, one after the other: the library has no concurrency model."""
    from SpiffWorkflow.bpmn import BpmnWorkflow
    from SpiffWorkflow.bpmn.serializer import BpmnWorkflowSerializer
    from SpiffWorkflow.spiff.parser.process import SpiffBpmnParser
    from SpiffWorkflow.spiff.serializer import DEFAULT_CONFIG
    from SpiffWorkflow.util.task import TaskState

    parser = SpiffBpmnParser()
    decisions = tables()
    for text in decisions.values():
        parser.add_dmn_str(text)
    parser.add_bpmn_str(model(list(decisions)))
    spec = parser.get_spec("peer")
    serializer = BpmnWorkflowSerializer(BpmnWorkflowSerializer.configure(DEFAULT_CONFIG))
    latencies: list[float] = []
    with tempfile.TemporaryDirectory(prefix="bench-peer-") as folder:
        store = _Store(Path(folder) / "peer.sqlite")
        begun = time.perf_counter()
        for number in range(instances):
            started = time.perf_counter()
            workflow: Any = BpmnWorkflow(spec)
            workflow.data.update(onboarding.start_variables(number))
            workflow.task_tree.data.update(onboarding.start_variables(number))
            workflow.do_engine_steps()
            store.save(number, serializer.serialize_json(workflow))
            latencies.append(time.perf_counter() - started)
            while not workflow.is_completed():
                started = time.perf_counter()
                task = workflow.get_next_task(state=TaskState.READY, manual=True)
                task.data.update(_answer(task.task_spec.bpmn_id))
                task.run()
                workflow.do_engine_steps()
                store.save(number, serializer.serialize_json(workflow))
                latencies.append(time.perf_counter() - started)
            undecided = [name for name in decisions if name not in workflow.data]
            if undecided:
                raise AssertionError(f"the peer did not decide {undecided}")
        seconds = time.perf_counter() - begun
        store.close()
    _check_steps(latencies, instances)
    return Run(seconds, instances, latencies)


def _answer(job_type: str) -> dict[str, Any]:
    answer = dict(onboarding.ANSWERS[job_type])
    if "quote" in answer:
        answer["depositUsdCents"] = answer["quote"]["depositUsdCents"]
    return answer


def _check_steps(latencies: Sequence[float], instances: int) -> None:
    wanted = instances * (1 + len(onboarding.ANSWERS))
    if len(latencies) != wanted:
        raise AssertionError(f"the peer made {len(latencies)} steps, the process has {wanted}")

"""Would these files deploy, and can their processes get stuck? What `check` of the command line says.

Deployability is asked of the engine's own processor, so that the answer is the engine's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aurum_engine.bpmn.api import read_bpmn
from aurum_engine.bpmn.soundness import Finding, Severity, examine
from aurum_engine.core.commands import DeployResources, Resource
from aurum_engine.core.processor import Processor
from aurum_engine.errors import Rejection


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found. `refused` is the engine's reason to refuse the deployment, None when it takes it."""

    refused: str | None
    findings: tuple[tuple[str, Finding], ...]
    """(file name, finding) of processes that deploy."""

    @property
    def is_sound(self) -> bool:
        """Whether everything deploys and no process can get stuck; warnings are allowed."""
        return self.refused is None and all(f.severity is not Severity.ERROR for _, f in self.findings)


def check(resources: Sequence[Resource], now_ms: int) -> Checked:
    """Judge files as one deployment. `now_ms` is Unix time: start timers are judged by it."""
    outcome = Processor().process(DeployResources(tuple(resources)), now_ms).outcome
    if isinstance(outcome, Rejection):
        return Checked(outcome.reason, ())
    findings = [
        (resource.name, finding)
        for resource in resources
        if resource.name.lower().endswith(".bpmn")
        for process in read_bpmn(resource.content)
        for finding in examine(process)
    ]
    return Checked(None, tuple(findings))

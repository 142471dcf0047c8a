"""Deployments: read every resource, judge all of them, then accept all or nothing.

Identical content of the latest version of an id is not deployed again; it keeps its key and version.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson

from aurum_engine.bpmn.api import InvalidBpmn, read_bpmn
from aurum_engine.bpmn.model import Process
from aurum_engine.bpmn.xml import ZEEBE, attribute, parse
from aurum_engine.core.audit import audit
from aurum_engine.core.commands import DeploymentReply, DeployResources, Resource
from aurum_engine.core.events import (
    DecisionDeployed,
    Deployed,
    DrgDeployed,
    FormDeployed,
    ProcessDeployed,
)
from aurum_engine.core.execution import Execution
from aurum_engine.core.starts import close_starts, open_starts, start_problems
from aurum_engine.core.variables import TooLarge, normalised
from aurum_engine.dmn.api import Drg, InvalidDmn, parse_drg
from aurum_engine.errors import invalid_argument


@dataclass(frozen=True, slots=True)
class _FormFile:
    form_id: str
    version_tag: str | None


@dataclass(frozen=True, slots=True)
class _Read:
    """A resource that was understood."""

    resource: Resource
    checksum: str
    processes: tuple[Process, ...] = ()
    drg: Drg | None = None
    form: _FormFile | None = None

    @property
    def base64(self) -> str:
        return b64encode(self.resource.content).decode("ascii")


PROBLEMS_SHOWN_MAX = 40
"""Problems named by one refusal: clients of gRPC take about 8 KB of text with a status."""


def _read_form(content: bytes) -> _FormFile:
    try:
        form: Any = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"form is no JSON: {error}") from error
    form_id = form.get("id") if isinstance(form, dict) else None
    if not isinstance(form_id, str) or not form_id:
        raise ValueError("form has no id")
    tag = form.get("versionTag")
    return _FormFile(form_id, tag if isinstance(tag, str) and tag else None)


def _read(resource: Resource) -> _Read | list[str]:
    """Return the resource as understood, or all its problems."""
    checksum = sha256(resource.content).hexdigest()
    kind = resource.name.rpartition(".")[2].lower()
    try:
        if kind == "bpmn":
            return _Read(resource, checksum, processes=read_bpmn(resource.content))
        if kind == "dmn":
            return _Read(resource, checksum, drg=parse_drg(resource.content))
        if kind == "form":
            return _Read(resource, checksum, form=_read_form(resource.content))
    except InvalidBpmn as error:
        return [str(problem) for problem in error.problems]
    except InvalidDmn as error:
        return [f"{error.element_id!r}: {error.reason}" if error.element_id else error.reason]
    except ValueError as error:
        return [str(error)]
    return ["unknown kind of resource: the name must end in .bpmn, .dmn or .form"]


def _read_all(command: DeployResources, now_ms: int) -> list[_Read]:
    if not command.resources:
        raise invalid_argument("expected at least one resource to deploy, but got none")
    problems: list[str] = []
    accepted: list[_Read] = []
    for resource in command.resources:
        outcome = _read(resource)
        if isinstance(outcome, _Read):
            accepted.append(outcome)
        else:
            problems += [f"'{resource.name}': {problem}" for problem in outcome]
    ids = Counter(f"process id '{p.id}'" for read in accepted for p in read.processes)
    ids.update(f"decision id '{d.decision_id}'" for r in accepted if r.drg for d in r.drg.decisions)
    ids.update(f"decision requirements id '{r.drg.drg_id}'" for r in accepted if r.drg)
    ids.update(f"form id '{r.form.form_id}'" for r in accepted if r.form)
    problems += [f"{name} is deployed twice in one deployment" for name, count in ids.items() if count > 1]
    for read in accepted:
        for process in read.processes:
            problems += start_problems(read.resource.name, process, now_ms)
            problems += _size_problems(read.resource.name, process)
    if problems:
        shown, hidden = problems[:PROBLEMS_SHOWN_MAX], len(problems) - PROBLEMS_SHOWN_MAX
        more = f"; and {hidden} more" if hidden > 0 else ""
        raise invalid_argument("expected to deploy new resources, but: " + "; ".join(shown) + more)
    return accepted


def _size_problems(resource_name: str, process: Process) -> list[str]:
    """Name ad-hoc sub-processes whose description would be too large for the variable that holds it."""
    problems = []
    for element in process.elements.values():
        try:
            normalised([] if element.ad_hoc is None else list(element.ad_hoc.elements))
        except TooLarge as error:
            problems.append(f"'{resource_name}': {element.id!r}: description of what is inside: {error}")
    return problems


def deploy(x: Execution, command: DeployResources) -> DeploymentReply:
    """Carry out DeployResources."""
    accepted = _read_all(command, x.now_ms)
    key = x.new_key()
    processes: list[int] = []
    drgs: list[int] = []
    decisions: list[int] = []
    forms: list[int] = []
    for read in accepted:
        processes += [_deploy_process(x, read, process, key) for process in read.processes]
        if read.drg is not None:
            drg_key, decision_keys = _deploy_drg(x, read, read.drg, key)
            drgs.append(drg_key)
            decisions += decision_keys
        if read.form is not None:
            forms.append(_deploy_form(x, read, read.form, key))
    x.emit(Deployed(key, tuple(processes), tuple(decisions), tuple(drgs), tuple(forms)))
    audit(x, "CREATE", "RESOURCE", key, command.actor)
    return DeploymentReply(
        key=key,
        processes=tuple(x.state.process_definitions[k] for k in processes),
        decisions=tuple(x.state.decision_definitions[k] for k in decisions),
        decision_requirements=tuple(x.state.decision_requirements[k] for k in drgs),
        forms=tuple(x.state.forms[k] for k in forms),
    )


def _deploy_process(x: Execution, read: _Read, process: Process, deployment_key: int) -> int:
    latest = x.state.latest_process(process.id)
    if latest is not None and latest.checksum == read.checksum:
        return latest.key
    key = x.new_key()
    x.emit(
        ProcessDeployed(
            key=key,
            bpmn_process_id=process.id,
            version=1 if latest is None else latest.version + 1,
            version_tag=process.version_tag,
            name=process.name,
            resource_name=read.resource.name,
            checksum=read.checksum,
            deployment_key=deployment_key,
            resource_base64=read.base64,
        )
    )
    if latest is not None:
        close_starts(x, process.id, latest.key)
    open_starts(x, process, key)
    return key


def _deploy_drg(x: Execution, read: _Read, drg: Drg, deployment_key: int) -> tuple[int, list[int]]:
    versions = x.state.drg_versions.get(drg.drg_id, ())
    latest = x.state.decision_requirements[versions[-1]] if versions else None
    if latest is not None and latest.checksum == read.checksum:
        existing = [d.key for d in x.state.decision_definitions.values() if d.drg_key == latest.key]
        return latest.key, existing
    key = x.new_key()
    x.emit(
        DrgDeployed(
            key=key,
            drg_id=drg.drg_id,
            name=drg.name,
            namespace=drg.namespace,
            version=1 if latest is None else latest.version + 1,
            resource_name=read.resource.name,
            checksum=read.checksum,
            deployment_key=deployment_key,
            resource_base64=read.base64,
        )
    )
    decision_keys = []
    tags = _decision_tags(read.resource.content)
    for info in drg.decisions:
        before = x.state.latest_decision(info.decision_id)
        decision_keys.append(x.new_key())
        x.emit(
            DecisionDeployed(
                key=decision_keys[-1],
                decision_id=info.decision_id,
                name=info.name,
                version=1 if before is None else before.version + 1,
                version_tag=tags.get(info.decision_id),
                drg_key=key,
                drg_id=drg.drg_id,
                deployment_key=deployment_key,
            )
        )
    return key, decision_keys


def _decision_tags(content: bytes) -> dict[str, str]:
    """Return the `zeebe:versionTag` of each decision of a DMN resource that has one."""
    tags = {}
    for decision in parse(content).iter("{*}decision"):
        for tag in decision.iterfind(f"{{*}}extensionElements/{{{ZEEBE}}}versionTag"):
            tags[attribute(decision, "id") or ""] = attribute(tag, "value") or ""
    return tags


def _deploy_form(x: Execution, read: _Read, form: _FormFile, deployment_key: int) -> int:
    latest = x.state.latest_form(form.form_id)
    if latest is not None and latest.checksum == read.checksum:
        return latest.key
    key = x.new_key()
    x.emit(
        FormDeployed(
            key=key,
            form_id=form.form_id,
            version=1 if latest is None else latest.version + 1,
            version_tag=form.version_tag,
            resource_name=read.resource.name,
            checksum=read.checksum,
            deployment_key=deployment_key,
            resource_base64=read.base64,
        )
    )
    return key

"""Appliers: deployed resources and what they open. See the rules in the package."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Mapping
from typing import Any

from aurum_engine.core import events as e
from aurum_engine.core import records as r
from aurum_engine.core import waits as w
from aurum_engine.core.state import State


def _process_deployed(state: State, event: e.ProcessDeployed, at_ms: int) -> None:
    state.process_definitions[event.key] = r.ProcessDefinition(
        key=event.key,
        bpmn_process_id=event.bpmn_process_id,
        version=event.version,
        version_tag=event.version_tag,
        name=event.name,
        resource_name=event.resource_name,
        checksum=event.checksum,
        deployment_key=event.deployment_key,
        resource=b64decode(event.resource_base64),
        deployed_ms=at_ms,
    )
    state.process_versions.setdefault(event.bpmn_process_id, []).append(event.key)


def _drg_deployed(state: State, event: e.DrgDeployed, at_ms: int) -> None:
    state.decision_requirements[event.key] = r.DecisionRequirements(
        key=event.key,
        drg_id=event.drg_id,
        name=event.name,
        namespace=event.namespace,
        version=event.version,
        resource_name=event.resource_name,
        checksum=event.checksum,
        deployment_key=event.deployment_key,
        resource=b64decode(event.resource_base64),
    )
    state.drg_versions.setdefault(event.drg_id, []).append(event.key)


def _decision_deployed(state: State, event: e.DecisionDeployed, at_ms: int) -> None:
    state.decision_definitions[event.key] = r.DecisionDefinition(
        key=event.key,
        decision_id=event.decision_id,
        name=event.name,
        version=event.version,
        version_tag=event.version_tag,
        drg_key=event.drg_key,
        drg_id=event.drg_id,
        deployment_key=event.deployment_key,
    )
    state.decision_versions.setdefault(event.decision_id, []).append(event.key)


def _form_deployed(state: State, event: e.FormDeployed, at_ms: int) -> None:
    state.forms[event.key] = r.Form(
        key=event.key,
        form_id=event.form_id,
        version=event.version,
        version_tag=event.version_tag,
        resource_name=event.resource_name,
        checksum=event.checksum,
        deployment_key=event.deployment_key,
        resource=b64decode(event.resource_base64),
    )
    state.form_versions.setdefault(event.form_id, []).append(event.key)


def _deployed(state: State, event: e.Deployed, at_ms: int) -> None:
    state.deployments[event.key] = r.Deployment(
        event.key, event.process_keys, event.decision_keys, event.drg_keys, event.form_keys, at_ms
    )


def _message_start_opened(state: State, event: e.MessageStartOpened, at_ms: int) -> None:
    state.message_starts.setdefault(event.message_name, {})[event.bpmn_process_id] = (
        w.MessageStartSubscription(
            event.key,
            event.message_name,
            event.bpmn_process_id,
            event.process_definition_key,
            event.start_event_id,
        )
    )


def _message_start_closed(state: State, event: e.MessageStartClosed, at_ms: int) -> None:
    starts = state.message_starts[event.message_name]
    del starts[event.bpmn_process_id]
    if not starts:
        del state.message_starts[event.message_name]


APPLIERS: Mapping[type[e.Event], Callable[[State, Any, int], None]] = {
    e.ProcessDeployed: _process_deployed,
    e.DrgDeployed: _drg_deployed,
    e.DecisionDeployed: _decision_deployed,
    e.FormDeployed: _form_deployed,
    e.Deployed: _deployed,
    e.MessageStartOpened: _message_start_opened,
    e.MessageStartClosed: _message_start_closed,
}
"""Appliers of the events in `events/definitions.py`."""

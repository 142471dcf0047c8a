"""Deployed resources and what they open. See the rules in the package."""

from __future__ import annotations

from aurum_engine.core.structs import Record


class ProcessDeployed(Record, frozen=True):
    """A new version of a process."""

    key: int
    bpmn_process_id: str
    version: int
    version_tag: str | None
    name: str
    resource_name: str
    checksum: str
    deployment_key: int
    resource_base64: str


class DrgDeployed(Record, frozen=True):
    """A new version of a DMN resource."""

    key: int
    drg_id: str
    name: str
    namespace: str
    version: int
    resource_name: str
    checksum: str
    deployment_key: int
    resource_base64: str


class DecisionDeployed(Record, frozen=True):
    """A new version of one decision of a DMN resource."""

    key: int
    decision_id: str
    name: str
    version: int
    version_tag: str | None
    drg_key: int
    drg_id: str
    deployment_key: int


class FormDeployed(Record, frozen=True):
    """A new version of a form."""

    key: int
    form_id: str
    version: int
    version_tag: str | None
    resource_name: str
    checksum: str
    deployment_key: int
    resource_base64: str


class Deployed(Record, frozen=True):
    """A deployment was accepted; identical resources appear with their old keys."""

    key: int
    process_keys: tuple[int, ...]
    decision_keys: tuple[int, ...]
    drg_keys: tuple[int, ...]
    form_keys: tuple[int, ...]


class MessageStartOpened(Record, frozen=True):
    """Messages of this name can start the (latest version of the) process."""

    key: int
    message_name: str
    bpmn_process_id: str
    process_definition_key: int
    start_event_id: str


class MessageStartClosed(Record, frozen=True):
    """They no longer can, since a newer version was deployed."""

    key: int
    message_name: str
    bpmn_process_id: str

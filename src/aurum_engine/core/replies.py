"""Answers of the engine to the commands in `commands.py`, which offers them under its own name too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aurum_engine.core.records import (
    DecisionDefinition,
    DecisionInstance,
    DecisionRequirements,
    Form,
    Job,
    ProcessDefinition,
)


@dataclass(frozen=True, slots=True)
class EmptyReply:
    """Done; there is nothing to say."""


@dataclass(frozen=True, slots=True)
class DeploymentReply:
    """What the resources of a deployment became, in resource order; identical content keeps its key."""

    key: int
    processes: tuple[ProcessDefinition, ...]
    decisions: tuple[DecisionDefinition, ...]
    decision_requirements: tuple[DecisionRequirements, ...]
    forms: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class CreatedReply:
    """The new instance."""

    process_instance_key: int
    process_definition_key: int
    bpmn_process_id: str
    version: int
    version_tag: str | None
    business_id: str | None
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ActivatedJob:
    """A leased job with the variables it asked for."""

    job: Job
    variables: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JobsReply:
    """Leased jobs, oldest first."""

    jobs: tuple[ActivatedJob, ...]


@dataclass(frozen=True, slots=True)
class MessageReply:
    """`process_instance_key` is set by CorrelateMessage: the (first) instance that took the message."""

    message_key: int
    process_instance_key: int | None = None


@dataclass(frozen=True, slots=True)
class SignalReply:
    """Key of the broadcast."""

    key: int


@dataclass(frozen=True, slots=True)
class VariablesReply:
    """Key of the variables change."""

    key: int


@dataclass(frozen=True, slots=True)
class DecisionReply:
    """Outcome of an evaluation; `failure` None means success. `instances` hold the audit, asked one last."""

    key: int
    decision: DecisionDefinition
    output: Any
    failure: str | None
    failed_decision_id: str | None
    instances: tuple[DecisionInstance, ...]


@dataclass(frozen=True, slots=True)
class TickReply:
    """How many due things were handled."""

    handled: int


Reply = (
    EmptyReply
    | DeploymentReply
    | CreatedReply
    | JobsReply
    | MessageReply
    | SignalReply
    | VariablesReply
    | DecisionReply
    | TickReply
)

"""Who did what, as one event per accepted command on something a person may ask about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum_engine.core.events import Audited
from aurum_engine.core.execution import Execution


def audit(
    x: Execution,
    operation: str,
    entity_type: str,
    entity_key: int,
    actor: str | None,
    *,
    is_person: bool = False,
    process_instance_key: int | None = None,
    details: Mapping[str, Any] | None = None,
) -> int:
    """Record an operation in Camunda's words (CREATE, ASSIGN ...) and return the key of the entry.

    `is_person`: the actor is a person who was recognised, and not the service that called.
    """
    definition_key = None
    if process_instance_key is not None:
        definition_key = x.state.process_instances[process_instance_key].process_definition_key
    key = x.new_key()
    x.emit(
        Audited(
            key=key,
            operation=operation,
            entity_type=entity_type,
            entity_key=entity_key,
            process_instance_key=process_instance_key,
            process_definition_key=definition_key,
            actor=actor,
            details=dict(details or {}),
            is_person=is_person,
        )
    )
    return key

"""Refusing commands on call trees whose past is damaged; all others go on."""

from __future__ import annotations

from aurum_engine.core import commands as c
from aurum_engine.core.records import NO_KEY
from aurum_engine.core.state import StateView
from aurum_engine.errors import invalid_state

_AIMS = (
    *("job_key", "user_task_key", "element_instance_key", "ad_hoc_key", "process_instance_key"),
    "incident_key",
)
"""Fields of commands that say what they are about."""


def judge(view: StateView, command: c.Command) -> None:
    """Raise an INVALID_STATE rejection that names instance and record, when a command is about damage."""
    for name in _AIMS:
        key = getattr(command, name, None)
        if key is not None:
            _refuse(view, _root_of(view, key))
    if isinstance(command, c.PublishMessage | c.CorrelateMessage):
        for root in view.quarantined:
            if _would_hear(view, root, command.name, command.correlation_key):
                _refuse(view, root)


def _root_of(view: StateView, key: int) -> int:
    incident = view.incidents.get(key)
    return view.owners.root_of(key if incident is None else incident.process_instance_key)


def _refuse(view: StateView, root: int) -> None:
    damage = view.quarantined.get(root)
    if damage is not None and root != NO_KEY:
        raise invalid_state(
            f"process instance '{root}' is quarantined:"
            f" record {damage.position} of the engine log is damaged ({damage.reason})"
        )


def _would_hear(view: StateView, root: int, name: str, correlation_key: str) -> bool:
    for instance in view.with_called(root):
        for element in view.instance_elements.get(instance, ()):
            for key in view.element_subscriptions.get(element, ()):
                found = view.subscriptions[key]
                if (found.message_name, found.correlation_key) == (name, correlation_key):
                    return True
    return False

"""Facts to JSON and back. The only place that knows a fact's JSON names.

Every object carries `v`, the version of its kind's shape. Reading upcasts an old `v` step by step
through `UPCASTERS`; an unknown kind or a newer version raises, because guessing would lose facts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from aurum.facts.turns import (
    TURN_FACTS,
    ToolReturned,
    TurnAbandoned,
    TurnCommitted,
    TurnText,
    call_id_of,
    is_call_id,
)
from aurum.facts.vocabulary import (
    DecisionEvaluated,
    ElementEnded,
    ElementStarted,
    Fact,
    IncidentRaised,
    IncidentResolved,
    InstanceEnded,
    InstanceStarted,
    ResultRecorded,
    TaskClosed,
    TaskOpened,
)

KINDS: dict[str, type[Any]] = {
    "instanceStarted": InstanceStarted,
    "instanceEnded": InstanceEnded,
    "elementStarted": ElementStarted,
    "elementEnded": ElementEnded,
    "resultRecorded": ResultRecorded,
    "decisionEvaluated": DecisionEvaluated,
    "taskOpened": TaskOpened,
    "taskClosed": TaskClosed,
    "incidentRaised": IncidentRaised,
    "incidentResolved": IncidentResolved,
    "turnText": TurnText,
    "turnAbandoned": TurnAbandoned,
    "turnCommitted": TurnCommitted,
    "toolReturned": ToolReturned,
}

VERSION = 1
"""Version written for every kind today."""

UPCASTERS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""(kind, v) -> function that returns the same object as version v + 1."""

_KIND_OF = {cls: kind for kind, cls in KINDS.items()}


class UnreadableFact(ValueError):
    """The JSON is no fact this release knows; the message names kind and version only."""


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


_FIELDS: dict[str, tuple[tuple[str, str], ...]] = {
    kind: tuple((field.name, _camel(field.name)) for field in fields(cls)) for kind, cls in KINDS.items()
}


def kind_of(fact: Fact) -> str:
    """Return the kind's JSON name, such as `elementStarted`."""
    return _KIND_OF[type(fact)]


def to_json(fact: Fact) -> dict[str, Any]:
    """Return `{"v", "kind", "id", ...}` with camelCase names."""
    kind = kind_of(fact)
    out: dict[str, Any] = {"v": VERSION, "kind": kind, "id": fact.fact_id}
    for attribute, name in _FIELDS[kind]:
        value = getattr(fact, attribute)
        out[name] = list(value) if isinstance(value, tuple) else value
    return out


def from_json(data: Mapping[str, Any]) -> Fact:
    """Return the fact. Raises `UnreadableFact` for an unknown kind, a newer version or a missing field."""
    kind, version = data.get("kind"), data.get("v")
    if not isinstance(kind, str) or kind not in KINDS or not isinstance(version, int) or version > VERSION:
        raise UnreadableFact(f"kind {kind!r} version {version!r}")
    current = dict(data)
    while version < VERSION:
        upcast = UPCASTERS.get((kind, version))
        if upcast is None:
            raise UnreadableFact(f"kind {kind!r} version {version!r} has no upcaster")
        current, version = upcast(current), version + 1
    arguments: dict[str, Any] = {}
    for attribute, name in _FIELDS[kind]:
        if name not in current:
            raise UnreadableFact(f"kind {kind!r} lacks {name!r}")
        value = current[name]
        arguments[attribute] = tuple(value) if isinstance(value, list) and attribute in _TUPLES else value
    fact: Fact = KINDS[kind](**arguments)
    _require_turn(fact)
    return fact


def _require_turn(fact: Fact) -> None:
    """Turns and calls are put in order by their ids: one that cannot be read is no fact."""
    if isinstance(fact, ToolReturned) and not is_call_id(fact.call_id):
        raise UnreadableFact(f"kind {kind_of(fact)!r} names no call")
    if isinstance(fact, TURN_FACTS) and not is_call_id(call_id_of(fact.turn_id, 1)):
        raise UnreadableFact(f"kind {kind_of(fact)!r} names no turn")


_TUPLES = frozenset({"inputs", "matched_rules", "candidate_groups", "calls", "rejected"})

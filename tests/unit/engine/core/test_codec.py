"""The stored form of events: pinned, versioned, and lifted when it is old."""

from __future__ import annotations

import json
from pathlib import Path

import orjson
import pytest

from aurum_engine.core import codec
from aurum_engine.core.events import ElementCompleted, JobCreated, ProcessInstanceCreated, VariableCreated
from aurum_engine.core.structs import fields_of

PINNED = Path(__file__).with_name("stored_events.json")


def test_stored_fields_change_only_with_a_new_version() -> None:
    """When this fails: raise the event's entry in VERSIONS, add an upcaster, then write the file anew."""
    current = {name: [codec.VERSIONS.get(name, 1), *fields_of(cls)] for name, cls in codec.KINDS.items()}

    assert current == json.loads(PINNED.read_text(encoding="utf-8"))


def test_events_come_back_as_they_were() -> None:
    events = [
        JobCreated(1, "t", 3, (("a", "b"), ("c", "d")), "e", 2, 3, 4, "p", 1),
        VariableCreated(5, "v", {"list": [1, 2.5, None, True], "text": "ü"}, 2, 3),
        ElementCompleted(7),
    ]

    assert codec.decode_step(codec.encode_step(events)) == events


@pytest.mark.parametrize(
    "row", [["Unheard", 1, 2], ["ElementCompleted", 9, 2], ["ElementCompleted", 1, 2, 3]]
)
def test_an_event_of_unknown_form_is_never_guessed(row: list[object]) -> None:
    with pytest.raises(codec.UnknownEvent):
        codec.decode_step(orjson.dumps([row]))


def test_an_old_version_is_lifted_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(codec.UPCASTERS, ("ElementCompleted", -1), lambda fields: [fields[0], "extra"])
    monkeypatch.setitem(codec.UPCASTERS, ("ElementCompleted", 0), lambda fields: fields[:1])

    assert codec.decode_step(orjson.dumps([["ElementCompleted", -1, 7]])) == [ElementCompleted(7)]


def test_an_instance_from_before_call_activities_is_its_own_root() -> None:
    fields = [7, 3, "p", 1, None, "P", None, [], "start", None]

    (event,) = codec.decode_step(orjson.dumps([["ProcessInstanceCreated", 1, *fields]]))

    assert isinstance(event, ProcessInstanceCreated)
    assert (event.root_key, event.parent_key, event.parent_element_key, event.tags) == (7, None, None, ())

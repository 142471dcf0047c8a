"""Judged by others: the AG-UI validator, the official models and both official clients."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ag_ui.core import Event
from ag_ui_validate import create_validator
from pydantic import TypeAdapter

from aurum.facts.vocabulary import Fact
from aurum.keys import VIEWS, CaseId, View
from aurum.projection.context import ProjectionContext
from aurum.projection.project import initial_view, project
from aurum.projection.view import Frame, ViewState
from aurum.stream.boundary import Viewer, finish
from aurum.stream.prelude import prelude
from tests.support.cases import ALL_CASES, START_MS
from tests.support.tools import NODE_TOOLS, node

DEMO_CASES = ("straight_through", "approved")
"""Sarah and James: joined at every fact; the other cases at every ninth."""

ADAPTER: TypeAdapter[Any] = TypeAdapter(Event)


def context_of(view: View) -> ProjectionContext:
    return ProjectionContext(view, CaseId("case-1"), b"k" * 32, customer_epoch="0123456789")


def viewer_of(view: View) -> Viewer:
    return Viewer(view, frozenset({"advisors"}), is_submitter=True)


def states(view: View, facts: list[Fact]) -> list[tuple[ViewState, int, list[Frame]]]:
    """Return (view, frames so far, all frames) after each fact, the first before any."""
    context = context_of(view)
    current, frames = initial_view(context), []
    found = [(current, 0)]
    for place, fact in enumerate(facts):
        current, more = project(context, current, fact, START_MS + place)
        frames += more
        found.append((current, len(frames)))
    return [(state, count, frames) for state, count in found]


def joined(view: View, state: ViewState, tail: list[Frame]) -> list[dict[str, Any]]:
    """Return what a client that joins here reads to the end."""
    viewer = viewer_of(view)
    read = [finish(frame, viewer) if frame.is_boundary else frame.event for frame in tail]
    return [*prelude(context_of(view), state, viewer, at_ms=START_MS), *read]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("case", sorted(ALL_CASES))
def test_the_official_models_read_every_event(case: str, view: View) -> None:
    first, _, frames = states(view, ALL_CASES[case])[0]

    for event in joined(view, first, frames):
        ADAPTER.validate_python(event)


@pytest.mark.slow  # Eighteen whole streams, twenty rules each.
def test_the_validator_finds_nothing() -> None:
    for case, facts in ALL_CASES.items():
        for view in VIEWS:
            first, _, frames = states(view, facts)[0]
            validator = create_validator()
            for event in joined(view, first, frames):
                validator.feed(event)
            validator.finalize()
            found = validator.report().diagnostics

            assert [item for item in found if item.severity in ("error", "warning")] == [], (case, view)


@pytest.mark.node
@pytest.mark.deep  # Some hundred streams through two clients: ten seconds.
@pytest.mark.timeout(180)
def test_every_prelude_index_through_the_official_clients(tmp_path: Path) -> None:
    binary = node()
    recorded = tmp_path / "streams.jsonl"
    with recorded.open("w") as file:
        for case, facts in ALL_CASES.items():
            for view in VIEWS:
                found = states(view, facts)
                final = found[-1][0]
                every = 1 if case in DEMO_CASES else 9
                for place, (state, count, frames) in list(enumerate(found))[::every]:
                    line = {
                        "name": f"{case}/{view}/{place}",
                        "events": joined(view, state, frames[count:]),
                        "state": final.state,
                        "messages": [message["id"] for message in final.messages],
                    }
                    file.write(json.dumps(line) + "\n")

    done = subprocess.run(
        [binary, str(NODE_TOOLS / "verify-streams.mjs"), str(recorded)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-2_000:]

"""Scopes nested as deeply as XML may be do not exhaust the stack, neither on the way in nor out."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conformance.scenarios.builder import build

from aurum_engine.core import commands as c
from aurum_engine.core.processor import Processor
from aurum_engine.core.records import LifecycleState

LEVELS = 120
"""The builder is recursive too; XML itself ends at 256 levels, of which a scope takes one."""


def nested(kind: str) -> bytes:
    """Return a process of scopes in each other, around one job."""
    inner: dict[str, Any] = {"work": {"type": "serviceTask", "job": "work"}}
    name = "work"
    for level in range(LEVELS):
        scope: dict[str, Any] = {"type": kind, "elements": inner}
        if kind == "adHocSubProcess":
            scope["ad_hoc"] = {"activeElementsCollection": f'=["{name}"]'}
        else:
            scope["flow"] = f"in{level} -> {name}"
            scope["loop"] = {"inputCollection": "=[1]"}
        name = f"box{level}"
        inner = {name: scope}
    return build({"id": "p", "flow": f"start -> {name} -> end", "elements": inner})


@pytest.mark.parametrize("kind", ["adHocSubProcess", "subProcess"])
@pytest.mark.parametrize("ending", [LifecycleState.COMPLETED, LifecycleState.TERMINATED])
def test_deeply_nested_scopes_begin_and_end(kind: str, ending: LifecycleState) -> None:
    processor = Processor()
    processor.process(c.DeployResources((c.Resource("p.bpmn", nested(kind)),)), 0)

    created = processor.process(c.CreateProcessInstance("p"), 1).outcome
    leased = processor.process(c.ActivateJobs("work", "w", 1_000, 2), 2).outcome
    assert isinstance(created, c.CreatedReply)
    assert isinstance(leased, c.JobsReply)
    (job,) = leased.jobs
    if ending is LifecycleState.COMPLETED:
        processor.process(c.CompleteJob(job.job.key), 3)
    else:
        processor.process(c.CancelProcessInstance(created.process_instance_key), 3)

    assert processor.view.process_instances[created.process_instance_key].state is ending

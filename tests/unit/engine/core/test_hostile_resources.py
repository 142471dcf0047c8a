"""Resources made to hurt are refused by the core with a reason and leave nothing behind."""

from __future__ import annotations

import time

import pytest
from tests.conformance.hostile import HOSTILE

from aurum_engine.core import commands as c
from aurum_engine.core.processor import Processor
from aurum_engine.errors import Rejection

# Some make the engine work up to a limit before it refuses.
pytestmark = pytest.mark.slow

SECONDS_MAX = 10.0
"""Loose, for a busy machine; each takes less than two seconds of a core. None may take for ever."""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_resource_is_refused_with_a_reason(name: str) -> None:
    content, reason = HOSTILE[name]
    processor = Processor()
    began = time.monotonic()

    step = processor.process(c.DeployResources((c.Resource("hostile.bpmn", content),)), 0)

    assert isinstance(step.outcome, Rejection)
    assert (step.outcome.rejection_type, step.events) == ("INVALID_ARGUMENT", ())
    assert reason in step.outcome.reason
    assert "root:" not in step.outcome.reason
    assert len(step.outcome.reason) < 8_000
    assert time.monotonic() - began < SECONDS_MAX

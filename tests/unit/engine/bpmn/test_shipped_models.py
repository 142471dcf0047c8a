"""The models that the product ships can be deployed on this engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from aurum_engine.core import commands as c
from aurum_engine.core.processor import Processor
from aurum_engine.errors import Rejection

ROOT = Path(__file__).parents[4]
MODELS = sorted([*ROOT.glob("bpmn/*.bpmn"), *ROOT.glob("bpmn/forms/*.form"), *ROOT.glob("dmn/*.dmn")])


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_a_shipped_model_is_deployable_and_deploying_it_again_changes_nothing(path: Path) -> None:
    processor = Processor()
    command = c.DeployResources((c.Resource(path.name, path.read_bytes()),))

    first, second = processor.process(command, 0).outcome, processor.process(command, 0).outcome

    assert isinstance(first, c.DeploymentReply), first
    assert isinstance(second, c.DeploymentReply)
    assert (first.processes, first.decisions, first.forms) == (
        second.processes,
        second.decisions,
        second.forms,
    )


def test_all_shipped_models_go_into_one_deployment() -> None:
    resources = tuple(c.Resource(path.name, path.read_bytes()) for path in MODELS)

    outcome = Processor().process(c.DeployResources(resources), 0).outcome

    assert not isinstance(outcome, Rejection), outcome

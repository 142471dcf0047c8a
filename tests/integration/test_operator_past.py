"""The past of a case: at every fact, what the operator is shown equals a fold of the exported facts."""

import json
import random
import runpy
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from ag_ui_validate import create_validator
from tests.support.world import World, example, world

from aurum import resources

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow  # Every test starts the whole product: about half a second each.


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path) as running:
        yield running


async def ended(product: World, name: str) -> str:
    if name == "sarah":
        case_id = await product.submit("sarah", example("sarah-chen"))
    else:
        case_id = await product.submit("james", example("james-rodriguez"))
        await product.until("james", case_id, "waiting", "advisor_review")
        await product.decide("advisor", case_id, "approve")
    await product.until(name, case_id, "account_opened")
    return case_id


def folded_by_itself(file: Path) -> list[dict[str, Any]]:
    """Return all folds of `scripts/fold_evidence.py`, which knows the file and nothing of the product."""
    script = runpy.run_path(str(ROOT / "scripts" / "fold_evidence.py"))
    assert not any(getattr(value, "__module__", "").startswith("aurum") for value in script.values())
    bodies, folds = script["bodies"], script["folds"]
    return list(folds(bodies(file, "fact"), bodies(file, "frame")))


@pytest.mark.parametrize("name", ["sarah", pytest.param("james", marks=pytest.mark.deep)])
async def test_every_point_of_the_past_equals_a_fold_of_the_exported_file(
    product: World, tmp_path: Path, name: str
) -> None:
    case_id = await ended(product, name)
    operator, auditor = await product.person("operator"), await product.person("auditor")
    file = tmp_path / "evidence.ndjson"
    file.write_bytes((await auditor.post(f"/cases/{case_id}/evidence", json={"reason": "fold"})).content)

    told = folded_by_itself(file)

    assert len(told) > 100
    for fold in random.Random(1).sample(told, len(told)):  # Back and forth, as a scrubber is moved.
        shown = (await operator.get(f"/cases/{case_id}/at/{fold['index']}")).json()
        for member in ("of", "state", "messages", "tokens"):
            assert shown[member] == fold[member], (fold["index"], member)


@pytest.mark.deep  # The page's own download is judged by the validator's command.
async def test_the_frames_of_a_case_are_a_recording_without_a_fault_and_masked(product: World) -> None:
    case_id = await ended(product, "sarah")
    operator = await product.person("operator")

    answer = await operator.get(f"/cases/{case_id}/wire", params={"view": "advisor", "runs": "closed"})

    events = [json.loads(line) for line in answer.text.splitlines()]
    validator = create_validator()
    for event in events:
        validator.feed(event)
    validator.finalize()
    found = validator.report().diagnostics
    assert [item for item in found if item.severity in ("error", "warning")] == []
    assert events[-1]["type"] == "RUN_FINISHED"
    assert example("sarah-chen")["email"] not in answer.text
    facts = [json.loads(line) for line in (await operator.get(f"/cases/{case_id}/facts")).text.splitlines()]
    ids = {fact["index"]: fact["id"] for fact in facts}
    links = [event["metadata"]["com.aurum"] for event in events if "index" in str(event.get("metadata"))]
    assert all(ids[link["index"]] == link["factId"] for link in links)


async def test_the_wire_has_the_very_frames_that_the_customer_read_and_the_diagram_is_the_deployed_file(
    product: World,
) -> None:
    case_id = await ended(product, "sarah")
    operator = await product.person("operator")
    epoch = (await product.state("sarah", case_id))["position"].split(".")[0]

    lines = (await operator.get(f"/cases/{case_id}/wire")).text.splitlines()
    read = await product.read("sarah", case_id, "customer", after=f"{epoch}.0", until="RUN_FINISHED")

    wire = [json.loads(line) for line in lines]
    shown = [(e["metadata"]["com.aurum"]["frameId"], e["type"]) for e in wire if "frameId" in str(e)]
    assert shown == [(frame.id, frame.event["type"]) for frame in read]
    diagram = (await operator.get(f"/cases/{case_id}/diagram")).content
    assert diagram == (resources.resource_dir("bpmn") / "wealth-onboarding.bpmn").read_bytes()


async def test_the_past_is_masked_in_every_view_and_ends_at_the_last_fact(product: World) -> None:
    case_id = await ended(product, "sarah")
    auditor = await product.person("auditor")
    last = (await auditor.get(f"/cases/{case_id}/at/0")).json()["of"]

    for view in ("customer", "advisor", "operator"):
        answer = await auditor.get(f"/cases/{case_id}/at/{last}", params={"view": view})
        assert answer.status_code == 200
        assert example("sarah-chen")["email"] not in answer.text

    assert (await auditor.get(f"/cases/{case_id}/at/{last + 1}")).status_code == 404

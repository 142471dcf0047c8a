"""The past of a case: at every fact, what the operator is shown equals a fold of the exported facts."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.world import World, example, world

from aurum.facts.codec import from_json
from aurum.projection.project import initial_view, project

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


@pytest.mark.parametrize("name", ["sarah", pytest.param("james", marks=pytest.mark.deep)])
async def test_every_point_of_the_past_equals_a_fold_of_the_exported_facts(product: World, name: str) -> None:
    case_id = await ended(product, name)
    operator = await product.person("operator")
    exported = (await operator.get(f"/cases/{case_id}/facts")).text.splitlines()
    context = (await product.services.hub.channel(case_id, "customer")).context
    folded = initial_view(context)
    logged = {item.index: item.logged_ms for item in await product.services.inbox.read(case_id)}

    for line in map(json.loads, exported):
        folded, frames = project(context, folded, from_json(line), logged[line["index"]])
        shown = (await operator.get(f"/cases/{case_id}/at/{line['index']}")).json()
        assert shown["state"] == json.loads(json.dumps(folded.state))
        assert shown["messages"] == json.loads(json.dumps(list(folded.messages)))
        assert shown["tokens"] == [leaf.element_id for leaf in folded.model.leaves()]
        assert [item["seq"] for item in shown["frames"]] == [frame.seq for frame in frames]


async def test_the_past_is_masked_in_every_view_and_ends_at_the_last_fact(product: World) -> None:
    case_id = await ended(product, "sarah")
    auditor = await product.person("auditor")
    last = (await auditor.get(f"/cases/{case_id}/at/0")).json()["of"]

    for view in ("customer", "advisor", "operator"):
        answer = await auditor.get(f"/cases/{case_id}/at/{last}", params={"view": view})
        assert answer.status_code == 200
        assert example("sarah-chen")["email"] not in answer.text

    assert (await auditor.get(f"/cases/{case_id}/at/{last + 1}")).status_code == 404

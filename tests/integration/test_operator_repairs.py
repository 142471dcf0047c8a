"""An operator's hands on a running case: a closed list of variables, a cancellation, all recorded."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.world import World, example, world

pytestmark = pytest.mark.slow  # Every test starts the whole product: about half a second each.


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path) as running:
        yield running


async def parked_james(product: World) -> str:
    case_id = await product.submit("james", example("james-rodriguez"))
    await product.until("james", case_id, "waiting", "advisor_review")
    return case_id


async def recorded(product: World, case_id: str) -> list[dict[str, Any]]:
    auditor = await product.person("auditor")
    found: list[dict[str, Any]] = (await auditor.get(f"/cases/{case_id}/accesses")).json()["accesses"]
    return found


async def test_a_variable_is_set_as_its_contract_says_and_recorded_without_its_value(product: World) -> None:
    case_id = await parked_james(product)
    operator = await product.person("operator")
    path = f"/cases/{case_id}/variables"
    wanted = {"name": "nameVariants", "value": ["Santiago Rodriguez"], "reason": "alias in the passport"}

    refused = {
        "no reason": {"name": "nameVariants", "value": []},
        "a decision": {"name": "decisions", "value": [], "reason": "because"},
        "checks": {"name": "checks", "value": {}, "reason": "because"},
        "no list": {"name": "nameVariants", "value": "Santiago", "reason": "because"},
    }
    for why, body in refused.items():
        answer = await operator.post(path, json=body)
        assert (answer.status_code, answer.json()["problems"] != []) == (422, True), why
    assert (await operator.post(path, json=wanted)).status_code == 202

    entry = product.services.registry.by_case(case_id)
    assert entry is not None
    rows = await product.services.client.variables(entry.process_instance_key, names=["nameVariants"])
    assert [row.parsed() for row in rows if row.scope_key == entry.process_instance_key] == [wanted["value"]]
    (record,) = await recorded(product, case_id)
    assert (record["person"], record["action"], record["reason"]) == (
        "operator",
        "variable-set",
        "alias in the passport",
    )
    assert record["details"]["name"] == "nameVariants"
    assert "Santiago" not in str(record)


async def test_a_case_is_found_by_a_whole_name_only_and_the_record_says_so(product: World) -> None:
    case_id = await parked_james(product)
    operator = await product.person("operator")

    async def found(name: str) -> list[str]:
        answer = await operator.post("/operator/search", json={"name": name})
        cases: list[str] = answer.json()["caseIds"]
        return cases

    assert [await found(part) for part in ("James", "Rodriguez", "J R", "James Rodrigue", "...")] == [[]] * 5
    assert await recorded(product, case_id) == []
    assert await found("RODRÍGUEZ, james") == [case_id]
    (record,) = await recorded(product, case_id)
    assert (record["person"], record["action"]) == ("operator", "case-found-by-name")
    assert "odriguez" not in str(record)


async def test_a_cancelled_case_tells_the_customer_that_the_bank_closed_it_not_why(
    product: World,
) -> None:
    case_id = await parked_james(product)
    operator = await product.person("operator")
    path = f"/cases/{case_id}/cancellation"

    assert (await operator.post(path, json={})).status_code == 422
    assert (await operator.post(path, json={"reason": "opened twice by mistake"})).status_code == 202
    await product.until("james", case_id, "cancelled")

    james = await product.person("james")
    at = (await product.state("operator", case_id))["processInstanceKey"]
    assert at
    page = await product.read("james", case_id, "customer", after=None, until="RUN_FINISHED")
    said = str([frame.event for frame in page])
    assert "This application was closed by the bank." in said
    assert "mistake" not in said
    assert (await james.get(f"/cases/{case_id}")).json()["openTasks"] == []
    assert [item["action"] for item in await recorded(product, case_id)] == ["case-cancelled"]
    again = await operator.post(path, json={"reason": "once more"})
    assert again.status_code == 409
    variable = {"name": "nameVariants", "value": [], "reason": "too late"}
    assert (await operator.post(f"/cases/{case_id}/variables", json=variable)).status_code == 409

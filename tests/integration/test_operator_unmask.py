"""Unmasking: with a reason an operator sees the values of a case, and the record says so."""

from pathlib import Path

import pytest
from tests.support.world import example, world


@pytest.mark.slow  # It starts the whole product: about half a second.
async def test_unmasking_wants_a_reason_and_is_on_the_record(tmp_path: Path) -> None:
    async with world(tmp_path) as product:
        case_id = await product.submit("sarah", example("sarah-chen"))
        await product.until("sarah", case_id, "account_opened")
        operator = await product.person("operator")
        path = f"/cases/{case_id}/unmasked"
        email = example("sarah-chen")["email"]

        assert email not in (await operator.get(f"/cases/{case_id}")).text
        assert (await operator.post(path, json={})).status_code == 422
        assert email in (await operator.post(path, json={"reason": "customer called"})).text

        assert email not in (await operator.get(f"/cases/{case_id}")).text
        seen = (await operator.get(f"/cases/{case_id}/accesses")).json()["accesses"]
        assert [(item["action"], item["reason"]) for item in seen] == [("case-unmasked", "customer called")]

"""Evidence: an auditor takes it with a reason, it holds, one byte breaks it, and the taking is recorded."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.world import World, example, world

from aurum.domain.evidence import file_lines, verify

pytestmark = pytest.mark.slow  # Every test starts the whole product: about half a second each.


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path) as running:
        yield running


async def test_the_evidence_of_a_decided_case_holds_and_names_who_did_what(product: World) -> None:
    case_id = await product.submit("james", example("james-rodriguez"))
    await product.until("james", case_id, "waiting", "advisor_review")
    assert (await product.decide("advisor", case_id, "approve")).status_code == 200
    await product.until("james", case_id, "account_opened")
    auditor = await product.person("auditor")

    answer = await auditor.post(f"/cases/{case_id}/evidence", json={"reason": "yearly sample"})

    lines = file_lines(answer.content)
    key = (await auditor.get("/evidence/public-key")).json()["publicKey"]
    assert verify(lines, public_key=key).is_good
    text = answer.text
    assert '"deciders":["advisor"]' in text
    assert '"holds":true' in text
    assert '"brains":["shadow/shadow-1"]' in text
    assert '"kind":"toolReturned"' in text
    assert '"reason":"yearly sample"' in text
    assert (await auditor.post("/evidence/verification", content=answer.content)).json()["isGood"]
    broken = answer.content.replace(b'"outcome":"approve"', b'"outcome":"decline"', 1)
    found = (await auditor.post("/evidence/verification", content=broken)).json()
    assert not found["isGood"]
    assert found["line"] > 1
    too_much = b" " * (8 * 1024 * 1024 + 1)
    assert (await auditor.post("/evidence/verification", content=too_much)).status_code == 413
    seen = (await auditor.get(f"/cases/{case_id}/accesses")).json()["accesses"]
    assert [(item["person"], item["action"]) for item in seen] == [("auditor", "evidence-exported")]


@pytest.mark.parametrize("person", ["james", "advisor", "operator"])
async def test_nobody_but_an_auditor_takes_evidence(product: World, person: str) -> None:
    case_id = await product.submit("james", example("james-rodriguez"))

    client = await product.person(person)

    answer = await client.post(f"/cases/{case_id}/evidence", json={"reason": "curious"})

    assert answer.status_code == 403

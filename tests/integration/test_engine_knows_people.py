"""The product tells its engine who acts: the engine checks it, and its audit log names the person."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.world import World, example, world

pytestmark = pytest.mark.deep  # A whole case with two reviews takes seconds on a busy machine.


async def audit_of(product: World, instance: str) -> list[tuple[str, str, str]]:
    """Return (operation, actor type, actor) of what was done with the instance's user tasks."""
    body: dict[str, Any] = {
        "filter": {"processInstanceKey": instance, "category": "USER_TASKS"},
        "sort": [{"field": "auditLogKey"}],
    }
    async with product.rest() as http:
        answer = await http.post("/audit-logs/search", json=body, headers=product.engine.headers())
    return [(row["operationType"], row["actorType"], row["actorId"]) for row in answer.json()["items"]]


async def test_the_engine_hears_who_claims_releases_asks_answers_and_decides(tmp_path: Path) -> None:
    async with world(tmp_path) as product:
        case_id = await product.submit("james", example("james-rodriguez"))
        state = await product.until("james", case_id, "waiting", "advisor_review")
        entry = product.services.registry.by_case(case_id)
        assert entry is not None
        advisor, senior = await product.person("advisor"), await product.person("senior.advisor")
        task = f"/cases/{case_id}/tasks/{state['openTasks'][0]['taskId']}"
        (row,) = await product.services.client.user_tasks(process_instance_key=entry.process_instance_key)

        statuses = [
            (await advisor.post(f"{task}/claim")).status_code,
            (await senior.post(f"{task}/claim")).status_code,
            (await advisor.post(f"{task}/release")).status_code,
        ]
        james = product.services.engine_bearer(product.services.people["james"])
        async with product.rest() as http:
            forged = await http.post(
                f"/user-tasks/{row.user_task_key}/completion",
                json={"variables": {"reviewDecision": {"outcome": "approve"}}},
                headers={"Authorization": f"Bearer {james}"},
            )
        await product.decide("advisor", case_id, "request-info", question="Why?", fields=["/occupation"])
        state = await product.until("james", case_id, "waiting", "provide_information")
        answer = f"/cases/{case_id}/tasks/{state['openTasks'][0]['taskId']}/answer"
        await (await product.person("james")).post(answer, json={"answer": "so", "changes": {}})
        await product.until("james", case_id, "waiting", "advisor_review")
        await product.decide("senior.advisor", case_id, "approve")
        await product.until("james", case_id, "account_opened")

        assert statuses == [200, 409, 200]
        assert (forged.status_code, forged.json()["title"]) == (403, "FORBIDDEN")
        assert await audit_of(product, entry.process_instance_key) == [
            ("ASSIGN", "USER", "advisor"),
            ("UNASSIGN", "USER", "advisor"),
            ("COMPLETE", "USER", "advisor"),
            ("COMPLETE", "USER", "james"),
            ("COMPLETE", "USER", "senior.advisor"),
        ]

"""The look-up behind `WorkerDeps.user_task_state`: one user task, as the engine's REST interface says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum.camunda.rest import CamundaRest
from aurum_workers.ports import UserTaskState


def task_lookup(rest: CamundaRest) -> UserTaskState:
    """Return a look-up on this engine. It raises `EngineUnavailable` when the engine does not answer."""

    async def user_task_state(user_task_key: str) -> Mapping[str, Any] | None:
        row = await rest.user_task(user_task_key)
        if row is None:
            return None
        return {
            "state": row.state,
            "processInstanceKey": row.process_instance_key,
            "elementId": row.element_id,
            "assignee": row.assignee,
        }

    return user_task_state

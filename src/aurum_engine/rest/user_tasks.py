"""The operations on user tasks. What a person may do of them is judged by the engine (core/authority.py)."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from aurum_engine.core import commands as c
from aurum_engine.rest.guard import caller_of
from aurum_engine.rest.http import json_body, no_content
from aurum_engine.rest.submitting import Submitting, path_key


class UserTasks(Submitting):
    """Handlers of assignment, update and completion."""

    async def assign(self, request: Request) -> Response:
        """POST /user-tasks/{key}/assignment."""
        body = await json_body(request)
        body.ignore("action")
        override, caller = body.boolean("allowOverride"), caller_of(request.scope)
        own = None if caller is None else body.text("assignee") or caller.username
        command = c.AssignUserTask(
            user_task_key=path_key(request),
            assignee=own or body.required_text("assignee"),
            allow_override=override is not False,
            actor=self._actor,
            caller=caller,
        )
        body.done()
        await self._submit(command, c.EmptyReply)
        return no_content()

    async def unassign(self, request: Request) -> Response:
        """DELETE /user-tasks/{key}/assignee."""
        key, caller = path_key(request), caller_of(request.scope)
        await self._submit(c.UnassignUserTask(key, actor=self._actor, caller=caller), c.EmptyReply)
        return no_content()

    async def update(self, request: Request) -> Response:
        """PATCH /user-tasks/{key}."""
        body = await json_body(request)
        body.ignore("action")
        changes = body.child("changeset")
        command = c.UpdateUserTask(
            user_task_key=path_key(request),
            candidate_users=changes.texts("candidateUsers"),
            candidate_groups=changes.texts("candidateGroups"),
            due_date=changes.text("dueDate"),
            follow_up_date=changes.text("followUpDate"),
            priority=changes.integer("priority"),
            actor=self._actor,
            caller=caller_of(request.scope),
        )
        changes.done()
        body.done()
        await self._submit(command, c.EmptyReply)
        return no_content()

    async def complete(self, request: Request) -> Response:
        """POST /user-tasks/{key}/completion."""
        body = await json_body(request)
        command = c.CompleteUserTask(
            user_task_key=path_key(request),
            variables=body.document("variables"),
            action=body.text("action") or "complete",
            actor=self._actor,
            caller=caller_of(request.scope),
        )
        body.done()
        await self._submit(command, c.EmptyReply)
        return no_content()

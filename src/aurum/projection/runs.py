"""Brackets events into runs: a run is one stretch between two rests. Pure.

A run opens with the first event after a rest and closes only on positive evidence that everything
waits (`CaseModel.is_at_rest`). Steps that are still open at a rest are closed with the run, because
an open step forbids RUN_FINISHED, and opened again when work goes on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from aurum.domain.tasks import AGENT_HAND_OFF, AGENT_QUESTION, CUSTOMER_TASKS
from aurum.projection import messages
from aurum.projection.context import ProjectionContext
from aurum.projection.customer import question_of
from aurum.projection.events import (
    DROPPING,
    SNAPSHOT_OWNS_ACTIVITIES,
    Event,
    step_finished,
    step_started,
    tool_call_text,
    tool_result,
)
from aurum.projection.model import CaseModel, OpenTask
from aurum.projection.state import status_of
from aurum.projection.view import Asked, Frame, OpenCall, RunEnd, ViewState

RESULT_DELAYED = {"status": "delayed"}
"""What a call answers when its task is stuck at the end of a run."""


RESULT_WAITING = {"status": "waiting"}
"""What a call answers when its task waits for a person at the end of a run."""


class FrameBuilder:
    """Collects the frames of one fact. Lives for one call of `project`."""

    def __init__(self, context: ProjectionContext, view: ViewState, fact_id: str, at_ms: int) -> None:
        self._context = context
        self._fact_id = fact_id
        self._at_ms = at_ms
        self.view = view
        self.frames: list[Frame] = []

    def emit(self, event: Event) -> None:
        """Put out one event, opening a run first when none is open.

        A step that is already open, or not open, or a result that nobody waits for, is dropped: late
        facts of a stretch that has been closed meanwhile.
        """
        kind, is_open = event["type"], event.get("stepName") in self.view.open_steps
        if (kind == "STEP_STARTED" and is_open) or (kind == "STEP_FINISHED" and not is_open):
            return
        if kind == "TOOL_CALL_RESULT" and self._open_call(event["toolCallId"]) is None:
            return
        if not self.view.run_open:
            self._open_run()
        match kind:
            case "STEP_STARTED":
                self.view = replace(self.view, open_steps=(*self.view.open_steps, event["stepName"]))
            case "STEP_FINISHED":
                left = tuple(name for name in self.view.open_steps if name != event["stepName"])
                self.view = replace(self.view, open_steps=left)
            case "TOOL_CALL_START":
                call = OpenCall(event["toolCallId"], event["toolCallName"], "")
                self.view = replace(self.view, open_calls=(*self.view.open_calls, call))
            case "TOOL_CALL_ARGS":
                self._note_arguments(event)
            case "TEXT_MESSAGE_START":
                self.view = replace(self.view, open_texts=(*self.view.open_texts, event["messageId"]))
            case "TEXT_MESSAGE_END":
                left = tuple(name for name in self.view.open_texts if name != event["messageId"])
                self.view = replace(self.view, open_texts=left)
            case _ if kind == DROPPING:
                event = self._without(event["messageId"])
            case "TOOL_CALL_RESULT":
                event = self._answered(event)
            case _:
                pass
        self._put(event)

    def _open_call(self, call_id: str) -> OpenCall | None:
        return next((call for call in self.view.open_calls if call.call_id == call_id), None)

    def _note_arguments(self, event: Event) -> None:
        """Remember a call's arguments: a run that opens the call again repeats them."""
        calls = tuple(
            replace(call, arguments=call.arguments + event["delta"])
            if call.call_id == event["toolCallId"]
            else call
            for call in self.view.open_calls
        )
        self.view = replace(self.view, open_calls=calls)

    def _without(self, message_id: str) -> Event:
        """Return the snapshot of all messages but one, which counts for nothing."""
        kept = [message for message in self.view.messages if message["id"] != message_id]
        metadata = {"@ag-ui/client": SNAPSHOT_OWNS_ACTIVITIES}
        return {"type": "MESSAGES_SNAPSHOT", "messages": kept, "metadata": metadata}

    def _answered(self, event: Event) -> Event:
        """Close the call and return its result under the attempt's own ids."""
        call = self._open_call(event["toolCallId"])
        assert call is not None, "emit lets no other result through"
        self.view = replace(
            self.view, open_calls=tuple(item for item in self.view.open_calls if item is not call)
        )
        suffix = "" if call.attempt == 1 else f":{call.attempt}"
        return {**event, "toolCallId": call.wire_id, "messageId": event["messageId"] + suffix}

    def rest(self, model: CaseModel) -> None:
        """Close the run, if one is open: everything waits, or the case is over."""
        if not self.view.run_open:
            return
        pending = RESULT_DELAYED if model.incidents else RESULT_WAITING
        for call in self.view.open_calls:
            self._put(tool_result(f"{call.wire_id}:{pending['status']}", call.wire_id, pending))
        for name in self.view.open_steps:
            self._put(step_finished(name))
        end = run_end(self._context, model)
        self._put(
            {"type": "RUN_FINISHED", "threadId": self._context.case_id, "runId": self._run_id()}, run_end=end
        )
        over = model.ended_state is not None
        self.view = replace(
            self.view,
            run_open=False,
            last_end=end,
            open_steps=() if over else self.view.open_steps,
            open_calls=() if over else self.view.open_calls,
        )

    def _open_run(self) -> None:
        again = tuple(replace(call, attempt=call.attempt + 1) for call in self.view.open_calls)
        self.view = replace(self.view, run=self.view.run + 1, run_open=True, open_calls=again)
        self._put({"type": "RUN_STARTED", "threadId": self._context.case_id, "runId": self._run_id()})
        for name in self.view.open_steps:
            self._put(step_started(name))
        for call in again:
            for event in tool_call_text(call.wire_id, call.name, call.arguments):
                self._put(event)

    def _run_id(self) -> str:
        return f"{self._context.case_id}:{self.view.run}"

    def _put(self, event: Event, *, run_end: RunEnd | None = None) -> None:
        stamped = {**event, "timestamp": self._at_ms}
        self.view = replace(
            self.view, seq=self.view.seq + 1, messages=messages.apply(self.view.messages, stamped)
        )
        self.frames.append(Frame(self.view.seq, stamped, self._fact_id, run_end))


def run_end(context: ProjectionContext, model: CaseModel) -> RunEnd:
    """Return how a run that rests now ends."""
    if model.ended_state is not None:
        status = status_of(model)
        return RunEnd(result={"status": status}, cancelled=status == "cancelled")
    tasks = sorted(model.tasks.values(), key=lambda task: int(task.key))
    return RunEnd(asked=tuple(_asked(context, task, model) for task in tasks))


def _asked(context: ProjectionContext, task: OpenTask, model: CaseModel) -> Asked:
    mine = task.element_id in CUSTOMER_TASKS
    interrupt: dict[str, Any] = {
        "id": context.name_of(task.key),
        "reason": "input_required",
        "message": f"waiting.{task.element_id}",
        "responseSchema": response_schema(task.element_id),
        "metadata": {
            "com.aurum": {
                "elementId": task.element_id,
                "activityMessageId": f"ut:{context.name_of(task.key)}",
                **({"ask": question_of(task, model)} if mine else {}),
            }
        },
    }
    return Asked(interrupt, ("customer",) if mine else task.groups)


def response_schema(element_id: str) -> dict[str, Any]:
    """Return the JSON Schema of an answer to a user task."""
    if element_id in (AGENT_QUESTION, AGENT_HAND_OFF):
        return {
            "type": "object",
            "properties": {"answer": {"type": "string"}},
            "required": ["answer"],
            "additionalProperties": False,
        }
    if element_id in CUSTOMER_TASKS:
        return {
            "type": "object",
            "properties": {"answer": {"type": "string"}, "changes": {"type": "object"}},
            "additionalProperties": False,
        }
    outcomes = (
        ["approve", "decline"] if element_id == "second_approval" else ["approve", "decline", "request-info"]
    )
    return {
        "type": "object",
        "properties": {
            "outcome": {"enum": outcomes},
            "reasonCode": {"type": "string"},
            "question": {"type": "string"},
            "fields": {"type": "array", "items": {"type": "string"}},
            "basisHash": {"type": "string"},
        },
        "required": ["outcome", "basisHash"],
        "additionalProperties": False,
    }

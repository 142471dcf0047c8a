"""One turn of the agent, decided step by step. Sans-IO.

Rule 1: nothing here awaits, reads a clock or talks to anybody; the shell passes events and the time.
Rule 2: a job leads to exactly one completion, and everything a turn changes is in it.
Rule 3: a call runs only after the brain's message is complete and its arguments fit the schema.

    begin() -> Wait        some tools of the last turn are not back: complete the job as a no-op
            -> Think       ask the brain this
            -> Completion  nothing is left to ask (a budget is spent)
    on_event(event)        facts to tell at once: text, gathered to at least 80 ms or 400 bytes
    end()   -> Think       every call was refused: ask again, within the same turn
            -> Completion  what to tell the engine, and the fact once it has been acknowledged
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from aurum.agent.brain import (
    CallAnswer,
    CallMade,
    Message,
    Stopped,
    TextDelta,
    ToolCallReady,
    TurnEvent,
    TurnRequest,
    Usage,
)
from aurum.agent.budget import Budget
from aurum.agent.memory import Memory, memory_from, with_provider_state
from aurum.agent.request import turn_request
from aurum.agent.toolbox import Toolbox
from aurum.facts.turns import TurnAbandoned, TurnCommitted, TurnId, TurnText, call_id_of, committed_turn

FLUSH_MS = 80
FLUSH_BYTES = 400
"""Text is told in pieces of at least one of the two: more often nobody could read it."""

PARAGRAPH = "\n\n"
"""Between what was said before a call was refused and what is said after it."""

DONE, OUT_OF_BUDGET, REFUSED, UNAVAILABLE = "done", "budget", "refused", "unavailable"


@dataclass(frozen=True, slots=True)
class AgentJob:
    """An activated `onboarding-agent` job. `variables` are those it fetches."""

    job_key: str
    process_instance_key: str
    ad_hoc_key: str
    deadline_ms: int
    retries: int
    variables: Mapping[str, Any]


FETCHES = ("application", "agent", "messages", "toolCallResults", "adHocSubProcessElements")


@dataclass(frozen=True, slots=True)
class Wait:
    """Tools are still at work; the engine makes a new job when the next one returns."""


@dataclass(frozen=True, slots=True)
class Think:
    """Ask the brain."""

    request: TurnRequest


@dataclass(frozen=True, slots=True)
class Activation:
    """A tool to start, with the variables of its scope."""

    element_id: str
    variables: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Completion:
    """The job's one completion. `fact` may be told once the engine has acknowledged it."""

    variables: Mapping[str, Any]
    activate: tuple[Activation, ...]
    is_fulfilled: bool
    fact: TurnCommitted


@dataclass(slots=True)
class _Heard:
    """What the brain has said in this turn so far."""

    text: str = ""
    told_chars: int = 0
    told_ms: int | None = None
    calls: list[ToolCallReady] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)
    tokens_in: int = 0
    tokens_out: int = 0
    stopped: Stopped | None = None
    rounds: int = 0


class Turn:
    """The machine of one job. Use once."""

    def __init__(self, job: AgentJob, *, budget: Budget, brain: str, model: str) -> None:
        self._job = job
        self._budget = budget
        self._brain, self._model = brain, model
        self._memory: Memory = memory_from(job.variables.get("agent"))
        self._messages = _entries(job.variables.get("messages"))
        self._results = {
            str(entry.get("id")): entry for entry in _entries(job.variables.get("toolCallResults"))
        }
        self.toolbox = Toolbox.from_elements(job.variables.get("adHocSubProcessElements"))
        turn_id = TurnId(int(job.ad_hoc_key), self._memory.turn + 1, int(job.job_key), job.deadline_ms)
        self.turn_id = str(turn_id)
        self._heard = _Heard()
        self._request: TurnRequest | None = None
        self._started_ms = 0

    def begin(self, now_ms: int) -> Wait | Think | Completion:
        """Decide what this job is for."""
        if any(call_id not in self._results for call_id in self._memory.pending):
            return Wait()
        self._started_ms = now_ms
        if self._is_spent():
            return self._complete(now_ms, outcome=OUT_OF_BUDGET)
        self._request = turn_request(
            application=self._job.variables.get("application"),
            messages=self._messages,
            results=self._results,
            tools=self.toolbox.specs(),
            provider_state=self._memory.provider_state,
            max_tokens=self._budget.tokens_per_turn_max,
        )
        return Think(self._request)

    def on_event(self, event: TurnEvent, now_ms: int) -> list[TurnText]:
        """Take in one event of the brain; returns the text to tell now."""
        heard = self._heard
        match event:
            case TextDelta():
                heard.text = _cut(heard.text + event.text, self._budget.text_bytes_max)
                return self._tell(now_ms)
            case ToolCallReady():
                heard.calls.append(event)
            case Usage():
                heard.tokens_in += event.input
                heard.tokens_out += event.output
            case Stopped():
                heard.stopped = event
            case _:
                pass
        return []

    def end(self, now_ms: int) -> Think | Completion:
        """Decide what the complete answer leads to. A message that was cut off runs no tool."""
        heard = self._heard
        heard.rounds += 1
        accepted = self._accepted()
        if accepted:
            return self._complete(now_ms, accepted=accepted)
        asked_in_vain = bool(heard.calls) and heard.stopped is not None
        if asked_in_vain and heard.rounds < self._budget.rounds_max and self._request is not None:
            self._request = self._corrected(self._request)
            heard.calls.clear()
            heard.stopped = None
            if heard.text:
                heard.text = _cut(heard.text.rstrip() + PARAGRAPH, self._budget.text_bytes_max)
            return Think(self._request)
        return self._complete(now_ms, outcome=OUT_OF_BUDGET if asked_in_vain else DONE)

    def give_up(self, now_ms: int, outcome: str) -> Completion:
        """End the agent without an answer of the brain: the process makes its checks all the same."""
        self._heard.calls.clear()
        return self._complete(now_ms, outcome=outcome)

    def abandoned(self) -> TurnAbandoned | None:
        """Return the fact that takes back what was told, if anything was."""
        return TurnAbandoned(self.turn_id) if self._heard.told_chars else None

    # --- inside -----------------------------------------------------------------------------

    def _is_spent(self) -> bool:
        memory, budget = self._memory, self._budget
        return (
            memory.turn >= budget.turns_max
            or memory.calls >= budget.calls_max
            or memory.tokens >= budget.tokens_max
            or memory.thinking_ms >= budget.thinking_ms_max
        )

    def _tell(self, now_ms: int) -> list[TurnText]:
        heard = self._heard
        waiting = heard.text[heard.told_chars :]
        if not waiting:
            return []
        soon = heard.told_ms is not None and now_ms - heard.told_ms < FLUSH_MS
        if soon and len(waiting.encode()) < FLUSH_BYTES:
            return []
        told = TurnText(self.turn_id, heard.told_chars, waiting)
        heard.told_chars, heard.told_ms = len(heard.text), now_ms
        return [told]

    def _accepted(self) -> list[ToolCallReady]:
        """Sort the calls into those that run and those that are refused, with the reason."""
        heard = self._heard
        accepted: list[ToolCallReady] = []
        if heard.stopped is None or heard.stopped.reason != "tool_use":
            for call in heard.calls:
                heard.refused.append({"tool": call.name[:128], "reason": "the message was not complete"})
            return []
        left = min(self._budget.calls_per_turn_max, self._budget.calls_max - self._memory.calls)
        for call in heard.calls:
            reason = self._reason_against(call, left - len(accepted))
            if reason is None:
                accepted.append(call)
            else:
                heard.refused.append({"tool": call.name[:128], "reason": reason})
        return accepted

    def _reason_against(self, call: ToolCallReady, left: int) -> str | None:
        if left <= 0:
            return "too many calls"
        refusal = self.toolbox.refuse(call.name, call.arguments)
        if refusal is not None:
            return refusal.reason
        too_long = len(orjson.dumps(call.arguments)) > self._budget.argument_bytes_max
        return "the arguments are too long" if too_long else None

    def _corrected(self, request: TurnRequest) -> TurnRequest:
        """Return the request with the refused calls answered, so that the brain can do better."""
        made: list[CallMade] = []
        answers: list[CallAnswer] = []
        refused = self._heard.refused[-len(self._heard.calls) :]
        for call, reason in zip(self._heard.calls, refused, strict=True):
            arguments = call.arguments if isinstance(call.arguments, Mapping) else {}
            made.append(CallMade(call.id, call.name, arguments))
            content = {"status": "refused", "reason": reason["reason"]}
            answers.append(CallAnswer(call.id, call.name, content, is_error=True))
        state = self._heard.stopped.provider_state if self._heard.stopped is not None else None
        more = (Message("assistant", "", tuple(made), (), state), Message("user", "", (), tuple(answers)))
        return replace(request, messages=(*request.messages, *more))

    def _complete(
        self, now_ms: int, *, accepted: Sequence[ToolCallReady] = (), outcome: str | None = None
    ) -> Completion:
        heard = self._heard
        calls = [
            {"id": call_id_of(self.turn_id, number), "tool": call.name, "arguments": dict(call.arguments)}
            for number, call in enumerate(accepted, 1)
        ]
        entry = {
            "id": self.turn_id,
            "role": "assistant",
            "content": heard.text,
            "calls": calls,
            "rejected": heard.refused[: self._budget.calls_per_turn_max],
            "outcome": outcome,
            "brain": self._brain,
            "model": self._model,
            "usage": {"input": heard.tokens_in, "output": heard.tokens_out},
        }
        memory = self._memory.after(
            turn=self._memory.turn + 1,
            pending=tuple(str(call["id"]) for call in calls),
            tokens=heard.tokens_in + heard.tokens_out,
            thinking_ms=now_ms - self._started_ms,
        )
        if heard.stopped is not None and heard.stopped.provider_state is not None:
            memory = with_provider_state(memory, self.turn_id, heard.stopped.provider_state)
        variables: dict[str, Any] = {"agent": memory.to_json(), "messages": [*self._messages, entry]}
        if outcome is not None:
            variables["agentOutcome"] = outcome
        fact = committed_turn(entry)
        assert fact is not None, "the entry is one of ours"
        return Completion(variables, tuple(map(_activation, calls)), outcome is not None, fact)


def _activation(call: Mapping[str, Any]) -> Activation:
    """Start a tool: its own result is empty at first, so that nothing is ever taken for it."""
    meta = {"id": call["id"], "elementId": call["tool"]}
    return Activation(
        str(call["tool"]), {"toolCall": {**call["arguments"], "_meta": meta}, "toolCallResult": None}
    )


def _entries(value: object) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _cut(text: str, bytes_max: int) -> str:
    """Return the text, at most so many bytes of it, never half a character."""
    data = text.encode("utf-8", "replace")
    return data.decode() if len(data) <= bytes_max else data[:bytes_max].decode("utf-8", "ignore")

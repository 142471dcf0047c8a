"""The shadow brain: a deterministic script in the place of a model. Needs no key and no network.

It reads the same request as a model does and answers with the same events, so everything around it
is the real thing. What it says depends on the application and on what the tools gave back, on
nothing else: the same case gives the same words. It says so: its provider is `shadow`.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from aurum.agent.brain import (
    CallAnswer,
    Stopped,
    TextDelta,
    ToolCallReady,
    ToolCallStarted,
    TurnEvent,
    TurnRequest,
    Usage,
)
from aurum.agent.brains.shadow_texts import texts_for

Pause = Callable[[float], Awaitable[None]]
"""Waits so many seconds; a clock's business, so it is passed in."""

FIRST_CHECKS = (
    "verify_identity_document",
    "verify_address",
    "check_tax_status",
    "check_sanctions",
    "screen_pep_adverse_media",
)
PERSON_WORDS = re.compile(
    r"\b(advis[oe]r|person|human|call me|conseill\w+|personne|humain|asesor\w*|persona|consultor\w*"
    r"|pessoa|humano)\b",
    re.IGNORECASE,
)
WORDS_PER_PIECE = 4
"""Words that arrive together: about what a model streams in a tenth of a second."""

_APPLICATION = re.compile(r"<application>(.*?)</application>", re.DOTALL)


@dataclass(slots=True)
class Seen:
    """The case as the script sees it: the application, and the last answer of each tool."""

    application: Mapping[str, Any]
    answers: dict[str, CallAnswer] = field(default_factory=dict)
    tools: frozenset[str] = frozenset()

    def content(self, tool: str) -> Mapping[str, Any]:
        """Return what a tool gave back; empty when it was not called or failed."""
        answer = self.answers.get(tool)
        if answer is None or answer.is_error or not isinstance(answer.content, Mapping):
            return {}
        return answer.content

    def has(self, tool: str) -> bool:
        """Was the tool called already, with whatever outcome?"""
        return tool in self.answers


@dataclass(frozen=True, slots=True)
class Line:
    """One turn of the script."""

    text: str
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()


class ShadowBrain:
    """`Brain` by script. `pace_ms` is the pause between two pieces of text."""

    name = "shadow"
    model = "shadow-1"

    def __init__(self, *, pause: Pause, pace_ms: int = 0) -> None:
        self._pause = pause
        self._pace_ms = pace_ms

    async def turn(self, request: TurnRequest) -> AsyncIterator[TurnEvent]:
        """Answer with the script's next line."""
        line = next_line(seen_in(request))
        for piece in pieces(line.text):
            yield TextDelta(piece)
            if self._pace_ms:
                await self._pause(self._pace_ms / 1000)
        for number, (name, arguments) in enumerate(line.calls, 1):
            yield ToolCallStarted(f"shadow-{number}", name)
            yield ToolCallReady(f"shadow-{number}", name, arguments)
        yield Usage(input=0, output=0)
        yield Stopped("tool_use" if line.calls else "end_turn")


def pieces(text: str) -> Iterator[str]:
    """Cut a text into what arrives together; joined again it is the text."""
    words = re.findall(r"\S+\s*", text)
    for start in range(0, len(words), WORDS_PER_PIECE):
        yield "".join(words[start : start + WORDS_PER_PIECE])


def seen_in(request: TurnRequest) -> Seen:
    """Read the request as the script needs it."""
    application: Mapping[str, Any] = {}
    if request.messages:
        match = _APPLICATION.search(request.messages[0].content)
        loaded = json.loads(match.group(1)) if match else {}
        application = loaded if isinstance(loaded, Mapping) else {}
    seen = Seen(application, tools=frozenset(tool.name for tool in request.tools))
    for message in request.messages:
        for answer in message.answers:
            seen.answers[answer.name] = answer
    return seen


def next_line(seen: Seen) -> Line:
    """Return what the script says and calls next. Pure."""
    say = texts_for(seen.application.get("preferredLanguage"))
    name = str(seen.application.get("givenNames") or "").split(" ")[0]
    first = _calls(seen, *((tool, {}) for tool in FIRST_CHECKS))
    if first:
        return Line(say["greeting"].format(name=name) if name else say["greeting_plain"], first)
    if not seen.has("preview_suitability"):
        return Line(_about_identity(seen, say), _profile_calls(seen))
    suitability = seen.content("preview_suitability")
    if suitability.get("contradictions") and not seen.has("request_information"):
        asked = _calls(seen, ("request_information", {"question": say["question"], "fields": []}))
        if asked:
            return Line(say["contradiction"], asked)
    if _wants_person(seen) and not seen.has("ask_advisor"):
        asked = _calls(seen, ("ask_advisor", {"question": say["advisor_question"], "urgency": "normal"}))
        if asked:
            return Line(say["hand_off"], asked)
    return _portfolio_line(seen, say, suitability)


def _portfolio_line(seen: Seen, say: Mapping[str, str], suitability: Mapping[str, Any]) -> Line:
    profile = suitability.get("profile")
    if isinstance(profile, int) and not seen.has("propose_portfolio"):
        said = say["profile"].format(profile=profile)
        proposed = _calls(seen, ("propose_portfolio", {"profile": profile}), *_conversion(seen))
        if proposed:
            return Line(said, proposed)
    if seen.content("propose_portfolio").get("allocation") and not seen.has("project_growth"):
        growth = _calls(seen, ("project_growth", {"years": _years(seen)}))
        if growth:
            return Line(say["allocation"], growth)
    return Line(say["closing"])


def _about_identity(seen: Seen, say: Mapping[str, str]) -> str:
    outcome = seen.content("verify_identity_document").get("outcome")
    return say["identity_clear"] if outcome == "clear" else say["identity_review"]


def _profile_calls(seen: Seen) -> tuple[tuple[str, dict[str, Any]], ...]:
    calls: list[tuple[str, dict[str, Any]]] = [("preview_suitability", {}), ("preview_risk", {})]
    currency = _currency(seen)
    if currency not in (None, "USD"):
        calls.append(("get_fx_rate", {"base": currency, "quote": "USD"}))
    return _calls(seen, *calls)


def _conversion(seen: Seen) -> tuple[tuple[str, dict[str, Any]], ...]:
    rate = seen.content("get_fx_rate").get("rate")
    return (("convert_deposit_usd", {"rate": rate}),) if isinstance(rate, int | float) else ()


def _currency(seen: Seen) -> str | None:
    deposit = seen.application.get("initialDeposit")
    currency = deposit.get("currency") if isinstance(deposit, Mapping) else None
    return currency if isinstance(currency, str) else None


def _years(seen: Seen) -> int:
    """Return the applicant's own horizon, as far as the projection goes."""
    suitability = seen.application.get("suitability")
    years = suitability.get("horizonYears") if isinstance(suitability, Mapping) else None
    return max(1, min(years, 30)) if isinstance(years, int) and not isinstance(years, bool) else 10


def _wants_person(seen: Seen) -> bool:
    answer = seen.content("request_information").get("answer")
    return isinstance(answer, str) and PERSON_WORDS.search(answer) is not None


def _calls(seen: Seen, *wanted: tuple[str, dict[str, Any]]) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return the calls of tools that exist and have not been called."""
    return tuple((tool, arguments) for tool, arguments in wanted if tool in seen.tools and not seen.has(tool))

"""The book of cases by stage: how many, how much, how old. From the same folds that people watch.

Nothing is counted twice and nothing is estimated: every known case is in exactly one stage or among
the ended ones, and the engine's own count of running instances stands beside ours.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from aurum.bff.services import Services
from aurum.domain.stages import STAGES
from aurum.keys import View

CASES_MAX = 50
"""Cases listed in one stage, oldest first; all of them are counted."""

ACTIVE_STATUSES = frozenset({"submitted", "running", "waiting", "delayed"})


async def pipeline(services: Services, view: View) -> dict[str, Any]:
    """Return all stages with their cases as `view` may see them, the ended ones, and both totals."""
    active: dict[str, list[dict[str, Any]]] = {stage.name: [] for stage in STAGES}
    ended: Counter[str] = Counter()
    for entry in services.registry.all():
        state = (await services.hub.channel(entry.case_id, view)).view.state
        if state["status"] in ACTIVE_STATUSES:
            active[state["stage"]["id"]].append(_line(entry.case_id, state))
        else:
            ended[state["status"]] += 1
    running = await services.client.process_instances(services.bpmn_process_id, state="ACTIVE")
    stages = [_stage(stage.number, stage.name, active[stage.name]) for stage in STAGES]
    return {
        "stages": stages,
        "ended": dict(sorted(ended.items())),
        "totals": {
            "active": sum(stage["count"] for stage in stages),
            "ended": ended.total(),
            "valueUsdCents": sum(stage["valueUsdCents"] for stage in stages),
        },
        "engine": {"active": len(running)},
    }


def _stage(number: int, name: str, lines: list[dict[str, Any]]) -> dict[str, Any]:
    oldest_first = sorted(lines, key=lambda line: line["startedAt"] or "")
    return {
        "number": number,
        "id": name,
        "count": len(lines),
        "valueUsdCents": sum(line["depositUsdCents"] or 0 for line in lines),
        "unvalued": sum(line["depositUsdCents"] is None for line in lines),
        "statuses": dict(sorted(Counter(line["status"] for line in lines).items())),
        "cases": oldest_first[:CASES_MAX],
    }


def _line(case_id: str, state: dict[str, Any]) -> dict[str, Any]:
    application = state.get("application", {})
    names = [application.get("givenNames"), application.get("familyName")]
    waiting = state.get("waiting") or {}
    return {
        "caseId": case_id,
        "applicant": " ".join(name for name in names if name) or None,
        "status": state["status"],
        "startedAt": state.get("startedAt"),
        "depositUsdCents": state.get("quote", {}).get("depositUsdCents"),
        "waitingFor": waiting.get("who"),
        "waitingCode": waiting.get("code"),
        "waitingSince": waiting.get("since"),
    }

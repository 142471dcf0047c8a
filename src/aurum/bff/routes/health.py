"""Liveness and readiness, with reasons."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import JSONResponse

from aurum.bff.deps import ServicesDep

router = APIRouter(tags=["health"])

STALE_MS_MAX = 10_000
"""Engine queries run twice a second; ten seconds without one is an outage."""

SILENCE_SECONDS_MAX = 45.0
"""Workers hear from the gateway at least every long poll (10 s); the supervisor restarts at 30 s."""


@router.get("/health/live")
async def live() -> dict[str, str]:
    """The process answers."""
    return {"status": "live"}


@router.get("/health/ready")
async def ready(services: ServicesDep) -> JSONResponse:
    """The engine was heard of lately, and the workers of this process too."""
    reasons: list[str] = []
    staleness = services.poller.staleness_ms()
    if staleness is None:
        reasons.append("the process engine has not answered yet")
    elif staleness > STALE_MS_MAX:
        reasons.append(f"the process engine has not answered for {staleness // 1000} s")
    silence = services.worker_silence()
    if silence is not None and silence > SILENCE_SECONDS_MAX:
        reasons.append(f"the workers have not reached the gateway for {silence:.0f} s")
    if services.hub.closing:
        reasons.append("shutting down")
    body: dict[str, Any] = {
        "status": "unready" if reasons else "ready",
        "reasons": reasons,
        "engineStalenessMs": staleness,
        "workerSilenceSeconds": silence,
        "openStreams": services.hub.readers(),
    }
    return JSONResponse(body, status_code=503 if reasons else 200, headers={"Cache-Control": "no-store"})

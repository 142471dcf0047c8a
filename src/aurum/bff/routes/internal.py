"""Where workers in other processes hand in facts and hints. Wants the service token, not a person."""

from __future__ import annotations

import hmac

import orjson
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from aurum.bff.auth.tokens import TokenRefused
from aurum.bff.deps import ServicesDep, bearer
from aurum.bff.problems import Problem
from aurum.facts.codec import UnreadableFact, from_json

router = APIRouter(prefix="/internal", include_in_schema=False)

FACTS_MAX = 64
"""Facts in one call; a worker sends one or two per job."""


class Delivery(BaseModel):
    """Facts of one process instance; none is a plain hint."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    process_instance_key: str = Field(pattern=r"^\d{1,25}$")
    facts: list[dict[str, object]] = Field(default_factory=list, max_length=FACTS_MAX)


@router.post("/facts", status_code=202)
async def deliver(request: Request, services: ServicesDep) -> dict[str, int]:
    """Take facts whose cause the engine has acknowledged, and look at the instance."""
    if not hmac.compare_digest(bearer(request).encode(), services.secrets.service_token.encode()):
        raise TokenRefused("not the service token")
    try:
        delivery = Delivery.model_validate(orjson.loads(await request.body()))
        facts = [from_json(item) for item in delivery.facts]
    except (ValueError, UnreadableFact) as error:
        raise Problem("invalid", "This is no delivery of facts.") from error
    await services.poller.offer(delivery.process_instance_key, facts)
    return {"accepted": len(facts)}

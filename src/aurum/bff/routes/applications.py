"""Submitting an application, and the demo's example applications."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Request, Response
from starlette.responses import JSONResponse

from aurum.bff.deps import ServicesDep, SignedInDep
from aurum.bff.problems import Problem
from aurum.bff.submissions import submit

router = APIRouter(tags=["customer"])

DEPTH_MAX = 12
"""Nesting of a body; an application has four levels."""


def _depth(value: object) -> int:
    """Return how deeply containers nest, without recursing (the value is hostile)."""
    deepest, todo = 0, [(value, 1)]
    while todo:
        item, level = todo.pop()
        if isinstance(item, dict | list):
            deepest = max(deepest, level)
            children = item.values() if isinstance(item, dict) else item
            todo.extend((child, level + 1) for child in children)
    return deepest


async def read_json(request: Request) -> Any:
    """Return the body as JSON. NaN, infinities, duplicates of depth and non-JSON answer 400."""
    try:
        value = orjson.loads(await request.body())
    except orjson.JSONDecodeError as error:
        raise Problem("bad-request", "The body is not JSON.") from error
    if _depth(value) > DEPTH_MAX:
        raise Problem("bad-request", "The body is nested too deeply.")
    return value


@router.post("/applications", status_code=201)
async def submit_application(
    request: Request,
    who: SignedInDep,
    services: ServicesDep,
    idempotency_key: Annotated[str | None, Header(max_length=128)] = None,
) -> Response:
    """Start a case. The same `Idempotency-Key` and body again gives the same case."""
    if who.person.persona != "customer":
        raise Problem("not-permitted", "Only a customer submits an application.")
    record = await read_json(request)
    key = idempotency_key or secrets.token_hex(16)
    started = await submit(services, who.person.person_id, key, record)
    body = {"caseId": started.entry.case_id, "status": "submitted"}
    return JSONResponse(body, status_code=201 if started.is_new else 200)


@router.get("/demo/examples")
async def list_examples(services: ServicesDep) -> dict[str, Any]:
    """List the example applications (demo only)."""
    if not services.demo:
        raise Problem("not-found")
    return {"examples": sorted(services.examples())}


@router.get("/demo/examples/{name}")
async def example(name: str, services: ServicesDep) -> dict[str, Any]:
    """Return one example application (demo only)."""
    found = services.examples().get(name) if services.demo else None
    if found is None:
        raise Problem("not-found")
    return dict(found)

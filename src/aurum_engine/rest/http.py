"""Requests and responses: bounded bodies in, JSON out."""

from __future__ import annotations

from typing import Any

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from aurum_engine.rest.bodies import BODY_BYTES_MAX, Body, parse_object
from aurum_engine.rest.problems import Problem, invalid


async def read_body(request: Request) -> bytes:
    """Return the whole body. Raises Problem 413 for one above BODY_BYTES_MAX, read no further."""
    chunks, size = [], 0
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size > BODY_BYTES_MAX:
                raise Problem(413, "PAYLOAD_TOO_LARGE", f"the body exceeds {BODY_BYTES_MAX} bytes")
            chunks.append(chunk)
    except ClientDisconnect as error:
        raise invalid("the body ended too early") from error
    return b"".join(chunks)


async def json_body(request: Request) -> Body:
    """Return the JSON object of a request; without a body an empty one."""
    return Body(parse_object(await read_body(request)))


def json_response(content: Any) -> Response:
    """Return 200 with JSON."""
    return Response(orjson.dumps(content), media_type="application/json")


def no_content() -> Response:
    """Return 204."""
    return Response(status_code=204)

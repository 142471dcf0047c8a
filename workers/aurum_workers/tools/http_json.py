"""Job `io.camunda:http-json:1`: the part of Camunda's HTTP connector that the process uses.

Reads, never writes: GET of an address below one of `HttpAccess.bases`, JSON back. `{{secrets.NAME}}`
is replaced from an explicit mapping and nothing else. Redirects are not followed: they would lead
past the list. The task header `resultVariable` names the result. A 400 or 404 is thrown as
RATE_UNAVAILABLE, which is what the header `errorExpression` says to Camunda's own connector.
"""

from __future__ import annotations

import functools
import re
import ssl
from collections.abc import Mapping
from typing import Any

import httpx
import orjson

from aurum.errors import IntegrityBroken, ProviderUnavailable
from aurum_workers.errors import RateUnavailable
from aurum_workers.jobspec import agent_tool
from aurum_workers.ports import HttpAccess, JobInput, WorkerDeps

ANSWER_BYTES_MAX = 32_768
"""Half of the budget of a variable; an answer with all rates has about 1 kB."""

TIMEOUT_SECONDS = 4.0
"""For each of connecting, sending and receiving: below half of the job's lease."""

RETRY_MS = 2_000
"""Pause after an outage."""

_SECRET = re.compile(r"\{\{\s*secrets\.([A-Za-z0-9_]+)\s*\}\}")
_HEADERS_KEPT = ("content-type", "cache-control", "date")


@agent_tool(
    "get_fx_rate",
    job_type="io.camunda:http-json:1",
    fetches="method url",
    writes="fx",
    errors="RATE_UNAVAILABLE",
)
async def handle(job: JobInput, deps: WorkerDeps) -> dict[str, Any]:
    """Return `{status, headers, body}` under the name of the header `resultVariable`.

    Throws RATE_UNAVAILABLE for 400 and 404. Raises `ProviderUnavailable` for any other answer than
    200, and `IntegrityBroken` for an address that is not allowed.
    """
    if job.variables.get("method") != "GET":
        raise IntegrityBroken("the HTTP connector only reads")
    url = _allowed(resolved(job.text("url"), deps.http.secrets), deps.http)
    try:
        answer = await _get(url, deps.http)
    except httpx.HTTPError as error:
        raise ProviderUnavailable(f"no answer: {type(error).__name__}", retry_after_ms=RETRY_MS) from error
    if answer["status"] in (400, 404):
        raise RateUnavailable(f"answered {answer['status']}")
    if answer["status"] != 200:
        raise ProviderUnavailable(f"answered {answer['status']}", retry_after_ms=RETRY_MS)
    return {job.headers.get("resultVariable", ""): answer}


def resolved(text: str, secrets: Mapping[str, str]) -> str:
    """Return the text with every secret in place. Raises `IntegrityBroken` for an unknown one."""
    unknown = [name for name in _SECRET.findall(text) if name not in secrets]
    if unknown:
        raise IntegrityBroken(f"secret {unknown[0]!r} is not configured")
    return _SECRET.sub(lambda found: secrets[found.group(1)], text)


def _allowed(text: str, access: HttpAccess) -> httpx.URL:
    """Return the address if it is directly below an allowed one. Compared in parts, not as text."""
    try:
        url = httpx.URL(text)
        bases = [httpx.URL(base) for base in access.bases]
    except httpx.InvalidURL as error:
        raise IntegrityBroken("the address cannot be read") from error
    folder, _, _ = url.path.rpartition("/")
    for base in bases:
        same_origin = (url.scheme, url.host, url.port) == (base.scheme, base.host, base.port)
        if same_origin and not url.userinfo and folder == base.path.rstrip("/") and ".." not in url.path:
            return url
    raise IntegrityBroken("the address is not on the list")


async def _get(url: httpx.URL, access: HttpAccess) -> dict[str, Any]:
    """Return the answer within `ANSWER_BYTES_MAX`. Raises `httpx.HTTPError` or `ProviderUnavailable`."""
    client = httpx.AsyncClient(
        timeout=TIMEOUT_SECONDS,
        transport=access.transport,
        follow_redirects=False,
        trust_env=False,
        verify=_tls(),
    )
    async with client, client.stream("GET", url, headers={"Accept": "application/json"}) as response:
        data = b""
        async for chunk in response.aiter_bytes():
            data += chunk
            if len(data) > ANSWER_BYTES_MAX:
                raise ProviderUnavailable("the answer is too large", retry_after_ms=RETRY_MS)
        headers = {name: response.headers[name] for name in _HEADERS_KEPT if name in response.headers}
        body = _json(data) if response.status_code == 200 else None
        return {"status": response.status_code, "headers": headers, "body": body}


def _json(data: bytes) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise ProviderUnavailable("the answer is not JSON", retry_after_ms=RETRY_MS) from error


@functools.cache
def _tls() -> ssl.SSLContext:
    """One context for all clients: making it takes longer than the call."""
    return ssl.create_default_context()

"""Jobs over REST v2: the only public way to complete an ad-hoc sub-process's job with its result.

Commands tell three fates apart: acknowledged, gone (the job ended otherwise: superseded, timed out
and done by another), and unknown. Nothing here decides what to do about them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import httpx
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from aurum.camunda.rest import rejection_of
from aurum.errors import EngineUnavailable

READ_SLACK_SECONDS = 10.0
"""The answer to a long poll may come this much later than the poll is long."""


class JobRow(BaseModel):
    """One activated job."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore", frozen=True)

    job_key: str
    type: str
    process_instance_key: str
    element_id: str
    element_instance_key: str
    retries: int
    deadline: int
    variables: dict[str, Any]


class RestJobs:
    """Job commands of one engine. `client` has the base address (ending in /v2) and the credentials."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def activate(
        self,
        job_type: str,
        *,
        worker: str,
        timeout_ms: int,
        jobs_max: int,
        fetch: Sequence[str],
        long_poll_ms: int,
    ) -> list[JobRow]:
        """Return jobs to work on; empty after `long_poll_ms` without one.

        Raises `EngineUnavailable` and `CommandRejected`.
        """
        body = {
            "type": job_type,
            "worker": worker,
            "timeout": timeout_ms,
            "maxJobsToActivate": jobs_max,
            "fetchVariable": list(fetch),
            "requestTimeout": long_poll_ms,
        }
        answer = await self._post("/jobs/activation", body, read_seconds=long_poll_ms / 1000)
        return [JobRow.model_validate(item) for item in answer.json().get("jobs", [])]

    async def complete(
        self, job_key: str, variables: Mapping[str, Any], result: Mapping[str, Any] | None = None
    ) -> None:
        """Complete a job. Raises `CommandRejected` (NOT_FOUND: gone), `EngineUnavailable`: unknown."""
        body: dict[str, Any] = {"variables": variables}
        if result is not None:
            body["result"] = result
        await self._post(f"/jobs/{job_key}/completion", body)

    async def fail(self, job_key: str, *, retries: int, backoff_ms: int, message: str) -> None:
        """Give a job back. Raises as `complete`."""
        body = {"retries": retries, "retryBackOff": backoff_ms, "errorMessage": message}
        await self._post(f"/jobs/{job_key}/failure", body)

    async def extend(self, job_key: str, timeout_ms: int) -> None:
        """Keep a job for `timeout_ms` from now. Raises as `complete`."""
        await self._send("PATCH", f"/jobs/{job_key}", {"changeset": {"timeout": timeout_ms}})

    async def _post(self, path: str, body: Mapping[str, Any], *, read_seconds: float = 0.0) -> httpx.Response:
        return await self._send("POST", path, body, read_seconds=read_seconds)

    async def _send(
        self, method: str, path: str, body: Mapping[str, Any], *, read_seconds: float = 0.0
    ) -> httpx.Response:
        timeout = httpx.Timeout(10.0, read=read_seconds + READ_SLACK_SECONDS)
        try:
            response = await self._client.request(method, path, json=body, timeout=timeout)
        except httpx.HTTPError as error:
            raise EngineUnavailable(f"{method} {path}: {type(error).__name__}") from error
        if response.status_code >= 400:
            raise rejection_of(response)
        return response

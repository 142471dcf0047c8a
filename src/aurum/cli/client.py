"""A small synchronous client of the BFF for the command line, signed in as a demo person."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import httpx
import typer
from rich.console import Console

CASE_ID_CHARS = 26
"""A whole case id is sent as it is: whether this person may know of it is the BFF's answer."""

DEFAULT_URL = "http://127.0.0.1:8000"
errors = Console(stderr=True, highlight=False)


class Bff:
    """One signed-in person. Every refusal ends the command with exit 1 and the problem's own words."""

    def __init__(self, person: str, url: str | None = None) -> None:
        self._base = url or os.environ.get("AURUM_URL", DEFAULT_URL)
        self._http = httpx.Client(base_url=self._base, timeout=httpx.Timeout(10.0, read=60.0))
        token = self.call("POST", "/session", json={"personId": person})["token"]
        self._http.headers["Authorization"] = f"Bearer {token}"

    def call(self, method: str, path: str, **kwargs: Any) -> Any:
        """Return the JSON answer, or end the command."""
        return self.request(method, path, **kwargs).json()

    def request(self, method: str, path: str, **kwargs: Any) -> httpx.Response:
        """Return the answer, or end the command."""
        try:
            response = self._http.request(method, path, **kwargs)
        except httpx.HTTPError as error:
            errors.print(
                f"[red]nobody answers at {self._base}[/red] ({type(error).__name__}); is `aurum up` running?"
            )
            raise typer.Exit(1) from error
        if response.status_code >= 400:
            self._explain(response)
            raise typer.Exit(1)
        return response

    def _explain(self, response: httpx.Response) -> None:
        problem = response.json() if "json" in response.headers.get("content-type", "") else {}
        errors.print(f"[red]{response.status_code} {problem.get('title', response.reason_phrase)}[/red]")
        if problem.get("detail") and problem.get("detail") != problem.get("title"):
            errors.print(f"  {problem['detail']}")
        for item in problem.get("problems", []):
            errors.print(f"  {item.get('field')}: {item.get('code')}")
        if problem.get("decidedBy"):
            errors.print(f"  decided by {problem['decidedBy']}: {problem.get('outcome')}")

    def events(self, case_id: str, view: str) -> Iterator[dict[str, Any]]:
        """Yield the AG-UI events of a stream; splits on LF only, as the format says."""
        with self._http.stream("GET", f"/streams/{case_id}", params={"view": view}) as response:
            if response.status_code != 200:
                response.read()
                self._explain(response)
                raise typer.Exit(1)
            pending = b""
            for chunk in response.iter_bytes():
                *lines, pending = (pending + chunk).split(b"\n")
                for line in lines:
                    if line.startswith(b"data: "):
                        yield json.loads(line[6:])

    def case_of(self, text: str) -> str:
        """Return the full case id of a case id, a unique beginning of one, or `latest`."""
        if len(text) == CASE_ID_CHARS:
            return text
        cases: list[str] = [item["caseId"] for item in self.call("GET", "/cases")["cases"]]
        found = cases[:1] if text == "latest" else [case for case in cases if case.startswith(text)]
        if len(found) != 1:
            errors.print(f"[red]{len(found)} cases begin with {text!r}[/red]")
            raise typer.Exit(1)
        return found[0]

"""Request bodies: bounded JSON, read field by field. Sans-IO; everything wrong is a 400 that says what.

Rule 1: a field nobody reads is an error, so that a misspelt one is not silently ignored.
Rule 2: null means "not set", as in Camunda.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from aurum_engine.core.spans import LATEST_MS
from aurum_engine.rest.problems import invalid
from aurum_engine.surface import DEFAULT_TENANT

BODY_BYTES_MAX = 4 * 1024 * 1024
"""Largest request, as in Camunda; a deployment is the largest one."""

JSON_DEPTH_MAX = 64
"""Deepest nesting of a JSON body. Variables of real processes stay below ten."""

INT64_MAX = (1 << 63) - 1

_KEY = re.compile(r"-?[0-9]{1,24}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def iso(at_ms: int | None) -> str | None:
    """Return an instant as `2026-11-30T12:00:00.000Z`; None stays None."""
    if at_ms is None:
        return None
    # Logs from before spans were bounded may hold a deadline that has no date.
    instant = _EPOCH + timedelta(milliseconds=min(at_ms, LATEST_MS))
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def instant_ms(text: str) -> int | None:
    """Return Unix milliseconds of an ISO 8601 instant with offset; None when it is none."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        return None
    return None if instant.tzinfo is None else (instant - _EPOCH) // timedelta(milliseconds=1)


def parse_key(value: object, name: str) -> int:
    """Return a key that came as text."""
    if isinstance(value, str) and _KEY.fullmatch(value):
        key = int(value)
        if abs(key) <= INT64_MAX:
            return key
    raise invalid(f"{name} must be a key: a string of digits within 64 bits")


def _check_depth(value: Any) -> None:
    level: list[Any] = [value]
    for _ in range(JSON_DEPTH_MAX):
        level = [
            child
            for item in level
            if isinstance(item, dict | list)
            for child in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return
    if any(isinstance(item, dict | list) for item in level):
        raise invalid(f"the body is nested deeper than {JSON_DEPTH_MAX} levels")


def parse_object(raw: bytes) -> dict[str, Any]:
    """Return a JSON object; an empty body is an empty object."""
    if not raw.strip():
        return {}
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise invalid(f"the body is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise invalid("the body must be a JSON object")
    _check_depth(value)
    return value


class Body:
    """An object whose fields are taken one by one; `done` refuses what was not asked for."""

    def __init__(self, values: dict[str, Any], path: str = "") -> None:
        self._values = {name: value for name, value in values.items() if value is not None}
        self._unread = set(values)
        self._path = path

    def _take(self, name: str) -> Any:
        self._unread.discard(name)
        return self._values.get(name)

    def _wrong(self, name: str, wanted: str) -> Exception:
        return invalid(f"{self._path}{name} must be {wanted}")

    def text(self, name: str) -> str | None:
        """Return a string, or None when it is not set."""
        value = self._take(name)
        if value is not None and not isinstance(value, str):
            raise self._wrong(name, "a string")
        return value

    def required_text(self, name: str) -> str:
        """Return a string that must be there and not blank."""
        value = self.text(name)
        if value is None or not value.strip():
            raise invalid(f"{self._path}{name} is required")
        return value

    def integer(self, name: str) -> int | None:
        """Return a whole number of 64 bits, or None when it is not set."""
        value = self._take(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise self._wrong(name, "a whole number")
        if value is not None and abs(value) > INT64_MAX:
            raise self._wrong(name, "a whole number of 64 bits")
        return value

    def required_integer(self, name: str) -> int:
        """Return a whole number that must be there."""
        value = self.integer(name)
        if value is None:
            raise invalid(f"{self._path}{name} is required")
        return value

    def boolean(self, name: str) -> bool | None:
        """Return true or false, or None when it is not set."""
        value = self._take(name)
        if value is not None and not isinstance(value, bool):
            raise self._wrong(name, "true or false")
        return value

    def key(self, name: str) -> int | None:
        """Return a key, or None when it is not set."""
        value = self._take(name)
        return None if value is None else parse_key(value, f"{self._path}{name}")

    def texts(self, name: str) -> tuple[str, ...] | None:
        """Return a list of strings, or None when it is not set."""
        value = self._take(name)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._wrong(name, "a list of strings")
        return tuple(value)

    def document(self, name: str) -> dict[str, Any]:
        """Return a JSON object, empty when it is not set."""
        value = self._take(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self._wrong(name, "an object")
        return value

    def child(self, name: str) -> Body:
        """Return a nested object, empty when it is not set."""
        return Body(self.document(name), f"{self._path}{name}.")

    def objects(self, name: str) -> list[dict[str, Any]]:
        """Return a list of objects, empty when it is not set."""
        value = self._take(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self._wrong(name, "a list of objects")
        return value

    def has(self, name: str) -> bool:
        """Tell whether a field is set."""
        return name in self._values

    def tenant(self) -> None:
        """Read `tenantId`, of which only the default one exists."""
        check_tenants([self.text("tenantId")])

    def ignore(self, *names: str) -> None:
        """Accept fields that have no effect here."""
        for name in names:
            self._take(name)

    def done(self) -> None:
        """Refuse fields that were not read."""
        if self._unread:
            raise invalid(f"unknown field {self._path}{sorted(self._unread)[0]}")


def check_tenants(tenant_ids: Iterable[str | None]) -> None:
    """Refuse every tenant but the default one."""
    for tenant_id in tenant_ids:
        if tenant_id not in {None, "", DEFAULT_TENANT}:
            raise invalid(f"tenant {tenant_id!r} does not exist; there is only '{DEFAULT_TENANT}'")

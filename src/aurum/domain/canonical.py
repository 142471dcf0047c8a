"""One byte form of a JSON value, and its digest. Everything that is hashed or signed uses it.

Keys in code point order, no spaces, UTF-8, NFC left alone. An integral float counts as the integer:
engines and decision tables may hand `30` back as `30.0`, and that must not break a receipt.
"""

from __future__ import annotations

import hashlib
import json
import math

DEPTH_MAX = 32
"""Nesting of anything we hash. Deeper input is hostile, not an application."""


class NotCanonical(ValueError):
    """The value has no canonical form: not JSON, not finite, too deep or a lone surrogate."""


def canonical_json(value: object) -> bytes:
    """Return the canonical UTF-8 bytes of a JSON value. Raises `NotCanonical`."""
    plain = _plain(value, DEPTH_MAX)
    try:
        text = json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return text.encode()
    except (TypeError, ValueError) as error:
        raise NotCanonical("value has no canonical form") from error


def digest(value: object) -> str:
    """Return `sha256:<64 hex characters>` of the canonical form. Raises `NotCanonical`."""
    return "sha256:" + hashlib.sha256(canonical_json(value)).hexdigest()


def _plain(value: object, depth: int) -> object:
    if depth == 0:
        raise NotCanonical("nested too deeply")
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            if not math.isfinite(value):
                raise NotCanonical("not a finite number")
            return int(value) if value.is_integer() and abs(value) < 2**53 else value
        case list() | tuple():
            return [_plain(item, depth - 1) for item in value]
        case dict():
            if not all(isinstance(key, str) for key in value):
                raise NotCanonical("a key is not text")
            return {key: _plain(item, depth - 1) for key, item in value.items()}
        case _:
            raise NotCanonical(f"{type(value).__name__} is no JSON type")

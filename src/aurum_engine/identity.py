"""People's tokens: a JWT in, a recognised caller out, or BadToken, which says no more on purpose.

Which claims hold the name and the groups is a setting, because identity providers differ. A key of
one's own (HS256) serves one installation; a key set (JWKS) of public keys serves a provider.
The two never mix: a public key is no secret, so nothing is ever verified with one by HMAC.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import jwt

from aurum_engine.clock import Clock, SystemClock
from aurum_engine.core.commands import Caller
from aurum_engine.errors import EngineError

KEY_BYTES_MIN = 32
"""Shortest shared key: as long as the hash it is used with (RFC 7518, 3.2)."""

TOKEN_CHARS_MAX = 8_192
"""Longest token that is looked at; those of providers with many groups have about 4,000."""

NAME_CHARS_MAX = 256
GROUPS_MAX = 1_000
"""Bounds of what a token may say; it ends up in the log and in comparisons."""

SKEW_SECONDS = 30
"""How far the clocks of issuer and engine may be apart."""

PUBLIC_KEY_ALGORITHMS = ("RS256", "PS256", "ES256")


class BadToken(EngineError):
    """The token is forged, expired, for somebody else, or says nothing usable."""


class Verifier(Protocol):
    """Recognises people."""

    def __call__(self, token: str) -> Caller:
        """Return who holds the token. Raises BadToken."""


@dataclass(frozen=True, slots=True)
class Identity:
    """How an engine recognises people. `required`: user task commands need a person, not just a service."""

    verify: Verifier
    required: bool = False


@dataclass(frozen=True, slots=True)
class Expected:
    """What a token has to say. `issuer` None accepts any; nested claims are written `a.b`."""

    audience: str = "engine"
    issuer: str | None = None
    username_claim: str = "sub"
    groups_claim: str = "groups"


def shared_key_verifier(key: str, expected: Expected, clock: Clock) -> Verifier:
    """Return a verifier of HS256 tokens. Raises ValueError for a key that is too short."""
    if len(key.encode()) < KEY_BYTES_MIN:
        raise ValueError(f"the shared key must have at least {KEY_BYTES_MIN} bytes")

    def verify(token: str) -> Caller:
        return _caller(_claims(token, key, ("HS256",), expected, clock), expected)

    return verify


def key_set_verifier(key_set: Mapping[str, Any], expected: Expected, clock: Clock) -> Verifier:
    """Return a verifier with the public keys of a JWKS document. Raises ValueError for an unusable one."""
    try:
        keys = jwt.PyJWKSet.from_dict(dict(key_set)).keys
    except (jwt.PyJWTError, KeyError, TypeError) as error:
        raise ValueError(f"the key set cannot be read: {error}") from error
    usable = [key for key in keys if key.algorithm_name in PUBLIC_KEY_ALGORITHMS]
    if not usable:
        raise ValueError(f"the key set has no key for {', '.join(PUBLIC_KEY_ALGORITHMS)}")

    def verify(token: str) -> Caller:
        try:
            wanted = jwt.get_unverified_header(_bounded(token)).get("kid")
        except jwt.PyJWTError as error:
            raise BadToken("refused") from error
        found = [key for key in usable if key.key_id == wanted] if wanted is not None else usable
        if len(found) != 1:
            raise BadToken("refused")
        return _caller(_claims(token, found[0], PUBLIC_KEY_ALGORITHMS, expected, clock), expected)

    return verify


def _bounded(token: str) -> str:
    if len(token) > TOKEN_CHARS_MAX:
        raise BadToken("refused")
    return token


def _claims(
    token: str, key: Any, algorithms: tuple[str, ...], expected: Expected, clock: Clock
) -> Mapping[str, Any]:
    """Return verified claims. Times are judged by the engine's clock, which the library does not know."""
    try:
        claims: dict[str, Any] = jwt.decode(
            _bounded(token),
            key,
            algorithms=list(algorithms),
            audience=expected.audience,
            issuer=expected.issuer,
            options={
                "require": ["exp", "aud"],
                "verify_exp": False,
                "verify_nbf": False,
                "verify_iat": False,
                "verify_sub": False,
            },
        )
    except jwt.PyJWTError as error:
        raise BadToken("refused") from error
    now = clock.now_ms() / 1_000
    ends, begins = claims["exp"], claims.get("nbf", 0)
    if not _is_time(ends) or not _is_time(begins):
        raise BadToken("refused")
    if not begins - SKEW_SECONDS <= now < ends + SKEW_SECONDS:
        raise BadToken("refused")
    return claims


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _claim(claims: Mapping[str, Any], name: str) -> Any:
    """Return a claim by its name, or by its path `a.b` when no claim has that very name."""
    if name in claims:
        return claims[name]
    found: Any = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _caller(claims: Mapping[str, Any], expected: Expected) -> Caller:
    name, groups = _claim(claims, expected.username_claim), _claim(claims, expected.groups_claim)
    if not isinstance(name, str) or not 0 < len(name.strip()) <= len(name) <= NAME_CHARS_MAX:
        raise BadToken("refused")
    groups = [] if groups is None else groups
    if not isinstance(groups, list) or len(groups) > GROUPS_MAX:
        raise BadToken("refused")
    if not all(isinstance(group, str) for group in groups):
        raise BadToken("refused")
    return Caller(name, frozenset(groups))


_FILE_FIELDS = {
    "key",
    "keySetFile",
    "audience",
    "issuer",
    "usernameClaim",
    "groupsClaim",
    "required",
}


def read_identity(path: Path, clock: Clock | None = None) -> Identity:
    """Return what a settings file says: JSON with `key` or `keySetFile`, and optionally the rest.

    `keySetFile` is relative to the file. Raises ValueError with what is wrong, OSError.
    """
    stored = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(stored, dict) or not stored.keys() <= _FILE_FIELDS:
        raise ValueError(f"{path}: expected an object with {', '.join(sorted(_FILE_FIELDS))}")
    if ("key" in stored) == ("keySetFile" in stored):
        raise ValueError(f"{path}: expected either key or keySetFile")
    texts = [value for name, value in stored.items() if name != "required"]
    required = stored.get("required", False)
    if not all(isinstance(value, str) for value in texts) or not isinstance(required, bool):
        raise ValueError(f"{path}: all but required (true or false) must be strings")
    standard = Expected()
    expected = Expected(
        audience=stored.get("audience", standard.audience),
        issuer=stored.get("issuer"),
        username_claim=stored.get("usernameClaim", standard.username_claim),
        groups_claim=stored.get("groupsClaim", standard.groups_claim),
    )
    clock = clock or SystemClock()
    if "key" in stored:
        return Identity(shared_key_verifier(stored["key"], expected, clock), required)
    key_set = json.loads((path.parent / stored["keySetFile"]).read_text(encoding="utf-8"))
    return Identity(key_set_verifier(key_set, expected, clock), required)

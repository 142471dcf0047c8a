"""Session and stream tokens: signed, typed, short, each kind with its own key and rules (RFC 8725).

A session token belongs to one tab. A stream token opens one view of one case for at most five
minutes and nothing else. Neither kind passes for the other: audience, `typ` and key all differ.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jwt

from aurum.clock import Clock
from aurum.errors import AurumError
from aurum.keys import VIEWS, CaseId, PersonId, View

ISSUER = "aurum"
SESSION_TYPE, SESSION_AUDIENCE = "aurum-session+jwt", "aurum-bff"
STREAM_TYPE, STREAM_AUDIENCE = "aurum-stream+jwt", "aurum-stream"

SESSION_SECONDS = 8 * 3600
"""One working day: a demo tab left open over lunch goes on."""

STREAM_SECONDS = 300
"""Five minutes: the longest that a leaked stream credential is worth anything."""

TOKEN_CHARS_MAX = 2_048
"""Ours have about 400; longer ones are refused unread."""


class TokenRefused(AurumError):
    """The credential is missing, forged, of another kind, expired or revoked. Says no more on purpose."""


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token and when it ends (Unix milliseconds)."""

    token: str
    expires_ms: int


@dataclass(frozen=True, slots=True)
class SessionClaims:
    """What a session token says."""

    person_id: PersonId
    session_id: str
    expires_ms: int


@dataclass(frozen=True, slots=True)
class StreamClaims:
    """What a stream token says."""

    person_id: PersonId
    session_id: str
    case_id: CaseId
    view: View
    expires_ms: int


class Tokens:
    """Issues and checks both kinds; remembers revoked sessions until they would have expired."""

    def __init__(self, session_key: bytes, stream_key: bytes, clock: Clock) -> None:
        self._session_key = session_key
        self._stream_key = stream_key
        self._clock = clock
        self._revoked: dict[str, int] = {}

    def issue_session(self, person_id: PersonId) -> IssuedToken:
        """Return a session token for one tab."""
        claims = {"sub": person_id, "jti": secrets.token_hex(12)}
        return self._issue(claims, SESSION_TYPE, SESSION_AUDIENCE, self._session_key, SESSION_SECONDS)

    def issue_stream(self, session: SessionClaims, case_id: CaseId, view: View) -> IssuedToken:
        """Return a token for one view of one case, tied to the session."""
        claims = {"sub": session.person_id, "jti": session.session_id, "case": case_id, "view": view}
        return self._issue(claims, STREAM_TYPE, STREAM_AUDIENCE, self._stream_key, STREAM_SECONDS)

    def session(self, token: str) -> SessionClaims:
        """Return the claims of a good session token. Raises `TokenRefused`."""
        claims = self._claims(token, SESSION_TYPE, SESSION_AUDIENCE, self._session_key, ())
        return SessionClaims(PersonId(claims["sub"]), claims["jti"], claims["exp"] * 1000)

    def stream(self, token: str) -> StreamClaims:
        """Return the claims of a good stream token. Raises `TokenRefused`."""
        claims = self._claims(token, STREAM_TYPE, STREAM_AUDIENCE, self._stream_key, ("case", "view"))
        if claims["view"] not in VIEWS or not isinstance(claims["case"], str):
            raise TokenRefused("refused")
        return StreamClaims(
            PersonId(claims["sub"]),
            claims["jti"],
            CaseId(claims["case"]),
            claims["view"],
            claims["exp"] * 1000,
        )

    def revoke(self, session: SessionClaims) -> None:
        """Refuse this session and its stream tokens from now on."""
        now_ms = self._clock.now_ms()
        self._revoked = {jti: until for jti, until in self._revoked.items() if until > now_ms}
        self._revoked[session.session_id] = session.expires_ms

    def is_live(self, session_id: str, expires_ms: int) -> bool:
        """Is a session still good: not revoked, not expired?"""
        return session_id not in self._revoked and self._clock.now_ms() < expires_ms

    def _issue(
        self, claims: Mapping[str, Any], kind: str, audience: str, key: bytes, seconds: int
    ) -> IssuedToken:
        now = self._clock.now_ms() // 1000
        body = {**claims, "iss": ISSUER, "aud": audience, "iat": now, "exp": now + seconds}
        token = jwt.encode(body, key, algorithm="HS256", headers={"typ": kind})
        return IssuedToken(token, (now + seconds) * 1000)

    def _claims(
        self, token: str, kind: str, audience: str, key: bytes, extra: tuple[str, ...]
    ) -> dict[str, Any]:
        """Check everything ourselves that the library does not: `typ`, our clock, types of claims."""
        if len(token) > TOKEN_CHARS_MAX:
            raise TokenRefused("refused")
        try:
            if jwt.get_unverified_header(token).get("typ") != kind:
                raise TokenRefused("refused")
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=["HS256"],
                audience=audience,
                issuer=ISSUER,
                options={
                    "require": ["sub", "jti", "exp", "iat", "aud", "iss", *extra],
                    "verify_exp": False,
                    "verify_iat": False,
                },
            )
        except jwt.PyJWTError as error:
            raise TokenRefused("refused") from error
        well_typed = isinstance(claims["exp"], int) and isinstance(claims["jti"], str)
        if not well_typed or not self.is_live(claims["jti"], claims["exp"] * 1000):
            raise TokenRefused("refused")
        return claims

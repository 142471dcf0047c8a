"""A person's name for the embedded engine: one minute, one audience, a key of its own.

The engine judges user-task commands by it and names the person in its audit log. With a production
identity provider the person's own token takes this place.
"""

from __future__ import annotations

from collections.abc import Callable

import jwt

from aurum.bff.auth.people import Person
from aurum.bff.auth.tokens import ISSUER
from aurum.clock import Clock

ENGINE_TYPE, ENGINE_AUDIENCE = "aurum-engine+jwt", "engine"

ENGINE_TOKEN_SECONDS = 60
"""Made for one command and sent at once; the engine allows for clocks that differ by half of it."""


class EngineTokens:
    """Issues tokens that say who acts. Made with the installation's key for this one use."""

    def __init__(self, key: str, clock: Clock) -> None:
        self._key = key
        self._clock = clock

    def bearer(self, person: Person) -> str:
        """Return a token with the person's id and groups."""
        now = self._clock.now_ms() // 1000
        claims = {
            "sub": person.person_id,
            "groups": sorted(person.groups),
            "iss": ISSUER,
            "aud": ENGINE_AUDIENCE,
            "iat": now,
            "exp": now + ENGINE_TOKEN_SECONDS,
        }
        return jwt.encode(claims, self._key, algorithm="HS256", headers={"typ": ENGINE_TYPE})


def bearer_for(key: str, clock: Clock, *, known: bool) -> Callable[[Person], str | None]:
    """Return what a person's commands carry; None for everybody when the engine does not know people."""
    return EngineTokens(key, clock).bearer if known else lambda _: None

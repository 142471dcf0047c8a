"""Only the good token passes: every forged, confused, expired or revoked one is refused alike."""

from typing import Any

import jwt
import pytest

from aurum.bff.auth.tokens import (
    ISSUER,
    SESSION_AUDIENCE,
    SESSION_SECONDS,
    SESSION_TYPE,
    STREAM_AUDIENCE,
    STREAM_SECONDS,
    STREAM_TYPE,
    TokenRefused,
    Tokens,
)
from aurum.clock import ManualClock
from aurum.keys import CaseId, PersonId

SESSION_KEY, STREAM_KEY, FOREIGN_KEY = b"s" * 64, b"t" * 64, b"f" * 64
CASE = CaseId("c" * 26)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def tokens(clock: ManualClock) -> Tokens:
    return Tokens(SESSION_KEY, STREAM_KEY, clock)


def crafted(clock: ManualClock, **changes: Any) -> str:
    """Return a session token with some things changed; None takes a claim away."""
    now = clock.now_ms() // 1000
    claims: dict[str, Any] = {
        "sub": "sarah",
        "jti": "1",
        "iss": ISSUER,
        "aud": SESSION_AUDIENCE,
        "iat": now,
        "exp": now + 60,
    }
    key = changes.pop("key", SESSION_KEY)
    algorithm = changes.pop("algorithm", "HS256")
    kind = changes.pop("typ", SESSION_TYPE)
    claims = {name: value for name, value in {**claims, **changes}.items() if value is not None}
    return jwt.encode(
        claims, None if algorithm == "none" else key, algorithm=algorithm, headers={"typ": kind}
    )


def test_a_good_session_and_a_good_stream_token_pass(tokens: Tokens) -> None:
    session = tokens.session(tokens.issue_session(PersonId("sarah")).token)
    stream = tokens.stream(tokens.issue_stream(session, CASE, "customer").token)

    assert session.person_id == "sarah"
    assert (stream.case_id, stream.view, stream.person_id) == (CASE, "customer", "sarah")


@pytest.mark.parametrize(
    "changes",
    [
        {"algorithm": "none"},
        {"algorithm": "HS512"},
        {"key": FOREIGN_KEY},
        {"key": STREAM_KEY},
        {"typ": STREAM_TYPE},
        {"typ": "JWT"},
        {"aud": STREAM_AUDIENCE},
        {"aud": [SESSION_AUDIENCE + "x"]},
        {"aud": None},
        {"iss": "somebody"},
        {"iss": None},
        {"exp": None},
        {"exp": 1},
        {"iat": None},
        {"sub": None},
        {"jti": None},
    ],
    ids=lambda changes: ",".join(f"{name}={value!r}"[:24] for name, value in changes.items()),
)
def test_a_crafted_token_is_refused(tokens: Tokens, clock: ManualClock, changes: dict[str, Any]) -> None:
    with pytest.raises(TokenRefused):
        tokens.session(crafted(clock, **changes))


@pytest.mark.parametrize("text", ["", "x", "a.b.c", "e30.e30.", "." * 10, "a" * 10_000, "é.é.é"])
def test_garbage_is_refused(tokens: Tokens, text: str) -> None:
    with pytest.raises(TokenRefused):
        tokens.session(text)


def test_any_changed_character_is_refused(tokens: Tokens) -> None:
    good = tokens.issue_session(PersonId("sarah")).token
    for place in range(0, len(good), 7):
        changed = good[:place] + ("A" if good[place] != "A" else "B") + good[place + 1 :]
        if changed[-1] != good[-1] or place < len(good) - 1:
            with pytest.raises(TokenRefused):
                tokens.session(changed)


def test_tokens_end_by_time(tokens: Tokens, clock: ManualClock) -> None:
    session_token = tokens.issue_session(PersonId("sarah")).token
    session = tokens.session(session_token)
    stream_token = tokens.issue_stream(session, CASE, "customer").token
    clock.advance(STREAM_SECONDS * 1000)
    with pytest.raises(TokenRefused):
        tokens.stream(stream_token)
    clock.advance(SESSION_SECONDS * 1000)

    with pytest.raises(TokenRefused):
        tokens.session(session_token)


def test_a_revoked_session_takes_its_stream_tokens_along(tokens: Tokens) -> None:
    token = tokens.issue_session(PersonId("sarah")).token
    session = tokens.session(token)
    stream = tokens.issue_stream(session, CASE, "customer").token

    tokens.revoke(session)

    with pytest.raises(TokenRefused):
        tokens.session(token)
    with pytest.raises(TokenRefused):
        tokens.stream(stream)
    assert tokens.is_live(session.session_id, session.expires_ms) is False

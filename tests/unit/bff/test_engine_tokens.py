"""The token that tells the engine who acts: what it says, for how long, and that only the engine takes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aurum import installation
from aurum.bff.auth.engine_tokens import EngineTokens, bearer_for
from aurum.bff.auth.people import DEMO_PEOPLE
from aurum.bff.auth.tokens import TokenRefused, Tokens
from aurum_engine.clock import ManualClock
from aurum_engine.identity import BadToken, read_identity

PERSON = DEMO_PEOPLE["senior.advisor"]


def test_the_engine_reads_name_and_groups_until_the_minute_is_over(tmp_path: Path) -> None:
    secrets, clock = installation.load_or_create(tmp_path), ManualClock(1_796_000_000_000)
    (tmp_path / "identity.json").write_text(json.dumps({"key": secrets.engine_identity}))
    identity = read_identity(tmp_path / "identity.json", clock)
    token = EngineTokens(secrets.engine_identity, clock).bearer(PERSON)

    caller = identity.verify(token)
    clock.set(clock.now_ms() + 91_000)  # A minute, and half of one for clocks that differ.

    assert (caller.username, caller.groups) == (PERSON.person_id, PERSON.groups)
    with pytest.raises(BadToken):
        identity.verify(token)


def test_neither_the_bff_nor_another_installation_takes_it(tmp_path: Path) -> None:
    here, there = (installation.load_or_create(tmp_path / name) for name in ("here", "there"))
    clock = ManualClock(1_796_000_000_000)
    token = EngineTokens(here.engine_identity, clock).bearer(PERSON)
    (tmp_path / "identity.json").write_text(json.dumps({"key": there.engine_identity}))

    with pytest.raises(BadToken):
        read_identity(tmp_path / "identity.json", clock).verify(token)
    with pytest.raises(TokenRefused):
        Tokens(here.sessions, here.streams, clock).session(token)


def test_an_engine_that_knows_nobody_gets_no_token() -> None:
    assert bearer_for("k" * 32, ManualClock(0), known=False)(PERSON) is None

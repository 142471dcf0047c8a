"""User tasks with authority: who is recognised, who may do what, and whose name the audit log keeps."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm
from tests.conformance.scenarios.builder import build

from aurum_engine.clock import ManualClock
from aurum_engine.core import commands as c
from aurum_engine.engine import Engine, EngineOptions
from aurum_engine.identity import (
    BadToken,
    Expected,
    Identity,
    key_set_verifier,
    read_identity,
    shared_key_verifier,
)

NOW_S = 1_796_000_000
KEY = "a shared key of more than thirty-two bytes"
CLOCK = ManualClock(NOW_S * 1000)
PROCESS = build(
    {
        "id": "p",
        "flow": "start -> ask -> end",
        "elements": {
            "ask": {
                "type": "userTask",
                "assignmentDefinition": {"candidateGroups": "advisors", "candidateUsers": "zoe"},
            }
        },
    }
)
Anna, Bert, Zoe, Eve = ("anna", ["advisors"]), ("bert", ["advisors"]), ("zoe", []), ("eve", ["guests"])
SERVICE = "service-token"


def token_of(name: str, groups: list[str], /, key: Any = KEY, algorithm: str = "HS256", **claims: Any) -> str:
    body = {"sub": name, "groups": groups, "aud": "engine", "exp": NOW_S + 60} | claims
    return jwt.encode({k: v for k, v in body.items() if v is not None}, key, algorithm=algorithm)


class People:
    """Calls an engine as somebody."""

    def __init__(self, engine: Engine, http: httpx.AsyncClient) -> None:
        self.engine = engine
        self.http = http

    async def __call__(
        self, who: Any, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> httpx.Response:
        """`who` is (name, groups), a token, or None for nobody."""
        token = token_of(*who) if isinstance(who, tuple) else who
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return await self.http.request(method, path, json=body, headers=headers)

    async def task(self) -> str:
        """Start an instance and return its task."""
        await self.engine.service.submit(c.CreateProcessInstance("p"))
        return str(max(self.engine.service.view().user_tasks))

    async def claim(self, who: Any, task: str, **body: Any) -> int:
        return (await self(who, "POST", f"/user-tasks/{task}/assignment", body)).status_code

    async def complete(self, who: Any, task: str) -> int:
        return (await self(who, "POST", f"/user-tasks/{task}/completion", {})).status_code


async def engine_with(options: EngineOptions) -> AsyncIterator[People]:
    async with (
        Engine(options) as engine,
        httpx.AsyncClient(transport=httpx.ASGITransport(app=engine.app), base_url="http://engine/v2") as http,
    ):
        await engine.service.submit(c.DeployResources((c.Resource("p.bpmn", PROCESS),)))
        yield People(engine, http)


def verifier() -> Callable[[str], c.Caller]:
    return shared_key_verifier(KEY, Expected(), CLOCK)


@pytest.fixture
async def people() -> AsyncIterator[People]:
    options = EngineOptions(token=SERVICE, clock=ManualClock(NOW_S * 1000), identity=Identity(verifier()))
    async for found in engine_with(options):
        yield found


@pytest.mark.parametrize("who", [Anna, Zoe], ids=["by group", "by name"])
async def test_a_candidate_claims_for_himself_and_completes(
    people: People, who: tuple[str, list[str]]
) -> None:
    task = await people.task()

    claimed = await people.claim(who, task)
    assignee = people.engine.service.view().user_tasks[int(task)].assignee

    assert (claimed, assignee, await people.complete(who, task)) == (204, who[0], 204)


async def test_whom_the_task_is_not_for_may_do_nothing_with_it(people: People) -> None:
    task = await people.task()
    path = f"/user-tasks/{task}"

    answers = [
        await people(Eve, "POST", f"{path}/assignment", {"assignee": "eve"}),
        await people(Eve, "POST", f"{path}/completion", {"variables": {"approved": True}}),
        await people(Eve, "DELETE", f"{path}/assignee"),
        await people(Eve, "PATCH", path, {"changeset": {"priority": 1}}),
        await people(Anna, "PATCH", path, {"changeset": {"candidateUsers": []}}),
        await people(Anna, "POST", f"{path}/assignment", {"assignee": "eve"}),
    ]

    assert {(answer.status_code, answer.json()["title"]) for answer in answers} == {(403, "FORBIDDEN")}
    told = " ".join(answer.text for answer in answers)
    assert not [name for name in ("eve", "anna", "zoe", "advisors", "approved") if name in told]


async def test_what_one_person_has_the_other_candidates_cannot_take(people: People) -> None:
    task = await people.task()
    await people.claim(Anna, task)

    statuses = {
        "claim": await people.claim(Bert, task, allowOverride=True),
        "complete": await people.complete(Bert, task),
        "release": (await people(Bert, "DELETE", f"/user-tasks/{task}/assignee")).status_code,
        "claim again": await people.claim(Anna, task),
        "own release": (await people(Anna, "DELETE", f"/user-tasks/{task}/assignee")).status_code,
        "claim once free": await people.claim(Bert, task),
    }

    assert statuses == {
        "claim": 409,
        "complete": 403,
        "release": 403,
        "claim again": 204,
        "own release": 204,
        "claim once free": 204,
    }


async def test_a_finished_task_is_a_conflict_for_its_people_and_forbidden_for_others(people: People) -> None:
    task = await people.task()
    await people.complete(Anna, task)

    assert [await people.complete(who, task) for who in (Anna, Bert, Eve)] == [409, 409, 403]


async def test_the_audit_log_names_the_person_and_still_does_after_a_restart(tmp_path: Path) -> None:
    options = EngineOptions(tmp_path / "e.db", token=SERVICE, clock=CLOCK, identity=Identity(verifier()))
    async for people in engine_with(options):
        task = await people.task()
        await people.claim(Anna, task)
        await people.complete(Anna, task)

    seen = []
    async for people in engine_with(options):
        for search in ("/audit-logs/search", f"/user-tasks/{task}/audit-logs/search"):
            body = {"filter": {"actorType": "USER"}, "sort": [{"field": "timestamp"}]}
            items = (await people(SERVICE, "POST", search, body)).json()["items"]
            seen.append([(row["operationType"], row["actorId"], row["userTaskKey"]) for row in items])

    assert seen == [[("ASSIGN", "anna", task), ("COMPLETE", "anna", task)]] * 2


async def test_a_service_may_do_everything_and_is_named_as_one(people: People) -> None:
    task = await people.task()

    statuses = [await people.claim(SERVICE, task, assignee="eve"), await people.complete(SERVICE, task)]
    rows = (await people(SERVICE, "POST", f"/user-tasks/{task}/audit-logs/search", {})).json()["items"]

    assert statuses == [204, 204]
    assert {(row["actorId"], row["actorType"]) for row in rows} == {("service", "CLIENT")}


async def test_a_persons_token_opens_user_tasks_and_his_own_name_and_nothing_else(people: People) -> None:
    me = (await people(Anna, "GET", "/authentication/me")).json()
    others = [
        await people(Anna, "POST", "/process-instances", {"processDefinitionId": "p"}),
        await people(Anna, "POST", "/user-tasks/search", {}),
        await people(Anna, "POST", "/jobs/1/completion", {}),
        await people(Anna, "GET", "/topology"),
    ]

    assert (me["username"], me["groups"]) == ("anna", ["advisors"])
    assert {answer.status_code for answer in others} == {403}


BAD = {
    "another key": token_of(*Anna, key="x" * 32),
    "another audience": token_of(*Anna, aud="aurum-bff"),
    "no audience": token_of(*Anna, aud=None),
    "over": token_of(*Anna, exp=NOW_S - 31),
    "endless": token_of(*Anna, exp=None),
    "too early": token_of(*Anna, nbf=NOW_S + 31),
    "an end that is no time": token_of(*Anna, exp=str(NOW_S + 60)),
    "no name": token_of("", []),
    "a name that is no text": token_of(*Anna, sub=7),
    "groups that are no list": token_of(*Anna, groups="advisors"),
    "unsigned": token_of(*Anna, key=None, algorithm="none"),
    "another algorithm": token_of(*Anna, key="x" * 64, algorithm="HS512"),
    "no token": "secret",
    "much too long": "a" * 9_000,
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
async def test_a_bad_token_is_401_and_says_nothing(people: People, bad: str) -> None:
    task = await people.task()

    answer = await people(bad, "POST", f"/user-tasks/{task}/completion", {})

    assert (answer.status_code, answer.json()["detail"]) == (401, "the token is not valid")
    assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_without_an_identity_the_engine_is_as_open_as_camunda_without_authorizations() -> None:
    async for people in engine_with(EngineOptions(clock=CLOCK)):
        task = await people.task()
        assert [await people.claim(Eve, task, assignee="x"), await people.complete(None, task)] == [204, 204]


@pytest.mark.parametrize("service_token", [None, SERVICE])
async def test_a_required_identity_leaves_user_tasks_to_people(service_token: str | None) -> None:
    options = EngineOptions(token=service_token, clock=CLOCK, identity=Identity(verifier(), required=True))
    async for people in engine_with(options):
        task = await people.task()
        statuses = [await people.complete(who, task) for who in (None, service_token, "bad", Anna)]
        read = await people(service_token, "GET", f"/user-tasks/{task}")

        assert (statuses, read.status_code) == ([401, 401, 401, 204], 200)


# --- providers' keys -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def signing_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65_537, key_size=2_048)


def key_set_of(signing_key: rsa.RSAPrivateKey, kid: str = "k1") -> dict[str, Any]:
    public = json.loads(RSAAlgorithm.to_jwk(signing_key.public_key()))
    return {"keys": [public | {"kid": kid, "alg": "RS256", "use": "sig"}]}


def test_a_providers_token_is_recognised_by_its_public_key_and_named_claims(
    tmp_path: Path, signing_key: rsa.RSAPrivateKey
) -> None:
    (tmp_path / "jwks.json").write_text(json.dumps(key_set_of(signing_key)))
    settings = {
        "keySetFile": "jwks.json",
        "audience": "camunda",
        "issuer": "https://id.example",
        "usernameClaim": "preferred_username",
        "groupsClaim": "realm_access.roles",
        "required": True,
    }
    (tmp_path / "identity.json").write_text(json.dumps(settings))
    claims = {
        "aud": ["other", "camunda"],
        "iss": "https://id.example",
        "preferred_username": "anna",
        "realm_access": {"roles": ["advisors"]},
    }
    token = jwt.encode({"exp": NOW_S + 60} | claims, signing_key, algorithm="RS256", headers={"kid": "k1"})

    identity = read_identity(tmp_path / "identity.json", CLOCK)

    assert identity.required
    assert identity.verify(token) == c.Caller("anna", frozenset({"advisors"}))


def by_hmac(claims: Mapping[str, Any], key: bytes) -> str:
    """Sign by hand: the library refuses to sign with what looks like a public key."""
    parts = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in ({"alg": "HS256", "kid": "k1"}, claims)
    ]
    signature = hmac.digest(key, b".".join(parts), "sha256")
    return b".".join([*parts, base64.urlsafe_b64encode(signature).rstrip(b"=")]).decode()


def test_a_public_key_never_serves_as_a_shared_secret(signing_key: rsa.RSAPrivateKey) -> None:
    verify = key_set_verifier(key_set_of(signing_key), Expected(), CLOCK)
    public = json.dumps(key_set_of(signing_key)["keys"][0]).encode()
    other = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    claims = {"sub": "anna", "aud": "engine", "exp": NOW_S + 60}

    def signed(key: Any, algorithm: str, kid: str | None) -> str:
        return jwt.encode(claims, key, algorithm=algorithm, headers=None if kid is None else {"kid": kid})

    assert verify(signed(signing_key, "RS256", "k1")) == verify(signed(signing_key, "RS256", None))
    for forged in (
        by_hmac(claims, public),
        signed(signing_key, "RS256", "k9"),
        signed(signing_key, "RS512", "k1"),
        signed(other, "RS256", "k1"),
    ):
        with pytest.raises(BadToken):
            verify(forged)


WRONG_SETTINGS = {
    "both": {"key": "k" * 32, "keySetFile": "x"},
    "neither": {},
    "a short key": {"key": "short"},
    "an unknown member": {"key": "k" * 32, "audiences": "engine"},
    "a list": {"key": "k" * 32, "audience": ["engine"]},
    "required as text": {"key": "k" * 32, "required": "yes"},
}


@pytest.mark.parametrize("settings", WRONG_SETTINGS.values(), ids=WRONG_SETTINGS.keys())
def test_settings_that_cannot_be_meant_are_refused(tmp_path: Path, settings: dict[str, Any]) -> None:
    path = tmp_path / "identity.json"
    path.write_text(json.dumps(settings))

    with pytest.raises(ValueError):
        read_identity(path)


def test_a_key_set_without_a_usable_key_is_refused() -> None:
    for unusable in ({}, {"keys": []}, {"keys": [{"kty": "oct", "k": "AAAA"}]}):
        with pytest.raises(ValueError):
            key_set_verifier(unusable, Expected(), CLOCK)

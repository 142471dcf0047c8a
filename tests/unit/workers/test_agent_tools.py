"""The service tasks that only the agent uses: stored data in, previews out, arguments that can do no harm."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from aurum.clock import ManualClock
from aurum.domain.application import ParsedApplication, parse_application
from aurum.errors import BpmnError, IntegrityBroken, ProviderUnavailable
from aurum.instants import utc_date
from aurum.resources import resource_dir
from aurum_workers.ledger import Ledger
from aurum_workers.ports import HttpAccess, JobInput, WorkerDeps
from aurum_workers.rates import bundled_rates
from aurum_workers.registry import BY_JOB_TYPE
from aurum_workers.screen_sanctions import VARIANTS_MAX, name_variants
from aurum_workers.tools.http_json import ANSWER_BYTES_MAX
from aurum_workers.wire import to_wire

bundled_rates()  # Read once, while collecting, not inside the first test that needs it.

NOW_MS = 1_796_040_000_000
BASE = "http://127.0.0.1:8000/fx"
ADDRESS = "{{secrets.AURUM_FX_ADDRESS}}/latest?base=EUR&symbols=USD"


async def no_task(_key: str) -> None:
    return None


def deps_with(answer: Any = None, **access: Any) -> WorkerDeps:
    """Return dependencies whose network is the function `answer`."""
    http = {"secrets": {"AURUM_FX_ADDRESS": BASE}, "bases": (BASE,)} | access
    transport = httpx.MockTransport(answer) if answer is not None else None
    ledger = Ledger(":memory:")
    return WorkerDeps(
        b"r" * 32, ledger, ManualClock(NOW_MS), no_task, http=HttpAccess(transport=transport, **http)
    )


@pytest.fixture
def deps() -> Iterator[WorkerDeps]:
    made = deps_with()
    yield made
    made.ledger.close()


def application(name: str = "sarah-chen", **changes: Any) -> dict[str, Any]:
    record = json.loads((resource_dir("examples") / f"{name}.json").read_text(encoding="utf-8"))
    parsed = parse_application(record | changes, today=utc_date(NOW_MS))
    assert isinstance(parsed, ParsedApplication)
    return dict(parsed.record)


async def do(
    job_type: str, deps: WorkerDeps, headers: dict[str, str] | None = None, **given: Any
) -> dict[str, Any]:
    spec = BY_JOB_TYPE[job_type]
    fetched = {name: value for name, value in given.items() if name in spec.fetches}
    result = await spec.handler(JobInput("1", "77", 3, fetched, headers or {}), deps)
    return to_wire(result, allowed=spec.writes)


async def test_the_home_address_is_normalised_and_scored(deps: WorkerDeps) -> None:
    check = (await do("verify-address", deps, application=application()))["addressCheck"]

    assert (check["outcome"], check["score"], check["poBox"]) == ("clear", 100, False)
    assert check["normalised"]["postalCode"] == "98101"
    assert "basisHash" not in check  # It can never be taken for one of the four checks.


async def test_a_proposal_needs_an_assessment(deps: WorkerDeps) -> None:
    for suitability in (None, {}, {"profile": None}):
        given = {"application": application(), "suitability": suitability, "profile": 5}
        assert (await do("propose-portfolio", deps, **given))["proposal"] == {
            "status": "failed",
            "code": "NOT_ASSESSED",
        }
        assert (await do("project-growth", deps, **given))["projection"]["code"] == "NOT_ASSESSED"


@pytest.mark.parametrize(
    ("wanted", "given"), [(None, 3), (5, 3), (2, 2), ("2", 3), (0, 3), (-1, 3), (2.0, 2)]
)
async def test_a_model_can_only_lower_the_profile(deps: WorkerDeps, wanted: Any, given: int) -> None:
    proposal = await do(
        "propose-portfolio", deps, application=application(), suitability={"profile": 3}, profile=wanted
    )

    assert proposal["proposal"]["profile"] == given


async def test_growth_starts_from_the_deposit_on_file_and_the_proposed_profile(deps: WorkerDeps) -> None:
    facts = {"application": application(), "suitability": {"profile": 3}}
    plain = (await do("project-growth", deps, **facts))["projection"]
    lower = (await do("project-growth", deps, proposal={"profile": 1}, years=5, **facts))["projection"]
    bolder = (await do("project-growth", deps, proposal={"profile": 5}, **facts))["projection"]

    assert (plain["initialCents"], plain["currency"], plain["years"]) == (48_000_000, "USD", 15)
    assert (lower["years"], lower["assumptions"]["volatilityPct"]) == (5, 2.5)
    assert bolder == plain
    assert plain["disclaimerCode"] == "NOT_A_FORECAST"


@pytest.mark.parametrize("years", ["ten", None, -3, 1e300, True, [5]])
async def test_odd_arguments_count_as_left_out(deps: WorkerDeps, years: Any) -> None:
    facts = {"application": application(), "suitability": {"profile": 3}}
    projection = (await do("project-growth", deps, years=years, monthlyContribution={"a": 1}, **facts))[
        "projection"
    ]

    assert projection["contributionCents"] == 0
    assert 1 <= projection["years"] <= 40


# --- names that are only added ---------------------------------------------------------------------


async def test_a_further_spelling_is_screened_beside_the_names_on_file(deps: WorkerDeps) -> None:
    listed = deps.sanctions.entries[0].names[0]
    plain = (await do("screen-sanctions", deps, application=application()))["sanctionsCheck"]
    added = (await do("screen-sanctions", deps, application=application(), nameVariants=[listed]))[
        "sanctionsCheck"
    ]

    assert plain["outcome"] == "clear"
    assert added["outcome"] in ("review", "failed")


async def test_no_spelling_hides_a_name_on_file(deps: WorkerDeps) -> None:
    listed = application("possible-sanctions-match")
    plain = (await do("screen-sanctions", deps, application=listed))["sanctionsCheck"]
    noise = [f"Nobody {n}" for n in range(50)]
    loud = (await do("screen-sanctions", deps, application=listed, nameVariants=noise))["sanctionsCheck"]

    assert plain["outcome"] != "clear"
    assert (loud["outcome"], loud["reasons"]) == (plain["outcome"], plain["reasons"])


@pytest.mark.parametrize("given", [None, "Sarah", {"0": "Sarah"}, [1, None, "", "   ", "x" * 121, ["a"]]])
def test_what_is_no_name_is_ignored(given: Any) -> None:
    assert name_variants(given) == ()


def test_spellings_are_bounded_and_each_is_taken_once() -> None:
    assert name_variants(["A  B", "A B", *(f"N {n}" for n in range(20))])[:2] == ("A B", "N 0")
    assert len(name_variants([f"N {n}" for n in range(20)])) == VARIANTS_MAX


async def test_a_media_report_makes_the_check_of_public_office_worse(deps: WorkerDeps) -> None:
    reported = application(otherNames=[{"kind": "former", "name": "Lucienne Ferrabois"}])
    check = (await do("screen-pep", deps, application=reported))["pepCheck"]
    quiet = (await do("screen-pep", deps, application=application()))["pepCheck"]

    assert (check["outcome"], check["reasons"]) == ("review", ["ADVERSE_MEDIA"])
    assert (quiet["outcome"], quiet["details"]["media"]) == ("clear", [])
    assert all("SYNTHETIC ENTRY, no real person" in entry.remarks for entry in deps.media.entries)


# --- the HTTP connector -----------------------------------------------------------------------------


def answering(status: int = 200, **parts: Any) -> Any:
    return lambda _request: httpx.Response(status, **parts)


async def fetch(deps: WorkerDeps, url: str = ADDRESS, method: str = "GET") -> dict[str, Any]:
    try:
        return await do("io.camunda:http-json:1", deps, {"resultVariable": "fx"}, method=method, url=url)
    finally:
        deps.ledger.close()


async def test_the_connector_reads_an_allowed_address_and_names_the_result() -> None:
    asked: list[httpx.Request] = []

    def server(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"rates": {"USD": 1.1172}}, headers={"Set-Cookie": "a=b"})

    fx = (await fetch(deps_with(server)))["fx"]

    assert str(asked[0].url) == f"{BASE}/latest?base=EUR&symbols=USD"
    assert (fx["status"], fx["body"]) == (200, {"rates": {"USD": 1.1172}})
    assert set(fx["headers"]) == {"content-type"}


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8001/fx/latest",
        "https://127.0.0.1:8000/fx/latest",
        "http://127.0.0.1:8000/internal/facts",
        "http://127.0.0.1:8000/fx/../internal/latest",
        "http://127.0.0.1:8000/fx/%2e%2e/internal",
        "http://127.0.0.1:8000/fx/deeper/latest",
        "http://user@127.0.0.1:8000/fx/latest",
        "http://127.0.0.1:8000@example.com/fx/latest",
        "file:///etc/passwd",
        "{{secrets.OTHER}}/latest",
        "http://[",
        "latest",
    ],
)
async def test_any_other_address_is_an_incident_and_asks_nobody(url: str) -> None:
    def nobody(_request: httpx.Request) -> httpx.Response:
        raise AssertionError("somebody was asked")

    with pytest.raises(IntegrityBroken):
        await fetch(deps_with(nobody), url)


async def test_the_connector_never_writes() -> None:
    with pytest.raises(IntegrityBroken):
        await fetch(deps_with(answering()), method="POST")


async def test_without_an_address_nothing_is_read() -> None:
    with pytest.raises(IntegrityBroken, match="AURUM_FX_ADDRESS"):
        await fetch(deps_with(answering(), secrets={}, bases=()))


@pytest.mark.parametrize("status", [400, 404])
async def test_an_unknown_rate_is_a_modelled_outcome(status: int) -> None:
    with pytest.raises(BpmnError) as caught:
        await fetch(deps_with(answering(status)))

    assert caught.value.error_code == "RATE_UNAVAILABLE"


def refusing(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused", request=request)


def slow(request: httpx.Request) -> httpx.Response:
    raise httpx.ReadTimeout("slow", request=request)


@pytest.mark.parametrize(
    "server",
    [
        answering(500),
        answering(429),
        answering(302, headers={"Location": "http://example.com/"}),
        answering(200, text="<html>"),
        answering(200, text="[" + "1," * ANSWER_BYTES_MAX + "1]"),
        refusing,
        slow,
    ],
    ids=["500", "429", "redirect", "no JSON", "too large", "refused", "slow"],
)
async def test_an_outage_is_tried_again_later(server: Any) -> None:
    with pytest.raises(ProviderUnavailable) as caught:
        await fetch(deps_with(server))

    assert caught.value.retry_after_ms > 0

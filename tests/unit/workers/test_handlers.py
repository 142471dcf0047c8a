"""Each service task as the process sees it: variables in, result or BPMN error out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aurum.clock import ManualClock
from aurum.domain import tasks
from aurum.domain.accounts import is_account_number
from aurum.domain.receipts import Receipt, sign_receipt
from aurum.errors import BpmnError, IntegrityBroken, ProviderUnavailable
from aurum.resources import resource_dir
from aurum_workers.ledger import Ledger
from aurum_workers.ports import JobInput, WorkerDeps
from aurum_workers.rates import bundled_rates
from aurum_workers.registry import BY_JOB_TYPE, REGISTRY, table
from aurum_workers.wire import to_wire

bundled_rates()  # Read once, while collecting, not inside the first test that needs it.

NOW_MS = 1_796_040_000_000
SECRET = b"r" * 32
ROOT = Path(__file__).parents[3]


class Engine:
    """What REST says about user tasks."""

    def __init__(self) -> None:
        self.tasks: dict[str, dict[str, Any]] = {}

    async def state(self, key: str) -> dict[str, Any] | None:
        return self.tasks.get(key)


@pytest.fixture
def engine() -> Engine:
    return Engine()


@pytest.fixture
def deps(engine: Engine) -> Iterator[WorkerDeps]:
    ledger = Ledger(":memory:")
    yield WorkerDeps(SECRET, ledger, ManualClock(NOW_MS), engine.state)
    ledger.close()


def example(name: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(
        (resource_dir("examples") / f"{name}.json").read_text(encoding="utf-8")
    )
    return record


async def do(job_type: str, deps: WorkerDeps, retries: int = 3, **variables: Any) -> dict[str, Any]:
    spec = BY_JOB_TYPE[job_type]
    fetched = {name: value for name, value in variables.items() if name in spec.fetches}
    result = await spec.handler(JobInput("1", "77", retries, fetched), deps)
    return to_wire(result, allowed=spec.writes)


async def parsed(deps: WorkerDeps, name: str = "sarah-chen", **changes: Any) -> dict[str, Any]:
    result = await do("parse-application", deps, caseId="c1", application=example(name) | changes)
    application: dict[str, Any] = result["application"]
    return application


def test_the_readme_repeats_the_registry() -> None:
    assert table() in (ROOT / "workers" / "README.md").read_text(encoding="utf-8")


def test_every_job_type_has_one_worker() -> None:
    of_the_process = {spec.element_id: spec.job_type for spec in REGISTRY if not spec.is_tool}

    assert of_the_process == tasks.JOB_TYPES
    assert len(BY_JOB_TYPE) == len(REGISTRY)


def test_the_process_file_and_the_registry_name_the_same_job_types() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "bpmn").rglob("*.bpmn"))

    for spec in REGISTRY:
        assert f'type="{spec.job_type}"' in text
        assert all(f'errorCode="{code}"' in text for code in spec.errors)


async def test_parsing_counts_fields_and_adds_the_hash(deps: WorkerDeps) -> None:
    result = await do("parse-application", deps, caseId="c1", application=example("sarah-chen"))

    assert result["parsed"] == {"fieldsParsed": 40, "warnings": []}
    assert result["application"]["hash"].startswith("sha256:")


async def test_an_invalid_application_goes_back_with_problems(deps: WorkerDeps) -> None:
    with pytest.raises(BpmnError) as caught:
        await parsed(deps, email="nobody")

    assert caught.value.error_code == "APPLICATION_INVALID"
    assert caught.value.variables == {"problems": [{"field": "/email", "code": "EMAIL_INVALID"}]}


async def test_an_expired_document_goes_back_with_the_field(deps: WorkerDeps) -> None:
    application = await parsed(deps, "expired-passport")

    with pytest.raises(BpmnError) as caught:
        await do("verify-identity", deps, application=application)

    assert caught.value.error_code == "DOCUMENT_EXPIRED"
    assert caught.value.variables == {"problems": [{"field": "/idExpiryDate", "code": "DOCUMENT_EXPIRED"}]}


@pytest.mark.parametrize(
    ("job_type", "variable"),
    [
        ("verify-identity", "identityCheck"),
        ("verify-tax-status", "taxCheck"),
        ("screen-sanctions", "sanctionsCheck"),
        ("screen-pep", "pepCheck"),
    ],
)
async def test_checks_name_their_basis_and_say_that_they_are_simulated(
    deps: WorkerDeps, job_type: str, variable: str
) -> None:
    application = await parsed(deps)
    check = (await do(job_type, deps, application=application))[variable]

    assert (check["outcome"], check["basisHash"]) == ("clear", application["hash"])
    assert (check["simulated"], "simulated" in check["source"]) == (True, True)
    assert check["asOf"] == "2026-11-30T12:00:00.000Z"


async def test_an_unparsed_application_is_an_incident(deps: WorkerDeps) -> None:
    for spec in REGISTRY[1:6]:
        with pytest.raises(IntegrityBroken):
            await do(spec.job_type, deps, application=example("sarah-chen"))


@pytest.mark.parametrize(
    ("name", "cents", "day"),
    [
        ("sarah-chen", 48_000_000, "2026-11-30"),
        ("james-rodriguez", 162_000_000, "2026-11-30"),
        ("eur-at-boundary", 150_000_000, "2026-10-30"),
    ],
)
async def test_quotes_use_the_last_published_rate(deps: WorkerDeps, name: str, cents: int, day: str) -> None:
    quote = (await do("quote-deposit", deps, application=await parsed(deps, name)))["quote"]

    assert (quote["depositUsdCents"], quote["rateDate"], quote["reason"]) == (cents, day, None)


async def test_a_currency_without_a_rate_has_a_reason_and_no_number(deps: WorkerDeps) -> None:
    application = await parsed(deps, initialDeposit={"amount": "5.00", "currency": "NAD"})
    quote = (await do("quote-deposit", deps, application=application))["quote"]

    assert (quote["depositUsdCents"], quote["rate"], quote["reason"]) == (None, None, "RATE_UNAVAILABLE")


async def test_the_customer_is_welcomed_in_their_language_with_the_ledgers_number(deps: WorkerDeps) -> None:
    application = await parsed(deps, "ptbr-cpf-one-name")
    account = deps.ledger.open("c1", deposit_usd_cents=5, currency="BRL", now_text="t")

    forged = {"accountNumber": "AURM-0000-0000-0000-00"}
    welcome = (await do("welcome-customer", deps, caseId="c1", application=application, account=forged))[
        "welcome"
    ]

    assert is_account_number(account.account_number)
    assert account.account_number in welcome["text"]
    assert welcome["text"].startswith("Boas-vindas")
    assert welcome["simulated"] is True


async def test_nobody_is_welcomed_without_an_account(deps: WorkerDeps) -> None:
    with pytest.raises(IntegrityBroken):
        await do("welcome-customer", deps, caseId="c1", application=await parsed(deps), account={})


def decline(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "case_id": "c1", "task_key": "9", "element_id": "advisor_review", "outcome": "decline",
        "reason_code": "SOURCE_OF_FUNDS_UNCLEAR", "person": "advisor", "deposit_usd_cents": None,
        "basis_hash": "h", "at": "t",
    }  # fmt: skip
    return sign_receipt(SECRET, Receipt(**(made | changes)))


async def test_a_signed_decline_is_sent_with_the_words_a_customer_may_read(
    deps: WorkerDeps, engine: Engine
) -> None:
    engine.tasks["9"] = {"state": "COMPLETED", "processInstanceKey": "77", "elementId": "advisor_review"}
    application = await parsed(deps)

    told = await do("send-decline", deps, caseId="c1", application=application, decisions=[decline()])
    quiet = await do(
        "send-decline",
        deps,
        caseId="c1",
        application=application,
        decisions=[decline(reason_code="COMPLIANCE")],
    )

    assert told["declineNotice"]["reasonText"] == "We could not establish where the deposit comes from."
    assert "reasonText" not in quiet["declineNotice"]


@pytest.mark.parametrize(
    "decisions",
    [
        [],
        None,
        [decline() | {"reasonCode": "OTHER"}],
        [decline(outcome="approve")],
        [decline(), decline(outcome="approve")],
        [decline(case_id="c2")],
        [decline(element_id="provide_information")],
    ],
    ids=["none", "null", "forged", "an approval", "approved later", "other case", "other task"],
)
async def test_nothing_is_declined_without_a_signed_decline(
    deps: WorkerDeps, engine: Engine, decisions: Any
) -> None:
    engine.tasks["9"] = {"state": "COMPLETED", "processInstanceKey": "77", "elementId": "advisor_review"}

    with pytest.raises(IntegrityBroken):
        await do("send-decline", deps, caseId="c1", application=await parsed(deps), decisions=decisions)


async def test_a_decline_by_nobodys_task_waits_for_the_search_and_then_is_an_incident(
    deps: WorkerDeps,
) -> None:
    variables = {"caseId": "c1", "application": await parsed(deps), "decisions": [decline()]}

    with pytest.raises(ProviderUnavailable):
        await do("send-decline", deps, retries=3, **variables)
    with pytest.raises(IntegrityBroken):
        await do("send-decline", deps, retries=1, **variables)

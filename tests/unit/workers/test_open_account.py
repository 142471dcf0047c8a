"""No account without evidence: every variable forged in turn, every approver in turn."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from aurum.clock import ManualClock
from aurum.domain.application import ParsedApplication, parse_application
from aurum.domain.basis import basis_hash
from aurum.domain.checks import CHECK_NAMES
from aurum.domain.quotes import quote_deposit
from aurum.domain.receipts import Receipt, sign_receipt
from aurum.errors import BpmnError, IntegrityBroken, ProviderUnavailable
from aurum.resources import resource_dir
from aurum_workers.ledger import Ledger
from aurum_workers.open_account import handle
from aurum_workers.ports import JobInput, WorkerDeps
from aurum_workers.rates import bundled_rates

bundled_rates()  # Read once, while collecting, not inside the first test that needs it.

SECRET = b"r" * 32
INSTANCE = "77"


@dataclass
class Case:
    """One case with its variables, the engine's tasks and the worker's world."""

    deps: WorkerDeps
    engine: dict[str, dict[str, Any]]
    variables: dict[str, Any] = field(default_factory=dict)

    def about(self, name: str, **changes: Any) -> Case:
        """Fill the variables as the process would have by now."""
        submitted = json.loads((resource_dir("examples") / f"{name}.json").read_text(encoding="utf-8"))
        parsed = parse_application({**submitted, **changes}, today=self.deps.today())
        assert isinstance(parsed, ParsedApplication), parsed
        quote = quote_deposit(parsed.record["initialDeposit"], self.deps.rates, on=self.deps.today())
        auto = (quote.deposit_usd_cents or 0) <= 150_000_000
        self.variables = {
            "caseId": "c1",
            "submitter": "james",
            "editors": [],
            "application": parsed.record,
            "checks": {name: {"outcome": "clear", "basisHash": parsed.hash} for name in CHECK_NAMES},
            "quote": quote.to_json(),
            "risk": {"score": 10, "band": "low", "factors": []},
            "route": {"route": "auto" if auto else "advisor", "group": "", "reasonCode": "WITHIN_LIMIT"},
            "decisions": [],
        }
        return self

    def decide(self, person: str, *, key: str = "9", element: str = "advisor_review", **changes: Any) -> None:
        """Sign what the BFF would sign and complete the task."""
        v = self.variables
        signed = {
            "case_id": "c1",
            "task_key": key,
            "element_id": element,
            "outcome": "approve",
            "reason_code": "APPROVED",
            "person": person,
            "deposit_usd_cents": v["quote"]["depositUsdCents"],
            "basis_hash": basis_hash(
                v["application"]["hash"], v["checks"], v["quote"], v["risk"], v["route"], key
            ),
            "at": "2026-11-30T12:00:00.000Z",
        }
        v["decisions"] = [*v["decisions"], sign_receipt(SECRET, Receipt(**(signed | changes)))]
        self.engine[key] = {"state": "COMPLETED", "processInstanceKey": INSTANCE, "elementId": element}

    async def open(self, retries: int = 3) -> dict[str, Any]:
        result: dict[str, Any] = (await handle(JobInput("1", INSTANCE, retries, self.variables), self.deps))[
            "account"
        ]
        return result

    async def refuses(self) -> None:
        """The job ends in an incident and the ledger stays empty."""
        with pytest.raises(IntegrityBroken):
            await self.open()
        assert self.deps.ledger.count() == 0


@pytest.fixture
def case() -> Iterator[Case]:
    engine: dict[str, dict[str, Any]] = {}

    async def state(key: str) -> dict[str, Any] | None:
        return engine.get(key)

    ledger = Ledger(":memory:")
    yield Case(WorkerDeps(SECRET, ledger, ManualClock(1_796_040_000_000), state), engine)
    ledger.close()


async def test_a_clean_case_within_the_limit_opens_without_a_person(case: Case) -> None:
    account = await case.about("sarah-chen").open()

    assert (account["depositUsdCents"], account["currency"], account["simulated"]) == (
        48_000_000,
        "USD",
        True,
    )


async def test_exactly_the_limit_opens_without_a_person(case: Case) -> None:
    assert (await case.about("eur-at-boundary").open())["depositUsdCents"] == 150_000_000


async def test_the_same_case_twice_is_one_account(case: Case) -> None:
    case.about("sarah-chen")

    assert await case.open() == await case.open()
    assert case.deps.ledger.count() == 1


async def test_over_the_limit_an_approval_opens(case: Case) -> None:
    case.about("james-rodriguez").decide("advisor")

    assert (await case.open())["depositUsdCents"] == 162_000_000


async def test_over_the_limit_nothing_opens_without_a_decision(case: Case) -> None:
    await case.about("james-rodriguez").refuses()


FORGED_ROUTE = {"route": "auto", "group": "", "reasonCode": "WITHIN_LIMIT"}


@pytest.mark.parametrize(
    "changes",
    [
        {"route": FORGED_ROUTE},
        {"route": FORGED_ROUTE, "risk": {"band": "low"}, "depositUsdCents": 1},
        {"route": FORGED_ROUTE, "quote": {"depositUsdCents": 100, "rateDate": "2026-11-30", "rate": "1"}},
        {"decisions": [{"outcome": "approve", "person": "advisor"}]},
        {"decisions": [None]},
        {"decisions": "approved"},
        {"decisions": None},
    ],
    ids=["route", "route and amount", "route and quote", "receipt", "null", "text", "none"],
)
async def test_completing_jamess_task_with_forged_variables_opens_nothing(
    case: Case, changes: dict[str, Any]
) -> None:
    case.about("james-rodriguez")
    case.variables |= changes
    case.engine["9"] = {"state": "COMPLETED", "processInstanceKey": INSTANCE, "elementId": "advisor_review"}

    await case.refuses()


@pytest.mark.parametrize("name", CHECK_NAMES)
async def test_a_check_that_is_not_clear_needs_a_person(case: Case, name: str) -> None:
    case.about("sarah-chen").variables["checks"][name]["outcome"] = "review"

    await case.refuses()


@pytest.mark.parametrize("name", ["possible-sanctions-match", "pep", "expired-passport"])
async def test_checks_forged_clear_are_done_again(case: Case, name: str) -> None:
    await case.about(name).refuses()


async def test_a_person_may_open_what_the_rules_do_not(case: Case) -> None:
    case.about("sarah-chen").variables["checks"]["sanctions"]["outcome"] = "review"
    case.variables["route"] = {"route": "advisor", "group": "advisors", "reasonCode": "SANCTIONS_FLAG"}
    case.decide("advisor", reason_code="FALSE_POSITIVE")

    assert await case.open()


@pytest.mark.parametrize("name", ["application", "checks", "quote", "risk", "route"])
async def test_what_changed_after_the_approval_was_not_approved(case: Case, name: str) -> None:
    case.about("james-rodriguez").decide("advisor")
    case.variables[name] = {**case.variables[name], "channel": "branch", "note": "changed"}

    await case.refuses()


@pytest.mark.parametrize(
    "changes",
    [
        {"case_id": "c2"},
        {"outcome": "decline"},
        {"outcome": "request-info"},
        {"deposit_usd_cents": 161_999_999},
        {"deposit_usd_cents": None},
        {"basis_hash": "sha256:other"},
        {"task_key": "10"},
        {"element_id": "second_approval"},
        {"person": "james"},
        {"person": ""},
    ],
    ids=lambda changes: next(iter(changes)) + "=" + str(next(iter(changes.values()))),
)
async def test_a_signed_receipt_about_something_else_opens_nothing(
    case: Case, changes: dict[str, Any]
) -> None:
    case.about("james-rodriguez").decide(**{"person": "advisor"} | changes)

    await case.refuses()


async def test_a_later_decline_outweighs_an_approval(case: Case) -> None:
    case.about("james-rodriguez").decide("advisor")
    case.decide("advisor", key="10", outcome="decline", reason_code="COMPLIANCE")

    await case.refuses()


@pytest.mark.parametrize(
    "task",
    [
        {"state": "CANCELED", "processInstanceKey": INSTANCE, "elementId": "advisor_review"},
        {"state": "COMPLETED", "processInstanceKey": "78", "elementId": "advisor_review"},
        {"state": "COMPLETED", "processInstanceKey": INSTANCE, "elementId": "provide_information"},
    ],
    ids=["cancelled", "other instance", "other task"],
)
async def test_a_task_that_was_not_completed_in_this_case_proves_nothing(
    case: Case, task: dict[str, Any]
) -> None:
    case.about("james-rodriguez").decide("advisor")
    case.engine["9"] = task

    await case.refuses()


@pytest.mark.parametrize("state", [None, "CREATED", "COMPLETING"])
async def test_a_search_that_is_behind_is_waited_for_but_not_for_ever(case: Case, state: str | None) -> None:
    case.about("james-rodriguez").decide("advisor")
    if state is None:
        case.engine.clear()
    else:
        case.engine["9"]["state"] = state

    with pytest.raises(ProviderUnavailable):
        await case.open(retries=3)
    with pytest.raises(IntegrityBroken):
        await case.open(retries=1)


PEOPLE = ("james", "editor", "advisor", "senior.advisor")


@pytest.mark.parametrize(("first", "second"), list(itertools.product(PEOPLE, PEOPLE)))
async def test_four_eyes_are_two_unconnected_people(case: Case, first: str, second: str) -> None:
    case.about(
        "james-rodriguez",
        initialDeposit={"amount": "5000000.01", "currency": "USD"},
        liquidNetWorth={"amount": "6000000.00", "currency": "USD"},
    )
    case.variables["editors"] = ["editor"]
    case.decide(first, key="9")
    case.decide(second, key="10", element="second_approval")

    if {first, second} == {"advisor", "senior.advisor"}:
        assert (await case.open())["depositUsdCents"] == 500_000_001
    else:
        await case.refuses()


async def test_above_five_million_one_approval_is_not_enough(case: Case) -> None:
    case.about(
        "james-rodriguez",
        initialDeposit={"amount": "5000000.01", "currency": "USD"},
        liquidNetWorth={"amount": "6000000.00", "currency": "USD"},
    ).decide("advisor")

    await case.refuses()


async def test_a_second_approval_from_before_the_review_does_not_count(case: Case) -> None:
    case.about(
        "james-rodriguez",
        initialDeposit={"amount": "5000000.01", "currency": "USD"},
        liquidNetWorth={"amount": "6000000.00", "currency": "USD"},
    ).decide("senior.advisor", key="10", element="second_approval")
    case.decide("advisor", key="11")

    await case.refuses()


@pytest.mark.parametrize(
    "day", ["1999-01-04", "2025-02-03", "2026-10-31", "2026-12-01", "2026-02-30", 5, None]
)
async def test_a_rate_of_a_chosen_day_is_refused(case: Case, day: object) -> None:
    case.about("eur-at-boundary").variables["quote"]["rateDate"] = day

    await case.refuses()


async def test_a_favourable_old_rate_is_refused_even_with_its_own_cents(case: Case) -> None:
    case.about("eur-at-boundary")
    old = case.deps.rates.rate_to_usd("EUR", case.deps.today().replace(year=2022, month=9, day=27))
    assert old is not None
    deposit = case.variables["application"]["initialDeposit"]
    case.variables["quote"] = quote_deposit(deposit, case.deps.rates, on=old.day).to_json()

    await case.refuses()


async def test_a_ledger_that_refuses_sends_the_case_back_to_review(case: Case) -> None:
    case.about("sarah-chen")
    case.deps.ledger.open("c1", deposit_usd_cents=1, currency="USD", now_text="t")

    with pytest.raises(BpmnError) as caught:
        await case.open()

    assert caught.value.error_code == "ACCOUNT_REFUSED"
    assert caught.value.variables == {
        "refusal": {"code": "LEDGER_CONFLICT", "ledger": "AURUM demo ledger (simulated)", "simulated": True}
    }

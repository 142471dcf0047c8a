"""kill -9 at any moment: the state is in the engine; restart, replay, go on."""

import shutil
import time
from pathlib import Path

import pytest
from tests.support.process import Product

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]  # Every start of the product takes about 3 s.

END = {"sarah": "account_opened", "james": "waiting"}
EXAMPLE = {"sarah": "sarah-chen", "james": "james-rodriguez"}


@pytest.mark.deep
def test_a_parked_case_survives_kill_and_its_stream_goes_on_without_gap_or_double(tmp_path: Path) -> None:
    with Product(tmp_path / "data") as product:
        case_id = product.submit("james", "james-rodriguez")
        before = product.until("james", case_id, "waiting")
        joined = product.read("james", case_id, "customer", after=None, until="RUN_FINISHED")
        at = str(joined[-1].id)
        epoch, _, seq = at.partition(".")
        whole = product.read("james", case_id, "customer", after=f"{epoch}.0", until="RUN_FINISHED")

        product.restart_after_kill()
        after = product.until("james", case_id, "waiting")
        again = product.read("james", case_id, "customer", after=f"{epoch}.0", until="RUN_FINISHED")
        assert product.decide("advisor", case_id, "approve").status_code == 200
        product.until("james", case_id, "account_opened")
        rest = product.read("james", case_id, "customer", after=at, until="RUN_FINISHED")

        assert after == before
        assert again == whole
        assert [frame.id for frame in rest] == [f"{epoch}.{int(seq) + n}" for n in range(1, len(rest) + 1)]
        assert product.accounts(case_id) == 1


def test_a_lost_fact_log_costs_a_reset_and_no_data(tmp_path: Path) -> None:
    with Product(tmp_path / "data") as product:
        case_id = product.submit("james", "james-rodriguez")
        before = product.until("james", case_id, "waiting")
        joined = product.read("james", case_id, "customer", after=None, until="RUN_FINISHED")
        ids = [fact["id"] for fact in product.facts(case_id) if fact["kind"] not in LIVE_ONLY]

        product.kill()
        shutil.rmtree(product.data_dir / "facts")
        product.start()
        after = product.until("james", case_id, "waiting")
        anew = product.read("james", case_id, "customer", after=str(joined[-1].id), until="RUN_FINISHED")

        old, new = before.pop("position"), after.pop("position")
        assert after == before
        assert old.partition(".")[0] != new.partition(".")[0]
        assert anew[0].event["metadata"] == {"com.aurum": {"prelude": True}}
        assert anew[1].event["snapshot"] == joined[1].event["snapshot"]
        assert {fact["id"] for fact in product.facts(case_id)} == set(ids)
        assert product.decide("advisor", case_id, "approve").status_code == 200
        product.until("james", case_id, "account_opened")


LIVE_ONLY = ("turnText", "turnAbandoned")
"""Words of a turn on their way: what was said comes back with the turn, not how it arrived."""


def elements(product: Product, case_id: str) -> list[tuple[str, str]]:
    """Return what happened, without keys: kind and element of every fact, sorted."""
    facts = [fact for fact in product.facts(case_id) if fact["kind"] not in LIVE_ONLY]
    return sorted((fact["kind"], fact.get("elementId") or "") for fact in facts)


def kill_at(tmp_path: Path, person: str, moments: list[float]) -> None:
    """Kill at each moment of a fresh case, every second time losing the fact log as well.

    Every case ends like the undisturbed one.
    """
    with Product(tmp_path / "data", pace_ms=60) as product:
        calm = product.submit(person, EXAMPLE[person])
        product.until(person, calm, END[person])
        expected = elements(product, calm)
        for number, moment in enumerate(moments):
            case_id = product.submit(person, EXAMPLE[person], key=f"kill-{number}")
            time.sleep(moment)  # The moment of the kill is the input of this test.
            product.kill()
            if number % 2:
                shutil.rmtree(product.data_dir / "facts")
            product.start()
            assert product.submit(person, EXAMPLE[person], key=f"kill-{number}") == case_id
            product.until(person, case_id, END[person])

            ids = [fact["id"] for fact in product.facts(case_id)]
            assert len(ids) == len(set(ids))
            assert elements(product, case_id) == expected
            assert product.accounts(case_id) == (1 if person == "sarah" else 0)


@pytest.mark.deep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("person", ["sarah", "james"])
def test_a_kill_at_each_step_changes_nothing_but_the_time(tmp_path: Path, person: str) -> None:
    kill_at(tmp_path, person, [step * 0.08 for step in range(10)])

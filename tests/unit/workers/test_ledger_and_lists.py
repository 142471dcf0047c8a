"""The demo ledger's promises, the list loader's strictness, the rate table's days."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from aurum_workers.ledger import Ledger, LedgerRefused
from aurum_workers.lists import (
    ListUnreadable,
    country_code,
    load_entries,
    synthetic_peps,
    synthetic_sanctions,
)
from aurum_workers.rates import bundled_rates

OPEN_AND_DIE = """
import os, signal, sys
from aurum_workers.ledger import Ledger
account = Ledger(sys.argv[1]).open("c1", deposit_usd_cents=5, currency="USD", now_text="first")
print(account.account_number, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_an_account_survives_a_kill_between_effect_and_completion(tmp_path: Path) -> None:
    """Starts a Python process."""
    path = tmp_path / "ledger.sqlite"
    dead = subprocess.run(
        [sys.executable, "-c", OPEN_AND_DIE, str(path)], capture_output=True, text=True, check=False
    )

    ledger = Ledger(path)
    again = ledger.open("c1", deposit_usd_cents=5, currency="USD", now_text="second")

    assert dead.returncode == -9
    assert (again.account_number, again.opened_at) == (dead.stdout.strip(), "first")
    assert ledger.count() == 1
    ledger.close()


def test_twenty_threads_open_one_account(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite")

    with ThreadPoolExecutor(20) as threads:
        accounts = list(
            threads.map(
                lambda n: ledger.open("c1", deposit_usd_cents=5, currency="USD", now_text=str(n)), range(20)
            )
        )

    assert len(set(accounts)) == 1
    assert ledger.count() == 1
    ledger.close()


@pytest.mark.parametrize(
    ("cents", "currency", "code"), [(6, "USD", "LEDGER_CONFLICT"), (5, "SYP", "CURRENCY_NOT_OFFERED")]
)
def test_other_terms_are_refused(cents: int, currency: str, code: str) -> None:
    ledger = Ledger(":memory:")
    ledger.open("c1", deposit_usd_cents=5, currency="USD", now_text="t")

    with pytest.raises(LedgerRefused) as caught:
        ledger.open("c1", deposit_usd_cents=cents, currency=currency, now_text="t")

    assert caught.value.code == code
    ledger.close()


def test_forty_invented_persons_are_listed_and_say_so() -> None:
    listed = synthetic_sanctions()

    assert len(listed.entries) == 40
    assert listed.simulated
    assert all("SYNTHETIC ENTRY, no real person" in entry.remarks for entry in listed.entries)
    assert all("SYNTHETIC ENTRY, no real person" in entry.remarks for entry in synthetic_peps().entries)


def real_shape(folder: Path, *, sdn: str) -> Path:
    (folder / "sdn.csv").write_bytes(sdn.encode("cp1252") + b"\r\n\x1a")
    (folder / "alt.csv").write_text('36,12,"aka","PÉREZ, Pepe",-0- \n', encoding="utf-8")
    (folder / "add.csv").write_text('36,25,"-0- ","Havana","Cuba",-0- \n', encoding="utf-8")
    return folder


def test_published_files_are_read_with_empties_aliases_and_countries(tmp_path: Path) -> None:
    dashes = ",".join(["-0- "] * 6)
    sdn = (
        f'36,"AEROCARIBBEAN AIRLINES",-0- ,"CUBA",-0- ,{dashes},-0- \r\n'
        f'37,"PÉREZ, José María",individual,"CUBA",-0- ,{dashes},'
        '"DOB 07 Oct 1954; alt. DOB 1955; nationality Iran."\r\n'
        f'36,"PEREZ, Uno",individual,"CUBA",-0- ,{dashes},"DOB circa 1960."'
    )

    first, second = load_entries(real_shape(tmp_path, sdn=sdn), "sdn.csv", list_name="SDN")

    assert first.names == ("José María PÉREZ",)
    assert (first.birth_years, first.countries) == ((1954, 1955), ("IR",))
    assert second.names == ("Uno PEREZ", "Pepe PÉREZ")
    assert (second.birth_years, second.countries) == ((1960,), ("CU",))


@pytest.mark.parametrize(
    "sdn", ["", "<html>not found</html>", '36,"A",individual', '"ent_num",' + ",".join(["x"] * 11)],
    ids=["empty", "error page", "cut off", "header"],
)  # fmt: skip
def test_half_a_list_is_refused_loudly(tmp_path: Path, sdn: str) -> None:
    with pytest.raises(ListUnreadable):
        load_entries(real_shape(tmp_path, sdn=sdn), "sdn.csv", list_name="SDN")


def test_a_missing_file_is_not_an_empty_list(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_entries(tmp_path, "sdn.csv", list_name="SDN")


@pytest.mark.parametrize(
    ("name", "code"),
    [("Namibia", "NA"), ("Iran", "IR"), ("Korea, North", "KP"), ("Atlantis", None), ("", None)],
)
def test_country_names_of_lists_become_codes(name: str, code: str | None) -> None:
    assert country_code(name) == code


def test_rates_repeat_over_weekends_and_end_with_the_snapshot() -> None:
    rates = bundled_rates()
    friday, sunday = rates.rate_to_usd("EUR", date(2026, 10, 30)), rates.rate_to_usd("EUR", date(2026, 11, 1))

    assert friday is not None
    assert (friday.to_usd, friday.day) == (Decimal("1.1172"), date(2026, 10, 30))
    assert sunday == friday


@pytest.mark.parametrize("currency", ["NAD", "RUB", "XXX", "usd", "HRK"])
def test_what_is_not_published_has_no_rate(currency: str) -> None:
    assert bundled_rates().rate_to_usd(currency, date(2026, 10, 30)) is None


def test_there_is_no_rate_before_the_first_day() -> None:
    assert bundled_rates().rate_to_usd("EUR", date(1998, 12, 31)) is None

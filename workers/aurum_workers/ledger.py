"""The demo bank's ledger: one account per case, whatever is delivered how often.

SQLite with WAL and FULL: an account that `open` has returned survives `kill -9` and power loss. The
case id is the primary key, so a job that died between the effect and its completion finds the very
account it opened. Simulated: no real institution is asked.
"""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aurum.domain.accounts import account_number

NAME = "AURUM demo ledger (simulated)"

BUSY_TIMEOUT_SECONDS = 5.0
"""How long a second process waits for the writer before sqlite3 gives up."""

CURRENCIES_REFUSED = frozenset({"KPW", "IRR", "SYP"})
"""Currencies the demo ledger does not carry: the way to see ACCOUNT_REFUSED."""


@dataclass(frozen=True, slots=True)
class Account:
    """An opened account. `opened_at` is an ISO instant, `deposit_usd_cents` whole cents."""

    case_id: str
    account_number: str
    opened_at: str
    deposit_usd_cents: int
    currency: str

    def to_json(self) -> dict[str, Any]:
        """Return the `account` variable's shape."""
        return {
            "accountNumber": self.account_number,
            "openedAt": self.opened_at,
            "depositUsdCents": self.deposit_usd_cents,
            "currency": self.currency,
            "ledger": NAME,
            "simulated": True,
        }


class LedgerRefused(Exception):
    """The ledger's own business refusal; `code` is in the reason catalogue."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Ledger:
    """Thread-safe; several processes may share the file. Close it when done."""

    def __init__(self, path: Path | str) -> None:
        self._lock = threading.Lock()
        self._db = sqlite3.connect(
            path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS account ("
            " case_id TEXT PRIMARY KEY, account_number TEXT NOT NULL UNIQUE, opened_at TEXT NOT NULL,"
            " deposit_usd_cents INTEGER NOT NULL CHECK (deposit_usd_cents > 0), currency TEXT NOT NULL"
            ") STRICT, WITHOUT ROWID"
        )

    def open(self, case_id: str, *, deposit_usd_cents: int, currency: str, now_text: str) -> Account:
        """Return the case's account, opening it if there is none. Durable when it returns.

        Raises `LedgerRefused`: CURRENCY_NOT_OFFERED, or LEDGER_CONFLICT when the case already has an
        account with another deposit or currency.
        """
        if currency in CURRENCIES_REFUSED:
            raise LedgerRefused("CURRENCY_NOT_OFFERED")
        with self._lock:
            self._db.execute(
                "INSERT INTO account VALUES (?, ?, ?, ?, ?) ON CONFLICT (case_id) DO NOTHING",
                (case_id, account_number(case_id), now_text, deposit_usd_cents, currency),
            )
            account = self._find(case_id)
        if account is None or (account.deposit_usd_cents, account.currency) != (deposit_usd_cents, currency):
            raise LedgerRefused("LEDGER_CONFLICT")
        return account

    def find(self, case_id: str) -> Account | None:
        """Return the case's account, if it was opened."""
        with self._lock:
            return self._find(case_id)

    def count(self) -> int:
        """Return how many accounts there are."""
        with self._lock:
            return int(self._db.execute("SELECT count(*) FROM account").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def _find(self, case_id: str) -> Account | None:
        row = self._db.execute("SELECT * FROM account WHERE case_id = ?", (case_id,)).fetchone()
        return None if row is None else Account(*row)

"""The deposit in US cents: the one number that routing and account opening agree on.

The rate table is passed in. The quote stores the exact rate text it multiplied with, the day of the
rate and its source, so that anybody can repeat the multiplication. No rate means no number and a
reason, never a guess: routing then goes to a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any, Protocol

from aurum.money import InvalidAmount, parse_amount, usd_cents

RATE_DECIMALS = 12
"""Digits after the point of a cross rate. EUR/USD itself is exact; others are rounded once, here."""

RATE_AGE_DAYS_MAX = 90
"""How old a quoted rate may be when the account is opened: two thirty-day waits and a long review."""

_EXACT = Context(prec=40, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True)
class Rate:
    """US dollars for one unit of a currency, as published for `day`."""

    to_usd: Decimal
    day: date
    source: str


class Rates(Protocol):
    """A table of published rates."""

    def rate_to_usd(self, currency: str, day: date) -> Rate | None:
        """Return the rate of the last published day at or before `day`; None when there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Quote:
    """The `quote` variable. `deposit_usd_cents` is None exactly when `reason` says why."""

    amount: str
    currency: str
    deposit_usd_cents: int | None
    rate: str | None
    rate_date: str | None
    rate_source: str | None
    reason: str | None

    def to_json(self) -> dict[str, Any]:
        """Return the process variable's shape."""
        return {
            "amount": self.amount,
            "currency": self.currency,
            "depositUsdCents": self.deposit_usd_cents,
            "rate": self.rate,
            "rateDate": self.rate_date,
            "rateSource": self.rate_source,
            "reason": self.reason,
        }


def quote_deposit(deposit: Mapping[str, Any], rates: Rates, *, on: date) -> Quote:
    """Return the quote of `{"amount", "currency"}` for the bank's day `on`. Never raises for bad amounts."""
    currency = str(deposit.get("currency"))
    try:
        amount = parse_amount(deposit.get("amount"), currency)
    except InvalidAmount as error:
        return Quote("", currency, None, None, None, None, "AMOUNT_" + error.code)
    rate = rates.rate_to_usd(currency, on)
    if rate is None:
        return Quote(str(amount), currency, None, None, None, None, "RATE_UNAVAILABLE")
    try:
        cents = usd_cents(amount, rate.to_usd)
    except InvalidAmount as error:
        return Quote(str(amount), currency, None, None, None, None, "AMOUNT_" + error.code)
    return Quote(
        str(amount), currency, cents, rate_text(rate.to_usd), rate.day.isoformat(), rate.source, None
    )


def cross_rate(usd_per_eur: Decimal, currency_per_eur: Decimal) -> Decimal:
    """Return US dollars per unit of a currency from two euro rates, half even at `RATE_DECIMALS`."""
    return _EXACT.divide(usd_per_eur, currency_per_eur).quantize(
        Decimal(1).scaleb(-RATE_DECIMALS), context=_EXACT
    )


def rate_text(rate: Decimal) -> str:
    """Return a rate as plain text without exponent or trailing zeros."""
    text = format(rate, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text

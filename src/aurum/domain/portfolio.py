"""Illustrative model portfolios, one for each investment profile. Pure; no advice, no real product.

An allocation is whole percents that sum to exactly 100. The profile that was assessed is a ceiling:
what a customer or an assistant asks for can only lower it. Answers on file make it more cautious
still, never bolder: a high need for liquidity raises cash, missing experience removes real assets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PROFILES = (1, 2, 3, 4, 5)

ASSET_CLASSES: dict[str, str] = {
    "cash": "Cash and money market",
    "governmentBonds": "Government bonds",
    "corporateBonds": "Corporate bonds",
    "developedEquities": "Equities, developed markets",
    "emergingEquities": "Equities, emerging markets",
    "realAssets": "Real assets",
}
"""Asset class -> English label, from the most to the least cautious."""

_MODELS: Mapping[int, tuple[int, ...]] = {
    1: (30, 55, 15, 0, 0, 0),
    2: (15, 45, 20, 15, 0, 5),
    3: (5, 30, 20, 35, 5, 5),
    4: (5, 15, 10, 50, 12, 8),
    5: (2, 5, 5, 60, 18, 10),
}
"""Profile -> percents in the order of `ASSET_CLASSES`."""

CASH_MIN_LIQUID = 15
"""Percent in cash for somebody who may need the money soon."""

SHORT_HORIZON_YEARS = 5
SOURCE = "AURUM model portfolios (illustrative)"


@dataclass(frozen=True, slots=True)
class Proposal:
    """The `proposal` variable. `allocation` is (asset class, percent), zero shares left out."""

    profile: int
    allocation: tuple[tuple[str, int], ...]
    rationale: tuple[str, ...]
    horizon_years: int
    as_of: str

    def to_json(self) -> dict[str, Any]:
        """Return the process variable's shape."""
        return {
            "profile": self.profile,
            "allocation": [
                {"assetClass": name, "label": ASSET_CLASSES[name], "percent": percent}
                for name, percent in self.allocation
            ],
            "rationaleCodes": list(self.rationale),
            "horizonYears": self.horizon_years,
            "asOf": self.as_of,
            "source": SOURCE,
            "simulated": True,
        }


def assessed_profile(suitability: object) -> int | None:
    """Return the profile of a `suitability` result; None for anything that is no assessment."""
    if not isinstance(suitability, Mapping):
        return None
    return _profile(suitability.get("profile"))


def capped_profile(assessed: int, wanted: object) -> int:
    """Return the wanted profile if it is a more cautious one, else the assessed one."""
    asked = _profile(wanted)
    return assessed if asked is None else min(assessed, asked)


def propose(application: Mapping[str, Any], assessed: int, wanted: object, *, as_of: str) -> Proposal:
    """Return the allocation for a normalised application and its assessed profile (1..5)."""
    profile = capped_profile(assessed, wanted)
    answers = application["suitability"]
    shares = dict(zip(ASSET_CLASSES, _MODELS[profile], strict=True))
    rationale = ["PORTFOLIO_FITS_PROFILE"]
    if profile < assessed:
        rationale.append("PORTFOLIO_LOWERED")
    if answers["experience"]["alternatives"] == "none" and shares["realAssets"]:
        shares["governmentBonds"] += shares["realAssets"]
        shares["realAssets"] = 0
        rationale.append("PORTFOLIO_NO_REAL_ASSETS")
    if answers["liquidityNeed"] == "high" and shares["cash"] < CASH_MIN_LIQUID:
        _raise_cash(shares)
        rationale.append("PORTFOLIO_MORE_CASH")
    if answers["sustainability"] != "none":
        rationale.append("PORTFOLIO_SUSTAINABLE")
    if answers["horizonYears"] < SHORT_HORIZON_YEARS:
        rationale.append("PORTFOLIO_SHORT_HORIZON")
    allocation = tuple((name, percent) for name, percent in shares.items() if percent)
    return Proposal(profile, allocation, tuple(rationale), answers["horizonYears"], as_of)


def _profile(value: object) -> int | None:
    """Whole numbers 1..5 only; a decimal from JSON counts when it is whole."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if value in PROFILES else None


def _raise_cash(shares: dict[str, int]) -> None:
    """Take what cash lacks from the boldest classes first."""
    missing = CASH_MIN_LIQUID - shares["cash"]
    for name in reversed(ASSET_CLASSES):
        if name == "cash":
            break
        taken = min(missing, shares[name])
        shares[name] -= taken
        shares["cash"] += taken
        missing -= taken

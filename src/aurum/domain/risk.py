"""Names of the AML risk result. The points themselves live in `risk-score.dmn` and nowhere else."""

from __future__ import annotations

from typing import Literal, get_args

RiskBand = Literal["low", "medium", "high"]

RISK_BANDS: tuple[RiskBand, ...] = get_args(RiskBand)
"""Ascending; low below 30, medium below 60, high from 60."""

AUTO_BANDS: frozenset[str] = frozenset({"low", "medium"})
"""Bands with which an account may open without a person."""


def is_auto_band(band: object) -> bool:
    """Whether the value is exactly one of the bands that need no person."""
    return isinstance(band, str) and band in AUTO_BANDS

"""Names of the investment profile. The rules live in `suitability.dmn` and nowhere else."""

from __future__ import annotations

PROFILE_LABELS: dict[int, str] = {
    1: "Capital preservation",
    2: "Conservative",
    3: "Balanced",
    4: "Growth",
    5: "Aggressive growth",
}
"""Fallback labels for people; the decision's own `label` wins where it is present."""

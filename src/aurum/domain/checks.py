"""The shape every check result has, and what "done" and "clear" mean.

`basisHash` ties a result to the very application it looked at: after any edit the hash differs and
the result no longer counts, without anybody having to delete it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Outcome = Literal["clear", "review", "failed"]

CHECK_NAMES: tuple[str, ...] = ("identity", "tax", "sanctions", "pep")
"""Keys of the `checks` variable. All four are required before an account."""

_SEVERITY: Mapping[str, int] = {"clear": 0, "review": 1, "failed": 2}


@dataclass(frozen=True, slots=True)
class Check:
    """One result. `reasons` are codes of the catalogue, `details` is small JSON for the cards."""

    outcome: Outcome
    basis_hash: str
    reasons: tuple[str, ...]
    as_of: str
    source: str
    details: Mapping[str, Any] = field(default_factory=dict)
    simulated: bool = True

    def to_json(self) -> dict[str, Any]:
        """Return the process variable's shape."""
        return {
            "outcome": self.outcome,
            "basisHash": self.basis_hash,
            "reasons": list(self.reasons),
            "asOf": self.as_of,
            "source": self.source,
            "simulated": self.simulated,
            "details": dict(self.details),
        }


def worst(outcomes: list[Outcome]) -> Outcome:
    """Return the most severe outcome; of none, `clear`."""
    return max(outcomes, key=_SEVERITY.__getitem__, default="clear")


def is_clear(check: object, application_hash: str) -> bool:
    """Whether a stored result says clear about exactly this application. Anything odd is not clear."""
    return (
        isinstance(check, Mapping)
        and check.get("outcome") == "clear"
        and isinstance(application_hash, str)
        and application_hash != ""
        and check.get("basisHash") == application_hash
    )

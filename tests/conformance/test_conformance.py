"""Floors of public conformance: what has been reached does not get lost.

The vectors lie outside the repository, in `../shared/data` or where `AURUM_CONFORMANCE_DATA` says.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conformance import feel, tck

TCK_PASSED_MIN = 3_368
"""Of 3,391 cases; `docs/supported-feel-dmn.md` lists the rest with reasons."""

TCK_CAMUNDA_PASSED_MIN = 2_850
"""Of the 2,850 cases that Camunda's own engine passes: all."""

FEEL_VECTORS_PASSED_MIN = 570
"""Of 586; the other 16 were cut out of their tests together with Scala code and are no FEEL."""


def data(name: str) -> Path:
    """Return a file or folder of vectors, or skip saying where it was looked for."""
    default = Path(__file__).resolve().parents[2].parent / "shared" / "data"
    path = Path(os.environ.get("AURUM_CONFORMANCE_DATA", default)) / name
    if not path.exists():
        pytest.skip(f"no conformance data at {path}: set AURUM_CONFORMANCE_DATA")
    return path


@pytest.mark.slow  # 3,391 cases, about two seconds.
def test_the_dmn_tck_passes_to_its_floor() -> None:
    root = data("dmn-tck")

    outcomes = tck.run_all(root)

    passed = {outcome.key for outcome in outcomes if outcome.passed}
    assert sum(outcome.passed for outcome in outcomes) >= TCK_PASSED_MIN
    assert len(passed & tck.camunda_passes(root)) >= TCK_CAMUNDA_PASSED_MIN


@pytest.mark.slow  # One vector builds a list of a million items.
def test_the_feel_scala_vectors_pass_to_their_floor() -> None:
    passed, _ = feel.run(data("feel-vectors.json"))

    assert passed >= FEEL_VECTORS_PASSED_MIN

"""The shadow run says and shows the same thing every time: committed, and compared here.

When a difference is wanted: `python -m tests.golden.make --shadow`, and read the diff.
"""

from pathlib import Path

import pytest
from tests.golden.make import FOLDER, SHADOW_CASES, shadow_transcripts


@pytest.mark.slow  # Two whole cases through the product: about two seconds.
async def test_the_shadow_run_of_both_cases_is_what_was_committed(tmp_path: Path) -> None:
    found = await shadow_transcripts(tmp_path)

    for name in SHADOW_CASES:
        kept = (FOLDER / f"shadow-{name}.txt").read_text(encoding="utf-8")
        assert found[name].splitlines() == kept.splitlines()

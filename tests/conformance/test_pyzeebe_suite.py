"""pyzeebe's own integration tests accept our server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.pyzeebe_suite import SourceUnavailable, download, run_suite

pytestmark = pytest.mark.deep


@pytest.mark.timeout(400)
def test_pyzeebes_own_twelve_integration_tests_pass_unmodified(tmp_path: Path) -> None:
    try:
        source = download(tmp_path)
    except SourceUnavailable as error:
        pytest.skip(f"pyzeebe's source distribution is not available: {error}")

    run = run_suite(source)

    assert run.exit_code == 0, run.output
    assert run.summary.startswith("12 passed"), run.summary

"""One Chromium a file of tests."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright
from tests.support.tools import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return a running Chromium; skipped loudly where there is none."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield running
        running.close()

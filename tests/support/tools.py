"""Tools that are not Python: skipped loudly when absent, an error where `.ci/run` promises them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NODE_TOOLS = ROOT / "scripts" / "node-tools"


def _absent(what: str) -> None:
    if os.environ.get("AURUM_REQUIRE_TOOLS"):
        pytest.fail(f"{what} is absent, and here it must not be")
    pytest.skip(f"SKIPPED LOUDLY: {what} is absent")


def node() -> str:
    """Return the Node binary; the npm tools of scripts/node-tools are installed."""
    found = shutil.which("node")
    if found is None or not (NODE_TOOLS / "node_modules" / "@ag-ui" / "client").is_dir():
        _absent("Node with `npm ci` in scripts/node-tools")
    assert found is not None
    return found


def chromium() -> str:
    """Return the Chromium binary."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        _absent("Chromium")
    assert found is not None
    return found


def need_tool(name: str) -> str:
    """Return the path of a program."""
    found = shutil.which(name)
    if found is None:
        _absent(name)
    assert found is not None
    return found

"""Modules of others are in the tree as published: every file has its checksum, its origin and its licence."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

VENDOR = Path(__file__).resolve().parents[2] / "src" / "aurum" / "web" / "vendor"
LINES = (VENDOR / "checksums.txt").read_text("utf-8").splitlines()
ORIGINS = dict(re.findall(r"^# (\S+): (\S+) ", "\n".join(LINES), re.MULTILINE))


def test_every_file_is_the_one_whose_checksum_is_kept() -> None:
    kept = dict(reversed(line.split("  ")) for line in LINES if not line.startswith("#"))
    here = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.iterdir()
        if path.name != "checksums.txt"
    }

    assert here == kept


def test_every_module_has_an_origin_and_its_licence() -> None:
    modules = {path.name for path in VENDOR.iterdir() if path.suffix in (".js", ".css")}

    assert modules == set(ORIGINS)
    for package in set(ORIGINS.values()):
        assert (VENDOR / f"LICENSE.{package.replace('@', '').replace('/', '-')}.txt").is_file(), package


def test_the_mark_that_a_licence_asks_for_is_not_cut_out_or_hidden() -> None:
    styles = "".join(path.read_text("utf-8") for path in (VENDOR.parent / "app").glob("*.css"))

    for name in ("bpmn-viewer.js", "form-viewer.js"):
        assert "powered-by" in (VENDOR / name).read_text("utf-8")
    for rule in re.findall(r"[^{}]*powered-by[^{}]*\{([^{}]*)\}", styles):
        assert not re.search(r"display:\s*none|visibility|opacity|clip", rule)

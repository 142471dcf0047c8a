"""House rules that no linter holds: sizes, docstrings, swallowed errors, left-over words."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
BANNED = re.compile("|".join((r"\bFIX" r"ME\b", r"(#|//|<!--)\s*X" r"XX\b", r"\blo" r"rem\b")))
"""Written in pieces, so that this file does not find itself. Three X alone are ISO 4217's "no currency"."""
NOT_OURS = (
    "src/aurum/web/vendor/",
    "requirements",
    "scripts/node-tools/package-lock.json",
    "tests/conformance/clients/package-lock.json",
    "LICENSE",
)
SOURCES = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "workers").rglob("*.py")])
TREES = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in SOURCES}


def nodes() -> Iterator[tuple[str, ast.AST]]:
    for name, tree in TREES.items():
        for node in ast.walk(tree):
            yield name, node


def test_files_are_short() -> None:
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines()) for path in SOURCES
    }

    assert {name: lines for name, lines in lengths.items() if lines >= FILE_LINES_MAX} == {}


def test_functions_are_short() -> None:
    long = {
        f"{name}:{node.name}": node.end_lineno - node.lineno + 1
        for name, node in nodes()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 >= FUNCTION_LINES_MAX
    }

    assert long == {}


def test_every_module_says_what_it_promises() -> None:
    assert [name for name, tree in TREES.items() if not ast.get_docstring(tree)] == []


def test_no_error_of_any_kind_is_swallowed() -> None:
    swallowed = [
        f"{name}:{node.lineno}"
        for name, node in nodes()
        if isinstance(node, ast.ExceptHandler)
        and all(isinstance(item, ast.Pass) for item in node.body)
        and (
            node.type is None
            or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException"))
        )
    ]

    assert swallowed == []


def test_only_the_command_line_prints() -> None:
    printing = [
        f"{name}:{node.lineno}"
        for name, node in nodes()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
        and "/cli" not in name
    ]

    assert printing == []


def test_no_tracked_file_has_left_over_words() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    names = [name for name in listed.stdout.decode().split("\0") if name and not name.startswith(NOT_OURS)]
    found = []
    for name in names:
        path = ROOT / name
        if not path.is_file():
            continue
        found += [f"{name}: {hit[0]}" for hit in BANNED.finditer(path.read_text("utf-8", errors="replace"))]

    assert found == []


def test_the_changelog_has_a_place_for_what_comes_next() -> None:
    assert "\n## Unreleased\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")

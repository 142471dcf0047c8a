"""The pages name what the code has: settings, facts, dependencies, commands, and links that work."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from aurum.cli import app
from aurum.domain.audience_tables import VARIABLES
from aurum.facts.codec import KINDS
from aurum.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def text(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def rows(path: str) -> list[list[str]]:
    """Return the cells of every table row whose first cell is one name in backticks."""
    lines = [line for line in text(path).splitlines() if re.match(r"\| `[^`]+` \|", line)]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def id_shape(template: str) -> str:
    """Return a documented or written id with every placeholder spelled the same."""
    return re.sub(r"<\w+>", "<>", template.strip("`").rstrip(".").strip("`"))


def test_every_kind_of_fact_is_in_the_table_and_no_other() -> None:
    documented = {row[0].strip("`"): id_shape(row[2]) for row in rows("docs/facts.md")}
    written = {kind: id_shape(str(cls.fact_id.__doc__)) for kind, cls in KINDS.items()}

    assert documented == written


def test_every_setting_is_in_the_table_with_its_environment_name() -> None:
    documented = {row[0].strip("`"): row[1] for row in rows("docs/operations.md") if "AURUM_" in row[1]}

    assert set(documented) == set(Settings.model_fields)
    assert all(f"`AURUM_{name.upper()}`" in names for name, names in documented.items())


def test_every_default_in_the_table_is_the_real_one() -> None:
    documented = {row[0].strip("`"): row[2].strip("`") for row in rows("docs/operations.md") if len(row) == 4}
    for name, field in Settings.model_fields.items():
        shown = "none" if field.default is None else str(field.default)
        expected = shown.lower() if isinstance(field.default, bool) else shown
        assert documented[name] == expected, name


def test_every_dependency_has_a_reason() -> None:
    wanted = tomllib.loads(text("pyproject.toml"))["project"]["dependencies"]
    names = {re.split(r"[<>=; ]", item, maxsplit=1)[0] for item in wanted}

    assert {row[0].strip("`") for row in rows("docs/decisions/0009-dependencies.md")} == names


def test_commands_in_the_readme_exist() -> None:
    known = {command.name or command.callback.__name__ for command in app.registered_commands}  # type: ignore[union-attr]

    assert set(re.findall(r"\.venv/bin/aurum (\w+)", text("README.md"))) <= known


def test_the_request_of_an_agui_client_can_be_found_and_run() -> None:
    blocks = re.findall(r"```\n(.*?)```", text("README.md"), re.DOTALL)

    (block,) = [block for block in blocks if block.startswith("# the seed's request\n")]
    assert len(block.strip().splitlines()) == 3


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text("utf-8"))
    local = [target for target in targets if "://" not in target]

    assert [target for target in local if not (page.parent / target).exists()] == []


def test_the_privacy_page_points_at_a_table_that_is_not_empty() -> None:
    assert "audience_tables.py" in text("docs/privacy.md")
    assert VARIABLES

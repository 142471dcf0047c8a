"""The words of the pages: every language says the same things, with the same parameters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aurum.domain.repairs import SETTABLE

WEB = Path(__file__).parents[2] / "src" / "aurum" / "web"
ENTRY = re.compile(r'^\s*"?([\w.\-]+)"?:\s*"((?:[^"\\]|\\.)*)",?$', re.MULTILINE)


def catalogue(name: str) -> dict[str, str]:
    """Return key -> sentence of one file."""
    return dict(ENTRY.findall((WEB / "i18n" / f"{name}.js").read_text(encoding="utf-8")))


@pytest.mark.parametrize("language", ["fr", "es", "pt"])
def test_the_operators_words_are_complete_and_take_the_same_parameters(language: str) -> None:
    english, other = catalogue("operator.en"), catalogue(f"operator.{language}")

    assert set(english) == set(other)
    for key, sentence in english.items():
        assert sorted(re.findall(r"\{\w+\}", sentence)) == sorted(re.findall(r"\{\w+\}", other[key])), key


def test_every_variable_that_can_be_set_is_explained_and_offered() -> None:
    words, page = (
        catalogue("operator.en"),
        (WEB / "views" / "operator-variable.js").read_text(encoding="utf-8"),
    )
    offered = re.search(r"SETTABLE = .*\(\{(.*)\}\)", page)

    assert offered is not None
    assert tuple(re.findall(r"(\w+):", offered[1])) == SETTABLE
    assert all(f"variable.{name}" in words for name in SETTABLE)


def test_every_word_that_the_operators_pages_ask_for_is_there() -> None:
    known = set().union(
        *(catalogue(name) for name in ("en", "desk.en", "agent.en", "form.en", "operator.en"))
    )
    for page in sorted((WEB / "views").glob("operator*.js")):
        asked = re.findall(r"\bt\(\"([\w.]+)\"", page.read_text(encoding="utf-8"))
        assert set(asked) <= known, page.name

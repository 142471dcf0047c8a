"""Reason codes, stages and their documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aurum.domain import stages, tasks
from aurum.domain.reason_texts import FAMILIES
from aurum.domain.reasons import REASONS, UNKNOWN_TEXT, reason_text, visible_codes

ROOT = Path(__file__).parents[3]
SOURCES = [*(ROOT / "src/aurum/domain").glob("*.py"), *(ROOT / "workers/aurum_workers").glob("*.py")]


def test_a_code_belongs_to_one_family() -> None:
    assert sum(len(rows) for rows in FAMILIES.values()) == len(REASONS)


def test_every_code_a_check_can_give_is_in_the_catalogue() -> None:
    modules = ("identity", "tax", "screening", "pep", "application_rules", "application_model", "fieldtypes")
    for name in modules:
        text = (ROOT / f"src/aurum/domain/{name}.py").read_text(encoding="utf-8")
        codes = set(re.findall(r"\"([A-Z]{2,}(?:_[A-Z0-9]+)+)\"", text)) - {"CODICE_FISCALE"}
        codes = {code for code in codes if not code.endswith("_")}
        assert codes <= set(REASONS), (name, codes - set(REASONS))


def test_every_code_a_decision_table_can_give_is_in_the_catalogue() -> None:
    for path in (ROOT / "dmn").glob("*.dmn"):
        codes = set(re.findall(r"\"([A-Z]{2,}(?:_[A-Z0-9]+)+)\"", path.read_text(encoding="utf-8")))
        assert codes <= set(REASONS), (path.name, codes - set(REASONS))


@pytest.mark.parametrize("family", ["screening", "risk", "route", "approve", "account"])
def test_customers_are_never_told_what_would_tip_them_off(family: str) -> None:
    codes = list(FAMILIES[family])

    assert visible_codes("customer", codes) == []
    assert visible_codes("advisor", codes) == codes
    assert {reason_text(code, "customer") for code in codes} == {UNKNOWN_TEXT}


def test_every_code_has_words_for_the_banks_people() -> None:
    assert all(reason.advisor.endswith((".", "?")) for reason in REASONS.values())


def test_the_document_lists_the_catalogue() -> None:
    text = (ROOT / "docs" / "reasons.md").read_text(encoding="utf-8")
    for reason in REASONS.values():
        assert f"| `{reason.code}` | {reason.advisor} | {reason.customer or '(not shown)'} |" in text


def test_the_six_stages_count_from_one() -> None:
    assert [stage.number for stage in stages.STAGES] == [1, 2, 3, 4, 5, 6]
    assert stages.STAGE_COUNT == 6


@pytest.mark.parametrize("element_id", ["withdrawn", "expired"])
def test_a_case_that_breaks_off_stays_where_it_stood(element_id: str) -> None:
    assert stages.stage_of(element_id) is None


@pytest.mark.parametrize(
    "element_id",
    [*tasks.JOB_TYPES, *sorted(tasks.USER_TASKS), *sorted(tasks.END_EVENTS - {"withdrawn", "expired"})],
)
def test_every_task_and_end_belongs_to_a_stage(element_id: str) -> None:
    assert stages.stage_of(element_id) is not None


@pytest.mark.parametrize(
    "element_id", [*tasks.JOB_TYPES, *sorted(tasks.USER_TASKS), "score_risk", "some_gateway"]
)
def test_step_titles_give_nothing_away(element_id: str) -> None:
    _, title = stages.customer_title(element_id)

    assert not re.search(r"risk|sanction|pep|politic|second|senior", title, re.IGNORECASE)

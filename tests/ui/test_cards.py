"""Cards in a real browser with fixed props, and the page's validator against a full JSON Schema one."""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).parents[2]
SCHEMAS: dict[str, Any] = json.loads((ROOT / "src/aurum/web/cards/schemas.json").read_text(encoding="utf-8"))

pytestmark = [
    pytest.mark.chromium,
    pytest.mark.slow,
    pytest.mark.timeout(60),
]  # A browser takes 1 s to start.


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves the tree, says nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(ROOT)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/tests/ui/fixtures/cards.html"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 760, "height": 900})
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    yield opened
    context.close()
    assert complaints == []


WRONG: tuple[Any, ...] = (None, True, 0, -1, 1.5, "", "x", [], {})


def mutations(value: Any) -> Iterator[Any]:
    """Yield the value with one thing changed, in every place and in several ways."""
    yield from WRONG
    if isinstance(value, dict):
        yield {**value, "surplus": 1}
        for name in value:
            yield {key: one for key, one in value.items() if key != name}
            for inner in mutations(value[name]):
                yield {**value, name: inner}
    if isinstance(value, list) and value:
        yield value * 40
        for inner in mutations(value[0]):
            yield [inner, *value[1:]]


def test_the_pages_validator_agrees_with_json_schema_on_every_card(page: Page, address: str) -> None:
    page.goto(address)
    props = page.evaluate("async () => (await import('./cards.js')).PROPS")
    assert set(props) == set(SCHEMAS)
    cases = [
        (component, changed)
        for component, real in props.items()
        for changed in [real, *mutations(copy.deepcopy(real))]
    ]

    ours = page.evaluate(
        """async ({ cases, schemas }) => {
             const { problemsOf } = await import("/src/aurum/web/cards/validate.js");
             return cases.map(([name, value]) => problemsOf(value, schemas[name].schema).length === 0);
           }""",
        {"cases": [list(case) for case in cases], "schemas": SCHEMAS},
    )

    judges = {name: Draft202012Validator(entry["schema"]) for name, entry in SCHEMAS.items()}
    theirs = [judges[component].is_valid(value) for component, value in cases]
    differing = [case for case, one, other in zip(cases, ours, theirs, strict=True) if one != other]
    assert differing == []
    assert True in ours
    assert False in ours


def test_a_slice_is_chosen_by_click_and_by_arrow_keys(page: Page, address: str) -> None:
    page.goto(f"{address}?only=PortfolioAllocationChart")
    detail = page.get_by_test_id("slice-detail")

    page.get_by_test_id("slice-emergingEquities").click()
    expect(detail).to_contain_text("Equities, emerging markets")
    page.keyboard.press("ArrowRight")

    expect(detail).to_contain_text("Real assets")
    expect(page.get_by_test_id("slice-realAssets")).to_be_focused()
    expect(page.get_by_test_id("slice-realAssets")).to_have_attribute("aria-checked", "true")


def test_the_growth_chart_has_a_table_a_year_to_choose_and_an_honest_disclaimer(
    page: Page, address: str
) -> None:
    page.goto(f"{address}?only=ProjectedGrowthChart&language=fr")
    card = page.get_by_test_id("card-ProjectedGrowthChart")

    page.get_by_test_id("growth-year").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")

    expect(card).to_contain_text("Après 1 an")
    expect(page.get_by_test_id("growth-disclaimer")).to_contain_text("pas une prévision")
    card.locator("summary").click()
    expect(card.locator("tbody tr")).to_have_count(11)
    assert "480\u202f000" in card.inner_text()


@pytest.mark.parametrize("query", ["only=HologramCard", "only=RiskGauge&version=2"], ids=["unknown", "newer"])
def test_what_the_page_does_not_know_is_shown_plainly(page: Page, address: str, query: str) -> None:
    page.goto(f"{address}?{query}")

    expect(page.locator("article.card")).to_contain_text("More information")


def test_the_clock_counts_open_hours_only_and_a_draft_is_sent_without_its_gaps(
    page: Page, address: str
) -> None:
    page.goto(f"{address}?only=RiskGauge")

    left, record = page.evaluate(
        """async () => {
             const { minutesLeft } = await import("/src/aurum/web/app/sla.js");
             const { blankDraft, recordOf, withValue } = await import("/src/aurum/web/apply/draft.js");
             const sla = { targetMinutes: 960, dueAt: "2026-12-08T17:00:00Z", windows: [
               ["2026-12-04T17:00:00Z", "2026-12-04T22:00:00Z"],
               ["2026-12-07T14:00:00Z", "2026-12-07T22:00:00Z"],
               ["2026-12-08T14:00:00Z", "2026-12-08T17:00:00Z"],
             ] };
             const at = ["12-04T16:00", "12-05T12:00", "12-08T16:30", "12-08T18:00"];
             const left = at.map((one) => minutesLeft(sla, Date.parse(`2026-${one}:00Z`)));
             let draft = blankDraft("2026-11-30", "pt");
             draft = withValue(draft, "/familyName", " Sukarno ");
             draft = withValue(draft, "/taxResidences/0/country", "ID");
             return [left, recordOf(draft, "2026-11-30T12:00:00Z")];
           }"""
    )

    assert left == [960, 660, 30, -60]
    assert record["givenNames"] == ""
    assert record["familyName"] == "Sukarno"
    assert record["preferredLanguage"] == "pt-BR"
    assert record["taxResidences"] == [{"country": "ID"}]
    assert "signature" not in record
    assert "nationalities" not in record

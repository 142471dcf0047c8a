"""axe finds nothing to complain about: every page, light and dark, wide and on a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.support.process import Product
from tests.support.tools import NODE_TOOLS, chromium, node

pytestmark = [
    pytest.mark.chromium,
    pytest.mark.deep,
    pytest.mark.timeout(300),
]  # Sixteen pages, two looks each.

RUN = """async (rules) => {
  const only = rules.length > 0 ? { runOnly: { type: "rule", values: rules } } : {};
  const context = { exclude: [[".log-list li:nth-child(n+8)"]] }; // Hundreds of rows, all alike.
  const { violations } = await axe.run(context, { resultTypes: ["violations"], ...only });
  const places = (nodes) => nodes.map((one) => one.target.join(" ")).slice(0, 4).join(", ");
  return violations.map(({ id, nodes }) => `${id}: ${places(nodes)}`);
}"""

OTHER_LOOK = ("color-contrast", "scrollable-region-focusable", "target-size", "link-in-text-block")
"""Rules whose answer depends on theme or width; the others were asked once already."""


@pytest.fixture(scope="module")
def axe() -> str:
    node()
    return (NODE_TOOLS / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    chromium()
    with Product(tmp_path_factory.mktemp("axe") / "data") as running:
        yield running


@pytest.fixture(scope="module")
def cases(product: Product) -> dict[str, str]:
    """One case of each kind that a page can show."""
    sarah = product.submit("sarah", "sarah-chen")
    james = product.submit("james", "james-rodriguez")
    product.until("sarah", sarah, "account_opened")
    product.until("james", james, "waiting")
    return {"sarah": sarah, "james": james}


def signed_in(browser: Browser, product: Product, people: tuple[str, ...], width: int) -> Page:
    """Return a light tab in which these people are signed in, the last one acting."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(product.address)
    page.evaluate(
        """async (people) => {
             const { signIn } = await import("/app/session.js");
             for (const person of people) await signIn(person);
           }""",
        list(people),
    )
    return page


def complaints(page: Page, *rules: str) -> list[str]:
    found: list[str] = page.evaluate(RUN, list(rules))
    return found


def darken(page: Page) -> None:
    """Change the theme as the page's own switch does, and let two frames be drawn."""
    page.evaluate(
        """() => {
             document.documentElement.dataset.theme = "dark";
             return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
           }"""
    )


PAGES: dict[str, tuple[tuple[str, ...], str, str]] = {
    # name: people signed in, address, what to wait for
    "home": ((), "#/", "[data-testid=start-sarah]"),
    "sign in": ((), "#/advisor", "[data-testid=sign-in-advisor]"),
    "nowhere": ((), "#/nowhere", "h1"),
    "applications": (("sarah",), "#/customer", "[data-testid=apply-open]"),
    "form": (("sarah",), "#/customer/new", "[data-testid=apply-form]"),
    "account opened": (("sarah",), "#/customer/{sarah}", "[data-testid=account-number]"),
    "waiting": (("james",), "#/customer/{james}", "[data-testid=waiting-card]"),
    "not mine": (("sarah",), "#/customer/{james}", "[data-testid=error]"),
    "queue": (("advisor",), "#/advisor", "[data-testid=queue-row]"),
    "desk": (("advisor",), "#/desk/{james}", "[data-testid=deployed-form] input"),
    "desk, done": (("advisor",), "#/desk/{sarah}", "[data-testid=card-AccountOpenedCard]"),
    "pipeline": (("advisor",), "#/pipeline", "[data-testid=stage-review]"),
    "operator": (("operator",), "#/operator", "[data-testid=case-row]"),
    "operator, case": (("operator",), "#/operator/{james}", "[data-testid=diagram][data-ready=true]"),
    "operator, evidence": (("auditor",), "#/operator/evidence", "[data-testid=evidence-file]"),
    "beside": (("james", "operator"), "#/beside/{james}", "[data-testid=facts-pane] button"),
}


@pytest.mark.parametrize("name", list(PAGES))
def test_no_page_has_a_violation_wide_and_light_or_narrow_and_dark(
    browser: Browser, product: Product, cases: dict[str, str], axe: str, name: str
) -> None:
    people, address, sign = PAGES[name]
    page = signed_in(browser, product, people, 1440)

    page.goto(f"{product.address}/{address.format(**cases)}")
    expect(page.locator(sign).first).to_be_visible(timeout=10_000)
    page.evaluate(axe)
    light = complaints(page)
    darken(page)
    page.set_viewport_size({"width": 360, "height": 800})
    dark = complaints(page, *OTHER_LOOK)
    scrolls = page.locator("html").evaluate("root => root.scrollWidth")

    page.context.close()
    assert (light, dark) == ([], [])
    assert scrolls <= 360


def test_every_step_of_the_form_with_its_problems_has_no_violation(
    browser: Browser, product: Product, axe: str
) -> None:
    page = signed_in(browser, product, ("james",), 360)
    page.goto(f"{product.address}/#/customer/new")
    page.get_by_test_id("apply-next").wait_for()
    page.evaluate(axe)

    found: dict[str, list[str]] = {}
    for step in range(6):
        page.locator(".apply-steps button").nth(5 - step).click()
        page.locator(".apply-steps button").nth(step).click()
        found[f"{step} light"] = complaints(page)
    darken(page)
    found["dark"] = complaints(page, *OTHER_LOOK)

    page.context.close()
    assert {step: items for step, items in found.items() if items} == {}


def test_the_operators_page_has_no_violation_in_the_past_unmasked_and_with_everything_open(
    browser: Browser, product: Product, cases: dict[str, str], axe: str
) -> None:
    page = signed_in(browser, product, ("operator",), 1440)
    page.goto(f"{product.address}/#/operator/{cases['james']}/60")
    expect(page.locator("[data-testid=diagram][data-ready=true]")).to_be_visible(timeout=10_000)
    page.evaluate(axe)

    page.locator("[data-testid=wire-pane] li", has_text="STATE_DELTA").last.get_by_role("button").click()
    for name in ("element-list", "turns", "set-variable"):
        page.get_by_test_id(name).locator("summary").first.click()
    page.get_by_test_id("reveal").get_by_test_id("reason").fill("axe looks, too")
    page.get_by_test_id("reveal-send").click()
    expect(page.get_by_test_id("unmasked")).to_be_visible()
    light = complaints(page)
    darken(page)
    page.set_viewport_size({"width": 360, "height": 800})
    dark = complaints(page, *OTHER_LOOK)
    page.get_by_test_id("cancel").click()
    dialog = complaints(page, *OTHER_LOOK)
    scrolls = page.locator("html").evaluate("root => root.scrollWidth")

    page.context.close()
    assert (light, dark, dialog) == ([], [], [])
    assert scrolls <= 360

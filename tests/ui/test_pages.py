"""The pages in a real browser: what a person sees, and that nothing complains."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.support.process import Product
from tests.support.tools import chromium

pytestmark = [
    pytest.mark.chromium,
    pytest.mark.slow,
    pytest.mark.timeout(120),
]  # A browser and 3 s of start-up.


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    chromium()
    with Product(tmp_path_factory.mktemp("ui") / "data", pace_ms=150) as running:
        yield running


class Desk:
    """Browser tabs whose complaints are collected."""

    def __init__(self, browser: Browser, product: Product) -> None:
        self._browser = browser
        self._product = product
        self._contexts: list[Any] = []
        self.complaints: list[str] = []

    def tab(self, path: str) -> Page:
        """Open a page in a context of its own."""
        context = self._browser.new_context(viewport={"width": 1280, "height": 900})
        self._contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.on(
            "console",
            lambda message: (
                self.complaints.append(f"console: {message.text}")
                if message.type in ("error", "warning")
                else None
            ),
        )
        page.goto(self._product.address + path)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def desk(browser: Browser, product: Product) -> Iterator[Desk]:
    opened = Desk(browser, product)
    yield opened
    opened.close()
    assert opened.complaints == []


SARAHS_CARDS = (
    "IdentityResultCard",
    "RiskGauge",
    "PortfolioAllocationChart",
    "ProjectedGrowthChart",
    "AccountOpenedCard",
)
"""In the order in which they come."""


def approve(advisor: Page) -> None:
    """Approve in the deployed form."""
    form = advisor.get_by_test_id("decision-form")
    form.get_by_label("Approve").check()
    form.get_by_label("Reviewed and approved.", exact=True).check()
    form.get_by_test_id("decision-submit").click()


def test_sarah_sees_her_first_card_within_ten_seconds_and_every_card_once_in_order_over_a_reload(
    desk: Desk, product: Product
) -> None:
    page = desk.tab("/")
    page.get_by_test_id("start-sarah").click()

    expect(page.get_by_test_id("card-IdentityResultCard")).to_be_visible(timeout=10_000)
    page.reload()
    expect(page.get_by_test_id("account-number")).to_contain_text("AURM-", timeout=30_000)
    assert product.person("advisor").get("/queue").json()["tasks"] == []
    shown = page.locator("article.card").evaluate_all("all => all.map(one => one.dataset.testid)")
    assert shown == [f"card-{component}" for component in SARAHS_CARDS]


def test_james_waits_honestly_until_the_advisor_decides_and_no_page_is_reloaded(
    desk: Desk, product: Product
) -> None:
    advisor = desk.tab("/#/advisor")
    advisor.get_by_test_id("sign-in-advisor").click()
    customer = desk.tab("/")
    customer.get_by_test_id("start-james").click()

    expect(customer.get_by_test_id("waiting-card")).to_be_visible(timeout=20_000)
    expect(advisor.get_by_test_id("queue-row").first).to_contain_text("James Rodriguez", timeout=10_000)
    customer.wait_for_timeout(3_000)  # The subject of the test: nothing happens before a person decides.
    expect(customer.get_by_test_id("account-number")).to_have_count(0)
    advisor.get_by_test_id("queue-row").first.get_by_role("link").click()
    expect(advisor.get_by_test_id("card-RoutingCard").first).to_contain_text("120,000.00", timeout=10_000)
    expect(advisor.locator("[data-matched=true]")).to_have_attribute("data-rule-id", "advisor_over_1_5m")
    approve(advisor)
    expect(customer.get_by_test_id("account-number")).to_contain_text("AURM-", timeout=15_000)


def test_the_operator_sees_facts_and_the_customers_frames_with_names_masked(
    desk: Desk, product: Product
) -> None:
    case_id = product.submit("james", "james-rodriguez")
    product.until("james", case_id, "waiting")
    key = product.state("operator", case_id)["processInstanceKey"]
    page = desk.tab(f"/#/operator/{key}")
    page.get_by_test_id("sign-in-operator").click()

    facts, wire = page.get_by_test_id("facts-pane"), page.get_by_test_id("wire-pane")
    expect(facts).to_contain_text("advisor_review", timeout=10_000)
    expect(wire).to_contain_text("WaitingCard", timeout=10_000)
    assert "Rodriguez" not in page.inner_text("main")


def test_an_application_is_typed_refused_in_words_kept_over_a_reload_and_sent(desk: Desk) -> None:
    page = desk.tab("/#/customer/new")
    page.get_by_test_id("sign-in-sarah").click()
    page.get_by_test_id("apply-prefill").click()
    expect(page.locator("[name='/email']")).to_have_value("sarah.chen@example.com")
    page.locator("[name='/email']").fill("nobody")
    page.locator("[name='/email']").blur()
    expect(page.locator("form")).to_contain_text("This is no valid e-mail address.")

    page.reload()
    expect(page.locator("[name='/email']")).to_have_value("nobody")
    page.get_by_role("button", name="Consent and signature").click()
    page.get_by_test_id("apply-submit").click()
    expect(page.locator("[name='/email']")).to_be_focused()
    page.locator("[name='/email']").fill("sarah.chen@example.com")
    page.get_by_role("button", name="Consent and signature").click()
    expect(page.get_by_test_id("apply-ready")).to_be_visible()
    page.get_by_test_id("apply-submit").click()

    expect(page.get_by_test_id("step-number")).to_contain_text("of 6", timeout=10_000)
    desk.complaints[:] = [
        one for one in desk.complaints if "422" not in one
    ]  # The refusal that was asked for.


def test_the_pages_work_on_a_phone_in_the_dark(browser: Browser, product: Product, tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme="dark")
    page = context.new_page()
    page.goto(product.address + "/")
    expect(page.get_by_test_id("start-sarah")).to_be_visible()

    width = page.locator("html").evaluate("root => root.scrollWidth")
    context.close()
    assert width <= 360

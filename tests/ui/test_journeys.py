"""Longer ways through the pages: many tabs, two advisors at once, a second device, the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.support.process import Product
from tests.support.tools import chromium

pytestmark = [
    pytest.mark.chromium,
    pytest.mark.deep,
    pytest.mark.timeout(120),
]  # Whole journeys of several people, seconds each.


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    chromium()
    with Product(tmp_path_factory.mktemp("journeys") / "data") as running:
        yield running


@pytest.fixture
def devices(browser: Browser) -> Iterator[list[BrowserContext]]:
    opened: list[BrowserContext] = []
    yield opened
    for context in opened:
        context.close()


def device(browser: Browser, devices: list[BrowserContext], **options: Any) -> BrowserContext:
    devices.append(browser.new_context(viewport={"width": 1440, "height": 900}, **options))
    return devices[-1]


def tab(context: BrowserContext, product: Product, person: str, address: str) -> Page:
    """Open a tab of its own for a person."""
    page = context.new_page()
    page.goto(f"{product.address}/{address}")
    page.get_by_test_id(f"sign-in-{person}").click()
    return page


def waiting_james(product: Product) -> str:
    case_id = product.submit("james", "james-rodriguez")
    product.until("james", case_id, "waiting")
    return case_id


def cards_of(page: Page) -> list[str]:
    found: list[str] = page.locator("article.card").evaluate_all("all => all.map(one => one.dataset.testid)")
    return found


def test_eight_tabs_of_one_browser_stay_live_over_http_1(
    browser: Browser, devices: list[BrowserContext], product: Product
) -> None:
    case_id = waiting_james(product)
    context = device(browser, devices)
    tabs = [tab(context, product, "james", f"#/customer/{case_id}") for _ in range(8)]
    for page in tabs:
        expect(page.get_by_test_id("waiting-card")).to_be_visible(timeout=10_000)

    tabs[0].get_by_test_id("withdraw").click()
    tabs[0].get_by_test_id("withdraw-confirm").click()

    for page in tabs:
        expect(page.get_by_test_id("status")).to_have_attribute("data-status", "withdrawn", timeout=5_000)


def test_of_two_advisors_one_decides_and_the_other_reads_who_and_what(
    browser: Browser, devices: list[BrowserContext], product: Product
) -> None:
    case_id = waiting_james(product)
    desks = [
        tab(device(browser, devices), product, person, f"#/desk/{case_id}")
        for person in ("advisor", "senior.advisor")
    ]
    for page in desks:
        form = page.get_by_test_id("decision-form")
        form.get_by_label("Approve").check()
        form.get_by_label("Reviewed and approved.", exact=True).check()
    first, second = desks
    held: list[Any] = []
    second.route("**/decision", lambda route: held.append(route))

    second.get_by_test_id("decision-submit").click()
    first.get_by_test_id("decision-submit").click()
    expect(first.get_by_test_id("decision-notice")).to_have_text("Recorded: Approved.", timeout=10_000)
    product.until("james", case_id, "account_opened")
    held[0].continue_()

    expect(second.get_by_test_id("decision-notice")).to_have_text(
        "Already decided by advisor: approved.", timeout=10_000
    )


def test_a_second_device_shows_what_the_first_shows_once_and_follows(
    browser: Browser, devices: list[BrowserContext], product: Product
) -> None:
    case_id = waiting_james(product)
    phone = tab(device(browser, devices), product, "james", f"#/customer/{case_id}")
    desk = tab(device(browser, devices), product, "james", f"#/customer/{case_id}")
    for page in (phone, desk):
        expect(page.get_by_test_id("waiting-card")).to_be_visible(timeout=10_000)
    phone.reload()
    expect(phone.get_by_test_id("waiting-card")).to_be_visible(timeout=10_000)

    assert cards_of(phone) == cards_of(desk)
    assert len(set(cards_of(desk))) == len(cards_of(desk))


def test_a_tool_chip_opens_to_its_arguments_and_its_result_by_keyboard(
    browser: Browser, devices: list[BrowserContext], product: Product
) -> None:
    case_id = waiting_james(product)
    page = tab(device(browser, devices), product, "james", f"#/customer/{case_id}")
    chip = page.get_by_test_id("tool-chip").filter(has_text="Portfolio drafted")

    chip.locator("summary").focus()
    page.keyboard.press("Enter")

    expect(chip).to_contain_text("proposePortfolio")
    expect(chip.locator("pre").last).to_contain_text('"allocation"')


def test_the_operator_beside_the_customer_sees_the_ids_that_the_customer_received(
    browser: Browser, devices: list[BrowserContext], product: Product
) -> None:
    case_id = waiting_james(product)
    page = device(browser, devices).new_page()
    page.goto(product.address)
    page.evaluate(
        """async () => {
             const { signIn } = await import("/app/session.js");
             await signIn("james");
             await signIn("operator");
           }"""
    )
    newest = product.read("james", case_id, "customer", after=None, until="RUN_FINISHED")[-1].id or ""
    start = f"{newest.split('.')[0]}.0"
    history = product.read("james", case_id, "customer", after=start, until="RUN_FINISHED")
    received = {frame.id for frame in history}

    page.goto(f"{product.address}/#/beside/{case_id}")
    expect(page.get_by_test_id("waiting-card")).to_be_visible(timeout=10_000)
    rows = page.get_by_test_id("wire-pane").locator("[data-wire-id]")
    expect(rows.first).to_be_visible(timeout=10_000)
    shown = set(rows.evaluate_all("all => all.map(one => one.dataset.wireId)"))

    assert len(shown) > 5
    assert shown <= received


def test_what_changed_since_the_last_look_is_marked(
    browser: Browser, devices: list[BrowserContext], product: Product
) -> None:
    case_id = waiting_james(product)
    context = device(browser, devices)
    page = tab(context, product, "advisor", f"#/desk/{case_id}")
    expect(page.get_by_test_id("card-RoutingCard")).to_be_visible(timeout=10_000)
    expect(page.get_by_test_id("changed-note")).to_have_count(0)
    page.goto(f"{product.address}/#/pipeline")
    expect(page.get_by_test_id("pipeline-engine")).to_be_visible(timeout=10_000)
    product.person("james").post(f"/cases/{case_id}/withdrawal")
    product.until("james", case_id, "withdrawn")

    page.goto(f"{product.address}/#/desk/{case_id}")

    expect(page.get_by_test_id("changed-note")).to_contain_text("Status", timeout=10_000)


def test_an_application_can_be_started_and_withdrawn_with_the_keyboard_alone(
    browser: Browser, devices: list[BrowserContext], product: Product
) -> None:
    page = device(browser, devices, reduced_motion="reduce").new_page()
    page.goto(product.address)

    def press_on(testid: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement?.dataset.testid") == testid:
                return page.keyboard.press("Enter")
        raise AssertionError(f"the keyboard does not reach {testid}")

    expect(page.get_by_test_id("start-james")).to_be_visible()
    press_on("start-james")
    expect(page.get_by_test_id("waiting-card")).to_be_visible(timeout=20_000)
    press_on("withdraw")
    press_on("withdraw-confirm")

    expect(page.get_by_test_id("status")).to_have_attribute("data-status", "withdrawn", timeout=10_000)


def test_the_language_changes_in_the_middle_of_a_case(
    browser: Browser, devices: list[BrowserContext], product: Product
) -> None:
    case_id = waiting_james(product)
    page = tab(device(browser, devices), product, "james", f"#/customer/{case_id}")
    expect(page.get_by_test_id("waiting-card")).to_be_visible(timeout=10_000)

    for language, words in (("fr", "Étape 5 sur 6"), ("es", "Paso 5 de 6"), ("pt", "Passo 5 de 6")):
        page.locator("#language").select_option(language)
        expect(page.get_by_test_id("step-number")).to_contain_text(words)
        expect(page.locator("html")).to_have_attribute("lang", language)


def test_who_would_rather_talk_to_a_person_gets_an_advisors_answer_and_goes_on(
    browser: Browser, devices: list[BrowserContext], product: Product
) -> None:
    case_id = product.submit("sarah", "contradicting-answers")
    product.until("sarah", case_id, "waiting")
    customer = tab(device(browser, devices), product, "sarah", f"#/customer/{case_id}")
    form = customer.get_by_test_id("answer-form")
    form.locator("textarea").fill("I would rather talk to a person about it.")
    form.get_by_test_id("answer-submit").click()
    advisor = tab(device(browser, devices), product, "advisor", "#/advisor")
    row = advisor.get_by_test_id("queue-row").filter(has_text="Question from the assistant")
    row.get_by_role("link").click(timeout=10_000)

    expect(customer.get_by_test_id("waiting-card").last).to_contain_text("An advisor", timeout=10_000)
    question = advisor.get_by_test_id("question-form")
    question.locator("textarea").fill("Growth matters more; a loss of a tenth is fine.")
    question.get_by_test_id("question-submit").click()

    expect(customer.get_by_test_id("card-PortfolioAllocationChart")).to_be_visible(timeout=15_000)

"""The operator's and the auditor's pages in a real browser: list, case, past, actions, evidence."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.support.process import Product
from tests.support.tools import chromium

from aurum import installation

pytestmark = [
    pytest.mark.chromium,
    pytest.mark.deep,
    pytest.mark.timeout(120),
]  # A browser and 3 s of start-up; a dozen looks at whole pages.


VALIDATE = Path(sys.executable).with_name("ag-ui-validate")


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    chromium()
    with Product(tmp_path_factory.mktemp("operator") / "data") as running:
        yield running


@pytest.fixture(scope="module")
def sarah(product: Product) -> str:
    case_id = product.submit("sarah", "sarah-chen")
    product.until("sarah", case_id, "account_opened")
    return case_id


@pytest.fixture
def james(product: Product) -> str:
    case_id = product.submit("james", "james-rodriguez")
    product.until("james", case_id, "waiting")
    return case_id


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    found: list[str] = []
    yield found
    assert found == []


class Tabs:
    """Opens pages as people who are signed in; what a page complains about is collected."""

    def __init__(self, browser: Browser, product: Product, complaints: list[str]) -> None:
        self._context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        self._product = product
        self._complaints = complaints

    def open(self, address: str, *people: str) -> Page:
        page = self._context.new_page()
        page.on("pageerror", lambda error: self._complaints.append(str(error)))
        page.on("console", lambda message: self._note(message.type, message.text))
        page.goto(self._product.address)
        page.evaluate(
            """async (people) => {
                 const { signIn } = await import("/app/session.js");
                 for (const person of people) await signIn(person);
               }""",
            list(people),
        )
        page.goto(f"{self._product.address}/{address}")
        return page

    def _note(self, kind: str, text: str) -> None:
        asked_for = ("status of 4", "ERR_INTERNET_DISCONNECTED")  # Refusals and a cut that a test makes.
        if kind in ("error", "warning") and not any(one in text for one in asked_for):
            self._complaints.append(text)

    def close(self) -> None:
        self._context.close()


@pytest.fixture
def tabs(browser: Browser, product: Product, complaints: list[str]) -> Iterator[Tabs]:
    opened = Tabs(browser, product, complaints)
    yield opened
    opened.close()


def settled(page: Page) -> None:
    """Wait until the case's whole history and its diagram are there."""
    expect(page.get_by_test_id("diagram")).to_have_attribute("data-ready", "true", timeout=15_000)
    expect(page.get_by_test_id("scrub-line")).to_contain_text("Fact 1", timeout=10_000)


def test_the_list_is_live_masked_and_searched_by_words_and_by_kind(
    tabs: Tabs, product: Product, sarah: str
) -> None:
    page = tabs.open("#/operator", "operator")
    rows = page.get_by_test_id("case-row")
    expect(rows.first).to_be_visible()
    before = rows.count()

    case_id = product.submit("james", "james-rodriguez")
    expect(rows).to_have_count(before + 1, timeout=10_000)
    mine = page.locator(f'[data-testid="case-row"][href="#/operator/{case_id}"]')
    expect(mine).to_contain_text("waits for an advisor", timeout=10_000)
    page.get_by_test_id("case-search").fill(case_id[:10])
    expect(rows).to_have_count(1)
    page.get_by_test_id("case-search").fill("Rodriguez James")
    page.get_by_test_id("find-name").click()
    expect(mine).to_be_visible()
    page.get_by_test_id("case-search").fill("sarah opened")
    expect(rows.first).to_contain_text("S… C…")
    page.get_by_test_id("case-search").fill("")
    page.get_by_test_id("case-kind").select_option("ended")
    expect(rows).to_have_count(product_ended(product))
    page.get_by_test_id("case-search").fill("zzz")
    expect(page.get_by_role("main")).to_contain_text("Nothing matches.")
    assert "Rodriguez" not in page.inner_text("main")


def product_ended(product: Product) -> int:
    rows = product.person("operator").get("/cases").json()["cases"]
    return sum(row["status"] in ("account_opened", "cancelled") for row in rows)


def test_customer_and_operator_in_one_browser_have_the_same_frames(
    tabs: Tabs, product: Product, sarah: str
) -> None:
    page = tabs.open(f"#/beside/{sarah}", "sarah", "operator")
    wire = page.get_by_test_id("wire-pane").locator("[data-wire-id]")
    expect(page.get_by_test_id("account-number")).to_be_visible(timeout=10_000)
    expect(wire.last).to_contain_text("RUN_FINISHED", timeout=10_000)
    position = product.state("sarah", sarah)["position"]
    epoch = position.split(".")[0]

    shown = wire.evaluate_all("all => all.map(one => one.dataset.wireId)")
    read = page.evaluate(
        """async ([caseId, after]) => {
             const { current } = await import("/app/session.js");
             const { openStream } = await import("/app/watch.js");
             const { EventStreamParser } = await import("/app/agui.js");
             const session = current("customer");
             const stop = new AbortController();
             const url = new URL(`/streams/${caseId}?view=customer`, location.href).href;
             const opening = { url, headers: session.headers(), lastEventId: after, signal: stop.signal };
             const ids = [];
             const parser = new EventStreamParser(after);
             for await (const piece of await openStream(opening)) {
               let over = false;
               parser.push(piece, ({ id, data }) => {
                 ids.push(id);
                 over ||= JSON.parse(data).result !== undefined;
               });
               if (over) break;
             }
             stop.abort();
             return ids;
           }""",
        [sarah, f"{epoch}.0"],
    )

    assert shown == read
    assert shown[-1] == position


def test_a_frame_lights_its_fact_and_its_card_and_says_what_it_changed(tabs: Tabs, sarah: str) -> None:
    page = tabs.open(f"#/operator/{sarah}", "operator")
    settled(page)
    wire, facts = page.get_by_test_id("wire-pane"), page.get_by_test_id("facts-pane")

    wire.locator("li", has_text="IdentityResultCard").first.get_by_role("button").click()
    fact_id = wire.locator('[data-chosen="true"]').get_attribute("data-fact-id")
    expect(facts.locator('[data-linked="true"]')).to_have_attribute("data-fact-id", str(fact_id))
    lit = page.get_by_test_id("rendered-pane").locator('[data-linked="true"]')
    expect(lit.get_by_test_id("card-IdentityResultCard")).to_be_visible()

    wire.locator("li", has_text=re.compile("STATE_DELTA.*/suitability")).first.get_by_role("button").click()
    diff = page.get_by_test_id("state-diff")
    expect(diff).to_contain_text("/suitability")
    expect(diff.locator(".diff-before").first).to_have_text("–")
    expect(diff.locator(".diff-after").first).to_contain_text("profile")

    risk = page.get_by_test_id("rendered-pane").locator("li", has=page.get_by_test_id("card-RiskGauge"))
    risk.get_by_role("button", name=re.compile("^Frame")).click()
    expect(wire.locator('[data-chosen="true"]')).to_contain_text("RiskGauge")
    expect(page.get_by_test_id("detail")).to_contain_text("ACTIVITY_SNAPSHOT")


def test_filter_pause_and_a_download_that_the_validator_accepts(tabs: Tabs, sarah: str) -> None:
    page = tabs.open(f"#/operator/{sarah}", "operator")
    settled(page)

    page.get_by_test_id("filter").fill("open_account toolcallresult")
    expect(page.get_by_test_id("facts-pane")).to_contain_text("Nothing matches.")
    page.get_by_test_id("filter").fill("open_account")
    expect(page.get_by_test_id("facts-pane").locator("li").first).to_contain_text("open_account")
    page.get_by_test_id("filter").fill("")
    for view in ("customer", "advisor"):
        page.get_by_test_id("wire-view").select_option(view)
        with page.expect_download() as download:
            page.get_by_test_id("download").click()
        command = [str(VALIDATE), str(download.value.path()), "--max-warnings", "0", "--no-color"]
        judged = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
        assert judged.returncode == 0, judged.stdout
    expect(page.get_by_test_id("rendered-pane").get_by_test_id("card-CaseRiskGauge")).to_have_count(1)


def test_the_past_is_moved_to_with_the_keyboard_and_everything_follows(
    tabs: Tabs, product: Product, james: str
) -> None:
    page = tabs.open(f"#/operator/{james}", "operator")
    settled(page)
    drawn = page.get_by_test_id("diagram")
    expect(drawn.locator(".has-token[data-element-id=advisor_review]")).to_have_count(1)
    of = int(str(page.get_by_test_id("scrub").get_attribute("max")))

    page.get_by_test_id("scrub").focus()
    page.keyboard.press("Home")
    expect(page.get_by_test_id("scrub-line")).to_have_text(f"Before the first of {of} facts")
    expect(drawn.locator(".has-token")).to_have_count(0)
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("scrub-line")).to_contain_text(f"Fact 7 of {of}")
    expect(drawn.locator(".has-token[data-element-id=parse_application]")).to_have_count(1)

    operator = product.person("operator")
    for index in (30, 60, of):
        page.get_by_test_id("scrub").fill(str(index))
        at = operator.get(f"/cases/{james}/at/{index}").json()
        expect(page.get_by_test_id("rendered-status")).to_have_attribute("data-status", at["state"]["status"])
        expect(page.get_by_test_id("scrubber")).to_have_attribute("aria-busy", "false")
        ids = ids_shown(page)
        assert ids <= {message["id"] for message in at["messages"]}
        cards = [message["id"] for message in at["messages"] if message["role"] == "activity"]
        assert set(cards) <= ids
        tokens = drawn.locator(".has-token").evaluate_all("all => all.map(one => one.dataset.elementId)")
        assert set(at["tokens"]) <= set(tokens)
        assert len(page.get_by_test_id("facts-pane").locator("li").all()) == index
        assert page.url.endswith(f"/{index}")
    page.get_by_test_id("scrub-live").click()
    expect(page.get_by_test_id("scrubber")).to_have_attribute("data-live", "true")


def ids_shown(page: Page) -> set[str]:
    items = page.get_by_test_id("rendered-pane").locator("[data-message-id]")
    found: list[str] = items.evaluate_all("all => all.map(one => one.dataset.messageId)")
    return set(found)


IN_THE_PAGE = """async (caseId) => {
  const { current } = await import("/app/session.js");
  const { entriesOf } = await import("/views/operator-wire.js");
  const { elementsOf, foldOf } = await import("/views/operator-model.js");
  const session = current("operator");
  const at = async (n) => (await session.get(`cases/${caseId}/at/${n}`)).body;
  const lines = (await session.get(`cases/${caseId}/facts`)).body.split("\\n").filter(Boolean);
  const facts = lines.map((line) => ({ at: 0, body: JSON.parse(line) }));
  const wire = entriesOf((await session.get(`cases/${caseId}/wire`)).body, "customer");
  const sorted = (value) => {
    if (Array.isArray(value)) return value.map(sorted);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
  };
  const said = (value) => JSON.stringify(sorted(value));
  const initial = (await at(0)).state;
  const wrong = [];
  for (let n = 0; n <= facts.length; n += 1) {
    const moment = await at(n);
    const shown = foldOf(initial, wire.filter(({ index }) => index <= n));
    const standing = [...elementsOf(facts.slice(0, n)).values()];
    const leaves = standing.filter(({ type }) => type !== "AD_HOC_SUB_PROCESS");
    const tokens = leaves.flatMap(({ id, active }) => Array(active).fill(id));
    const byId = (messages) => messages.map(said).sort();
    if (said(shown.state) !== said(moment.state)) wrong.push(`state at ${n}`);
    if (said(byId(shown.messages)) !== said(byId(moment.messages))) wrong.push(`messages at ${n}`);
    if (said(tokens.sort()) !== said(moment.tokens.sort())) wrong.push(`tokens at ${n}: ${tokens}`);
  }
  return { facts: facts.length, wrong };
}"""


def test_what_the_page_folds_by_itself_is_what_the_server_says_at_every_fact(
    tabs: Tabs, sarah: str, james: str
) -> None:
    page = tabs.open("#/operator", "operator")

    for case_id in (sarah, james):
        found = page.evaluate(IN_THE_PAGE, case_id)
        assert found["wrong"] == []
        assert found["facts"] > 100


def test_the_diagram_says_the_same_as_its_list_and_chosen_tools_are_marked(tabs: Tabs, sarah: str) -> None:
    page = tabs.open(f"#/operator/{sarah}", "operator")
    settled(page)
    drawn, listed = page.get_by_test_id("diagram"), page.get_by_test_id("element-list")

    done = listed.locator('[data-state="done"]').evaluate_all("all => all.map(one => one.dataset.elementId)")
    marked = drawn.locator(".djs-shape.on-path").evaluate_all("all => all.map(one => one.dataset.elementId)")
    assert set(done) == {name for name in marked if not name.endswith("_label")}
    assert drawn.locator(".was-chosen[data-element-id=verify_identity_document]").count() == 1
    assert drawn.locator(".was-chosen[data-element-id=ask_advisor]").count() == 0
    expect(page.locator(".bjs-powered-by")).to_be_visible()


def test_a_variable_is_set_and_a_case_cancelled_with_a_reason_on_the_record(
    tabs: Tabs, product: Product, james: str
) -> None:
    page = tabs.open(f"#/operator/{james}", "operator")
    settled(page)
    form = page.get_by_test_id("set-variable")
    form.locator("summary").click()
    form.get_by_test_id("variable-value").fill("[1]")
    form.get_by_test_id("reason").fill("spelling on the visa")
    form.get_by_test_id("variable-send").click()
    expect(form.get_by_test_id("error")).to_contain_text("shape of its contract")
    form.get_by_test_id("variable-value").fill('["Jaime Rodriguez"]')
    form.get_by_test_id("variable-send").click()
    expect(page.get_by_test_id("audit")).to_contain_text("spelling on the visa", timeout=5_000)
    assert "Jaime" not in page.get_by_test_id("audit").inner_text()

    page.get_by_test_id("cancel").click()
    page.get_by_role("dialog").get_by_test_id("reason").fill("opened twice")
    page.get_by_test_id("cancel-confirm").click()
    expect(page.get_by_test_id("status")).to_have_attribute("data-status", "cancelled", timeout=10_000)
    expect(page.get_by_test_id("audit")).to_contain_text("Case cancelled")
    expect(page.get_by_test_id("actions")).to_contain_text("This case is over")
    assert product.state("james", james)["status"] == "cancelled"


def test_an_incident_is_seen_in_the_diagram_and_the_list_and_is_retried_with_a_reason(
    tabs: Tabs, product: Product, james: str
) -> None:
    decide_past_the_bank(product, james)
    product.until("operator", james, "delayed")
    page = tabs.open(f"#/operator/{james}", "operator")
    settled(page)

    stuck = page.get_by_test_id("diagram").locator(".has-incident[data-element-id=open_account]")
    expect(stuck).to_have_count(1)
    incidents = page.get_by_test_id("incidents")
    incidents.get_by_role("textbox").fill("ledger is back")
    incidents.get_by_test_id("retry").click()
    expect(page.get_by_test_id("audit")).to_contain_text("ledger is back", timeout=5_000)
    expect(page.get_by_test_id("facts-pane")).to_contain_text("incidentResolved", timeout=10_000)
    page.goto(page.url.split("#")[0] + "#/operator")
    page.get_by_test_id("case-kind").select_option("incident")
    expect(page.get_by_test_id("incident-mark").first).to_have_text("1 incident", timeout=10_000)


def decide_past_the_bank(product: Product, case_id: str) -> None:
    """Complete the advisor's task at the engine itself: the account worker refuses, which is an incident."""
    key = product.state("operator", case_id)["openTasks"][0]["taskId"]
    token = installation.load_or_create(product.data_dir).service_token
    address = f"http://127.0.0.1:{product.rest_port}/v2/user-tasks/{key}/completion"
    body = {"variables": {"reviewDecision": {"outcome": "approve"}}}
    answer = httpx.post(address, json=body, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 204, answer.text


def test_unmasking_counts_down_and_masks_again(tabs: Tabs, james: str) -> None:
    page = tabs.open(f"#/operator/{james}", "operator")
    settled(page)
    assert "Rodriguez" not in page.inner_text("main")
    page.clock.install()

    reveal = page.get_by_test_id("reveal")
    reveal.get_by_test_id("reason").fill("the customer is on the telephone")
    reveal.get_by_test_id("reveal-send").click()
    expect(page.get_by_test_id("unmasked")).to_contain_text("Rodriguez")
    expect(page.get_by_test_id("audit")).to_contain_text("the customer is on the telephone")
    page.clock.run_for(30_000)
    expect(page.get_by_test_id("reveal-left")).to_have_text(re.compile(r"in (29|30) s"))
    page.clock.run_for(31_000)

    expect(page.get_by_test_id("unmasked")).to_have_count(0)
    assert "Rodriguez" not in page.inner_text("main")


def test_an_auditor_takes_evidence_and_a_changed_byte_is_named(
    tabs: Tabs, product: Product, sarah: str, tmp_path: Path
) -> None:
    page = tabs.open("#/operator/evidence", "auditor")
    page.get_by_test_id("evidence-case").select_option(sarah)
    page.get_by_test_id("take-evidence").get_by_test_id("reason").fill("yearly sample")
    with page.expect_download() as download:
        page.get_by_test_id("evidence-take").click()
    good, bad = tmp_path / "good.ndjson", tmp_path / "bad.ndjson"
    download.value.save_as(good)
    lines = good.read_bytes().split(b"\n")
    assert len(good.read_bytes()) > 128 * 1024  # More than other routes take.
    place = next(at for at, line in enumerate(lines) if b'"account_opened"' in line)
    lines[place] = lines[place].replace(b"account_opened", b"account_0pened", 1)
    bad.write_bytes(b"\n".join(lines))

    page.get_by_test_id("evidence-file").set_input_files(good)
    expect(page.get_by_test_id("evidence-result")).to_have_attribute("data-good", "true", timeout=10_000)
    page.get_by_test_id("evidence-file").set_input_files(bad)
    result = page.get_by_test_id("evidence-result")
    expect(result).to_have_attribute("data-good", "false", timeout=10_000)
    expect(result).to_contain_text(f"line {place + 1}")
    expect(result).to_contain_text("it was changed")
    seen: list[dict[str, Any]] = product.person("auditor").get(f"/cases/{sarah}/accesses").json()["accesses"]
    assert seen[-1]["action"] == "evidence-exported"


def test_a_case_that_is_not_there_and_a_lost_network_are_said_in_words(tabs: Tabs, sarah: str) -> None:
    page = tabs.open("#/operator/" + "a" * 26, "operator")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such case here", timeout=10_000)

    page.goto(page.url.split("#")[0] + f"#/operator/{sarah}")
    settled(page)
    page.context.set_offline(True)
    page.get_by_test_id("scrub").fill("20")
    expect(page.get_by_test_id("error").first).to_contain_text("cannot be reached", timeout=10_000)
    page.context.set_offline(False)


def test_a_cut_while_the_case_goes_on_leaves_no_gap_and_nothing_twice(
    tabs: Tabs, product: Product, james: str
) -> None:
    page = tabs.open(f"#/operator/{james}", "operator")
    settled(page)

    page.context.set_offline(True)
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "offline", timeout=10_000)
    assert product.decide("advisor", james, "approve").status_code == 200
    product.until("james", james, "account_opened")
    page.context.set_offline(False)

    expect(page.get_by_test_id("status")).to_have_attribute("data-status", "account_opened", timeout=20_000)
    of = len(product.facts(james))
    expect(page.get_by_test_id("facts-pane").locator("li")).to_have_count(of, timeout=10_000)
    places, ids = places_of(page, "facts-pane", "index"), places_of(page, "wire-pane", "wireId")
    assert places == [str(place) for place in range(1, of + 1)]
    assert [int(name.split(".")[1]) for name in ids] == list(range(1, len(ids) + 1))


def places_of(page: Page, pane: str, name: str) -> list[str]:
    rows = page.get_by_test_id(pane).locator("li")
    found: list[str] = rows.evaluate_all("(all, name) => all.map((one) => one.dataset[name])", name)
    return found


def test_a_case_is_read_with_the_keyboard_alone(tabs: Tabs, sarah: str) -> None:
    page = tabs.open(f"#/operator/{sarah}", "operator")
    settled(page)

    page.get_by_test_id("filter").focus()
    page.keyboard.type("IdentityResultCard")
    tab_to(page, '[data-testid="wire-pane"] li button')
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("detail")).to_contain_text("ACTIVITY_SNAPSHOT")
    tab_to(page, '[data-testid="rendered-pane"] .rendered-links button[aria-pressed="true"]')
    tab_to(page, '[data-testid="detail"] header button')
    page.keyboard.press("Space")
    expect(page.locator('[data-chosen="true"]')).to_have_count(0)
    tab_to(page, '[data-testid="reveal"] input')


def tab_to(page: Page, wanted: str) -> None:
    """Press Tab until the wanted thing has the keyboard, as somebody without a mouse would."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement?.matches(wanted) ?? false", wanted):
            return
    pytest.fail(f"the keyboard does not get to {wanted}")

/** All cases for the operator: who (masked), where, what is wrong, since when it waits. Asks again every two seconds. */
import { dollars } from "../app/format.js";
import { html, useEffect, useMemo, useState } from "../app/html.js";
import { plural, t } from "../app/i18n.js";
import { ErrorNote, Heading, Since, useAction, useLoaded } from "../app/ui.js";

/** @typedef {import("../app/session.js").Session} Session */
/** @typedef {{caseId: string, processInstanceKey: string, submitter: string, status: string, stage: any, startedAt: string, applicant: string | null,
 *   depositUsdCents: number | null, waiting: {code: string, who: string, since: string} | null, incidents: number}} Row */

const REFRESH_MS = 2_000; // The list has no stream of its own; a case has.

const KINDS = /** @type {const} */ (["all", "open", "waiting", "incident", "ended"]);
const OPEN = new Set(["submitted", "running", "waiting", "delayed"]);

/** @param {{session: Session}} props */
export function Cases({ session }) {
  const { value, error, reload } = useLoaded(() => session.get("cases"), [session.token]);
  const [words, setWords] = useState("");
  const [kind, setKind] = useState("all");
  const [named, setNamed] = useState(/** @type {{name: string, caseIds: string[]} | null} */ (null));
  const finding = useAction();
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  /** @type {Row[] | undefined} */
  const all = value?.body.cases;
  const byName = named?.name === words ? named.caseIds : null;
  const rows = useMemo(() => (all ?? []).filter((row) => isOf(row, kind) && (byName?.includes(row.caseId) || holds(row, words))), [all, kind, words, byName]);
  const find = () => finding.run(async () => setNamed({ name: words, ...(await session.post("operator/search", { name: words })).body }));
  return html`<section class="cases" aria-labelledby="cases-title">
    <header class="pane-head">
      <${Heading}><span id="cases-title">${t("operator.title")}</span><//>
      <p class="case-meta">
        ${all && html`<span role="status" data-testid="case-count">${plural("operator.count", rows.length)}</span>`}
        <a href="#/operator/evidence">${t("evidence.title")}</a>
      </p>
    </header>
    <div class="toolbar" role="search">
      <label class="choice-select toolbar-words">${t("operator.search")}
        <input type="search" value=${words} placeholder=${t("operator.search.hint")} data-testid="case-search"
          onInput=${(/** @type {any} */ event) => setWords(event.target.value)} />
      </label>
      <label class="choice-select">${t("operator.kind")}
        <select value=${kind} onChange=${(/** @type {any} */ event) => setKind(event.target.value)} data-testid="case-kind">
          ${KINDS.map((name) => html`<option key=${name} value=${name}>${t(`operator.kind.${name}`)}</option>`)}
        </select>
      </label>
    </div>
    <${ErrorNote} error=${error ?? finding.error} />
    ${!all && !error && html`<p class="muted">${t("loading")}</p>`}
    ${all?.length === 0 && html`<p class="lead quiet">${t("operator.none")}</p>`}
    ${all && all.length > 0 && rows.length === 0 && html`<p class="lead quiet">${t(byName ? "operator.noname" : "operator.nomatch")}</p>`}
    ${rows.length === 0 && !byName && words.trim().includes(" ") && html`<p><button class="button" onClick=${find} disabled=${finding.busy} data-testid="find-name">${t("operator.byname")}</button> <span class="hint">${t("operator.byname.hint")}</span></p>`}
    <ul class="ledger cases-list">${rows.map((row) => html`<${CaseRow} key=${row.caseId} row=${row} />`)}</ul>
    ${all && value?.body.total > all.length && html`<p class="fine">${t("operator.more", { shown: all.length, total: value.body.total })}</p>`}
  </section>`;
}

/** @param {{row: Row}} props */
function CaseRow({ row }) {
  const tone = row.incidents > 0 ? "bad" : row.status === "account_opened" ? "ok" : row.status === "waiting" ? "warn" : "plain";
  return html`<li>
    <a class="ledger-row" href="#/operator/${row.caseId}" data-testid="case-row" data-status=${row.status}>
      <span class="ledger-name">${row.applicant ?? t("operator.unnamed")}</span>
      <span class="ledger-amount">${dollars(row.depositUsdCents)}</span>
      <span class="ledger-why">
        <span class="verdict verdict-${tone}">${t(`status.${row.status}`, {}, row.status)}</span>
        ${OPEN.has(row.status) && row.stage?.number && html`<span>${t("step.of", row.stage)} · ${t(`stage.bank.${row.stage.id}`)}</span>`}
        ${row.incidents > 0 && html`<span class="incident-mark" data-testid="incident-mark">${plural("operator.incident", row.incidents)}</span>`}
      </span>
      <span class="ledger-wait">${row.waiting ? html`${t(`operator.for.${row.waiting.who}`)} <${Since} at=${row.waiting.since} />` : html`${t("operator.started")} <${Since} at=${row.startedAt} />`}</span>
      <span class="ledger-when mono">${row.processInstanceKey} · ${row.caseId.slice(0, 10)}</span>
    </a>
  </li>`;
}

/** @param {Row} row @param {string} kind */
function isOf(row, kind) {
  if (kind === "incident") return row.incidents > 0;
  if (kind === "waiting") return row.waiting !== null;
  return kind === "all" || OPEN.has(row.status) === (kind === "open");
}

/** @param {Row} row @param {string} words every one of them is somewhere in what the row says */
function holds(row, words) {
  const said = [row.applicant, row.submitter, row.caseId, row.processInstanceKey, row.status, t(`status.${row.status}`, {}, ""), t(`stage.bank.${row.stage?.id}`, {}, "")];
  const text = said.join(" ").toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

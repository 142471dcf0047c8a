/** The advisor's queue, live: what waits, for whom, how much, how long, and how much time is left. */
import { Gate } from "../app/gate.js";
import { dollars, now, reason } from "../app/format.js";
import { html, useEffect, useState } from "../app/html.js";
import { t } from "../app/i18n.js";
import { Problem } from "../app/problem.js";
import { forget } from "../app/session.js";
import { minutesLeft } from "../app/sla.js";
import { ConnectionBadge, ErrorNote, Heading, Since, useAction, useStream } from "../app/ui.js";
import { SlaClock } from "./sla-clock.js";

/** @typedef {import("../app/session.js").Session} Session */
/** @typedef {{taskId: string, caseId: string, elementId: string, applicant: string | null, depositUsdCents: number | null, reasonCode: string | null,
 *   since: string, groups: string[], assignee: string | null, priority?: number, sla?: import("../app/sla.js").Sla | null}} QueueTask */
/** @typedef {{who: string, kind: string, order: string, words: string}} Filter */

/** @param {{parts: string[]}} props */
export default function Advisor({ parts: [caseId] }) {
  useEffect(() => {
    if (caseId) location.replace(`#/desk/${caseId}`); // The desk's earlier address.
  }, [caseId]);
  return html`<${Gate} persona="advisor">
    ${(/** @type {Session} */ session) => html`<${Queue} key=${session.token} session=${session} />`}
  <//>`;
}

/** @param {{session: Session}} props */
function Queue({ session }) {
  const shown = useStream(session, "queue/stream");
  const [filter, setFilter] = useState(/** @type {Filter} */ ({ who: "all", kind: "", order: "due", words: "" }));
  const tasks = /** @type {QueueTask[] | undefined} */ (shown?.fold.state.tasks);
  useEffect(() => {
    if (shown?.problem?.status === 401) forget(session);
  }, [shown?.problem]);
  const chosen = tasks && chosenOf(tasks, filter, session.person.personId);
  return html`<section class="queue" aria-labelledby="queue-title">
    <header class="pane-head">
      <${Heading}><span id="queue-title">${t("advisor.title")}</span><//>
      <p class="case-meta">
        <a href="#/pipeline">${t("nav.pipeline")}</a>
        <${ConnectionBadge} connection=${shown?.connection} />
      </p>
    </header>
    <${ErrorNote} error=${shown?.problem} />
    ${!tasks && !shown?.problem && html`<p class="muted">${t("loading")}</p>`}
    ${tasks && tasks.length > 0 && html`<${Filters} tasks=${tasks} filter=${filter} onChange=${setFilter} />`}
    ${tasks?.length === 0 &&
    html`<div class="empty"><p class="lead">${t("advisor.empty")}</p><p class="muted">${t("advisor.empty.what")}</p></div>`}
    ${chosen?.length === 0 && tasks && tasks.length > 0 && html`<p class="muted quiet">${t("advisor.nomatch")}</p>`}
    <ul class="ledger queue-list">
      ${chosen?.map((task) => html`<${QueueRow} key=${task.taskId} task=${task} session=${session} />`)}
    </ul>
    <div class="sr-only" aria-live="polite">${tasks ? `${t("advisor.title")}: ${tasks.length}` : ""}</div>
  </section>`;
}

/** @type {Record<string, (one: QueueTask, other: QueueTask) => number>} */
const ORDERS = {
  due: (one, other) => leftOf(one) - leftOf(other),
  priority: (one, other) => (other.priority ?? 50) - (one.priority ?? 50),
  amount: (one, other) => (other.depositUsdCents ?? 0) - (one.depositUsdCents ?? 0),
  since: (one, other) => one.since.localeCompare(other.since),
};

/** @param {QueueTask} task */
const leftOf = (task) => (task.sla ? minutesLeft(task.sla, now.peek()) : Number.MAX_SAFE_INTEGER);

/** @param {QueueTask[]} tasks @param {Filter} filter @param {string} personId */
function chosenOf(tasks, { who, kind, order, words }, personId) {
  const wanted = words.trim().toLowerCase();
  return tasks
    .filter((task) => who === "all" || (who === "mine" ? task.assignee === personId : !task.assignee))
    .filter((task) => kind === "" || task.elementId === kind)
    .filter((task) => wanted === "" || (task.applicant ?? "").toLowerCase().includes(wanted))
    .sort((one, other) => ORDERS[order](one, other) || one.since.localeCompare(other.since));
}

/** @param {{tasks: QueueTask[], filter: Filter, onChange: (filter: Filter) => void}} props */
function Filters({ tasks, filter, onChange }) {
  const kinds = [...new Set(tasks.map((task) => task.elementId))];
  const set = (/** @type {Partial<Filter>} */ part) => onChange({ ...filter, ...part });
  return html`<div class="toolbar" role="search" aria-label=${t("queue.filter")}>
    <input type="search" aria-label=${t("queue.words")} placeholder=${t("queue.words")} value=${filter.words} onInput=${(/** @type {any} */ event) => set({ words: event.target.value })} />
    <${Choice} label=${t("queue.who")} value=${filter.who} options=${["all", "mine", "free"].map((one) => [one, t(`queue.who.${one}`)])} onChange=${(/** @type {string} */ who) => set({ who })} testid="queue-who" />
    <${Choice} label=${t("queue.kind")} value=${filter.kind} options=${[["", t("queue.kind.all")], ...kinds.map((one) => [one, t(`advisor.task.${one}`, {}, one)])]} onChange=${(/** @type {string} */ kind) => set({ kind })} testid="queue-kind" />
    <${Choice} label=${t("queue.order")} value=${filter.order} options=${Object.keys(ORDERS).map((one) => [one, t(`queue.order.${one}`)])} onChange=${(/** @type {string} */ order) => set({ order })} testid="queue-order" />
  </div>`;
}

/** @param {{label: string, value: string, options: [string, string][], onChange: (value: string) => void, testid: string}} props */
const Choice = ({ label, value, options, onChange, testid }) =>
  html`<label class="choice-select"><span>${label}</span>
    <select value=${value} data-testid=${testid} onChange=${(/** @type {any} */ event) => onChange(event.target.value)}>
      ${options.map(([one, name]) => html`<option key=${one} value=${one}>${name}</option>`)}
    </select>
  </label>`;

/** @param {{task: QueueTask, session: Session}} props */
function QueueRow({ task, session }) {
  return html`<li data-testid="queue-row">
    <a class="ledger-row" href="#/desk/${task.caseId}">
      <span class="ledger-name">${task.applicant ?? t("advisor.case")}</span>
      <span class="ledger-amount">${dollars(task.depositUsdCents)}</span>
      <span class="ledger-why">${task.elementId === "ask_advisor" ? t("card.question.title") : task.reasonCode ? reason(task.reasonCode, "bank") : "–"}</span>
      <span class="ledger-when">
        ${t(`advisor.task.${task.elementId}`, {}, task.elementId)} · ${t("advisor.waiting")} <${Since} at=${task.since} />
        ${(task.priority ?? 50) >= 80 && html` · <span class="tag">${t("queue.urgent")}</span>`}
      </span>
      <span class="ledger-sla"><${SlaClock} sla=${task.sla} /></span>
    </a>
    <${Claim} task=${task} session=${session} />
  </li>`;
}

/** Take a task, or give it back. @param {{task: QueueTask, session: Session}} props */
export function Claim({ task, session }) {
  const { busy, error, run } = useAction();
  const mine = task.assignee === session.person.personId;
  const path = `cases/${task.caseId}/tasks/${task.taskId}`;
  const holder = error instanceof Problem ? (error.document.assignee ?? "–") : "";
  return html`<div class="ledger-claim" data-testid="claim">
      <span class="muted">
        ${mine ? t("advisor.mine") : task.assignee ? t("advisor.assignee", { name: task.assignee }) : t("advisor.unassigned")}
      </span>
      ${(mine || !task.assignee) &&
      html`<button class="link" disabled=${busy} aria-label="${t(mine ? "advisor.release" : "advisor.claim")}, ${task.applicant}"
        onClick=${() => run(async () => void (await session.post(`${path}/${mine ? "release" : "claim"}`)))}>
        ${t(mine ? "advisor.release" : "advisor.claim")}
      </button>`}
    </div>
    <${ErrorNote} error=${error} words=${{ 409: t("advisor.error.409.claim", { person: holder }) }} />`;
}

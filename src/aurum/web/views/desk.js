/**
 * One case on the advisor's desk: why it is here, what was checked, what the assistant did, what the customer
 * sees now, what is new since the last look, and what can be decided. Live.
 */
import { dollars, money, moment } from "../app/format.js";
import { changesBetween, lastLook, lookAt, rememberLook } from "../app/changes.js";
import { Gate } from "../app/gate.js";
import { html, useEffect, useMemo, useRef, useState } from "../app/html.js";
import { plural, t } from "../app/i18n.js";
import { forget } from "../app/session.js";
import { lastCard, threadOf } from "../app/thread.js";
import { ConnectionBadge, ErrorNote, Heading, Since, fieldLabel, useStream } from "../app/ui.js";
import { Card } from "../cards/registry.js";
import { Claim } from "./advisor.js";
import { Answers, Application, Checks } from "./case-parts.js";
import { ToolChips } from "./chips.js";
import { CustomerCase } from "./customer-case.js";
import { DecisionForm } from "./decision-form.js";
import { DecisionTable } from "./decision-table.js";
import { SlaClock } from "./sla-clock.js";

/** @typedef {import("../app/session.js").Session} Session */
/** @typedef {import("../app/changes.js").Change} Change */
/** @typedef {import("./advisor.js").QueueTask} QueueTask */

const DECIDED = new Set(["advisor_review", "second_approval"]);

/** @param {{parts: string[]}} props */
export default function Desk({ parts: [caseId] }) {
  return html`<${Gate} persona="advisor">
    ${(/** @type {Session} */ session) =>
      caseId ? html`<${OneCase} key=${caseId + session.token} session=${session} caseId=${caseId} />` : html`<p class="lead"><a href="#/advisor">${t("advisor.choose")}</a></p>`}
  <//>`;
}

/** @param {{session: Session, caseId: string}} props */
function OneCase({ session, caseId }) {
  const shown = useStream(session, `streams/${encodeURIComponent(caseId)}?view=advisor`);
  const queue = useStream(session, "queue/stream");
  const [notice, setNotice] = useState(/** @type {import("./decision-form.js").Notice | null} */ (null));
  const state = shown?.fold.state ?? {};
  const messages = shown?.fold.messages ?? [];
  const { since, changes } = useChanges(session.person.personId, caseId, state);
  useEffect(() => {
    if (shown?.problem?.status === 401) forget(session);
  }, [shown?.problem]);
  const row = /** @type {QueueTask | undefined} */ (queue?.fold.state.tasks?.find((/** @type {QueueTask} */ task) => task.caseId === caseId));
  const open = (state.openTasks ?? []).find((/** @type {any} */ task) => DECIDED.has(task.elementId));
  /** @type {import("../cards/frame.js").Context} */
  const context = { audience: "bank", session, caseId, state };
  const card = (/** @type {string} */ name) => {
    const message = lastCard(messages, name);
    return message && html`<${Card} key=${message.id} content=${message.content} context=${context} />`;
  };
  const routing = lastCard(messages, "RoutingCard")?.content?.props;
  const decided = messages.filter((m) => m.content?.component === "DecisionCard");
  const changed = new Set(changes.map((change) => `${change.kind}:${change.name}`));
  if (shown?.connection === "refused") {
    return html`<div class="narrow"><${Heading}>${t("desk.notfound")}<//><${ErrorNote} error=${shown.problem} /><p><a href="#/advisor">${t("desk.back")}</a></p></div>`;
  }
  return html`<div class="desk" data-testid="case-pane">
    <${DeskHead} state=${state} row=${row} session=${session} connection=${shown?.connection} />
    <${ErrorNote} error=${shown?.problem} />
    <${ChangedNote} since=${since} changes=${changes} />
    <div class="desk-grid">
      <div class="desk-main">
        <h2 class="sr-only">${t("advisor.case")}</h2>
        ${card("RoutingCard")}
        ${routing && html`<${DecisionTable} session=${session} decisionId="onboarding_route" inputs=${routing.inputs} matched=${routing.matchedRules} />`}
        <${Checks} checks=${state.checks ?? {}} changed=${changed} />
        ${card("CaseRiskGauge")} ${card("RiskGauge")}
        <${Application} state=${state} changed=${changed} />
        <${AgentWork} messages=${messages} />
      </div>
      <div class="desk-side">
        <h2 class="sr-only">${t("advisor.decision")}</h2>
        ${notice && html`<p class="note ${notice.good ? "note-ok" : "note-bad"}" role=${notice.good ? "status" : "alert"} data-testid="decision-notice">${notice.text}</p>`}
        ${card("AdvisorQuestionCard")}
        ${open
          ? html`<${DecisionForm} key=${open.taskId} session=${session} caseId=${caseId} taskId=${open.taskId} application=${state.application} onNotice=${setNotice} />`
          : state.status && html`<p class="muted quiet">${t("advisor.decision.closed")}</p>`}
        ${state.waiting?.who === "customer" && html`<p class="muted quiet">${t("who.customer.bank")} · <${Since} at=${state.waiting.since} /></p>`}
        ${decided.map((m) => html`<${Card} key=${m.id} content=${m.content} context=${context} />`)}
        <${Answers} answers=${state.answers ?? []} />
        ${card("AccountOpenedCard")}
      </div>
      <section class="desk-customer" aria-labelledby="customer-now" data-testid="customer-now">
        <h2 class="label" id="customer-now">${t("desk.customer")}</h2>
        <p class="fine">${t("desk.customer.what")}</p>
        <${Mirror}><${CustomerCase} session=${session} caseId=${caseId} compact observing /><//>
      </section>
    </div>
  </div>`;
}

/** A window on the customer's page that stands at its end, where it is now, unless somebody reads back. @param {{children?: any}} props */
function Mirror({ children }) {
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const box = frame.current;
    if (!box?.firstElementChild) return;
    let atEnd = true;
    const note = () => void (atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 80);
    const watcher = new ResizeObserver(() => {
      if (atEnd) box.scrollTop = box.scrollHeight;
    });
    box.addEventListener("scroll", note);
    watcher.observe(box.firstElementChild);
    return () => {
      box.removeEventListener("scroll", note);
      watcher.disconnect();
    };
  }, []);
  return html`<div class="mirror" ref=${frame} tabindex="0" role="group" aria-labelledby="customer-now">${children}</div>`;
}

/** @param {{state: any, row: QueueTask | undefined, session: Session, connection: string | undefined}} props */
function DeskHead({ state, row, session, connection }) {
  const named = [state.application?.givenNames, state.application?.familyName].filter(Boolean).join(" ");
  const deposit = state.application?.initialDeposit;
  const cents = state.quote?.depositUsdCents ?? row?.depositUsdCents;
  return html`<header class="pane-head">
    <div>
      <p class="case-meta"><a href="#/advisor">${t("desk.back")}</a> <a href="#/pipeline">${t("nav.pipeline")}</a></p>
      <${Heading}>${named || row?.applicant || t("advisor.case")}<//>
      <p class="case-meta">
        <span class="figure">${typeof cents === "number" ? dollars(cents) : deposit ? money(deposit.amount, deposit.currency) : "–"}</span>
        ${state.status && html`<span class="verdict verdict-plain" data-testid="status" data-status=${state.status}>${t(`status.${state.status}`)}</span>`}
        ${state.stage && html`<span data-testid="step-number">${t("step.of", state.stage)}: ${t(`stage.${state.stage.id}`)}</span>`}
        <${ConnectionBadge} connection=${connection} />
      </p>
    </div>
    ${row && html`<div class="desk-task"><${SlaClock} sla=${row.sla} /><${Claim} task=${row} session=${session} /></div>`}
  </header>`;
}

/**
 * What is new since this person last looked, as it is now and as it goes on; the look is remembered when the
 * page is left.
 * @param {string} personId @param {string} caseId @param {any} state @returns {{since: string | null, changes: Change[]}}
 */
function useChanges(personId, caseId, state) {
  const before = useMemo(() => lastLook(personId, caseId), [personId, caseId]);
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    const keep = () => {
      if (latest.current.status) rememberLook(personId, caseId, lookAt(latest.current, new Date().toISOString()));
    };
    addEventListener("pagehide", keep);
    return () => {
      removeEventListener("pagehide", keep);
      keep();
    };
  }, [personId, caseId]);
  const changes = useMemo(() => (before && state.status ? changesBetween(before, lookAt(state, before.at)) : []), [before, state]);
  return { since: before?.at ?? null, changes };
}

/** @param {{since: string | null, changes: Change[]}} props */
function ChangedNote({ since, changes }) {
  if (since === null) return null;
  return html`<div class="changed-note" data-testid="changed-note">
    <p class="label">${t("desk.since", { time: moment(since) })}</p>
    ${changes.length === 0
      ? html`<p class="muted">${t("desk.unchanged")}</p>`
      : html`<ul>${changes.map((change) => html`<li key=${change.kind + change.name}>${changeText(change)}</li>`)}</ul>`}
  </div>`;
}

/** @param {Change} change */
function changeText(change) {
  if (change.kind === "more") return plural(`desk.more.${change.name}`, change.count);
  if (change.kind === "field") return fieldLabel(change.name);
  return t(change.kind === "check" ? `check.${change.name}` : `desk.part.${change.name}`);
}

/** What the assistant said and which tools it used, each open to arguments and result. @param {{messages: import("../app/agui.js").Message[]}} props */
function AgentWork({ messages }) {
  const items = useMemo(() => threadOf(messages).filter((item) => item.kind !== "card"), [messages]);
  if (items.length === 0) return null;
  return html`<section class="card" aria-label=${t("desk.agent")} data-testid="agent-work">
    <header class="card-head"><h3>${t("desk.agent")}</h3></header>
    <p class="muted">${t("desk.agent.what")}</p>
    <ol class="agent-work">
      ${items.map((item) => (item.kind === "tools" ? html`<li key=${item.id}><${ToolChips} calls=${item.calls} /></li>` : item.kind === "text" ? html`<li key=${item.id}><p>${item.message.content}</p></li>` : null))}
    </ol>
  </section>`;
}

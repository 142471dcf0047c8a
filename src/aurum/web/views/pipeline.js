/** The bank's book of cases by stage: how many, how much, how old. Its totals are the engine's. */
import { Gate } from "../app/gate.js";
import { dollars } from "../app/format.js";
import { html, useEffect } from "../app/html.js";
import { plural, t } from "../app/i18n.js";
import { ErrorNote, Heading, Since, useLoaded } from "../app/ui.js";

/** @typedef {import("../app/session.js").Session} Session */
/** @typedef {{number: number, id: string, count: number, valueUsdCents: number, unvalued: number, statuses: Record<string, number>, cases: any[]}} Stage */

const REFRESH_MS = 5_000; // A book, not a ticker.

export default function Pipeline() {
  return html`<${Gate} persona="advisor">
    ${(/** @type {Session} */ session) => html`<${Book} key=${session.token} session=${session} />`}
  <//>`;
}

/** @param {{session: Session}} props */
function Book({ session }) {
  const { value, error, reload } = useLoaded(() => session.get("pipeline"), [session.token]);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const book = value?.body;
  return html`<section class="pipeline" aria-labelledby="pipeline-title">
    <header class="pane-head">
      <${Heading}><span id="pipeline-title">${t("pipeline.title")}</span><//>
      <p class="case-meta"><a href="#/advisor">${t("advisor.title")}</a></p>
    </header>
    <${ErrorNote} error=${error} />
    ${!book && !error && html`<p class="muted">${t("loading")}</p>`}
    ${book && html`<${Totals} book=${book} />`}
    ${book?.totals.active === 0 && html`<p class="lead quiet">${t("pipeline.empty")}</p>`}
    ${book && html`<ol class="stages">${book.stages.map((/** @type {Stage} */ stage) => html`<${StageColumn} key=${stage.id} stage=${stage} most=${mostOf(book)} />`)}</ol>`}
  </section>`;
}

/** @param {{stages: Stage[]}} book */
const mostOf = (book) => Math.max(1, ...book.stages.map((stage) => stage.valueUsdCents));

/** @param {{book: any}} props */
function Totals({ book }) {
  const { totals, engine, ended } = book;
  const agrees = totals.active === engine.active;
  return html`<dl class="facts facts-row pipeline-totals">
    <div><dt>${t("pipeline.active")}</dt><dd class="figure" data-testid="pipeline-active">${totals.active}</dd></div>
    <div><dt>${t("pipeline.value")}</dt><dd class="figure">${dollars(totals.valueUsdCents)}</dd></div>
    <div><dt>${t("pipeline.engine")}</dt><dd><span class="verdict verdict-${agrees ? "ok" : "warn"}" data-testid="pipeline-engine" data-count=${engine.active}>
      ${agrees ? t("pipeline.agrees", { count: engine.active }) : t("pipeline.differs", { count: engine.active })}</span></dd></div>
    <div><dt>${t("pipeline.ended")}</dt><dd>${Object.entries(ended).map(([status, count]) => `${t(`status.${status}`, {}, status)} ${count}`).join(" · ") || "–"}</dd></div>
  </dl>`;
}

/** @param {{stage: Stage, most: number}} props */
function StageColumn({ stage, most }) {
  const share = `${Math.round((100 * stage.valueUsdCents) / most)}%`;
  return html`<li class="stage" data-testid="stage-${stage.id}">
    <header>
      <h2><span class="muted">${stage.number}</span> ${t(`stage.bank.${stage.id}`, {}, t(`stage.${stage.id}`))}</h2>
      <p><span class="figure">${stage.count}</span> <span class="muted">${dollars(stage.valueUsdCents)}</span></p>
      <svg class="stage-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="4" class="bar-ground" /><rect width=${parseInt(share, 10)} height="4" class="bar-value" /></svg>
      ${stage.unvalued > 0 && html`<p class="fine">${plural("pipeline.unvalued", stage.unvalued)}</p>`}
    </header>
    <ul>
      ${stage.cases.map(
        (one) =>
          html`<li key=${one.caseId}>
            <a href="#/desk/${one.caseId}">${one.applicant ?? one.caseId.slice(0, 8)}</a>
            <span class="num">${dollars(one.depositUsdCents)}</span>
            <span class="muted">${t(`status.${one.status}`)}${one.waitingSince && html` · ${t(`pipeline.for.${one.waitingFor}`)} <${Since} at=${one.waitingSince} />`}${!one.waitingSince && html` · <${Since} at=${one.startedAt} />`}</span>
          </li>`,
      )}
    </ul>
    ${stage.count > stage.cases.length && html`<p class="fine">${t("pipeline.more", { count: stage.count - stage.cases.length })}</p>`}
  </li>`;
}

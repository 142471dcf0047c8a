/** The frame of every card: a title, whether its source is simulated, and where the content came from. */
import { stepTitle } from "../app/elements.js";
import { moment } from "../app/format.js";
import { html } from "../app/html.js";
import { t } from "../app/i18n.js";

/** @typedef {{elementId?: string, asOf?: string | null, name?: string | null, tool?: string | null}} Source */
/** @typedef {{audience: "customer" | "bank", session: import("../app/session.js").Session, caseId: string, state: any, observing?: boolean}} Context */
/** @typedef {{props: any, status: string, context: Context}} CardProps */

/** @param {{component: string, title: any, badge?: any, source?: Source, simulated?: boolean, audience: string, tone?: string, children?: any}} props */
export function CardFrame({ component, title, badge, source, simulated, audience, tone = "", children }) {
  return html`<article class="card ${tone}" data-testid="card-${component}" aria-label=${title}>
    <header class="card-head">
      <h3>${title}</h3>
      ${badge}
      ${simulated && html`<span class="tag" title=${t("simulated.long")}>${t("simulated")}</span>`}
    </header>
    ${children}
    <${Provenance} source=${source} audience=${audience} />
  </article>`;
}

/** @param {{source?: Source, audience: string}} props */
export function Provenance({ source, audience }) {
  if (!source) return null;
  const step = audience === "bank" ? source.elementId : source.elementId && stepTitle(source.elementId);
  return html`<footer class="provenance">
    ${source.name && html`<span>${t("source.line", { name: source.name })}</span>`}
    ${step && html`<span>${t("source.step", { step })}</span>`}
    ${source.tool && html`<span>${t("source.tool", { tool: source.tool })}</span>`}
    ${source.asOf && html`<span>${t("source.asof", { time: moment(source.asOf) })}</span>`}
  </footer>`;
}

/** @param {{tone: "ok" | "warn" | "bad" | "plain", children?: any}} props */
export const Verdict = ({ tone, children }) => html`<span class="verdict verdict-${tone}">${children}</span>`;

/** @param {string} outcome @returns {"ok" | "warn" | "bad" | "plain"} */
export const toneOf = (outcome) =>
  outcome === "clear" || outcome === "done" ? "ok" : outcome === "review" ? "warn" : outcome === "failed" ? "bad" : "plain";

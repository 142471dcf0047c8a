/** What a person decided; bank only. */
import { moment, reason } from "../app/format.js";
import { html } from "../app/html.js";
import { t } from "../app/i18n.js";
import { CardFrame, Verdict } from "./frame.js";

/** @param {import("./frame.js").CardProps} card */
export function DecisionCard({ props, context }) {
  const { outcome, reasonCode, person, at, question, source } = props;
  const tone = outcome === "approve" ? "ok" : outcome === "decline" ? "bad" : "warn";
  return html`<${CardFrame}
    component="DecisionCard"
    title=${t("card.decision.title")}
    badge=${html`<${Verdict} tone=${tone}>${t(`decided.${outcome}`)}<//>`}
    source=${source}
    audience=${context.audience}
  >
    <p>${person}, ${moment(at)}</p>
    ${reasonCode && html`<p class="muted">${reason(reasonCode, "bank")}</p>`}
    ${question && html`<blockquote>${question}</blockquote>`}
  <//>`;
}

/** Honest waiting: what for, since when, who acts, what happens next, and what the customer can do now. */
import { html } from "../app/html.js";
import { has, t } from "../app/i18n.js";
import { Facts, Since } from "../app/ui.js";
import { AnswerForm } from "./answer.js";
import { CardFrame, Verdict } from "./frame.js";

/** @param {import("./frame.js").CardProps} card */
export function WaitingCard({ props, status, context }) {
  const { code, who, since, taskId, ask, source } = props;
  const words = has(`${code}.what`) ? code : "waiting.unknown";
  const over = status === "done" || status === "cancelled";
  const mine = who === "customer" && context.audience === "customer";
  if (over) {
    return html`<article class="card card-over" data-testid="card-WaitingCard" aria-label=${t(`${words}.what`)}>
      <p>${t("waiting.ended", { what: t(`${words}.what`) })}</p>
    </article>`;
  }
  return html`<div data-testid="waiting-card">
    <${CardFrame}
      component="WaitingCard"
      title=${t(`${words}.what`)}
      badge=${html`<${Verdict} tone=${mine ? "warn" : "plain"}>${t(`who.${who}`)}<//>`}
      source=${source}
      audience=${context.audience}
      tone=${mine ? "card-yours" : ""}
    >
      <${Facts}
        class="facts-wait"
        rows=${[
          [t("waiting.since"), html`<${Since} at=${since} />`],
          [t("waiting.who"), t(`who.${who}`)],
          [t("waiting.next"), t(`${words}.next`)],
          ...(context.audience === "customer" ? [[t("waiting.do"), t(`${words}.do`)]] : []),
        ]}
      />
      ${mine && taskId && !context.observing && html`<${AnswerForm} key=${taskId} taskId=${taskId} ask=${ask ?? {}} talk=${source?.elementId === "request_information"} context=${context} />`}
    <//>
  </div>`;
}

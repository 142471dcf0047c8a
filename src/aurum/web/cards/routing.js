/** Why a case went where it went: the matched rule, its inputs, and how far the deposit is from the limit. */
import { dollars, reason, scalar } from "../app/format.js";
import { html } from "../app/html.js";
import { humanised, t } from "../app/i18n.js";
import { Facts } from "../app/ui.js";
import { CardFrame, Verdict } from "./frame.js";

/** @param {number | null | undefined} cents */
export function marginText(cents) {
  if (typeof cents !== "number") return t("card.routing.unknown");
  if (cents === 0) return t("card.routing.equal");
  return t(cents > 0 ? "card.routing.above" : "card.routing.below", { amount: dollars(Math.abs(cents)) });
}

/** @param {import("./frame.js").CardProps} card */
export function RoutingCard({ props, context }) {
  const { route, reasonCode, depositUsdCents, limitUsdCents, marginUsdCents, matchedRules, inputs = [], source } = props;
  return html`<${CardFrame}
    component="RoutingCard"
    title=${t("card.routing.title")}
    badge=${html`<${Verdict} tone=${route === "auto" ? "ok" : "warn"}>${t(`card.routing.${route}`)}<//>`}
    source=${source}
    audience=${context.audience}
  >
    <p class="lead">${reason(reasonCode, "bank")}</p>
    <${Facts}
      class="facts-row"
      rows=${[
        [t("card.routing.deposit"), dollars(depositUsdCents)],
        [t("card.routing.limit"), dollars(limitUsdCents)],
        [t("card.routing.margin"), marginText(marginUsdCents)],
      ]}
    />
    <table class="small-table">
      <caption>${t("card.routing.inputs")}</caption>
      <tbody>
        ${inputs.map((/** @type {any} */ input, /** @type {number} */ index) => {
          const name = input.name ?? input.id ?? String(index + 1);
          const label = t(`input.${input.id}`, {}, humanised(name));
          return html`<tr key=${index}><th scope="row">${label}</th><td class="num">${inputText(name, input.value)}</td></tr>`;
        })}
        <tr><th scope="row">${t("card.routing.rule")}</th><td class="num mono">${matchedRules.map(ruleText).join("; ") || "–"}</td></tr>
      </tbody>
    </table>
  <//>`;
}

/** @param {any} rule */
const ruleText = (rule) => t("card.routing.ruleNo", { index: rule.ruleIndex, id: rule.ruleId });

/** @param {string} name @param {any} value */
function inputText(name, value) {
  const read = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  if (/cents/i.test(name) && typeof read === "number") return dollars(read);
  if (Array.isArray(value)) return value.map((code) => reason(String(code), "bank")).join(" ") || t("value.none");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : scalar(value, "status");
}

/** Two gauges that are never mixed up: the customer's investment profile, and the bank's AML risk score. */
import { reason } from "../app/format.js";
import { html } from "../app/html.js";
import { humanised, t } from "../app/i18n.js";
import { CardFrame, Verdict } from "./frame.js";
import { Gauge } from "./gauge.js";

const PROFILES = 5;
const SCORE_MAX = 100;
const BAND_BOUNDS = [0, 0.3, 0.6, 1];
const BANDS = ["low", "medium", "high"];

/** @param {import("./frame.js").CardProps} card */
export function RiskGauge({ props, context }) {
  const { profile, contradictions = [], source } = props;
  const label = t(`profile.${profile}`, {}, props.label ?? "");
  const bounds = Array.from({ length: PROFILES + 1 }, (_, index) => index / PROFILES);
  return html`<${CardFrame}
    component="RiskGauge"
    title=${t(context.audience === "bank" ? "card.risk.title.bank" : "card.risk.title")}
    source=${source}
    audience=${context.audience}
  >
    <div class="gauge-row">
      <${Gauge}
        bounds=${bounds}
        active=${profile - 1}
        share=${(profile - 0.5) / PROFILES}
        value="${profile} / ${PROFILES}"
        low="1"
        high=${String(PROFILES)}
        alt=${t("card.risk.alt", { profile, label })}
      />
      <div class="gauge-words">
        <p class="figure">${label}</p>
        <ol class="scale" aria-hidden="true">
          ${bounds.slice(1).map((_, index) => {
            const name = t(`profile.${index + 1}`);
            return html`<li key=${index} class=${index + 1 === profile ? "on" : ""}>${name}</li>`;
          })}
        </ol>
      </div>
    </div>
    ${contradictions.length > 0 &&
    html`<p class="label">${t("card.risk.contradictions")}</p>
      <ul class="reasons">
        ${contradictions.map((/** @type {string} */ code) => html`<li key=${code}>${reason(code, context.audience)}</li>`)}
      </ul>`}
  <//>`;
}

/** @param {import("./frame.js").CardProps} card */
export function CaseRiskGauge({ props, context }) {
  const { score, band, factors = [], source } = props;
  const tone = band === "low" ? "ok" : band === "medium" ? "warn" : "bad";
  const share = Math.min(Math.max(score / SCORE_MAX, 0.02), 0.98);
  return html`<${CardFrame}
    component="CaseRiskGauge"
    title=${t("card.caserisk.title")}
    badge=${html`<${Verdict} tone=${tone}>${t(`band.${band}`)}<//>`}
    source=${source}
    audience=${context.audience}
  >
    <div class="gauge-row">
      <${Gauge}
        bounds=${BAND_BOUNDS}
        active=${BANDS.indexOf(band)}
        share=${share}
        value=${String(score)}
        low="0"
        high=${String(SCORE_MAX)}
        alt=${t("card.caserisk.alt", { score, band: t(`band.${band}`) })}
      />
      ${factors.length === 0
        ? html`<p class="muted">${t("card.caserisk.none")}</p>`
        : html`<table class="small-table">
            <thead>
              <tr><th scope="col">${t("card.caserisk.factor")}</th><th scope="col" class="num">${t("card.caserisk.points")}</th></tr>
            </thead>
            <tbody>
              ${factors.map(
                (/** @type {{code: string, points: number}} */ { code, points }) =>
                  html`<tr key=${code}><td>${t(`factor.${code}`, {}, humanised(code))}</td><td class="num">${points}</td></tr>`,
              )}
            </tbody>
          </table>`}
    </div>
  <//>`;
}

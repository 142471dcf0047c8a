/** An illustrative allocation: a ring to choose from, the chosen class in words, all of it as a table. */
import { html, useState } from "../app/html.js";
import { about, percent, reason } from "../app/format.js";
import { plural, t } from "../app/i18n.js";
import { Donut } from "./donut.js";
import { CardFrame } from "./frame.js";

/** @typedef {{assetClass: string, label: string, percent: number}} Share */

/** What no schema can say: the whole is a hundred. @param {any} props */
export const accepts = (props) =>
  Math.abs(props.allocation.reduce((/** @type {number} */ sum, /** @type {Share} */ one) => sum + one.percent, 0) - 100) < 0.01;

/** @param {Share} share */
const nameOf = ({ assetClass, label }) => t(`asset.${assetClass}`, {}, label);

/** @param {import("./frame.js").CardProps} card */
export function PortfolioAllocationChart({ props, context }) {
  const { profile, allocation, rationaleCodes, horizonYears, simulated, source } = props;
  const [chosen, setChosen] = useState(0);
  const deposit = context.state?.application?.initialDeposit;
  const slices = allocation.map((/** @type {Share} */ one) => ({ key: one.assetClass, name: nameOf(one), percent: one.percent }));
  const share = /** @type {Share} */ (allocation[Math.min(chosen, allocation.length - 1)]);
  const amountOf = (/** @type {Share} */ one) => (deposit ? about((Number(deposit.amount) * one.percent) / 100, deposit.currency) : "");
  return html`<${CardFrame}
    component="PortfolioAllocationChart"
    title=${t("card.portfolio.title")}
    source=${source}
    simulated=${simulated}
    audience=${context.audience}
  >
    <p class="muted">${t("card.portfolio.for", { profile: t(`profile.${profile}`), years: horizonYears === null ? "–" : plural("years", horizonYears) })}</p>
    <div class="portfolio">
      <${Donut}
        slices=${slices}
        chosen=${chosen}
        label=${t("card.portfolio.choose")}
        sliceLabel=${(/** @type {import("./donut.js").Slice} */ slice) => `${slice.name}, ${percent(slice.percent)}`}
        onChoose=${setChosen}
      >
        <span class="figure">${percent(share.percent)}</span>
        ${amountOf(share) && html`<span class="fine">${amountOf(share)}</span>`}
      <//>
      <div class="portfolio-words">
        <ul class="legend">
          ${slices.map(
            (/** @type {import("./donut.js").Slice} */ slice, /** @type {number} */ index) =>
              html`<li key=${slice.key} class=${index === chosen ? "on" : ""} onClick=${() => setChosen(index)}>
                <span class="swatch series-${index % 6}" aria-hidden="true"></span>${slice.name}<span class="num">${percent(slice.percent)}</span>
              </li>`,
          )}
        </ul>
      </div>
    </div>
    <p class="portfolio-detail" role="status" data-testid="slice-detail">
      <strong>${nameOf(share)}.</strong> ${t(`asset.${share.assetClass}.what`, {}, "")}
    </p>
    <ul class="reasons">
      ${rationaleCodes.map((/** @type {string} */ code) => html`<li key=${code}>${reason(code, context.audience)}</li>`)}
    </ul>
    <details class="as-table">
      <summary>${t("chart.table")}</summary>
      <table class="small-table">
        <caption class="sr-only">${t("card.portfolio.title")}</caption>
        <thead>
          <tr>
            <th scope="col">${t("card.portfolio.class")}</th><th scope="col" class="num">${t("card.portfolio.share")}</th>
            ${deposit && html`<th scope="col" class="num">${t("card.portfolio.amount")}</th>`}
          </tr>
        </thead>
        <tbody>
          ${allocation.map(
            (/** @type {Share} */ one) =>
              html`<tr key=${one.assetClass}>
                <th scope="row">${nameOf(one)}</th><td class="num">${percent(one.percent)}</td>
                ${deposit && html`<td class="num">${amountOf(one)}</td>`}
              </tr>`,
          )}
        </tbody>
      </table>
    </details>
    <p class="fine">${t("card.portfolio.noadvice")}</p>
  <//>`;
}

/** How a deposit may develop: a fan from cautious to favourable, a year to look at, and what is assumed. */
import { html, useEffect, useId, useMemo, useRef, useState } from "../app/html.js";
import { about, aboutShort, percent } from "../app/format.js";
import { language, plural, t } from "../app/i18n.js";
import { Facts } from "../app/ui.js";
import { area, line, marks, scalesOf, yearMarks } from "./fan.js";
import { CardFrame } from "./frame.js";

/** @typedef {import("./fan.js").Band} Band */

const HEIGHT = 230;
const LETTER_PX = 7.2; // Of the axis: wide enough for the widest digit of the fonts in use.
const BAND_NAMES = /** @type {const} */ (["p90", "p50", "p10"]);

/** What no schema can say: years ascend and courses do not cross. @param {any} props */
export const accepts = (props) =>
  props.bands.every(
    (/** @type {Band} */ band, /** @type {number} */ index) =>
      band.p10 <= band.p50 && band.p50 <= band.p90 && (index === 0 || band.year > props.bands[index - 1].year),
  );

/** @param {import("./frame.js").CardProps} card */
export function ProjectedGrowthChart({ props, context }) {
  const { currency, initialCents, contributionCents, bands, assumptions, disclaimerCode, simulated, source } = props;
  const last = bands.length - 1;
  const [index, setIndex] = useState(last);
  const id = useId();
  const shown = /** @type {Band} */ (bands[Math.min(index, last)]);
  const money = (/** @type {number} */ cents) => about(cents / 100, currency);
  return html`<${CardFrame}
    component="ProjectedGrowthChart"
    title=${t("card.growth.title")}
    source=${source}
    simulated=${simulated}
    audience=${context.audience}
  >
    <p class="muted">
      ${t(contributionCents > 0 ? "card.growth.from.monthly" : "card.growth.from", { deposit: money(initialCents), monthly: money(contributionCents) })}
    </p>
    <${Fan} bands=${bands} initialCents=${initialCents} contributionCents=${contributionCents} currency=${currency} index=${Math.min(index, last)} />
    <div class="growth-year">
      <label for=${id}>${plural("card.growth.year", shown.year)}</label>
      <input id=${id} type="range" min="0" max=${last} value=${index} data-testid="growth-year"
        aria-valuetext=${`${plural("card.growth.year", shown.year)}: ${t("card.growth.p50")} ${money(shown.p50)}`}
        onInput=${(/** @type {any} */ event) => setIndex(Number(event.target.value))} />
    </div>
    <${Facts} class="facts-row" rows=${BAND_NAMES.map((name) => [t(`card.growth.${name}`), money(shown[name])])} />
    <p class="note" data-testid="growth-disclaimer">${t(`disclaimer.${disclaimerCode}`, {}, t("disclaimer.NOT_A_FORECAST"))}</p>
    <details class="as-table">
      <summary>${t("chart.table")}</summary>
      <table class="small-table">
        <caption class="sr-only">${t("card.growth.title")}</caption>
        <thead>
          <tr>
            <th scope="col">${t("card.growth.years")}</th>
            ${BAND_NAMES.toReversed().map((name) => html`<th key=${name} scope="col" class="num">${t(`card.growth.${name}.short`)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${bands.map(
            (/** @type {Band} */ band) =>
              html`<tr key=${band.year}>
                <th scope="row">${band.year}</th>
                ${BAND_NAMES.toReversed().map((name) => html`<td key=${name} class="num">${money(band[name])}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
      <p class="fine">${t("card.growth.assumed", assumedOf(assumptions))}</p>
    </details>
  <//>`;
}

/** @param {Record<string, number | null>} assumptions */
function assumedOf({ meanReturnPct, volatilityPct, feePct, inflationPct }) {
  const text = (/** @type {number | null | undefined} */ value) => (typeof value === "number" ? percent(value, 1) : "–");
  return { mean: text(meanReturnPct), volatility: text(volatilityPct), fee: text(feePct), inflation: text(inflationPct) };
}

/**
 * The drawing, at the size it is shown in, so that its letters stay readable on a phone.
 * @param {{bands: Band[], initialCents: number, contributionCents: number, currency: string, index: number}} props
 */
function Fan({ bands, initialCents, contributionCents, currency, index }) {
  const [element, width] = useWidth();
  const last = /** @type {Band} */ (bands.at(-1));
  const drawn = useMemo(() => {
    const steps = marks(Math.max(last.p90, 1), 4);
    const widest = Math.max(...steps.map((step) => aboutShort(step / 100, currency).length));
    const box = { width, height: HEIGHT, left: 14 + widest * LETTER_PX, right: 8, top: 10, bottom: 24 };
    const { x, y } = scalesOf(box, last.year || 1, /** @type {number} */ (steps.at(-1)));
    const points = (/** @type {"p10" | "p50" | "p90"} */ name) =>
      bands.map((band) => /** @type {[number, number]} */ ([x(band.year), y(band[name])]));
    const paid = bands.map(({ year }) => /** @type {[number, number]} */ ([x(year), y(initialCents + contributionCents * 12 * year)]));
    return { steps, box, x, y, fan: area(points("p90"), points("p10")), middle: line(points("p50")), paid: line(paid) };
  }, [bands, width, language.value]);
  const { steps, box, x, y } = drawn;
  const at = bands[index];
  return html`<figure class="fan">
    <div ref=${element} style=${{ height: `${HEIGHT}px` }}>
      ${width > 0 &&
      html`<svg width=${width} height=${HEIGHT} role="img" aria-label=${t("card.growth.alt", { years: last.year, low: aboutShort(last.p10 / 100, currency), middle: aboutShort(last.p50 / 100, currency), high: aboutShort(last.p90 / 100, currency) })}>
        ${steps.map(
          (step) =>
            html`<g key=${step}>
              <line class="axis" x1=${box.left} x2=${width - box.right} y1=${y(step)} y2=${y(step)} />
              <text class="axis-text" x=${box.left - 8} y=${y(step) + 4} text-anchor="end">${aboutShort(step / 100, currency)}</text>
            </g>`,
        )}
        ${yearMarks(last.year, width < 420 ? 5 : 10).map(
          (year) => html`<text key=${year} class="axis-text" x=${x(year)} y=${HEIGHT - 6} text-anchor=${year === last.year ? "end" : "middle"}>${year}</text>`,
        )}
        <path class="fan-area" d=${drawn.fan} />
        <path class="fan-paid" d=${drawn.paid} />
        <path class="fan-middle" d=${drawn.middle} />
        <line class="fan-at" x1=${x(at.year)} x2=${x(at.year)} y1=${box.top} y2=${HEIGHT - box.bottom} />
        ${BAND_NAMES.map((name) => html`<circle key=${name} class="fan-dot" cx=${x(at.year)} cy=${y(at[name])} r="3" />`)}
      </svg>`}
    </div>
    <figcaption class="legend legend-row">
      <span><span class="swatch swatch-area" aria-hidden="true"></span>${t("card.growth.range")}</span>
      <span><span class="swatch swatch-line" aria-hidden="true"></span>${t("card.growth.p50")}</span>
      <span><span class="swatch swatch-dash" aria-hidden="true"></span>${t("card.growth.paid")}</span>
    </figcaption>
  </figure>`;
}

/** The width an element has; 0 before it is laid out. @returns {[import("../app/html.js").Ref<HTMLElement | null>, number]} */
function useWidth() {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
    watcher.observe(element.current);
    return () => watcher.disconnect();
  }, []);
  return [element, width];
}

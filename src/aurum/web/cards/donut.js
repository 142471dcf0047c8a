/** A ring of slices as plain SVG. One slice is chosen: by click, by touch, or with the arrow keys. */
import { html, useRef } from "../app/html.js";

const SIZE = 200;
const RADIUS = 76;
const WIDTH = 26;
const WIDTH_CHOSEN = 34;
const GAP = 0.6; // Percent of the ring between two slices, so that neighbours part without colour.

/** @typedef {{key: string, name: string, percent: number}} Slice */

/** @param {number} percent clockwise from the top @param {number} radius @returns {string} */
function at(percent, radius) {
  const angle = (percent / 100) * 2 * Math.PI - Math.PI / 2;
  return `${(SIZE / 2 + radius * Math.cos(angle)).toFixed(2)} ${(SIZE / 2 + radius * Math.sin(angle)).toFixed(2)}`;
}

/** @param {number} from @param {number} to percents @param {number} width @returns {string} the outline of one slice */
export function ringSlice(from, to, width) {
  const [outer, inner] = [RADIUS + width / 2, RADIUS - width / 2];
  if (to - from >= 100) {
    const circle = (/** @type {number} */ radius) => `M${at(0, radius)}A${radius} ${radius} 0 1 1 ${at(50, radius)}A${radius} ${radius} 0 1 1 ${at(0, radius)}Z`;
    return circle(outer) + circle(inner);
  }
  const [start, end] = to - from > 2 * GAP ? [from + GAP / 2, to - GAP / 2] : [from, to];
  const large = end - start > 50 ? 1 : 0;
  return `M${at(start, outer)}A${outer} ${outer} 0 ${large} 1 ${at(end, outer)}L${at(end, inner)}A${inner} ${inner} 0 ${large} 0 ${at(start, inner)}Z`;
}

const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });

/**
 * @param {{slices: Slice[], chosen: number, label: string, sliceLabel: (slice: Slice) => string, onChoose: (index: number) => void,
 *   children?: any}} props `children` stand in the hole
 */
export function Donut({ slices, chosen, label, sliceLabel, onChoose, children }) {
  const group = useRef(/** @type {SVGGElement | null} */ (null));
  const choose = (/** @type {number} */ index) => {
    onChoose(index);
    /** @type {SVGElement | undefined} */ (group.current?.children[index])?.focus();
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const last = slices.length - 1;
    const next = event.key === "Home" ? 0 : event.key === "End" ? last : chosen + (STEPS[event.key] ?? NaN);
    if (Number.isNaN(next)) return;
    event.preventDefault();
    choose(next < 0 ? last : next > last ? 0 : next);
  };
  let sum = 0;
  return html`<div class="donut">
    <svg viewBox="0 0 ${SIZE} ${SIZE}">
      <g ref=${group} role="radiogroup" aria-label=${label} onKeyDown=${onKey}>
        ${slices.map((slice, index) => {
          const from = sum;
          sum += slice.percent;
          const on = index === chosen;
          return html`<path
            key=${slice.key}
            class="slice series-${index % 6}"
            role="radio"
            aria-checked=${on}
            aria-label=${sliceLabel(slice)}
            tabindex=${on ? 0 : -1}
            data-testid="slice-${slice.key}"
            d=${ringSlice(from, sum, on ? WIDTH_CHOSEN : WIDTH)}
            fill-rule="evenodd"
            onClick=${() => choose(index)}
          />`;
        })}
      </g>
    </svg>
    <div class="donut-hole" aria-hidden="true">${children}</div>
  </div>`;
}

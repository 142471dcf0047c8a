/** A half circle with a pointer, as plain SVG. Says the same in words to those who cannot see it. */
import { html, useId } from "../app/html.js";

const RADIUS = 80;
const CENTRE = { x: 100, y: 96 };
const GAP = 0.012;

/** @param {number} share 0 to 1 along the arc, left to right @param {number} radius @returns {[number, number]} */
function point(share, radius) {
  const angle = Math.PI * (1 - share);
  return [CENTRE.x + radius * Math.cos(angle), CENTRE.y - radius * Math.sin(angle)];
}

/** @param {number} from @param {number} to */
function arc(from, to) {
  const [x1, y1] = point(from, RADIUS);
  const [x2, y2] = point(to, RADIUS);
  return `M${x1.toFixed(2)} ${y1.toFixed(2)}A${RADIUS} ${RADIUS} 0 0 1 ${x2.toFixed(2)} ${y2.toFixed(2)}`;
}

/**
 * @param {{bounds: number[], active: number, share: number, value: string, low: string, high: string, alt: string}} props
 *   `bounds` cut the arc (0 … 1), `active` is the lit segment, `share` where the pointer stands
 */
export function Gauge({ bounds, active, share, value, low, high, alt }) {
  const title = useId();
  const [tipX, tipY] = point(share, RADIUS - 16);
  const [leftX, leftY] = point(share - 0.5, 4);
  const [rightX, rightY] = point(share + 0.5, 4);
  const needle = `M${leftX.toFixed(1)} ${leftY.toFixed(1)}L${tipX.toFixed(1)} ${tipY.toFixed(1)}L${rightX.toFixed(1)} ${rightY.toFixed(1)}Z`;
  const segments = bounds.slice(1).map((to, index) => ({ from: bounds[index] + GAP, to: to - GAP, index }));
  return html`<svg class="gauge" viewBox="0 0 200 132" role="img" aria-labelledby=${title}>
    <title id=${title}>${alt}</title>
    ${segments.map(
      ({ from, to, index }) =>
        html`<path key=${index} d=${arc(from, to)} class=${index === active ? "gauge-arc gauge-on" : "gauge-arc"} />`,
    )}
    <path d=${needle} class="gauge-needle" />
    <circle cx=${CENTRE.x} cy=${CENTRE.y} r="5" class="gauge-hub" />
    <text x=${CENTRE.x} y="126" class="gauge-value">${value}</text>
    <text x="20" y="116" class="gauge-end">${low}</text>
    <text x="180" y="116" class="gauge-end">${high}</text>
  </svg>`;
}

/** Numbers of a fan chart: round marks on an axis, lines and areas as SVG paths. Pure. */

/** @typedef {{year: number, p10: number, p50: number, p90: number}} Band */
/** @typedef {{width: number, height: number, left: number, right: number, top: number, bottom: number}} Box */

/**
 * Round numbers from 0 to at least `max`, about `wanted` of them.
 * @param {number} max above 0 @param {number} wanted @returns {number[]}
 */
export function marks(max, wanted) {
  const rough = max / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, index) => index * step);
}

/** Years to write under the axis: both ends and a few round ones between. @param {number} years @param {number} most @returns {number[]} */
export function yearMarks(years, most) {
  const step = [1, 2, 5, 10, 20].find((one) => years / one <= most) ?? 20;
  const round = Array.from({ length: Math.floor(years / step) + 1 }, (_, index) => index * step);
  const left = years - /** @type {number} */ (round.at(-1));
  if (left === 0) return round;
  return left * 2 > step ? [...round, years] : [...round.slice(0, -1), years];
}

/** @param {Box} box @param {number} years @param {number} top the largest amount on the axis */
export function scalesOf(box, years, top) {
  const [wide, high] = [box.width - box.left - box.right, box.height - box.top - box.bottom];
  return {
    x: (/** @type {number} */ year) => box.left + (wide * year) / years,
    y: (/** @type {number} */ amount) => box.top + high * (1 - amount / top),
  };
}

/** @param {[number, number][]} points @returns {string} */
export const line = (points) => points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/** @param {[number, number][]} upper @param {[number, number][]} lower @returns {string} */
export const area = (upper, lower) => `${line(upper)}${line([...lower].reverse()).replace("M", "L")}Z`;

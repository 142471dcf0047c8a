/**
 * What is new about a case since a person last looked at it. Remembered in this browser as fingerprints:
 * no value of a customer is kept.
 */

/** @typedef {{at: string, prints: Record<string, string>, counts: Record<string, number>}} Look */
/** @typedef {{kind: "field" | "check" | "part", name: string} | {kind: "more", name: string, count: number}} Change */

/** FNV-1a over a value's JSON: enough to see that it is another one. @param {unknown} value */
function print(value) {
  let hash = 0x811c9dc5;
  for (const char of JSON.stringify(value) ?? "") hash = Math.imul(hash ^ /** @type {number} */ (char.codePointAt(0)), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** @param {any} state the advisor's state of a case @param {string} now @returns {Look} */
export function lookAt(state, now) {
  /** @type {Record<string, string>} */
  const prints = {};
  for (const [name, value] of Object.entries(state.application ?? {})) if (name !== "hash") prints[`field:${name}`] = print(value);
  for (const [name, check] of Object.entries(/** @type {Record<string, any>} */ (state.checks ?? {}))) prints[`check:${name}`] = print([check.outcome, check.reasons]);
  for (const name of ["status", "stage", "quote", "suitability", "risk", "route", "account"]) if (state[name] !== undefined) prints[`part:${name}`] = print(state[name]);
  return { at: now, prints, counts: { decisions: state.decisions?.length ?? 0, answers: state.answers?.length ?? 0 } };
}

/** @param {Look} before @param {Look} now @returns {Change[]} */
export function changesBetween(before, now) {
  const names = new Set([...Object.keys(before.prints), ...Object.keys(now.prints)]);
  const changed = [...names].filter((name) => before.prints[name] !== now.prints[name]);
  const more = Object.entries(now.counts).filter(([name, count]) => count > (before.counts[name] ?? 0));
  return [
    ...changed.map((name) => {
      const [kind, rest] = name.split(":");
      return /** @type {Change} */ ({ kind, name: rest });
    }),
    ...more.map(([name, count]) => /** @type {Change} */ ({ kind: "more", name, count: count - (before.counts[name] ?? 0) })),
  ];
}

const keyOf = (/** @type {string} */ personId, /** @type {string} */ caseId) => `aurum.look.${personId}.${caseId}`;

/** @param {string} personId @param {string} caseId @returns {Look | null} */
export function lastLook(personId, caseId) {
  const kept = localStorage.getItem(keyOf(personId, caseId));
  return kept === null ? null : JSON.parse(kept);
}

/** @param {string} personId @param {string} caseId @param {Look} look */
export const rememberLook = (personId, caseId, look) => localStorage.setItem(keyOf(personId, caseId), JSON.stringify(look));

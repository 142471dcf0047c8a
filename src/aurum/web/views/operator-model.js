/** Facts and frames of one case as the operator's page reads them: places, elements, folds, changes. Pure. */
import { applyPatch, emptyFold, fold } from "../app/agui.js";

/** @typedef {import("../app/agui.js").Entry} Entry */
/** @typedef {Entry & {index: number}} Placed `index` is the place of the fact in the log, from 1 */
/** @typedef {{id: string, type: string, active: number, done: number, ended: number, incidents: number, chosen: number, since: number}} Element
 *   visits that are open, completed and terminated; open incidents; how often the assistant chose it; last change */
/** @typedef {{path: string, op: string, before: unknown, after: unknown}} Change */

const HOLDERS = new Set(["PROCESS", "AD_HOC_SUB_PROCESS_INNER_INSTANCE"]); // Not drawn, or not by this id.

/** Facts and frames come in one order: a frame belongs to the fact before it. @param {Entry[]} entries @returns {Placed[]} */
export function placed(entries) {
  let index = 0;
  return entries.map((entry) => ({ ...entry, index: entry.kind === "fact" ? ++index : index }));
}

/** Where every element stood after these facts, in the order in which they were first entered. @param {Entry[]} facts @returns {Map<string, Element>} */
export function elementsOf(facts) {
  /** @type {Map<string, Element>} */
  const found = new Map();
  const open = new Map();
  const left = new Set();
  const at = (/** @type {string} */ id, type = "") => {
    const known = found.get(id) ?? { id, type, active: 0, done: 0, ended: 0, incidents: 0, chosen: 0, since: 0 };
    if (type) known.type = type;
    found.set(id, known);
    return known;
  };
  for (const { body, at: time } of facts) {
    const { kind, elementId, elementType, elementInstanceKey: key, incidentKey, state } = body;
    if (kind === "elementStarted" && !HOLDERS.has(elementType) && !left.has(key)) {
      at(elementId, elementType).active += 1;
      open.set(key, elementId);
    } else if (kind === "elementEnded" && !HOLDERS.has(elementType)) {
      const element = at(elementId, elementType);
      if (open.delete(key)) element.active -= 1;
      if (!left.has(key)) element[state === "COMPLETED" ? "done" : "ended"] += 1;
      left.add(key);
    } else if (kind === "incidentRaised") {
      open.set(incidentKey, elementId);
      at(elementId).incidents += 1;
    } else if (kind === "incidentResolved" && open.has(incidentKey)) {
      at(open.get(incidentKey)).incidents -= 1;
      open.delete(incidentKey);
    } else if (kind === "turnCommitted") {
      for (const call of body.calls ?? []) if (call.tool) at(call.tool).chosen += 1;
    } else if (kind === "instanceEnded") {
      for (const element of found.values()) element.active = element.incidents = 0;
    }
    if (elementId && found.has(elementId)) at(elementId).since = body.atMs || time;
  }
  return found;
}

/** @typedef {{index: number, number: number, model: string, startedAt: number, seconds: string, input: number, output: number, tools: string[],
 *   rejected: string[], outcome: string}} Turn `seconds` from its first words here to its commit */

/** The turns that count, oldest first. @param {Placed[]} facts @returns {Turn[]} */
export function turnsOf(facts) {
  const began = new Map();
  /** @type {Turn[]} */
  const turns = [];
  for (const { index, at, body } of facts) {
    if (body.kind === "turnText" && !began.has(body.turnId)) began.set(body.turnId, at);
    if (body.kind !== "turnCommitted") continue;
    const startedAt = began.get(body.turnId) ?? at;
    const { brain, model, usage = {}, calls = [], rejected = [], outcome } = body;
    turns.push({
      index, startedAt, number: turns.length + 1, model: `${brain}/${model}`, seconds: ((at - startedAt) / 1000).toFixed(1),
      input: usage.input ?? 0, output: usage.output ?? 0, outcome: outcome ?? "",
      tools: calls.map((/** @type {any} */ call) => call.tool), rejected: rejected.map((/** @type {any} */ one) => one.tool),
    });
  }
  return turns;
}

/** The view that these frames make of the state before any fact. @param {any} initial @param {Entry[]} wire */
export function foldOf(initial, wire) {
  let now = { ...emptyFold(), state: initial };
  for (const { body } of wire) if (!body.event?.withheld) now = fold(now, body.event);
  return now;
}

/** What one frame changed in the state, value by value. @param {any} initial @param {Entry[]} wire @param {Entry} chosen @returns {Change[]} */
export function changesOf(initial, wire, chosen) {
  if (chosen.kind !== "wire" || chosen.body?.event?.type !== "STATE_DELTA") return [];
  let before = initial;
  for (const { frameId, body } of wire) {
    if (body.event?.type !== "STATE_DELTA") continue;
    const after = applyPatch(before, body.event.delta);
    if (frameId === chosen.frameId) {
      const paths = body.event.delta;
      return paths.map((/** @type {any} */ { op, path }) => ({ op, path, before: valueAt(before, path), after: valueAt(after, path) }));
    }
    before = after;
  }
  return [];
}

/** @param {any} document @param {string} pointer RFC 6901 @returns {unknown} undefined where there is nothing */
export function valueAt(document, pointer) {
  const tokens = pointer.split("/").slice(1).map((token) => token.replace(/~1/g, "/").replace(/~0/g, "~"));
  return tokens.reduce((value, token) => value?.[token === "-" && Array.isArray(value) ? value.length - 1 : token], document);
}

/** Which thing on the page a frame is about: the id of a message, a card or a tool call. @param {Entry | null} entry */
export const subjectOf = (entry) => {
  const event = entry?.kind === "wire" ? entry.body?.event : undefined;
  return String(event?.toolCallId ?? event?.messageId ?? "").replace(/^(tc:[^:]+):\d+$/, "$1");
};

/** @param {Entry[]} entries @param {string} words @returns {Entry[]} those that hold all the words somewhere */
export function matching(entries, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return entries;
  return entries.filter((entry) => {
    const text = JSON.stringify(entry).toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** One fact in a line. @param {any} fact */
export const factLine = (fact) => ({
  id: fact.id,
  type: fact.kind,
  about: [fact.elementId ?? fact.bpmnProcessId, fact.decisionId, fact.state, fact.errorType].filter(Boolean).join(" · "),
});

/** One frame in a line. @param {any} wire @param {string} withheld the word for content that is not shown */
export function wireLine({ id, event = {} }, withheld) {
  const paths = event.type === "STATE_DELTA" ? event.delta?.map((/** @type {any} */ op) => op.path).join(" ") : undefined;
  const text = typeof event.delta === "string" ? event.delta : undefined;
  const about = [event.stepName, event.toolCallName, event.content?.component, paths, text, event.outcome?.type];
  const ids = [event.toolCallId, event.messageId, event.runId, ""];
  return { id, type: event.type, about: event.withheld ? withheld : [...about, ...ids].find((one) => one !== undefined) };
}

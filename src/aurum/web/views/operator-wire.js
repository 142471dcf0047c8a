/**
 * Facts and frames of a case. Both come with the operator's own stream, with the customer's frames; the advisor's
 * are asked for, and so is everything of a case too long to be replayed by the stream.
 */
import { useEffect, useMemo, useRef, useState } from "../app/html.js";
import { Problem } from "../app/problem.js";
import { placed } from "./operator-model.js";

/** @typedef {import("./operator-model.js").Placed} Placed */
/** @typedef {{entries: Placed[], error: unknown}} Wire */

const GATHER_MS = 700; // Facts come in bursts; what is asked for is asked for once a burst.

/**
 * Asks again when `count` has changed, at most once in `GATHER_MS`, for as long as `wanted`.
 * @template T @param {() => Promise<T>} load @param {boolean} wanted @param {string} about what is asked for: an answer about something else is dropped
 * @param {number} count @returns {{value: T | null, error: unknown}}
 */
function useAsked(load, wanted, about, count) {
  const [asked, setAsked] = useState(/** @type {{about: string, value: T | null, error: unknown}} */ ({ about, value: null, error: null }));
  const last = useRef({ about: "", at: 0 });
  useEffect(() => {
    if (!wanted || count === 0) return;
    const since = last.current.about === about ? Date.now() - last.current.at : Infinity;
    const timer = setTimeout(
      () => {
        last.current = { about, at: Date.now() };
        load().then(
          (value) => last.current.about === about && setAsked({ about, value, error: null }),
          (error) => {
            if (!(error instanceof Problem)) throw error;
            if (last.current.about === about) setAsked((old) => ({ ...old, error }));
          },
        );
      },
      Math.max(0, GATHER_MS - since),
    );
    return () => clearTimeout(timer);
  }, [wanted, about, count]);
  useEffect(() => () => void (last.current = { about: "", at: 0 }), []); // Answers that come later are nobody's.
  return asked.about === about ? asked : { value: null, error: null };
}

/**
 * All facts and customer's frames, in order and with their places.
 * @param {import("../app/session.js").Session} session @param {string} caseId @param {import("../app/stream.js").Shown | null} shown
 * @returns {Placed[]}
 */
export function useEntries(session, caseId, shown) {
  const replayed = shown?.complete ?? true;
  const entries = shown?.fold.entries ?? [];
  const own = useMemo(() => (replayed ? placed(entries) : []), [entries, replayed]);
  const path = encodeURIComponent(caseId);
  const load = async () => {
    const [facts, wire] = await Promise.all([session.get(`cases/${path}/facts`), session.get(`cases/${path}/wire?view=customer`)]);
    return [...factsOf(facts.body), ...entriesOf(wire.body, "customer")].sort((one, other) => one.index - other.index);
  };
  const { value } = useAsked(load, !replayed, `${caseId} ${session.token}`, entries.length + 1);
  return replayed ? own : (value ?? []);
}

/** @param {string} text @returns {Placed[]} */
const factsOf = (text) =>
  lines(text).map(({ index, loggedAt, ...body }) => ({ frameId: `fact ${index}`, at: Date.parse(loggedAt), kind: /** @type {const} */ ("fact"), factId: body.id, index, body }));

/** @param {string} text @returns {any[]} */
const lines = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));

/**
 * @param {import("../app/session.js").Session} session @param {string} caseId @param {"customer" | "advisor"} view @param {Placed[]} entries
 * @returns {Wire}
 */
export function useWire(session, caseId, view, entries) {
  const own = useMemo(() => entries.filter((entry) => entry.kind === "wire"), [entries]);
  const load = async () => entriesOf((await session.get(`cases/${encodeURIComponent(caseId)}/wire?view=${view}`)).body, view);
  const { value, error } = useAsked(load, view !== "customer", `${view} ${caseId} ${session.token}`, entries.length - own.length);
  return view === "customer" ? { entries: own, error: null } : { entries: value ?? [], error };
}

/** Lines of a recording as entries; those of the prelude have no frame of their own. @param {string} text @param {string} view @returns {Placed[]} */
export const entriesOf = (text, view) =>
  lines(text)
    .filter((event) => event.metadata?.["com.aurum"]?.frameId)
    .map(({ metadata, ...event }) => {
      const { "com.aurum": ours, ...others } = metadata;
      const { frameId: id, factId, index, ...own } = ours; // The link is the recording's; the frame was sent without it.
      const sent = { ...others, ...(Object.keys(own).length > 0 ? { "com.aurum": own } : {}) };
      if (Object.keys(sent).length > 0) event.metadata = sent;
      return { frameId: id, at: event.timestamp ?? 0, kind: /** @type {const} */ ("wire"), factId, index, body: { view, id, factId, event } };
    });

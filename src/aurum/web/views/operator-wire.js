/** The frames of a view: the customer's come with the operator's own stream, the advisor's are asked for. */
import { useEffect, useMemo, useState } from "../app/html.js";
import { Problem } from "../app/problem.js";

/** @typedef {import("./operator-model.js").Placed} Placed */
/** @typedef {{entries: Placed[], error: unknown}} Wire */

const GATHER_MS = 700; // Facts come in bursts; the advisor's frames are asked for once a burst.

/**
 * @param {import("../app/session.js").Session} session @param {string} caseId @param {"customer" | "advisor"} view @param {Placed[]} entries
 * @returns {Wire}
 */
export function useWire(session, caseId, view, entries) {
  const [asked, setAsked] = useState(/** @type {Wire} */ ({ entries: [], error: null }));
  const own = useMemo(() => entries.filter((entry) => entry.kind === "wire"), [entries]);
  const facts = entries.length - own.length;
  useEffect(() => {
    if (view === "customer" || facts === 0) return;
    let wanted = true;
    const timer = setTimeout(
      () => {
        session.get(`cases/${encodeURIComponent(caseId)}/wire?view=${view}`).then(
          ({ body }) => wanted && setAsked({ entries: entriesOf(body, view), error: null }),
          (error) => {
            if (!(error instanceof Problem)) throw error;
            if (wanted) setAsked((old) => ({ ...old, error }));
          },
        );
      },
      asked.entries.length === 0 ? 0 : GATHER_MS,
    );
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [view, facts, caseId, session.token]);
  return view === "customer" ? { entries: own, error: null } : asked;
}

/** Lines of a recording as entries; those of the prelude have no frame of their own. @param {string} text @param {string} view @returns {Placed[]} */
export const entriesOf = (text, view) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter((event) => event.metadata?.["com.aurum"]?.frameId)
    .map((event) => {
      const { frameId: id, factId, index } = event.metadata["com.aurum"];
      return { frameId: id, at: event.timestamp ?? 0, kind: /** @type {const} */ ("wire"), factId, index, body: { view, id, factId, event } };
    });

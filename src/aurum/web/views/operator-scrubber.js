/** Goes to any fact of the case: what is shown everywhere on the page is then what was, until one goes back to now. */
import { clock } from "../app/format.js";
import { html, useEffect, useRef, useState } from "../app/html.js";
import { locale, t } from "../app/i18n.js";
import { Problem } from "../app/problem.js";
import { factLine } from "./operator-model.js";

/** @typedef {import("./operator-model.js").Placed} Placed */
/** @typedef {{index: number, of: number, state: any, messages: any[], tokens: string[]}} Moment */

const SETTLE_MS = 90; // A hand that moves the slider asks once it rests, not at every fact on the way.
const KEPT_MAX = 64; // Moments of the past kept in the page; they never change.

/**
 * The view at a fact, from the server. Null while it is on its way or when nobody goes back.
 * @param {import("../app/session.js").Session} session @param {string} caseId @param {string} view @param {number | null} index
 * @returns {{moment: Moment | null, error: unknown}}
 */
export function useMoment(session, caseId, view, index) {
  const kept = useRef(/** @type {Map<string, Moment>} */ (new Map()));
  const [shown, setShown] = useState(/** @type {{key: string, moment: Moment | null, error: unknown}} */ ({ key: "", moment: null, error: null }));
  const key = index === null ? "" : `${view} ${index}`;
  useEffect(() => {
    if (index === null) return;
    const known = kept.current.get(key);
    if (known) return setShown({ key, moment: known, error: null });
    let wanted = true;
    const timer = setTimeout(() => {
      session.get(`cases/${encodeURIComponent(caseId)}/at/${index}?view=${view}`).then(
        ({ body }) => {
          kept.current.set(key, body);
          if (kept.current.size > KEPT_MAX) kept.current.delete([...kept.current.keys()][0]);
          if (wanted) setShown({ key, moment: body, error: null });
        },
        (error) => {
          if (!(error instanceof Problem)) throw error;
          if (wanted) setShown({ key, moment: null, error });
        },
      );
    }, SETTLE_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key, caseId, session.token]);
  // While the next moment is on its way the last one stays: nothing flickers under a moving hand.
  return index === null ? { moment: null, error: null } : { moment: shown.moment, error: shown.error };
}

/** @param {{facts: Placed[], at: number | null, busy: boolean, onMove: (at: number | null) => void}} props */
export function Scrubber({ facts, at, busy, onMove }) {
  const of = facts.length;
  const place = at ?? of;
  const go = (/** @type {number} */ to) => onMove(Math.max(0, Math.min(of, to)));
  const fact = place > 0 ? facts[place - 1] : undefined;
  const line = fact ? factLine(fact.body) : null;
  const words = fact
    ? t("operator.scrub.at", { index: place, of, time: exact(fact.at), what: [line?.type, line?.about].filter(Boolean).join(" · ") })
    : t("operator.scrub.before", { of });
  return html`<section class="scrubber" aria-label=${t("operator.scrub")} data-live=${at === null} aria-busy=${busy} data-testid="scrubber">
    <div class="scrubber-row">
      <button class="button" onClick=${() => go(0)} disabled=${place === 0} aria-label=${t("operator.scrub.first")}><${Glyph} d="M6 3v12 M15 3L8 9l7 6z" /></button>
      <button class="button" onClick=${() => go(place - 1)} disabled=${place === 0} aria-label=${t("operator.scrub.back")} data-testid="scrub-back"><${Glyph} d="M13 3L6 9l7 6z" /></button>
      <input type="range" min="0" max=${of} step="1" value=${place} aria-label=${t("operator.scrub")} aria-valuetext=${words} data-testid="scrub"
        onInput=${(/** @type {any} */ event) => go(Number(event.target.value))} />
      <button class="button" onClick=${() => go(place + 1)} disabled=${place >= of} aria-label=${t("operator.scrub.forward")} data-testid="scrub-forward"><${Glyph} d="M5 3l7 6-7 6z" /></button>
      <button class="button" onClick=${() => onMove(null)} aria-pressed=${at === null} data-testid="scrub-live">${at === null ? t("operator.scrub.live") : t("operator.scrub.now")}</button>
    </div>
    <p class="scrubber-line" data-testid="scrub-line">${words}</p>
  </section>`;
}

/** @param {{d: string}} props */
const Glyph = ({ d }) => html`<svg class="glyph" viewBox="0 0 18 18" aria-hidden="true"><path d=${d} /></svg>`;

/** @param {number} at Unix milliseconds */
const exact = (at) => `${new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(at)}, ${clock(at)}`;

/** Small parts that every page uses. Text is always a text node; nothing here writes HTML. */
import { ago, moment } from "./format.js";
import { html, useEffect, useId, useRef, useState } from "./html.js";
import { has, humanised, t } from "./i18n.js";
import { Problem } from "./problem.js";
import { AguiStream } from "./stream.js";
import { urlOf } from "./session.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./stream.js").Shown} Shown */

/**
 * Follows one view of one case while the component is there; null until the first answer.
 * @param {Session} session @param {string} path @param {{history?: boolean}} [options] @returns {Shown | null}
 */
export function useStream(session, path, { history = false } = {}) {
  const [shown, setShown] = useState(/** @type {Shown | null} */ (null));
  useEffect(() => {
    setShown(null);
    const url = urlOf(path);
    const stream = new AguiStream({ url, headers: session.headers, onChange: setShown, history }).start();
    return () => stream.stop();
  }, [session.token, path]);
  return shown;
}

/**
 * Loads once (and again after `reload`). @template T
 * @param {() => Promise<T>} load @param {unknown[]} inputs
 * @returns {{value: T | null, error: unknown, reload: () => void}}
 */
export function useLoaded(load, inputs) {
  const [turn, setTurn] = useState(0);
  const [result, setResult] = useState(/** @type {{value: T | null, error: unknown}} */ ({ value: null, error: null }));
  useEffect(() => {
    let wanted = true;
    load().then(
      (value) => wanted && setResult({ value, error: null }),
      (error) => wanted && setResult((old) => ({ value: old.value, error })),
    );
    return () => void (wanted = false);
  }, [...inputs, turn]);
  return { ...result, reload: () => setTurn((n) => n + 1) };
}

/** Runs one action at a time and keeps its failure. @returns {{busy: boolean, error: unknown, run: (action: () => Promise<void>) => Promise<void>}} */
export function useAction() {
  const [state, setState] = useState(/** @type {{busy: boolean, error: unknown}} */ ({ busy: false, error: null }));
  const run = async (/** @type {() => Promise<void>} */ action) => {
    setState({ busy: true, error: null });
    try {
      await action();
      setState({ busy: false, error: null });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return { ...state, run };
}

/** What went wrong, in words. `words` overrides by status. @param {{error: unknown, words?: Record<number, string>}} props */
export function ErrorNote({ error, words = {} }) {
  if (!error) return null;
  if (!(error instanceof Problem)) console.error(error);
  const status = error instanceof Problem ? error.status : 500;
  const known = has(`error.${status}`) ? `error.${status}` : "error.500";
  const problems = error instanceof Problem ? error.problems : [];
  return html`<div class="note note-bad" role="alert" data-testid="error">
    <p>${words[status] ?? t(known)}</p>
    ${problems.length > 0 && html`<${ProblemList} problems=${problems} />`}
  </div>`;
}

/** @param {{problems: {field: string, code: string}[]}} props */
export function ProblemList({ problems }) {
  return html`<ul class="plain">
    ${problems.map(
      ({ field, code }) =>
        html`<li key=${field + code}><strong>${pathLabel(field)}</strong> ${t(`reason.${code}`, {}, t("reason.unknown"))}</li>`,
    )}
  </ul>`;
}

/** @param {string} pointer `/idExpiryDate`, `idExpiryDate` or `/initialDeposit/amount` */
export const pathLabel = (pointer) =>
  pointer
    .split("/")
    .filter((token) => token !== "")
    .map((token) => (/^\d+$/.test(token) ? String(Number(token) + 1) : fieldLabel(token)))
    .join(" › ");

/** @param {string} name */
export const fieldLabel = (name) => t(`field.${name}`, {}, humanised(name));

/** @param {{connection: string | undefined}} props */
export function ConnectionBadge({ connection = "connecting" }) {
  return html`<span class="connection" data-state=${connection} data-testid="connection">
    <span class="connection-dot" aria-hidden="true"></span>${t(`connection.${connection}`)}
  </span>`;
}

/** A time that says how long ago it was, with the exact moment beside it. @param {{at: string | undefined}} props */
export const Since = ({ at }) => html`<time datetime=${at} title=${moment(at)}>${ago(at)}</time>`;

/** Terms and descriptions. @param {{rows: [string, any][], class?: string}} props */
export function Facts({ rows, class: name = "" }) {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false);
  return html`<dl class="facts ${name}">
    ${shown.map(([term, value]) => html`<div key=${term}><dt>${term}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** Says new text once to a screen reader; old text is never read again. @param {{texts: {id: string, text: string}[], live: boolean}} props */
export function Announcer({ texts, live }) {
  const known = useRef(/** @type {Set<string>} */ (new Set()));
  const [said, setSaid] = useState("");
  const ids = texts.map((text) => text.id).join();
  useEffect(() => {
    const fresh = texts.filter(({ id }) => !known.current.has(id));
    for (const { id } of fresh) known.current.add(id);
    if (live && fresh.length > 0) setSaid(fresh.map(({ text }) => text).join(" "));
  }, [ids, live]);
  return html`<div class="sr-only" aria-live="polite">${said}</div>`;
}

/** A native modal dialog. @param {{open: boolean, title: string, onClose: () => void, children?: any}} props */
export function Dialog({ open, title, onClose, children }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    if (open) element.current?.showModal();
    else element.current?.close();
  }, [open]);
  return html`<dialog ref=${element} aria-labelledby=${id} onClose=${onClose} onCancel=${onClose}>
    <h2 id=${id}>${title}</h2>
    ${open && children}
  </dialog>`;
}

/** The page's heading; takes the keyboard when a page opens, so that a screen reader starts there. @param {{children?: any, testid?: string}} props */
export function Heading({ children, testid }) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement === null) return;
    if (document.activeElement.closest("main") === null) element.current?.focus({ preventScroll: true });
  }, []);
  return html`<h1 ref=${element} tabindex="-1" data-testid=${testid}>${children}</h1>`;
}

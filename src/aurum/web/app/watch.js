/** Opens a stream's text: through the connection that all tabs share, or by itself where browsers have no such thing. */
import { Problem, problemOf } from "./problem.js";

/** @typedef {{url: string, headers: Record<string, string>, lastEventId: string, signal: AbortSignal}} Opening */

const TAB = crypto.randomUUID();

/** @type {MessagePort | null | undefined} undefined before the first try, null where there is none */
let port;
/** @type {Map<string, (message: {text?: string, status?: number}) => void>} */
const listeners = new Map();

/** @returns {MessagePort | null} */
function shared() {
  if (port !== undefined) return port;
  if (typeof SharedWorker === "undefined" || !navigator.locks) return (port = null);
  const opened = new SharedWorker(new URL("watch-worker.js", import.meta.url), { type: "module", name: "aurum-watch" }).port;
  opened.onmessage = ({ data }) => listeners.get(data.id)?.(data);
  void navigator.locks.request(`aurum-tab-${TAB}`, () => {
    opened.postMessage({ type: "hello", tab: TAB }); // Only now: the worker takes the lock for a sign that the tab is gone.
    return new Promise(() => {}); // Held as long as the tab lives.
  });
  return (port = opened);
}

/** What a stream's address means to the shared connection. @param {string} url @returns {{caseId?: string, view?: string} | null} */
export function topicOf(url) {
  const { pathname, searchParams } = new URL(url);
  if (pathname.endsWith("/queue/stream")) return {};
  const caseId = /\/streams\/([^/]+)$/.exec(pathname)?.[1];
  return caseId ? { caseId: decodeURIComponent(caseId), view: searchParams.get("view") ?? undefined } : null;
}

/**
 * Yields pieces of the event stream. Throws `Problem` when it is refused; null when there is nothing more to come.
 * @param {Opening} opening @returns {Promise<AsyncIterable<string> | null>}
 */
export async function openStream(opening) {
  const topic = topicOf(opening.url);
  const token = /^Bearer (.+)$/.exec(opening.headers.Authorization ?? "")?.[1];
  const through = topic && token ? shared() : null;
  return through && topic && token ? sharedPieces(through, { ...topic, token, after: opening.lastEventId }, opening.signal) : ownPieces(opening);
}

/** @param {Opening} opening @returns {Promise<AsyncIterable<string> | null>} */
async function ownPieces({ url, headers: own, lastEventId, signal }) {
  const headers = new Headers({ Accept: "text/event-stream", ...own });
  if (lastEventId !== "") headers.set("Last-Event-ID", lastEventId);
  const response = await fetch(url, { headers, cache: "no-store", signal });
  if (response.status === 204) return null;
  if (!response.ok || response.body === null) throw await problemOf(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  return (async function* () {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  })();
}

/**
 * @param {MessagePort} through @param {{token: string, caseId?: string, view?: string, after: string}} topic @param {AbortSignal} signal
 * @returns {AsyncIterable<string>}
 */
async function* sharedPieces(through, topic, signal) {
  const id = crypto.randomUUID();
  /** @type {{text?: string, status?: number}[]} */
  const arrived = [];
  let wake = () => {};
  const told = (/** @type {{text?: string, status?: number}} */ message) => (arrived.push(message), wake());
  const abort = () => told({ status: -1 });
  listeners.set(id, told);
  signal.addEventListener("abort", abort);
  through.postMessage({ type: "open", tab: TAB, wanted: { id, ...topic } });
  try {
    for (;;) {
      while (arrived.length === 0) await new Promise((resolve) => (wake = () => resolve(undefined)));
      const { text, status } = /** @type {{text?: string, status?: number}} */ (arrived.shift());
      if (text !== undefined) yield text;
      else if (status === 204) return;
      else if (status === -1) throw new DOMException("stopped", "AbortError");
      else throw new Problem(status ?? 0, { title: "The stream was refused" });
    }
  } finally {
    listeners.delete(id);
    signal.removeEventListener("abort", abort);
    through.postMessage({ type: "close", id });
  }
}

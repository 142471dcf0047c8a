/**
 * Shared by all tabs of this browser: one connection that carries every stream of every tab. Browsers allow
 * six HTTP/1.1 connections to a host; eight tabs would otherwise wait for each other for ever.
 *
 * A tab opens and closes topics; each has its own token and position. When the set changes, the connection is
 * made again and every topic goes on from its position, which the server answers with exactly what is missing.
 * A block without an id belongs to a prelude that is not whole yet, so the position is forgotten until one comes.
 */

/** @typedef {{id: string, token: string, caseId?: string, view?: string, after: string}} Wanted */
/** @typedef {{wanted: Wanted, port: MessagePort, tab: string}} Topic */

const SETTLE_MS = 15; // Topics that are opened together make one connection.

/** @type {Map<string, Topic>} */
const topics = new Map();
/** @type {AbortController | null} */
let connection = null;
let timer = 0;

const scope = /** @type {any} */ (globalThis);

scope.onconnect = (/** @type {MessageEvent} */ event) => {
  const port = event.ports[0];
  port.onmessage = ({ data }) => {
    if (data.type === "hello") void gone(data.tab);
    else if (data.type === "open") {
      topics.set(data.wanted.id, { wanted: data.wanted, port, tab: data.tab });
      change();
    } else if (data.type === "close" && topics.delete(data.id)) change();
  };
};

/** Forgets a tab's topics when it is gone: it holds a lock as long as it lives. @param {string} tab */
async function gone(tab) {
  await navigator.locks.request(`aurum-tab-${tab}`, () => {
    const mine = [...topics.values()].filter((topic) => topic.tab === tab);
    for (const { wanted } of mine) topics.delete(wanted.id);
    if (mine.length > 0) change();
  });
}

function change() {
  clearTimeout(timer);
  timer = /** @type {any} */ (setTimeout(() => void connect(), SETTLE_MS));
}

async function connect() {
  connection?.abort();
  if (topics.size === 0) return;
  const controller = (connection = new AbortController());
  try {
    const response = await fetch(new URL("../watch", scope.location.href), {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify({ topics: [...topics.values()].map(({ wanted }) => wanted) }),
      cache: "no-store",
      signal: controller.signal,
    });
    if (!response.ok || response.body === null) return endAll(response.status);
    await read(response.body.pipeThrough(new TextDecoderStream()).getReader());
    if (connection === controller) endAll(0);
  } catch {
    if (connection === controller && !controller.signal.aborted) endAll(0); // The tabs try again, each with its patience.
  }
}

/** @param {ReadableStreamDefaultReader<string>} reader */
async function read(reader) {
  let rest = "";
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const blocks = (rest + piece.value).split("\n\n");
    rest = /** @type {string} */ (blocks.pop());
    /** @type {Map<string, string>} */
    const texts = new Map();
    for (const block of blocks) take(block, texts);
    for (const [id, text] of texts) topics.get(id)?.port.postMessage({ id, text });
  }
}

/** @param {string} block @param {Map<string, string>} texts by topic */
function take(block, texts) {
  const named = /^event: (\S+)\n/.exec(block);
  const body = named ? block.slice(named[0].length) : block;
  for (const id of named ? [named[1]] : topics.keys()) {
    const topic = topics.get(id);
    if (!topic) continue;
    if (named) {
      const status = /^data: \{"type":"com\.aurum\.topic","status":(\d+)\}/.exec(body)?.[1];
      if (status) {
        end(topic, Number(status));
        continue;
      }
      topic.wanted.after = /^id: (.*)$/m.exec(body)?.[1] ?? "";
    }
    texts.set(id, `${texts.get(id) ?? ""}${body}\n\n`);
  }
}

/** @param {Topic} topic @param {number} status */
function end({ wanted, port }, status) {
  topics.delete(wanted.id);
  port.postMessage({ id: wanted.id, status });
}

/** @param {number} status 0 when nobody answered */
function endAll(status) {
  for (const topic of topics.values()) end(topic, status);
}

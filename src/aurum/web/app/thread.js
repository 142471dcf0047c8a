/** Messages of a fold as the things a page shows, in order: text, tool chips, cards. Pure. */

export const CARD_ACTIVITY = "com.aurum.component";

/** @typedef {import("./agui.js").Message} Message */
/** @typedef {{id: string, name: string, arguments: any, result: any, done: boolean, delayed: boolean}} ToolCall */
/** @typedef {{kind: "text", id: string, message: Message} | {kind: "card", id: string, message: Message}
 *   | {kind: "tools", id: string, calls: ToolCall[]}} Item */

/** A call that a rest interrupted goes on under the next attempt's id: `tc:x`, `tc:x:2`, `tc:x:3`. */
const ATTEMPT = /^(tc:[^:]+):\d+$/;

/**
 * Tool calls that follow each other come as one item; further attempts of a call stay in its place.
 * @param {Message[]} messages @returns {Item[]}
 */
export function threadOf(messages) {
  const results = new Map(messages.filter((m) => m.role === "tool").map((m) => [m.toolCallId, m.content]));
  /** @type {Item[]} */
  const items = [];
  const seen = new Set();
  /** @type {Map<string, ToolCall>} */
  const byCall = new Map();
  for (const message of messages) {
    if (seen.has(message.id)) continue;
    seen.add(message.id);
    if (message.role === "activity" && message.activityType === CARD_ACTIVITY) {
      items.push({ kind: "card", id: message.id, message });
    } else if (message.toolCalls) {
      const calls = message.toolCalls.map((call) => toolCall(call, results)).filter((call) => isFirst(call, byCall));
      if (calls.length === 0) continue;
      const last = items.at(-1);
      if (last?.kind === "tools") last.calls.push(...calls);
      else items.push({ kind: "tools", id: message.id, calls });
    } else if (message.role === "assistant" && message.content) {
      items.push({ kind: "text", id: message.id, message });
    }
  }
  return items;
}

/** @param {Message[]} messages @param {string} component @returns {Message | undefined} the newest card of that name */
export const lastCard = (messages, component) =>
  messages.findLast((m) => m.activityType === CARD_ACTIVITY && m.content?.component === component);

/** @param {any} call @param {Map<any, any>} results @returns {ToolCall} */
function toolCall(call, results) {
  const { name, arguments: given } = call.function;
  const result = parsed(results.get(call.id));
  const delayed = result?.status === "delayed";
  return { id: call.id, name, arguments: parsed(given), result, done: results.has(call.id) && !delayed, delayed };
}

/** Takes a further attempt into the first one's place. @param {ToolCall} call @param {Map<string, ToolCall>} byCall */
function isFirst(call, byCall) {
  const id = call.id.replace(ATTEMPT, "$1");
  const first = byCall.get(id);
  if (first && !first.done) Object.assign(first, call, { id });
  if (!first) byCall.set(id, call);
  return !first;
}

/** JSON text as its value; text that is no JSON (a chunk still coming) stays text. @param {unknown} text @returns {any} */
function parsed(text) {
  if (typeof text !== "string" || text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

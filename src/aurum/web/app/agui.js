/**
 * A small AG-UI 1.0 client, without the wire (`stream.js`): event stream parser and fold. Pure.
 *
 * Rule 1: `EventStreamParser` follows the WHATWG rules; an event that was cut off leaves no trace, not
 * even its id. Rule 2: `fold` is forgiving: unknown events change nothing. Rule 3: a RUN_STARTED that is
 * marked as a prelude starts a fresh fold.
 */
import { applyPatch } from "./patch.js";

export { applyPatch };

/** @typedef {{id: string, data: string}} Block */
/** @typedef {{type: string, [name: string]: any}} Event */
/** @typedef {{id: string, role: string, content?: any, metadata?: any, toolCalls?: any[], [name: string]: any}} Message */
/** @typedef {{state: any, messages: Message[], steps: string[], run: {runId: string, open: boolean, result?: any,
 *   outcome?: any, error?: any} | null, interrupts: any[], live: boolean, entries: Entry[]}} Fold */
/** @typedef {{frameId: string, at: number, kind: "fact" | "wire", factId: string, body: any}} Entry */

export const WIRE_EVENT = "com.aurum.wire.v1";

/** Cuts text into events. Feed it in any pieces; pieces may split a line end. */
export class EventStreamParser {
  /** @type {number | null} */
  retryMs = null;
  #line = "";
  #skipLineFeed = false;
  /** @type {string[]} */
  #data = [];
  #id;

  /** @param {string} [lastEventId] position of the last whole event of the connection before */
  constructor(lastEventId = "") {
    this.#id = this.lastEventId = lastEventId;
  }

  /** No position is known until the next event that has an id. */
  forget() {
    this.#id = this.lastEventId = "";
  }

  /** @param {string} text @param {(block: Block) => void} onBlock called for each event before the next is read */
  push(text, onBlock) {
    if (this.#skipLineFeed && text !== "") {
      this.#skipLineFeed = false;
      if (text.startsWith("\n")) text = text.slice(1);
    }
    if (text === "") return;
    this.#skipLineFeed = text.endsWith("\r");
    const lines = (this.#line + text).split(/\r\n|\r|\n/);
    this.#line = /** @type {string} */ (lines.pop());
    for (const line of lines) {
      if (line === "") this.#dispatch(onBlock);
      else this.#field(line);
    }
  }

  /** @param {(block: Block) => void} onBlock */
  #dispatch(onBlock) {
    this.lastEventId = this.#id;
    const data = this.#data.splice(0);
    if (data.length > 0) onBlock({ id: this.#id, data: data.join("\n") });
  }

  /** @param {string} line */
  #field(line) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#data.push(value);
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^[0-9]+$/.test(value)) this.retryMs = Number(value);
  }
}

/** @returns {Fold} */
export const emptyFold = () => ({ state: {}, messages: [], steps: [], run: null, interrupts: [], live: false, entries: [] });

/** @param {Event} event @returns {boolean} Does this event start a prelude? */
export const isPrelude = (event) => event.type === "RUN_STARTED" && event.metadata?.["com.aurum"]?.prelude === true;

/**
 * Returns the fold after one event. Throws `PatchError` when a delta does not fit.
 * @param {Fold} before @param {Event} event @param {string} [frameId] @returns {Fold}
 */
export function fold(before, event, frameId = "") {
  switch (event.type) {
    case "RUN_STARTED": {
      const base = isPrelude(event) ? { ...emptyFold(), entries: before.entries } : before;
      return { ...base, run: { runId: event.runId, open: true }, interrupts: [], live: !isPrelude(event) };
    }
    case "RUN_FINISHED": {
      const { runId, result, outcome } = event;
      const interrupts = outcome?.type === "interrupt" ? outcome.interrupts : [];
      return { ...before, run: { runId, open: false, result, outcome }, steps: [], interrupts, live: true };
    }
    case "RUN_ERROR":
      return { ...before, run: { runId: before.run?.runId ?? "", open: false, error: event }, steps: [] };
    case "STEP_STARTED":
      return { ...before, steps: [...before.steps, event.stepName] };
    case "STEP_FINISHED":
      return { ...before, steps: before.steps.filter((name) => name !== event.stepName) };
    case "STATE_SNAPSHOT":
      return { ...before, state: event.snapshot };
    case "STATE_DELTA":
      return { ...before, state: applyPatch(before.state, event.delta) };
    case "RAW":
      return logged(before, event, frameId, "fact", event.event?.id, event.event);
    case "CUSTOM":
      if (event.name !== WIRE_EVENT) return before;
      return logged(before, event, frameId, "wire", event.value?.factId, event.value);
    default:
      return { ...before, messages: foldMessage(before.messages, event) };
  }
}

/** @param {Fold} before @param {Event} event @param {string} frameId @param {"fact" | "wire"} kind @param {any} factId @param {any} body */
function logged(before, event, frameId, kind, factId, body) {
  const entry = { frameId, at: event.timestamp ?? 0, kind, factId: String(factId ?? ""), body };
  return { ...before, entries: [...before.entries, entry] };
}

/** @param {Message[]} messages @param {Event} event @returns {Message[]} */
function foldMessage(messages, event) {
  /** @param {(message: Message) => Message} change */
  const change = (change) => messages.map((message) => (message.id === event.messageId ? change(message) : message));
  switch (event.type) {
    case "MESSAGES_SNAPSHOT":
      return event.messages;
    case "TEXT_MESSAGE_START": {
      const { messageId: id, role = "assistant", metadata } = event;
      if (messages.some((message) => message.id === id)) return messages;
      return [...messages, { id, role, content: "", metadata }];
    }
    case "TEXT_MESSAGE_CONTENT":
      return change((message) => ({ ...message, content: (message.content ?? "") + event.delta }));
    case "TOOL_CALL_START": {
      const call = { id: event.toolCallId, type: "function", function: { name: event.toolCallName, arguments: "" } };
      const opened = { id: event.toolCallId, role: "assistant", toolCalls: [call] };
      const again = messages.some((message) => message.id === opened.id); // A call that is told twice is one call.
      return again ? messages.map((m) => (m.id === opened.id ? opened : m)) : [...messages, opened];
    }
    case "TOOL_CALL_ARGS":
      return messages.map((message) => withArguments(message, event));
    case "TOOL_CALL_RESULT":
      return [...messages, { id: event.messageId, role: "tool", toolCallId: event.toolCallId, content: event.content }];
    case "ACTIVITY_SNAPSHOT": {
      const { messageId: id, activityType, content } = event;
      const shown = { id, role: "activity", activityType, content };
      return messages.some((message) => message.id === id) ? change(() => shown) : [...messages, shown];
    }
    case "ACTIVITY_DELTA":
      return change((message) => ({ ...message, content: applyPatch(message.content, event.patch) }));
    default:
      return messages;
  }
}

/** @param {Message} message @param {Event} event @returns {Message} */
function withArguments(message, event) {
  if (!message.toolCalls?.some((call) => call.id === event.toolCallId)) return message;
  const toolCalls = message.toolCalls.map((call) =>
    call.id !== event.toolCallId
      ? call
      : { ...call, function: { ...call.function, arguments: call.function.arguments + event.delta } },
  );
  return { ...message, toolCalls };
}

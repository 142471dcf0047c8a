/**
 * One AG-UI stream, which heals itself: silence watchdog, backoff with jitter, resume.
 *
 * On a prelude the position is forgotten until the prelude's last frame, so a cut in the middle asks for
 * a whole prelude again. A delta that does not fit does the same: wrong state is never shown.
 */
import { EventStreamParser, emptyFold, fold, isPrelude } from "./agui.js";
import { PatchError } from "./patch.js";
import { Problem } from "./problem.js";
import { openStream } from "./watch.js";

/** @typedef {"connecting" | "live" | "reconnecting" | "offline" | "ended" | "refused"} Connection */
/** @typedef {{connection: Connection, fold: import("./agui.js").Fold, problem: Problem | null, complete: boolean}} Shown */
/** @typedef {{url: string, headers: () => Record<string, string>, onChange: (shown: Shown) => void, history?: boolean}} Options */

const SILENCE_MS_MAX = 45_000; // Three heartbeats: a connection this quiet is dead, whatever TCP says.
const BACKOFF_MS = 500;
const BACKOFF_MS_MAX = 15_000; // A person who waits for a bank looks again within this time.
const FINAL = new Set([401, 403, 404]); // Asking again gives the same answer.

/**
 * How long to wait before attempt n (from 1): doubling, capped, with jitter so that a restart makes no herd.
 * @param {number} attempt @param {number} baseMs
 */
export const backoffMs = (attempt, baseMs) =>
  Math.min(baseMs * 2 ** (attempt - 1), BACKOFF_MS_MAX) * (0.75 + Math.random() / 2);

/** Follows a stream from `start` to `stop`; tells every change to `onChange`, once a network piece. */
export class AguiStream {
  #options;
  #stopped = false;
  #attempt = 0;
  #retryMs = BACKOFF_MS;
  #lastEventId = "";
  /** @type {AbortController | null} */
  #connection = null;
  #wake = () => {};
  /** Position up to which frames only fill the log: their effect is in the snapshot already. */
  #backfill = { epoch: "", until: 0 };
  /** @type {Shown} */
  #shown = { connection: "connecting", fold: emptyFold(), problem: null, complete: true };
  #online = () => this.#wake();
  #offline = () => this.#connection?.abort();

  /** @param {Options} options `history` asks for the log of all frames too, not only for the state now */
  constructor(options) {
    this.#options = options;
  }

  start() {
    addEventListener("online", this.#online);
    addEventListener("offline", this.#offline);
    void this.#follow();
    return this;
  }

  stop() {
    this.#stopped = true;
    removeEventListener("online", this.#online);
    removeEventListener("offline", this.#offline);
    this.#connection?.abort();
    this.#wake();
  }

  async #follow() {
    while (!this.#stopped) {
      try {
        const outcome = await this.#connect();
        if (outcome === "ended") return this.#show({ connection: "ended" });
        if (outcome === "again") continue;
      } catch (error) {
        if (this.#stopped) return;
        if (error instanceof Problem && FINAL.has(error.status)) {
          return this.#show({ connection: "refused", problem: error });
        }
        if (error instanceof PatchError || error instanceof SyntaxError) this.#lastEventId = "";
      }
      if (this.#stopped) return;
      this.#attempt += 1;
      this.#show({ connection: navigator.onLine ? "reconnecting" : "offline" });
      await this.#sleep(backoffMs(this.#attempt, this.#retryMs));
    }
  }

  /** @returns {Promise<"ended" | "again" | "cut">} `ended`: the case is over; `again`: we want another position */
  async #connect() {
    const controller = (this.#connection = new AbortController());
    let watchdog = setTimeout(() => controller.abort(), SILENCE_MS_MAX);
    try {
      const { url, headers } = this.#options;
      const pieces = await openStream({ url, headers: headers(), lastEventId: this.#lastEventId, signal: controller.signal });
      if (pieces === null) return "ended";
      const parser = new EventStreamParser(this.#lastEventId);
      for await (const piece of pieces) {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => controller.abort(), SILENCE_MS_MAX);
        if (this.#take(parser, piece)) {
          controller.abort();
          return "again";
        }
      }
      return this.#shown.fold.run?.result === undefined ? "cut" : "ended";
    } finally {
      clearTimeout(watchdog);
      this.#connection = null;
    }
  }

  /** @param {EventStreamParser} parser @param {string} text @returns {boolean} Is a new connection wanted? */
  #take(parser, text) {
    let now = this.#shown.fold;
    let complete = this.#shown.complete;
    let restart = false;
    parser.push(text, ({ data }) => {
      if (restart) return; // These frames come again with the history.
      const event = JSON.parse(data);
      if (isPrelude(event)) {
        parser.forget();
        complete = this.#backfill.epoch === "";
      }
      const id = parser.lastEventId;
      const [epoch, seq] = id.split(".");
      const known = epoch === this.#backfill.epoch && Number(seq) <= this.#backfill.until;
      if (!known || event.type === "RAW" || event.type === "CUSTOM") now = fold(now, event, id);
      if (this.#options.history && id !== "" && epoch !== this.#backfill.epoch) {
        this.#backfill = { epoch, until: Number(seq) };
        now = { ...now, entries: [] };
        complete = restart = true;
      }
    });
    this.#lastEventId = restart ? `${this.#backfill.epoch}.0` : parser.lastEventId;
    this.#retryMs = parser.retryMs ?? this.#retryMs;
    this.#attempt = 0;
    this.#show({ connection: "live", fold: now, complete });
    return restart;
  }

  /** @param {Partial<Shown>} change */
  #show(change) {
    this.#shown = { ...this.#shown, ...change };
    if (!this.#stopped) this.#options.onChange(this.#shown);
  }

  /** @param {number} milliseconds */
  async #sleep(milliseconds) {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => (clearTimeout(timer), resolve(undefined));
    });
    this.#wake = () => {};
  }
}

/** What is left of a task's time, in business hours, by the open windows that the server sent. Pure. */

/** @typedef {{targetMinutes: number, dueAt: string, windows: [string, string][]}} Sla */

/** @param {Sla} sla @param {number} nowMs @returns {number} minutes of business time left; negative when late, by the wall clock */
export function minutesLeft(sla, nowMs) {
  const due = Date.parse(sla.dueAt);
  if (nowMs >= due) return Math.round((due - nowMs) / 60_000);
  const ahead = sla.windows.map(([start, end]) => Math.max(0, Date.parse(end) - Math.max(Date.parse(start), nowMs)));
  return Math.round(ahead.reduce((sum, one) => sum + one, 0) / 60_000);
}

/** @param {Sla} sla @param {number} nowMs is the bank open, as far as the sent windows say? */
export const isOpen = (sla, nowMs) => sla.windows.some(([start, end]) => Date.parse(start) <= nowMs && nowMs < Date.parse(end));

/** @param {Sla} sla @param {number} left minutes @returns {"ok" | "warn" | "bad"} a quarter of the time left is soon */
export const urgency = (sla, left) => (left < 0 ? "bad" : left <= sla.targetMinutes / 4 ? "warn" : "ok");

/** The clock of a task: business time left, and when it is due. */
import { moment, now } from "../app/format.js";
import { html } from "../app/html.js";
import { locale, t } from "../app/i18n.js";
import { isOpen, minutesLeft, urgency } from "../app/sla.js";
import { Verdict } from "../cards/frame.js";

/** @param {number} minutes @returns {string} `3 hr 20 min`, as the language writes it */
export function duration(minutes) {
  const unit = (/** @type {number} */ value, /** @type {string} */ name) =>
    new Intl.NumberFormat(locale(), { style: "unit", unit: name, unitDisplay: "short" }).format(value);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24 || minutes % 60 === 0) return unit(hours, "hour");
  return hours === 0 ? unit(minutes, "minute") : `${unit(hours, "hour")} ${unit(minutes % 60, "minute")}`;
}

/** @param {{sla: import("../app/sla.js").Sla | null | undefined}} props */
export function SlaClock({ sla }) {
  if (!sla) return null;
  const left = minutesLeft(sla, now.value);
  const text = left < 0 ? t("sla.late", { time: duration(-left) }) : t("sla.left", { time: duration(left) });
  return html`<span class="sla" data-testid="sla" title=${t("sla.title", { due: moment(sla.dueAt) })}>
    <${Verdict} tone=${urgency(sla, left)}>${text}<//>
    ${left >= 0 && !isOpen(sla, now.value) && html`<span class="muted"> ${t("sla.closed")}</span>`}
  </span>`;
}

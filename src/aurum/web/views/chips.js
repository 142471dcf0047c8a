/** Tool calls as small chips that open to what went in and what came out. */
import { html } from "../app/html.js";
import { humanised, t } from "../app/i18n.js";

/** @param {{calls: import("../app/thread.js").ToolCall[]}} props */
export function ToolChips({ calls }) {
  return html`<div class="chips">
    ${calls.map(
      (call) =>
        html`<details key=${call.id} class="chip chip-${call.done ? "done" : call.delayed ? "delayed" : "open"}" data-testid="tool-chip">
          <summary>
            <span class="chip-mark" aria-hidden="true"></span>
            ${t(`tool.${call.name}`, {}, humanised(call.name))}
            ${call.delayed && html`<span>· ${t("status.delayed").toLowerCase()}</span>`}
            ${!call.done && !call.delayed && html`<span class="sr-only">${t("chip.running")}</span>`}
          </summary>
          <div class="chip-body">
            <p class="mono muted">${call.name}</p>
            <p class="label">${t("chip.arguments")}</p>
            ${isEmpty(call.arguments) ? html`<p class="muted">${t("chip.none")}</p>` : html`<${Json} value=${call.arguments} />`}
            <p class="label">${t("chip.result")}</p>
            ${call.done ? html`<${Json} value=${call.result} />` : html`<p class="muted">${t("chip.running")}</p>`}
          </div>
        </details>`,
    )}
  </div>`;
}

/** @param {any} value */
const isEmpty = (value) => value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);

/** @param {{value: unknown}} props */
export const Json = ({ value }) =>
  html`<pre class="json" tabindex="0">${typeof value === "string" ? value : JSON.stringify(value, null, 2)}</pre>`;

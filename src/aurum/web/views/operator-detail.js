/** One fact or frame whole: what it is, what it changed value by value, its JSON. */
import { html, useMemo } from "../app/html.js";
import { t } from "../app/i18n.js";
import { Json } from "./chips.js";
import { changesOf } from "./operator-model.js";

/** @typedef {import("./operator-model.js").Placed} Placed */

/** @param {{entry: Placed | null, initial: any, wire: Placed[], onClose: () => void}} props */
export function Detail({ entry, initial, wire, onClose }) {
  const changes = useMemo(() => (entry && initial ? changesOf(initial, wire, entry) : []), [entry, initial]);
  return html`<section class="drawer" aria-label=${t("operator.raw")} data-open=${entry !== null} data-testid="detail">
    <header class="pane-head">
      <h2>${t("operator.raw")}</h2>
      ${entry && html`<span class="mono muted">${t("operator.at", { index: entry.index })} · ${entry.factId}</span><button class="link" onClick=${onClose}>${t("operator.unlink")}</button>`}
    </header>
    ${changes.length > 0 && html`<${Changes} changes=${changes} />`}
    ${entry ? html`<${Json} value=${entry.body} />` : html`<p class="muted">${t("operator.raw.choose")}</p>`}
  </section>`;
}

/** @param {{changes: import("./operator-model.js").Change[]}} props */
function Changes({ changes }) {
  return html`<div class="table-scroll" tabindex="0" role="group" aria-label=${t("operator.diff")}>
    <table class="small-table diff" data-testid="state-diff">
      <caption>${t("operator.diff")}</caption>
      <thead><tr><th scope="col">${t("operator.diff.path")}</th><th scope="col">${t("operator.diff.before")}</th><th scope="col">${t("operator.diff.after")}</th></tr></thead>
      <tbody>
        ${changes.map(
          ({ path, before, after }) =>
            html`<tr key=${path}>
              <th scope="row" class="mono">${path}</th>
              <td class="diff-before mono">${said(before)}</td>
              <td class="diff-after mono">${said(after)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @param {unknown} value */
const said = (value) => (value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value, null, 1));

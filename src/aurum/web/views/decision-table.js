/** A decision table as it was deployed, with the row that matched and what went in. */
import { dollars, scalar } from "../app/format.js";
import { html } from "../app/html.js";
import { t } from "../app/i18n.js";
import { ErrorNote, useLoaded } from "../app/ui.js";

/** @param {{session: import("../app/session.js").Session, decisionId: string, inputs: any[], matched: {ruleId: string}[]}} props */
export function DecisionTable({ session, decisionId, inputs, matched }) {
  const { value, error } = useLoaded(() => session.get(`decision-tables/${encodeURIComponent(decisionId)}`), [decisionId]);
  const table = value?.body;
  const hits = new Set(matched.map((rule) => rule.ruleId));
  if (!table) return html`<${ErrorNote} error=${error} />`;
  return html`<details class="card decision-table" open data-testid="decision-table">
    <summary>${t("table.title")} <span class="muted mono">${table.source}</span></summary>
    <p class="muted">${t(`table.hit.${table.hitPolicy}`, {}, table.hitPolicy)}</p>
    <div class="table-scroll" tabindex="0" role="region" aria-label=${t("table.title")}>
      <table class="small-table">
        <thead>
          <tr>
            <th scope="col"><span class="sr-only">${t("table.row")}</span></th>
            ${table.inputs.map((/** @type {any} */ input) => html`<th key=${input.id} scope="col">${t(`input.${input.id}`, {}, input.label)}</th>`)}
            ${table.outputs.map((/** @type {any} */ output) => html`<th key=${output.name} scope="col">${output.label}</th>`)}
          </tr>
          <tr class="table-inputs">
            <th scope="row">${t("table.here")}</th>
            ${table.inputs.map((/** @type {any} */ input) => html`<td key=${input.id}>${shown(inputs.find((one) => one.id === input.id))}</td>`)}
            ${table.outputs.map((/** @type {any} */ output) => html`<td key=${output.name}></td>`)}
          </tr>
        </thead>
        <tbody>
          ${table.rules.map(
            (/** @type {any} */ rule) =>
              html`<tr key=${rule.ruleId} class=${hits.has(rule.ruleId) ? "matched" : ""} data-rule-id=${rule.ruleId} data-matched=${hits.has(rule.ruleId)} title=${rule.description}>
                <th scope="row">${rule.ruleIndex}${hits.has(rule.ruleId) && html` <span class="verdict verdict-ok">${t("table.matched")}</span>`}</th>
                ${rule.inputEntries.map((/** @type {string} */ entry, /** @type {number} */ index) => html`<td key=${index} class="mono">${entry || "–"}</td>`)}
                ${rule.outputEntries.map((/** @type {string} */ entry, /** @type {number} */ index) => html`<td key=${index} class="mono">${entry || "–"}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

/** @param {any} input */
function shown(input) {
  if (!input) return "–";
  const { id, value } = input;
  const read = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  if (/cents/i.test(String(id)) && typeof read === "number") return dollars(read);
  if (Array.isArray(value)) return value.join(", ") || t("value.none");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : scalar(value, "");
}

/** Why somebody looks behind the mask or acts: required, and kept with the act. */
import { html } from "../app/html.js";
import { t } from "../app/i18n.js";

/** @param {{value: string, onChange: (value: string) => void}} props */
export const Reason = ({ value, onChange }) =>
  html`<label class="field">${t("operator.reason")}
    <input required minlength="3" maxlength="500" value=${value} data-testid="reason" onInput=${(/** @type {any} */ event) => onChange(event.target.value)} />
    <span class="hint">${t("operator.reason.hint")}</span>
  </label>`;

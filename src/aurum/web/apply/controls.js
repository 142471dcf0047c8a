/** One control for each kind of field, with its label, its hint and what is wrong with it in words. */
import { money } from "../app/format.js";
import { html, useId } from "../app/html.js";
import { has, t } from "../app/i18n.js";
import { fieldLabel } from "../app/ui.js";
import { CURRENCIES, countries } from "./places.js";

/** @typedef {import("./layout.js").Field} FieldSpec */
/** @typedef {{field: string, code: string}} Wrong */
/** @typedef {{spec: FieldSpec, path: string, value: any, wrong: Wrong[], onChange: (value: unknown) => void, onLeave: () => void}} ControlProps */

/** A choice in words: what the field calls it, else what the value is called everywhere. @param {string} name @param {string} value */
const choiceText = (name, value) => t(has(`choice.${name}.${value}`) ? `choice.${name}.${value}` : `value.${value}`, {}, value);

/** @param {Wrong[]} wrong @param {string} path @returns {string} */
export const whyOf = (wrong, path) =>
  wrong
    .filter(({ field }) => field === path)
    .map(({ code }) => t(`reason.${code}`, {}, t("reason.unknown")))
    .join(" ");

/** @param {ControlProps} props */
export function Control({ spec, path, value, wrong, onChange, onLeave }) {
  const id = useId();
  const name = /** @type {string} */ (spec.name.split("/").at(-1));
  const why = whyOf(wrong, path);
  const described = [spec.hint && `${id}-hint`, why && `${id}-why`].filter(Boolean).join(" ");
  const common = {
    id, name: path, "data-field": path, onBlur: onLeave, autocomplete: spec.auto ?? "off",
    ...(why ? { "aria-invalid": "true" } : {}), ...(described ? { "aria-describedby": described } : {}),
    ...(spec.optional || spec.kind === "check" ? {} : { "aria-required": "true" }),
  };
  const typed = (/** @type {any} */ event) => onChange(event.target.value);
  const around = (/** @type {any} */ control, heading = html`<label for=${id}><${Label} name=${name} optional=${spec.optional} /></label>`) =>
    html`<div class="field ${spec.kind === "check" ? "field-check" : ""}">
      ${spec.kind === "check" ? [control, heading] : [heading, control]}
      ${spec.hint && html`<p class="hint" id="${id}-hint">${t(spec.hint)}</p>`}
      ${why && html`<p class="field-why" id="${id}-why">${why}</p>`}
    </div>`;
  switch (spec.kind) {
    case "long":
      return around(html`<textarea ...${common} rows="3" maxlength="1000" value=${value ?? ""} onInput=${typed}></textarea>`);
    case "choice":
      return around(html`<select ...${common} value=${value ?? ""} onChange=${typed}>
        <option value=""></option>
        ${spec.options?.map((one) => html`<option key=${one} value=${one}>${choiceText(name, one)}</option>`)}
      </select>`);
    case "country":
      return around(html`<${Country} ...${common} value=${value} onChange=${onChange} />`);
    case "check":
      return around(html`<input ...${common} type="checkbox" checked=${value === true} onChange=${(/** @type {any} */ event) => onChange(event.target.checked)} />`);
    case "number":
      return around(html`<input ...${common} type="number" inputmode="numeric" step="1" min="0" max="100" value=${value ?? ""}
        onInput=${(/** @type {any} */ event) => onChange(event.target.value === "" ? undefined : Number(event.target.value))} />`);
    case "money":
      return html`<${Money} spec=${spec} path=${path} value=${value} wrong=${wrong} onChange=${onChange} onLeave=${onLeave} />`;
    case "yesno":
    case "choices":
    case "countries":
      return html`<${Several} spec=${spec} path=${path} value=${value} wrong=${wrong} onChange=${onChange} onLeave=${onLeave} />`;
    default:
      return around(html`<input ...${common} type=${spec.kind} value=${value ?? ""} maxlength="200" onInput=${typed} />`);
  }
}

/** @param {{name: string, optional?: boolean}} props */
const Label = ({ name, optional }) => html`${fieldLabel(name)}${optional && html` <span class="optional">${t("form.optional")}</span>`}`;

/** @param {any} props attributes, `value` and `onChange(value)` */
const Country = ({ value, onChange, ...rest }) =>
  html`<select ...${rest} value=${value ?? ""} onChange=${(/** @type {any} */ event) => onChange(event.target.value)}>
    <option value=""></option>
    ${countries().map(([code, name]) => html`<option key=${code} value=${code}>${name}</option>`)}
  </select>`;

/** An exact amount as text, its currency, and how the page would write it. @param {ControlProps} props */
function Money({ spec, path, value = {}, wrong, onChange, onLeave }) {
  const id = useId();
  const why = [path, `${path}/amount`, `${path}/currency`].map((one) => whyOf(wrong, one)).filter(Boolean).join(" ");
  const described = [spec.hint && `${id}-hint`, why ? `${id}-why` : `${id}-read`].filter(Boolean).join(" ");
  const readable = /^\d{1,16}(\.\d{1,3})?$/.test(value.amount ?? "");
  return html`<div class="field">
    <label for=${id}><${Label} name=${spec.name} /></label>
    <div class="field-money">
      <input id=${id} name="${path}/amount" data-field="${path}/amount" type="text" inputmode="decimal" autocomplete="off" value=${value.amount ?? ""} placeholder="250000.00"
        aria-required="true" aria-invalid=${why ? "true" : undefined} aria-describedby=${described}
        onBlur=${onLeave} onInput=${(/** @type {any} */ event) => onChange({ ...value, amount: event.target.value.replace(/[\s\u202f\u00a0]/g, "") })} />
      <select aria-label=${`${fieldLabel(spec.name)}: ${fieldLabel("currency")}`} data-field="${path}/currency" value=${value.currency ?? ""} onBlur=${onLeave}
        onChange=${(/** @type {any} */ event) => onChange({ ...value, currency: event.target.value })}>
        ${CURRENCIES.map((code) => html`<option key=${code} value=${code}>${code}</option>`)}
      </select>
    </div>
    ${spec.hint && html`<p class="hint" id="${id}-hint">${t(spec.hint)}</p>`}
    ${why ? html`<p class="field-why" id="${id}-why">${why}</p>` : html`<p class="hint" id="${id}-read">${readable ? money(value.amount, value.currency ?? "USD") : "\u00a0"}</p>`}
  </div>`;
}

/** Yes or no, some of several, or some countries: a group of controls under one question. @param {ControlProps} props */
function Several({ spec, path, value, wrong, onChange, onLeave }) {
  const id = useId();
  const inner = spec.kind === "countries" ? (value ?? []).map((/** @type {string} */ _one, /** @type {number} */ index) => whyOf(wrong, `${path}/${index}`)) : [];
  const why = [whyOf(wrong, path), ...inner].filter(Boolean).join(" ");
  const described = [spec.hint && `${id}-hint`, why && `${id}-why`].filter(Boolean).join(" ");
  return html`<fieldset class="field several" data-field=${path} tabindex="-1" aria-describedby=${described || undefined} onFocusOut=${onLeave}>
    <legend><${Label} name=${spec.name} optional=${spec.optional} /></legend>
    ${spec.kind === "yesno" &&
    html`<div class="pills">
      ${[true, false].map(
        (one) => html`<label key=${String(one)}><input type="radio" name=${path} checked=${value === one} onChange=${() => onChange(one)} /> ${t(one ? "yes" : "no")}</label>`,
      )}
    </div>`}
    ${spec.kind === "choices" &&
    html`<div class="ticks">
      ${spec.options?.map(
        (one) =>
          html`<label key=${one}><input type="checkbox" checked=${(value ?? []).includes(one)}
            onChange=${(/** @type {any} */ event) => onChange(event.target.checked ? [...(value ?? []), one] : value.filter((/** @type {string} */ other) => other !== one))} />
            <span>${choiceText(spec.name, one)}</span></label>`,
      )}
    </div>`}
    ${spec.kind === "countries" &&
    html`${(value ?? [""]).map(
        (/** @type {string} */ one, /** @type {number} */ index) =>
          html`<div class="field-row" key=${index}>
            <${Country} aria-label=${`${fieldLabel(spec.name)} ${index + 1}`} value=${one}
              onChange=${(/** @type {string} */ next) => onChange((value ?? [""]).map((/** @type {string} */ old, /** @type {number} */ at) => (at === index ? next : old)))} />
            ${index > 0 && html`<button type="button" class="link" onClick=${() => onChange(value.filter((/** @type {string} */ _old, /** @type {number} */ at) => at !== index))}>${t("form.remove")}</button>`}
          </div>`,
      )}
      ${(value ?? []).length < 4 && html`<button type="button" class="link" onClick=${() => onChange([...(value ?? [""]), ""])}>${t("form.add", { what: fieldLabel(spec.name) })}</button>`}`}
    ${spec.hint && html`<p class="hint" id="${id}-hint">${t(spec.hint)}</p>`}
    ${why && html`<p class="field-why" id="${id}-why">${why}</p>`}
  </fieldset>`;
}

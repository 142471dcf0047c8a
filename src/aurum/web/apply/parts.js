/** The parts of a step: single fields, groups of fields, lists of groups. */
import { html } from "../app/html.js";
import { t } from "../app/i18n.js";
import { fieldLabel } from "../app/ui.js";
import { Control, whyOf } from "./controls.js";
import { valueAt } from "./draft.js";

/**
 * @typedef {{draft: any, wrong: import("./controls.js").Wrong[], onChange: (pointer: string, value: unknown) => void,
 *   onLeave: (pointer: string) => void}} PartContext
 */

/** @param {{part: import("./layout.js").Step["parts"][number], context: PartContext}} props */
export function Part({ part, context }) {
  if ("list" in part) return html`<${ListPart} part=${part} context=${context} />`;
  if ("group" in part) {
    const path = `/${part.group}`;
    return html`<fieldset class="form-group" data-field=${path} tabindex="-1">
      <legend>${fieldLabel(part.group)}${part.optional && html` <span class="optional">${t("form.optional")}</span>`}</legend>
      <${Why} path=${path} context=${context} />
      <${Fields} fields=${part.fields} path=${path} context=${context} />
    </fieldset>`;
  }
  return html`<${Fields} fields=${[part]} path="" context=${context} />`;
}

/** @param {{part: import("./layout.js").List, context: PartContext}} props */
function ListPart({ part, context }) {
  const path = `/${part.list}`;
  const items = /** @type {any[]} */ (valueAt(context.draft, path) ?? []);
  const least = part.optional ? 0 : 1;
  return html`<fieldset class="form-group" data-field=${path} tabindex="-1">
    <legend>${fieldLabel(part.list)}${part.optional && html` <span class="optional">${t("form.optional")}</span>`}</legend>
    <${Why} path=${path} context=${context} />
    ${items.map(
      (_item, index) =>
        html`<div class="form-item" role="group" aria-label=${`${fieldLabel(part.list)} ${index + 1}`} key=${index}>
          <${Why} path=${`${path}/${index}`} context=${context} />
          <${Fields} fields=${part.fields} path=${`${path}/${index}`} context=${context} />
          ${items.length > least &&
          html`<button type="button" class="link" onClick=${() => context.onChange(path, items.filter((_one, at) => at !== index))}>
            ${t("form.remove")}<span class="sr-only"> ${fieldLabel(part.list)} ${index + 1}</span>
          </button>`}
        </div>`,
    )}
    ${items.length < part.most &&
    html`<button type="button" class="link" onClick=${() => context.onChange(path, [...items, { ...part.blank }])}>${t("form.add", { what: fieldLabel(part.list) })}</button>`}
  </fieldset>`;
}

/** @param {{path: string, context: PartContext}} props what is wrong with a group as a whole */
function Why({ path, context }) {
  const why = whyOf(context.wrong, path);
  return why && html`<p class="field-why">${why}</p>`;
}

/** @param {{fields: import("./layout.js").Field[], path: string, context: PartContext}} props */
function Fields({ fields, path, context }) {
  const { draft, wrong, onChange, onLeave } = context;
  const owner = path === "" ? draft : (valueAt(draft, path) ?? {});
  return fields
    .filter((spec) => spec.when?.(draft, owner) ?? true)
    .map((spec) => {
      const pointer = `${path}/${spec.name}`;
      return html`<${Control} key=${pointer} spec=${spec} path=${pointer} value=${valueAt(draft, pointer)} wrong=${wrong}
        onChange=${(/** @type {unknown} */ value) => onChange(pointer, value)} onLeave=${() => onLeave(pointer)} />`;
    });
}

/** Editors for a field of the application, whatever its shape: text, day, number, yes or no, choice, group, list. */
import { html, useId } from "../app/html.js";
import { named, t } from "../app/i18n.js";
import { fieldLabel } from "../app/ui.js";

const FINANCIAL = ["inheritance", "businessSale", "salary", "property", "investments", "other"];
const LEVELS = ["low", "medium", "high"];
const EXPERIENCE = ["none", "limited", "good", "extensive"];

/** Closed lists of the application, by path. @type {Record<string, string[]>} */
const CHOICES = {
  "/preferredLanguage": ["en", "fr", "es", "pt-BR", "pt-PT"],
  "/idDocumentType": ["passport", "idCard", "drivingLicence", "residencePermit"],
  "/employmentStatus": ["employed", "self", "retired", "student", "none"],
  "/annualIncome": ["under50k", "50kTo100k", "100kTo250k", "250kTo1m", "over1m"],
  "/sourceOfFunds/category": FINANCIAL,
  "/sourceOfWealth/categories/*": FINANCIAL,
  "/pep/status": ["none", "self", "family", "associate"],
  "/accountPurpose/purpose": ["retirement", "wealthGrowth", "income", "education", "estatePlanning", "other"],
  "/accountPurpose/expectedActivity": LEVELS,
  "/suitability/objective": ["preservation", "income", "balanced", "growth", "aggressiveGrowth"],
  "/suitability/liquidityNeed": LEVELS,
  "/suitability/experience/stocks": EXPERIENCE,
  "/suitability/experience/bonds": EXPERIENCE,
  "/suitability/experience/funds": EXPERIENCE,
  "/suitability/experience/alternatives": EXPERIENCE,
  "/suitability/sustainability": ["none", "some", "strong"],
  "/taxForm/form": ["W9", "W8BEN"],
};

const LONG = new Set(["text", "mrz", "explanation"]);

/** @param {string} pointer @returns {string} the top-level field it is in */
export const topLevel = (pointer) => pointer.split("/").filter((token) => token !== "")[0] ?? "";

/**
 * The value an editor starts with: what is on file, with an empty place for each asked leaf that is missing.
 * @param {any} onFile @param {string} name @param {string[]} pointers
 */
export function startingValue(onFile, name, pointers) {
  let value = onFile;
  for (const pointer of pointers) {
    const [top, ...rest] = pointer.split("/").filter((token) => token !== "");
    if (top === name) value = withPlace(value, rest);
  }
  return value ?? "";
}

/** @param {any} value @param {string[]} tokens @returns {any} */
function withPlace(value, [head, ...rest]) {
  if (head === undefined) return value ?? "";
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === head ? withPlace(item, rest) : item));
  const parent = value !== null && typeof value === "object" ? value : {};
  return { ...parent, [head]: withPlace(parent[head], rest) };
}

/** @param {{path: string, value: any, problems: {field: string, code: string}[], onChange: (value: unknown) => void, legend?: string}} props */
export function FieldEditor({ path, value, problems, onChange, legend }) {
  const name = /** @type {string} */ (path.split("/").at(-1));
  const label = legend ?? fieldLabel(name);
  if (Array.isArray(value)) {
    return html`<fieldset class="group">
      <legend>${label}</legend>
      ${value.map(
        (item, index) =>
          html`<${FieldEditor}
            key=${index}
            path=${`${path}/${index}`}
            legend=${`${label} ${index + 1}`}
            value=${item}
            problems=${problems}
            onChange=${(/** @type {unknown} */ next) => onChange(value.map((old, at) => (at === index ? next : old)))}
          />`,
      )}
    </fieldset>`;
  }
  if (value !== null && typeof value === "object") {
    return html`<fieldset class="group">
      <legend>${label}</legend>
      ${Object.keys(value).map(
        (key) =>
          html`<${FieldEditor}
            key=${key}
            path=${`${path}/${key}`}
            value=${value[key]}
            problems=${problems}
            onChange=${(/** @type {unknown} */ next) => onChange({ ...value, [key]: next })}
          />`,
      )}
    </fieldset>`;
  }
  return html`<${Leaf} path=${path} name=${name} label=${label} value=${value} problems=${problems} onChange=${onChange} />`;
}

/** @param {{path: string, name: string, label: string, value: any, problems: {field: string, code: string}[], onChange: (value: unknown) => void}} props */
function Leaf({ path, name, label, value, problems, onChange }) {
  const id = useId();
  const mine = problems.filter((problem) => problem.field === path);
  const described = mine.length > 0 ? { "aria-invalid": "true", "aria-describedby": `${id}-why` } : {};
  const common = { id, name: path, ...described };
  const choices = CHOICES[path.replace(/\/\d+/g, "/*")];
  const why =
    mine.length > 0 &&
    html`<p class="field-why" id="${id}-why">${mine.map(({ code }) => t(`reason.${code}`, {}, t("reason.unknown"))).join(" ")}</p>`;
  if (typeof value === "boolean") {
    return html`<div class="field field-check">
      <input type="checkbox" ...${common} checked=${value} onChange=${(/** @type {any} */ event) => onChange(event.target.checked)} />
      <label for=${id}>${label}</label>${why}
    </div>`;
  }
  const typed = (/** @type {any} */ event) =>
    onChange(typeof value === "number" && event.target.value !== "" ? Number(event.target.value) : event.target.value);
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${choices
      ? html`<select ...${common} value=${value ?? ""} onChange=${typed}>
          ${!choices.includes(value) && html`<option value=""></option>`}
          ${choices.map((choice) => html`<option key=${choice} value=${choice}>${named("value", choice)}</option>`)}
        </select>`
      : LONG.has(name)
        ? html`<textarea ...${common} rows="3" value=${value ?? ""} onInput=${typed}></textarea>`
        : html`<input ...${common} type=${inputType(name, value)} value=${value ?? ""} onInput=${typed} />`}
    ${why}
  </div>`;
}

/** @param {string} name @param {unknown} value */
function inputType(name, value) {
  if (typeof value === "number") return "number";
  if (/(Date|^until|dateOfBirth)$/.test(name) || (typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value))) return "date";
  if (name === "email") return "email";
  if (name === "phone") return "tel";
  return "text";
}

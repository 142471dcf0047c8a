/**
 * A form as it was deployed with the process, drawn by form-js (loaded when the first form is). Its labels are
 * said in the page's language where the codes are known; choices are shown at once instead of behind a list.
 */
import { reason } from "../app/format.js";
import { html, useEffect, useRef, useState } from "../app/html.js";
import { has, t } from "../app/i18n.js";
import { urlOf } from "../app/session.js";

/** @typedef {{importSchema: (schema: any, data: any) => Promise<unknown>, submit: () => {data: any, errors: Record<string, unknown>}, on: (event: string, listener: (event: any) => void) => void, destroy: () => void}} FormJs */

/** @type {Promise<any> | undefined} */
let library;

/** @returns {Promise<any>} the library's exports; one script and one style sheet for all forms */
function loaded() {
  library ??= new Promise((resolve, reject) => {
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: urlOf("vendor/form-js.css") });
    const script = Object.assign(document.createElement("script"), { src: urlOf("vendor/form-viewer.js") });
    script.onload = () => resolve(/** @type {any} */ (globalThis).FormViewer);
    script.onerror = () => reject(new Error("form-js could not be loaded"));
    document.head.append(style, script);
  });
  library.catch(() => (library = undefined)); // The next form tries again.
  return library;
}

/** Words of the pages for keys of the decision forms. @type {Record<string, string>} */
const LABELS = { outcome: "advisor.outcome", approveReasonCode: "advisor.reason", declineReasonCode: "advisor.reason", question: "advisor.question" };

/** @type {Record<string, string>} */
const HINTS = { declineReasonCode: "review.hint.reason", question: "review.hint.question" };

/** Returns the schema in the page's language. @param {any} schema */
export function spokenSchema(schema) {
  const components = schema.components
    .filter((/** @type {any} */ one) => one.type !== "text") // The page has its own heading and introduction.
    .map((/** @type {any} */ one) => ({
      ...one,
      type: one.type === "select" ? "radio" : one.type,
      label: LABELS[one.key] ? t(LABELS[one.key]) : one.label,
      ...(HINTS[one.key] ? { description: t(HINTS[one.key]) } : {}),
      ...(one.values ? { values: one.values.map((/** @type {any} */ item) => ({ ...item, label: optionText(one.key, item) })) } : {}),
    }));
  return { ...schema, components };
}

/** @param {string} key @param {{value: string, label: string}} option */
const optionText = (key, { value, label }) =>
  key === "outcome" ? t(`outcome.${value}`, {}, label) : has(`reason.bank.${value}`) || has(`reason.${value}`) ? reason(value, "bank") : label;

/**
 * @param {{schema: any, onChange: (data: any) => void, onReady: (form: FormJs | null) => void, onFail: (error: unknown) => void}} props
 *   `onReady` gets the form to submit, null when it goes away
 */
export function DeployedForm({ schema, onChange, onReady, onFail }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [busy, setBusy] = useState(true);
  useEffect(() => {
    let wanted = true;
    /** @type {FormJs | undefined} */
    let form;
    loaded()
      .then(async ({ Form }) => {
        if (!wanted) return;
        form = /** @type {FormJs} */ (new Form({ container: place.current }));
        form.on("changed", ({ data }) => onChange(data));
        await form.importSchema(spokenSchema(schema), {});
        setBusy(false);
        onReady(form);
      })
      .catch((error) => wanted && onFail(error));
    return () => {
      wanted = false;
      onReady(null);
      form?.destroy();
    };
  }, [schema]);
  return html`<div class="deployed-form" data-testid="deployed-form">${busy && html`<p class="muted">${t("loading")}</p>`}<div ref=${place}></div></div>`;
}

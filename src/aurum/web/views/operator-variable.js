/** Sets one variable of the closed list (`docs/process-variables.md`); the server judges the value. */
import { html, useState } from "../app/html.js";
import { t } from "../app/i18n.js";
import { Problem } from "../app/problem.js";
import { ErrorNote, useAction } from "../app/ui.js";
import { Reason } from "./operator-reason.js";

/** Name -> the value that the field starts with. */
const SETTABLE = /** @type {Record<string, string>} */ ({ nameVariants: '[""]', editors: "[]" });

/** @param {{session: import("../app/session.js").Session, caseId: string, onDone: () => void}} props */
export function SetVariable({ session, caseId, onDone }) {
  const [name, setName] = useState("nameVariants");
  const [text, setText] = useState(SETTABLE.nameVariants);
  const [reason, setReason] = useState("");
  const [done, setDone] = useState("");
  const { busy, error, run } = useAction();
  const value = parsed(text);
  const choose = (/** @type {string} */ next) => {
    setName(next);
    setText(SETTABLE[next]);
    setDone("");
  };
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    setDone("");
    void run(async () => {
      await session.post(`cases/${caseId}/variables`, { name, value: value.json, reason });
      setDone(name);
      setReason("");
      onDone();
    });
  };
  const code = error instanceof Problem ? error.problems[0]?.code : undefined;
  return html`<details class="disclosure" data-testid="set-variable">
    <summary>${t("variable.title")}</summary>
    <form class="form" onSubmit=${send}>
      <label class="field">${t("variable.name")}
        <select value=${name} onChange=${(/** @type {any} */ event) => choose(event.target.value)} data-testid="variable-name">
          ${Object.keys(SETTABLE).map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
        </select>
        <span class="hint">${t(`variable.${name}`)}</span>
      </label>
      <label class="field">${t("variable.value")}
        <textarea class="mono" rows="3" value=${text} aria-invalid=${value.bad} data-testid="variable-value" onInput=${(/** @type {any} */ event) => setText(event.target.value)}></textarea>
        ${value.bad && html`<span class="field-why" role="alert">${t("variable.json")}</span>`}
      </label>
      <${Reason} value=${reason} onChange=${setReason} />
      ${code ? html`<p class="note note-bad" role="alert" data-testid="error">${t(`variable.refused.${code}`, {}, t("error.422"))}</p>` : html`<${ErrorNote} error=${error} words=${{ 409: t("operator.over") }} />`}
      ${done && html`<p class="note note-ok" role="status">${t("variable.done", { name: done })}</p>`}
      <div class="actions"><button class="button" disabled=${busy || value.bad} data-testid="variable-send">${t("variable.send")}</button></div>
    </form>
  </details>`;
}

/** @param {string} text @returns {{json: unknown, bad: boolean}} */
function parsed(text) {
  try {
    return { json: JSON.parse(text), bad: false };
  } catch (error) {
    if (error instanceof SyntaxError) return { json: null, bad: true };
    throw error;
  }
}

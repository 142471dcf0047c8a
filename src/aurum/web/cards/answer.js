/** The customer's answer: a message, and fields of the application to change. Every change is checked anew. */
import { html, useId, useState } from "../app/html.js";
import { t } from "../app/i18n.js";
import { Problem } from "../app/problem.js";
import { ErrorNote, ProblemList, fieldLabel, useAction } from "../app/ui.js";
import { FieldEditor, startingValue, topLevel } from "./fields.js";

/** Fields that nobody types in: made by the form, or signed separately. */
const FIXED = new Set(["applicationId", "channel", "initialDepositUsd", "hash", "signature", "consents"]);

/**
 * `talk`: the assistant asked, so the answer is words only; a change of the application has its own task.
 * @param {{taskId: string, ask: any, talk?: boolean, context: import("./frame.js").Context}} props
 */
export function AnswerForm({ taskId, ask, talk = false, context }) {
  const application = context.state?.application ?? {};
  const problems = /** @type {{field: string, code: string}[]} */ (ask.problems ?? []);
  const pointers = talk ? [] : [...new Set([...(ask.fields ?? []), ...problems.map((problem) => problem.field)])];
  const asked = [...new Set(pointers.map(topLevel))].filter((name) => name !== "");
  const [text, setText] = useState("");
  const [added, setAdded] = useState(/** @type {string[]} */ ([]));
  const [changes, setChanges] = useState(/** @type {Record<string, unknown>} */ ({}));
  const [sent, setSent] = useState(false);
  const { busy, error, run } = useAction();
  const id = useId();
  const shown = [...asked, ...added.filter((name) => !asked.includes(name))];
  const others = Object.keys(application).filter((name) => !FIXED.has(name) && !shown.includes(name));
  const refused = error instanceof Problem ? error.problems : [];

  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void run(async () => {
      if (text.trim() === "" && Object.keys(changes).length === 0) {
        throw new Problem(422, { detail: "empty", problems: [] });
      }
      await context.session.post(`cases/${context.caseId}/tasks/${taskId}/answer`, { answer: text.trim(), ...(talk ? {} : { changes }) });
      setSent(true);
    });
  };

  if (sent) return html`<p class="note note-ok" role="status">${t("answer.sent")}</p>`;
  return html`<form class="form" onSubmit=${send} data-testid="answer-form">
    ${ask.question && html`<p class="label">${t(talk ? "answer.question.assistant" : "answer.question")}</p><blockquote>${ask.question}</blockquote>`}
    ${problems.length > 0 && html`<p class="label">${t("answer.problems")}</p><${ProblemList} problems=${problems} />`}
    ${shown.map(
      (name) =>
        html`<${FieldEditor}
          key=${name}
          path=${`/${name}`}
          value=${name in changes ? changes[name] : startingValue(application[name], name, pointers)}
          problems=${[...problems, ...refused]}
          onChange=${(/** @type {unknown} */ value) => setChanges((old) => ({ ...old, [name]: value }))}
        />`,
    )}
    <div class="field">
      <label for="${id}-text">${t(problems.length > 0 ? "answer.text.optional" : "answer.text")}</label>
      <textarea id="${id}-text" name="answer" rows="4" maxlength="1000" value=${text}
        onInput=${(/** @type {any} */ event) => setText(event.target.value)}></textarea>
    </div>
    ${!talk &&
    html`<div class="field">
      <label for="${id}-also">${t("answer.also")}</label>
      <select id="${id}-also" value=""
        onChange=${(/** @type {any} */ event) => event.target.value && setAdded((old) => [...old, event.target.value])}>
        <option value="">${t("answer.also.none")}</option>
        ${others.map((name) => html`<option key=${name} value=${name}>${fieldLabel(name)}</option>`)}
      </select>
      <p class="hint">${t("answer.consequence")}</p>
    </div>`}
    <${ErrorNote} error=${error} words=${error instanceof Problem && error.detail === "empty" ? { 422: t("answer.empty") } : {}} />
    <button class="button button-primary" type="submit" disabled=${busy} data-testid="answer-submit">${t("answer.send")}</button>
  </form>`;
}

/** The assistant asks an advisor. His answer goes into the conversation; it decides nothing. */
import { html, useId, useState } from "../app/html.js";
import { t } from "../app/i18n.js";
import { ErrorNote, Since, useAction } from "../app/ui.js";
import { CardFrame, Verdict } from "./frame.js";

/** @param {import("./frame.js").CardProps} card */
export function AdvisorQuestionCard({ props, status, context }) {
  const { question, since, taskId, source } = props;
  const open = status === "waiting";
  return html`<${CardFrame}
    component="AdvisorQuestionCard"
    title=${t("card.question.title")}
    badge=${html`<${Verdict} tone=${open ? "warn" : "plain"}>${t(open ? "card.question.open" : "card.question.closed")}<//>`}
    source=${source}
    audience=${context.audience}
    tone=${open ? "card-yours" : ""}
  >
    <blockquote>${question || t("card.question.unknown")}</blockquote>
    ${open && html`<p class="muted">${t("waiting.since")} <${Since} at=${since} /></p>`}
    ${open && context.session.person.persona === "advisor" && html`<${Reply} key=${taskId} taskId=${taskId} context=${context} />`}
  <//>`;
}

/** @param {{taskId: string, context: import("./frame.js").Context}} props */
function Reply({ taskId, context }) {
  const [text, setText] = useState("");
  const { busy, error, run } = useAction();
  const id = useId();
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void run(async () => void (await context.session.post(`cases/${context.caseId}/tasks/${taskId}/answer`, { answer: text.trim() })));
  };
  return html`<form class="form" onSubmit=${send} data-testid="question-form">
    <div class="field">
      <label for=${id}>${t("card.question.answer")}</label>
      <textarea id=${id} rows="3" maxlength="1000" required value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)}></textarea>
      <p class="hint">${t("card.question.hint")}</p>
    </div>
    <${ErrorNote} error=${error} />
    <button class="button button-primary" type="submit" disabled=${busy || text.trim() === ""} data-testid="question-submit">${t("answer.send")}</button>
  </form>`;
}

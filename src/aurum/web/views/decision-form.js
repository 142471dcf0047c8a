/**
 * Approve, decline with a reason, or ask the customer. The decision carries the version of the case that
 * was read (`If-Match`), so nobody approves what he did not see.
 */
import { reason } from "../app/format.js";
import { html, useId, useState } from "../app/html.js";
import { t } from "../app/i18n.js";
import { Problem } from "../app/problem.js";
import { ErrorNote, fieldLabel, useAction, useLoaded } from "../app/ui.js";

/** Which reasons go with which decision, for servers that send one list. @type {Record<string, Set<string>>} */
const REASONS = {
  approve: new Set(["APPROVED", "FALSE_POSITIVE", "ENHANCED_DUE_DILIGENCE_DONE"]),
  decline: new Set(["IDENTITY_NOT_CONFIRMED", "SOURCE_OF_FUNDS_UNCLEAR", "PRODUCT_NOT_SUITABLE", "OUTSIDE_RISK_APPETITE", "COMPLIANCE", "OTHER"]),
  "request-info": new Set(["MORE_INFORMATION"]),
};
const STALE = new Set([412, 428]);
const FIXED = new Set(["applicationId", "channel", "initialDepositUsd", "hash", "signature", "consents"]);

/** What came of a decision. It outlives the form, which goes away with its task. @typedef {{good: boolean, text: string}} Notice */

/**
 * @param {{session: import("../app/session.js").Session, caseId: string, taskId: string, application: any,
 *   onNotice: (notice: Notice | null) => void}} props
 */
export function DecisionForm({ session, caseId, taskId, application, onNotice }) {
  const path = `cases/${caseId}/tasks/${taskId}`;
  const desk = useLoaded(() => session.get(path), [path]);
  const [outcome, setOutcome] = useState("");
  const [reasonCode, setReasonCode] = useState("");
  const [question, setQuestion] = useState("");
  const [fields, setFields] = useState(/** @type {string[]} */ ([]));
  const { busy, error, run } = useAction();
  const id = useId();
  const { body, etag } = desk.value ?? { body: null, etag: null };
  const elementId = body?.task?.elementId;
  const outcomes = elementId === "second_approval" ? ["approve", "decline"] : ["approve", "decline", "request-info"];
  const reasons = /** @type {{code: string, text: string, outcome?: string}[]} */ (body?.reasonCodes ?? []).filter((one) =>
    one.outcome ? one.outcome === outcome : REASONS[outcome]?.has(one.code),
  );
  const incomplete = outcome === "" || (outcome === "decline" && reasonCode === "") || (outcome === "request-info" && question.trim() === "");

  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void run(async () => {
      onNotice(null);
      try {
        await session.post(`${path}/decision`, decisionOf(outcome, reasonCode, question, fields), { "If-Match": etag ?? `"${body.basisHash}"` });
        onNotice({ good: true, text: t("advisor.recorded", { outcome: t(`decided.${outcome}`) }) });
      } catch (problem) {
        const words = problem instanceof Problem ? wordsFor(problem)[problem.status] : undefined;
        if (problem instanceof Problem && STALE.has(problem.status)) desk.reload();
        if (words === undefined) throw problem;
        onNotice({ good: false, text: words });
      }
    });
  };

  return html`<form class="card form decision" onSubmit=${submit} aria-labelledby="${id}-title" data-testid="decision-form">
    <h3 id="${id}-title">${t(elementId === "second_approval" ? "advisor.task.second_approval" : "advisor.decision")}</h3>
    <${ErrorNote} error=${desk.error} />
    <fieldset class="choices">
      <legend class="sr-only">${t("advisor.outcome")}</legend>
      ${outcomes.map(
        (name) =>
          html`<label key=${name} class="choice choice-${name}" data-testid="decision-${name}">
            <input type="radio" name="${id}-outcome" value=${name} checked=${outcome === name}
              onChange=${() => (setOutcome(name), setReasonCode(""))} />
            <span>${t(`outcome.${name}`)}</span>
          </label>`,
      )}
    </fieldset>
    ${reasons.length > 0 &&
    outcome !== "request-info" &&
    html`<div class="field">
      <label for="${id}-reason">${t("advisor.reason")}</label>
      <select id="${id}-reason" required=${outcome === "decline"} value=${reasonCode} data-testid="decision-reason"
        onChange=${(/** @type {any} */ event) => setReasonCode(event.target.value)}>
        <option value="">${t("advisor.reason.choose")}</option>
        ${reasons.map(({ code }) => html`<option key=${code} value=${code}>${reason(code, "bank")}</option>`)}
      </select>
    </div>`}
    ${outcome === "request-info" &&
    html`<div class="field">
        <label for="${id}-question">${t("advisor.question")}</label>
        <textarea id="${id}-question" rows="4" maxlength="1000" required value=${question} data-testid="decision-question"
          onInput=${(/** @type {any} */ event) => setQuestion(event.target.value)}></textarea>
      </div>
      <${FieldChoice} application=${application} chosen=${fields} onChange=${setFields} />`}
    <${ErrorNote} error=${error} />
    <button class="button button-primary" type="submit" disabled=${busy || incomplete || !body} data-testid="decision-submit">
      ${t("advisor.submit")}
    </button>
    ${body && html`<p class="fine">${t("advisor.basis", { hash: String(body.basisHash).replace("sha256:", "").slice(0, 8) })}</p>`}
  </form>`;
}

/** @param {string} outcome @param {string} reasonCode @param {string} question @param {string[]} fields */
function decisionOf(outcome, reasonCode, question, fields) {
  if (outcome === "request-info") {
    return { outcome, reasonCode: "MORE_INFORMATION", question: question.trim(), fields: fields.map((name) => `/${name}`) };
  }
  return { outcome, ...(reasonCode === "" ? {} : { reasonCode }) };
}

/** @param {{application: any, chosen: string[], onChange: (fields: string[]) => void}} props */
function FieldChoice({ application, chosen, onChange }) {
  const names = Object.keys(application ?? {}).filter((name) => !FIXED.has(name));
  const toggle = (/** @type {string} */ name) => onChange(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  return html`<details class="field-choice">
    <summary>${t("advisor.fields")} (${chosen.length})</summary>
    <div class="field-list" role="group" aria-label=${t("advisor.fields")} tabindex="0">
      ${names.map(
        (name) =>
          html`<label key=${name}><input type="checkbox" checked=${chosen.includes(name)} onChange=${() => toggle(name)} /> ${fieldLabel(name)}</label>`,
      )}
    </div>
  </details>`;
}

/** @param {Problem} error @returns {Record<number, string | undefined>} */
function wordsFor(error) {
  const { decidedBy = "–", outcome = "" } = error.document;
  return {
    403: t("advisor.error.403"),
    409: t("advisor.error.409", { person: decidedBy, outcome: t(`decided.${outcome}`, {}, outcome).toLowerCase() }),
    412: t("advisor.error.412"),
    428: t("advisor.error.428"),
  };
}

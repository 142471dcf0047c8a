/**
 * Approve, decline with a reason, or ask the customer, in the form that was deployed with the task. The decision
 * carries the version of the case that was read (`If-Match`), so nobody approves what he did not see.
 */
import { html, useId, useRef, useState } from "../app/html.js";
import { language, t } from "../app/i18n.js";
import { Problem } from "../app/problem.js";
import { ErrorNote, fieldLabel, useAction, useLoaded } from "../app/ui.js";
import { DeployedForm } from "./deployed-form.js";

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
  const deployed = useLoaded(() => session.get(`${path}/form`), [path]);
  const [data, setData] = useState(/** @type {any} */ ({}));
  const [fields, setFields] = useState(/** @type {string[]} */ ([]));
  const [failed, setFailed] = useState(/** @type {unknown} */ (null));
  const form = useRef(/** @type {import("./deployed-form.js").FormJs | null} */ (null));
  const { busy, error, run } = useAction();
  const id = useId();
  const { body, etag } = desk.value ?? { body: null, etag: null };
  const schema = deployed.value?.body;
  const second = body?.task?.elementId === "second_approval";

  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const filled = form.current?.submit(); // Marks what is missing in the form itself.
    if (!filled || Object.keys(filled.errors).length > 0) return;
    void run(async () => {
      onNotice(null);
      try {
        await session.post(`${path}/decision`, decisionOf(filled.data, fields), { "If-Match": etag ?? `"${body.basisHash}"` });
        onNotice({ good: true, text: t("advisor.recorded", { outcome: t(`decided.${filled.data.outcome}`) }) });
      } catch (problem) {
        const words = problem instanceof Problem ? wordsFor(problem)[problem.status] : undefined;
        if (problem instanceof Problem && STALE.has(problem.status)) desk.reload();
        if (words === undefined) throw problem;
        onNotice({ good: false, text: words });
      }
    });
  };

  return html`<section class="card decision" aria-labelledby="${id}-title" data-testid="decision-form">
    <h3 id="${id}-title">${t(second ? "advisor.task.second_approval" : "advisor.decision")}</h3>
    <p class="fine">${t("review.intro")}</p>
    <${ErrorNote} error=${desk.error ?? deployed.error ?? failed} />
    ${schema && html`<${DeployedForm} key=${language.value} schema=${schema} onChange=${setData} onFail=${setFailed}
      onReady=${(/** @type {import("./deployed-form.js").FormJs | null} */ ready) => (form.current = ready)} />`}
    <form class="form" onSubmit=${submit}>
      ${data.outcome === "request-info" && html`<${FieldChoice} application=${application} chosen=${fields} onChange=${setFields} />`}
      <${ErrorNote} error=${error} />
      <button class="button button-primary" type="submit" disabled=${busy || !data.outcome || !body} data-testid="decision-submit">
        ${t("advisor.submit")}
      </button>
    </form>
    ${body && html`<p class="fine">${t("advisor.basis", { hash: String(body.basisHash).replace("sha256:", "").slice(0, 8) })}</p>`}
  </section>`;
}

/** @param {any} data of the form @param {string[]} fields */
function decisionOf({ outcome, approveReasonCode, declineReasonCode, question }, fields) {
  if (outcome === "request-info") {
    return { outcome, reasonCode: "MORE_INFORMATION", question: question.trim(), fields: fields.map((name) => `/${name}`) };
  }
  const reasonCode = outcome === "approve" ? approveReasonCode : declineReasonCode;
  return { outcome, ...(reasonCode ? { reasonCode } : {}) };
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

/** What an operator may change or look at behind the mask, each with a reason, and the record of it all. */
import { moment } from "../app/format.js";
import { html, useEffect, useState } from "../app/html.js";
import { t } from "../app/i18n.js";
import { Dialog, ErrorNote, useAction, useLoaded } from "../app/ui.js";
import { TakeEvidence } from "./operator-evidence.js";
import { Reason } from "./operator-reason.js";
import { Reveal } from "./operator-reveal.js";
import { SetVariable } from "./operator-variable.js";

/** @typedef {import("../app/session.js").Session} Session */

const OPEN = new Set(["submitted", "running", "waiting", "delayed"]);
const REFRESH_MS = 10_000; // Others act, too; their entries may take a moment to show.

/** @param {Session} session an auditor reads and changes nothing */
const mayChange = (session) => session.person.persona === "operator";

/** @param {{incidents: any[], session: Session, caseId: string}} props */
export function Incidents({ incidents, session, caseId }) {
  const { busy, error, run } = useAction();
  const [asked, setAsked] = useState("");
  const [reason, setReason] = useState("");
  if (incidents.length === 0) return null;
  const retry = (/** @type {string} */ id) =>
    run(async () => {
      await session.post(`cases/${caseId}/incidents/${id}/retry`, { reason });
      setAsked(id);
      recorded();
    });
  return html`<section class="note note-bad incidents" aria-label=${t("operator.incidents")} data-testid="incidents">
    <p class="label">${t("operator.incidents")}</p>
    ${incidents.map(
      ({ incidentId, elementId, errorType }) =>
        html`<p class="incident" key=${incidentId}>
          <span class="mono">${elementId}</span> <span>${errorType}</span>
          ${asked === incidentId && html`<span role="status">${t("operator.retried")}</span>`}
          ${asked !== incidentId && mayChange(session) && html`<button class="button" disabled=${busy} onClick=${() => retry(incidentId)} data-testid="retry">${t("operator.retry")}</button>`}
        </p>`,
    )}
    ${mayChange(session) && html`<label class="field">${t("operator.reason.optional")}<input value=${reason} maxlength="500" onInput=${(/** @type {any} */ event) => setReason(event.target.value)} /></label>`}
    <${ErrorNote} error=${error} />
  </section>`;
}

const RECORDED = "aurum-recorded";

/** Says that something was recorded, so that the list asks again at once. */
export const recorded = () => void dispatchEvent(new Event(RECORDED));

/** @param {{session: Session, caseId: string, state: any}} props */
export function Actions({ session, caseId, state }) {
  const open = OPEN.has(state.status);
  return html`<div class="operator-actions">
    <section class="card" aria-label=${t("operator.actions")} data-testid="actions">
      <header class="card-head"><h2>${t("operator.actions")}</h2></header>
      ${mayChange(session) && open && html`<${SetVariable} session=${session} caseId=${caseId} onDone=${recorded} />`}
      ${mayChange(session) && open && html`<${Cancel} session=${session} caseId=${caseId} />`}
      ${!open && html`<p class="muted">${t("operator.over")}</p>`}
      ${!mayChange(session) && html`<p class="muted">${t("operator.readonly")}</p><${TakeEvidence} session=${session} caseId=${caseId} onDone=${recorded} />`}
    </section>
    <${Reveal} session=${session} caseId=${caseId} onDone=${recorded} />
    <${Audit} session=${session} caseId=${caseId} />
  </div>`;
}

/** @param {{session: Session, caseId: string}} props */
function Cancel({ session, caseId }) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const { busy, error, run } = useAction();
  const close = () => setOpen(false);
  const cancel = (/** @type {Event} */ event) => {
    event.preventDefault();
    void run(async () => {
      await session.post(`cases/${caseId}/cancellation`, { reason });
      close();
      recorded();
    });
  };
  return html`<div><button class="button button-danger" onClick=${() => setOpen(true)} data-testid="cancel">${t("cancel.open")}</button></div>
    <${Dialog} open=${open} title=${t("cancel.title")} onClose=${close}>
      <form class="form" onSubmit=${cancel}>
        <p>${t("cancel.text")}</p>
        <${Reason} value=${reason} onChange=${setReason} />
        <${ErrorNote} error=${error} words=${{ 409: t("operator.over") }} />
        <div class="actions">
          <button class="button" type="button" onClick=${close}>${t("cancel.keep")}</button>
          <button class="button button-danger" disabled=${busy} data-testid="cancel-confirm">${t("cancel.confirm")}</button>
        </div>
      </form>
    <//>`;
}

/** @param {{session: Session, caseId: string}} props */
function Audit({ session, caseId }) {
  const { value, error, reload } = useLoaded(() => session.get(`cases/${caseId}/accesses`), [caseId]);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), REFRESH_MS);
    addEventListener(RECORDED, reload);
    return () => {
      clearInterval(timer);
      removeEventListener(RECORDED, reload);
    };
  }, []);
  const rows = value?.body.accesses ?? [];
  return html`<section class="card" aria-label=${t("audit.title")} data-testid="audit">
    <header class="card-head"><h2>${t("audit.title")}</h2></header>
    <p class="muted">${t("audit.what")}</p>
    <${ErrorNote} error=${error} />
    ${value && rows.length === 0 && html`<p class="muted">${t("audit.none")}</p>`}
    <ol class="audit">
      ${rows.map(
        (/** @type {any} */ { n, at, person, action, reason, details }) =>
          html`<li key=${n}>
            <p><strong>${t(`audit.${action}`, {}, action)}</strong> · ${person} · <time datetime=${at}>${moment(at)}</time></p>
            ${reason && html`<p>${reason}</p>`}
            ${Object.keys(details).length > 0 && html`<p class="fine mono">${Object.entries(details).map(([name, shown]) => `${name} ${shown}`).join(" · ")}</p>`}
          </li>`,
      )}
    </ol>
  </section>`;
}

/** The auditor's page: take the sealed evidence of a case away, and find out whether a file still holds. */
import { html, useState } from "../app/html.js";
import { plural, t } from "../app/i18n.js";
import { urlOf } from "../app/session.js";
import { Problem, problemOf } from "../app/problem.js";
import { ErrorNote, Facts, Heading, useAction, useLoaded } from "../app/ui.js";
import { Reason } from "./operator-reason.js";
import { saveAs } from "./operator-panes.js";

/** @typedef {import("../app/session.js").Session} Session */
/** @typedef {{isGood: boolean, lines: number, line: number, reason: string, excerpt: string, name: string}} Verdict */

const FILE_BYTES_MAX = 8 * 1024 * 1024; // The server's own limit; a larger file is not sent at all.
const EXCERPT_CHARS = 400;

/** @param {{session: Session}} props */
export function Evidence({ session }) {
  return html`<section class="evidence" aria-labelledby="evidence-title">
    <header class="pane-head">
      <div>
        <p class="case-meta"><a href="#/operator">${t("operator.back")}</a></p>
        <${Heading}><span id="evidence-title">${t("evidence.title")}</span><//>
      </div>
    </header>
    <p class="lead">${t("evidence.lead")}</p>
    ${session.person.persona === "auditor"
      ? html`<div class="evidence-grid"><${Take} session=${session} /><${Verify} session=${session} /></div>`
      : html`<p class="note">${t("evidence.auditor")}</p>`}
  </section>`;
}

/** @param {{session: Session}} props */
function Take({ session }) {
  const { value, error } = useLoaded(() => session.get("cases"), [session.token]);
  const cases = value?.body.cases ?? [];
  const [chosen, setChosen] = useState("");
  const caseId = chosen || cases[0]?.caseId;
  return html`<section class="card" aria-label=${t("evidence.take")}>
    <header class="card-head"><h2>${t("evidence.take")}</h2></header>
    <p class="muted">${t("evidence.take.what")}</p>
    <${ErrorNote} error=${error} />
    ${!value && !error && html`<p class="muted">${t("loading")}</p>`}
    ${value && cases.length === 0 && html`<p class="muted">${t("operator.none")}</p>`}
    ${caseId && html`<label class="field">${t("evidence.case")}
        <select value=${caseId} onChange=${(/** @type {any} */ event) => setChosen(event.target.value)} data-testid="evidence-case">
          ${cases.map((/** @type {any} */ row) => html`<option key=${row.caseId} value=${row.caseId}>${row.processInstanceKey} · ${row.applicant ?? ""} · ${t(`status.${row.status}`, {}, row.status)}</option>`)}
        </select>
      </label>
      <${TakeEvidence} session=${session} caseId=${caseId} onDone=${() => {}} />`}
  </section>`;
}

/** Takes the evidence of one case; the reason is recorded first. @param {{session: Session, caseId: string, onDone: () => void}} props */
export function TakeEvidence({ session, caseId, onDone }) {
  const [reason, setReason] = useState("");
  const [taken, setTaken] = useState("");
  const { busy, error, run } = useAction();
  const take = (/** @type {Event} */ event) => {
    event.preventDefault();
    void run(async () => {
      const { body } = await session.post(`cases/${caseId}/evidence`, { reason });
      const name = `evidence-${caseId}.ndjson`;
      saveAs(body, name);
      setTaken(plural("evidence.taken", body.split("\n").length - 1, { name }));
      onDone();
    });
  };
  return html`<form class="form" onSubmit=${take} data-testid="take-evidence">
    <${Reason} value=${reason} onChange=${setReason} />
    <${ErrorNote} error=${error} />
    ${taken && html`<p class="note note-ok" role="status" data-testid="evidence-taken">${taken}</p>`}
    <div class="actions"><button class="button button-primary" disabled=${busy} data-testid="evidence-take">${t("evidence.download")}</button></div>
  </form>`;
}

/** @param {{session: Session}} props */
function Verify({ session }) {
  const [verdict, setVerdict] = useState(/** @type {Verdict | null} */ (null));
  const { busy, error, run } = useAction();
  const key = useLoaded(() => session.get("evidence/public-key"), [session.token]);
  const verify = (/** @type {any} */ event) => {
    const file = /** @type {File | undefined} */ (event.target.files?.[0]);
    if (!file) return;
    setVerdict(null);
    void run(async () => setVerdict(await judged(session, file)));
  };
  return html`<section class="card" aria-label=${t("evidence.verify")}>
    <header class="card-head"><h2>${t("evidence.verify")}</h2></header>
    <p class="muted">${t("evidence.verify.what")}</p>
    <label class="field">${t("evidence.file")}
      <input type="file" accept=".ndjson,application/x-ndjson" onChange=${verify} disabled=${busy} data-testid="evidence-file" />
    </label>
    ${busy && html`<p class="muted" role="status">${t("evidence.busy")}</p>`}
    <${ErrorNote} error=${error ?? key.error} words=${{ 413: t("evidence.toolarge") }} />
    ${verdict && html`<${Result} verdict=${verdict} />`}
    ${key.value && html`<${Facts} rows=${[[t("evidence.key"), html`<span class="mono">${key.value.body.publicKey}</span>`]]} />`}
  </section>`;
}

/** @param {{verdict: Verdict}} props */
function Result({ verdict }) {
  const { isGood, lines, line, reason, excerpt, name } = verdict;
  if (isGood) return html`<p class="note note-ok" role="status" data-testid="evidence-result" data-good="true">${plural("evidence.good", lines, { name })}</p>`;
  return html`<div class="note note-bad" role="alert" data-testid="evidence-result" data-good="false">
    <p><strong>${t("evidence.bad", { name, line })}</strong></p>
    <p>${whyOf(reason)}</p>
    ${excerpt && html`<pre class="json" tabindex="0">${excerpt}</pre>`}
  </div>`;
}

/** @param {string} reason `fact: the content does not match its hash` */
function whyOf(reason) {
  const [, kind = "", text] = /** @type {RegExpMatchArray} */ (reason.match(/^(?:(\w+): )?(.*)$/s));
  const said = t(`evidence.why.${text.replace(/\W+/g, "-")}`, {}, text);
  return kind ? `${kind}: ${said}` : said;
}

/** @param {Session} session @param {File} file @returns {Promise<Verdict>} */
async function judged(session, file) {
  if (file.size > FILE_BYTES_MAX) throw new Problem(413);
  const text = await file.text();
  const response = await fetch(urlOf("evidence/verification"), { method: "POST", headers: { ...session.headers(), "Content-Type": "application/x-ndjson" }, body: file });
  if (!response.ok) throw await problemOf(response);
  const verdict = await response.json();
  const shown = verdict.isGood ? "" : (text.split("\n")[verdict.line - 1] ?? "");
  return { ...verdict, name: file.name, excerpt: shown.length > EXCERPT_CHARS ? `${shown.slice(0, EXCERPT_CHARS)}…` : shown };
}

/** The operator's pages: all cases, and one of them as facts beside the wire. */
import { Gate } from "../app/gate.js";
import { dollars } from "../app/format.js";
import { html, useEffect } from "../app/html.js";
import { t } from "../app/i18n.js";
import { ErrorNote, Heading, Since, useLoaded } from "../app/ui.js";
import { OperatorCase } from "./operator-case.js";

/** @typedef {import("../app/session.js").Session} Session */

/** @param {{parts: string[]}} props */
export default function Operator({ parts: [key] }) {
  return html`<${Gate} persona="operator">
    ${(/** @type {Session} */ session) => {
      if (!key) return html`<${Cases} key=${session.token} session=${session} />`;
      if (/^\d+$/.test(key)) return html`<${ByInstance} key=${key} session=${session} processInstanceKey=${key} />`;
      return html`<${OperatorCase} key=${key} session=${session} caseId=${key} />`;
    }}
  <//>`;
}

/** @param {{session: Session, processInstanceKey: string}} props */
function ByInstance({ session, processInstanceKey }) {
  const { value, error } = useLoaded(() => session.get(`operator/instances/${processInstanceKey}`), [processInstanceKey]);
  if (error) return html`<${Heading}>${t("error.title")}<//><${ErrorNote} error=${error} />`;
  return value && html`<${OperatorCase} session=${session} caseId=${value.body.caseId} />`;
}

/** @param {{session: Session}} props */
function Cases({ session }) {
  const { value, error, reload } = useLoaded(() => session.get("cases"), [session.token]);
  useEffect(() => {
    const timer = setInterval(reload, 5_000); // The list has no stream; a case has.
    return () => clearInterval(timer);
  }, []);
  const cases = value?.body.cases ?? [];
  return html`<div class="narrow">
    <${Heading}>${t("operator.title")}<//>
    <${ErrorNote} error=${error} />
    ${value && cases.length === 0 && html`<p class="lead">${t("operator.none")}</p>`}
    <ul class="ledger">
      ${cases.map(
        (/** @type {any} */ row) =>
          html`<li key=${row.caseId}>
            <a class="ledger-row" href="#/operator/${row.caseId}" data-testid="case-row">
              <span class="ledger-name">${row.applicant}</span>
              <span class="ledger-amount">${dollars(row.depositUsdCents)}</span>
              <span class="ledger-why">
                <span class="verdict verdict-plain">${t(`status.${row.status}`, {}, row.status)}</span>
                ${row.stage?.number ? t("step.of", row.stage) : ""}
              </span>
              <span class="ledger-when"><${Since} at=${row.startedAt} /> · <span class="mono">${row.caseId.slice(0, 10)}</span></span>
            </a>
          </li>`,
      )}
    </ul>
  </div>`;
}

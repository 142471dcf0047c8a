/** The same case twice: as the customer sees it, and with every fact behind it. Two people in one tab, demo only. */
import { dollars } from "../app/format.js";
import { html, useEffect } from "../app/html.js";
import { t } from "../app/i18n.js";
import { current, sessions, signIn } from "../app/session.js";
import { StartButton } from "../app/start.js";
import { ErrorNote, Heading, Since, useAction, useLoaded } from "../app/ui.js";
import { CustomerCase } from "./customer-case.js";
import { OperatorCase } from "./operator-case.js";

/** @typedef {import("../app/session.js").Session} Session */

/** @param {{parts: string[]}} props */
export default function Beside({ parts: [caseId] }) {
  const { error, run } = useAction();
  useEffect(() => {
    void run(async () => {
      if (!current("operator")) await signIn("operator");
    });
  }, []);
  const operator = sessions.value && current("operator");
  if (error) return html`<${Heading}>${t("beside.title")}<//><${ErrorNote} error=${error} />`;
  if (!operator) return html`<p class="muted">${t("loading")}</p>`;
  return caseId
    ? html`<${Pair} key=${caseId} caseId=${caseId} operator=${operator} />`
    : html`<${Choose} operator=${operator} />`;
}

/** @param {{operator: Session}} props */
function Choose({ operator }) {
  const { value, error } = useLoaded(() => operator.get("cases"), [operator.token]);
  return html`<div class="narrow">
    <${Heading}>${t("beside.title")}<//>
    <p class="lead">${t("beside.choose")}</p>
    <div class="actions">
      <${StartButton} personId="sarah" label=${t("home.start.sarah")} to="beside" />
      <${StartButton} personId="james" label=${t("home.start.james")} to="beside" />
    </div>
    <${ErrorNote} error=${error} />
    <ul class="ledger">
      ${(value?.body.cases ?? []).map(
        (/** @type {any} */ row) =>
          html`<li key=${row.caseId}>
            <a class="ledger-row" href="#/beside/${row.caseId}">
              <span class="ledger-name">${row.applicant}</span>
              <span class="ledger-amount">${dollars(row.depositUsdCents)}</span>
              <span class="ledger-why"><span class="verdict verdict-plain">${t(`status.${row.status}`, {}, row.status)}</span></span>
              <span class="ledger-when"><${Since} at=${row.startedAt} /></span>
            </a>
          </li>`,
      )}
    </ul>
  </div>`;
}

/** @param {{caseId: string, operator: Session}} props */
function Pair({ caseId, operator }) {
  const { value: owner, error } = useLoaded(() => ownerOf(caseId), [caseId]);
  return html`<h1 class="sr-only">${t("beside.title")}</h1>
    <div class="beside">
      <section class="beside-customer" aria-label=${t("nav.customer")}>
        <p class="label">${t("nav.customer")}</p>
        <${ErrorNote} error=${error} />
        ${owner && html`<${CustomerCase} session=${owner} caseId=${caseId} compact />`}
      </section>
      <section class="beside-operator" aria-label=${t("nav.operator")}>
        <p class="label">${t("nav.operator")}</p>
        <${OperatorCase} session=${operator} caseId=${caseId} compact />
      </section>
    </div>`;
}

/** The demo customer whose case it is: the one who may see it. @param {string} caseId @returns {Promise<Session>} */
async function ownerOf(caseId) {
  for (const personId of ["sarah", "james"]) {
    const session = await signIn(personId);
    const { body } = await session.get("cases");
    if (body.cases.some((/** @type {{caseId: string}} */ row) => row.caseId === caseId)) return session;
  }
  throw new Error("no demo customer owns this case");
}

/** The customer's pages: my applications, and one of them live. */
import { Gate } from "../app/gate.js";
import { dollars } from "../app/format.js";
import { html } from "../app/html.js";
import { t } from "../app/i18n.js";
import { EXAMPLES, StartButton } from "../app/start.js";
import { ErrorNote, Heading, Since, useLoaded } from "../app/ui.js";
import { Apply } from "./apply.js";
import { CustomerCase } from "./customer-case.js";

/** The address of the form; no case has such a short name. */
const NEW = "new";

/** @param {{parts: string[]}} props */
export default function Customer({ parts: [caseId] }) {
  return html`<${Gate} persona="customer">
    ${(/** @type {import("../app/session.js").Session} */ session) =>
      caseId === NEW
        ? html`<${Apply} key=${session.token} session=${session} />`
        : caseId
        ? html`<${CustomerCase} key=${caseId + session.token} session=${session} caseId=${caseId} />`
        : html`<${Cases} key=${session.token} session=${session} />`}
  <//>`;
}

/** @param {{session: import("../app/session.js").Session}} props */
function Cases({ session }) {
  const { value, error } = useLoaded(() => session.get("cases"), [session.token]);
  const cases = value?.body.cases ?? [];
  const { personId } = session.person;
  return html`<div class="narrow">
    <${Heading}>${t("customer.title")}<//>
    <${ErrorNote} error=${error} />
    ${value && cases.length === 0 && html`<p class="lead">${t("customer.none")}</p>`}
    <ul class="ledger">
      ${cases.map(
        (/** @type {any} */ row) =>
          html`<li key=${row.caseId}>
            <a class="ledger-row" href="#/customer/${row.caseId}">
              <span class="ledger-name">${dollars(row.depositUsdCents)}</span>
              <span class="verdict verdict-plain">${t(`status.${row.status}`, {}, row.status)}</span>
              <span class="muted"><${Since} at=${row.startedAt} /></span>
            </a>
          </li>`,
      )}
    </ul>
    ${EXAMPLES[personId] &&
    html`<section class="start-here">
      <h2>${t("customer.start")}</h2>
      <p class="muted">${t("customer.start.what")}</p>
      <${StartButton} personId=${personId} label=${t(`home.start.${personId}`)} to="customer" />
    </section>`}
    <section class="start-here">
      <h2>${t("customer.form")}</h2>
      <p class="muted">${t("customer.form.what")}</p>
      <a class="button" href="#/customer/${NEW}" data-testid="apply-open">${t("customer.form")}</a>
    </section>
  </div>`;
}

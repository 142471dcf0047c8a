/** Parts of a case as the bank's people read it: checks, the application, what the customer answered. */
import { country, dollars, money, moment, reason, scalar } from "../app/format.js";
import { html } from "../app/html.js";
import { t } from "../app/i18n.js";
import { Facts, fieldLabel } from "../app/ui.js";
import { Verdict, toneOf } from "../cards/frame.js";

/** @param {{answers: {answer: string, answeredBy: string, at?: string}[]}} props */
export function Answers({ answers }) {
  if (answers.length === 0) return null;
  return html`<section class="card">
    <h3>${t("advisor.customer")}</h3>
    ${answers.map(
      ({ answer, answeredBy, at }, index) =>
        html`<blockquote key=${index}>${answer || "–"}<footer class="muted">${answeredBy} ${at && moment(at)}</footer></blockquote>`,
    )}
  </section>`;
}

/** @param {{checks: Record<string, any>, changed?: Set<string>}} props `changed`: names that are new since the last look */
export function Checks({ checks, changed }) {
  const names = ["identity", "tax", "sanctions", "pep"].filter((name) => checks[name]);
  if (names.length === 0) return null;
  return html`<section class="card" aria-label=${t("advisor.checks")}>
    <header class="card-head">
      <h3>${t("advisor.checks")}</h3>
      ${names.some((name) => checks[name].simulated) && html`<span class="tag" title=${t("simulated.long")}>${t("simulated")}</span>`}
    </header>
    <ul class="checks">
      ${names.map((name) => {
        const { outcome, reasons = [], source, asOf, details = {} } = checks[name];
        return html`<li key=${name} class=${changed?.has(`check:${name}`) ? "changed" : ""}>
          <span class="checks-name">${t(`check.${name}`)}</span>
          <${Verdict} tone=${toneOf(outcome)}>${t(`outcome.${outcome}`, {}, outcome)}<//>
          <span class="checks-why">
            ${reasons.map((/** @type {string} */ code) => reason(code, "bank")).join(" ")}
            ${(details.hits ?? []).map(
              (/** @type {any} */ hit) => html`<span class="hit" key=${hit.entryId}>${hit.list} ${hit.entryId}: ${hit.name} (${hit.score})</span>`,
            )}
            <span class="provenance-inline">${source} · ${moment(asOf)}</span>
          </span>
        </li>`;
      })}
    </ul>
  </section>`;
}

/** @param {{state: any, changed?: Set<string>}} props */
export function Application({ state, changed }) {
  const a = state.application;
  if (!a) return null;
  const marked = (/** @type {string} */ name, /** @type {any} */ shown) => (changed?.has(`field:${name}`) ? html`<mark>${shown}</mark>` : shown);
  const text = (/** @type {string} */ name, /** @type {any} */ value = a[name]) => /** @type {[string, any]} */ ([fieldLabel(name), marked(name, scalar(value, name))]);
  const sum = (/** @type {string} */ name) => /** @type {[string, any]} */ ([fieldLabel(name), a[name] && marked(name, money(a[name].amount, a[name].currency))]);
  const home = a.residentialAddress ?? {};
  const address = [home.line1, home.line2, home.city, home.region, home.postalCode, home.country && country(home.country)].filter(Boolean).join(", ");
  const wealth = [...(a.sourceOfWealth?.categories ?? []).map((/** @type {string} */ one) => scalar(one, "category"))].join(", ");
  return html`<section class="card" aria-label=${t("advisor.summary")}>
    <header class="card-head"><h3>${t("advisor.summary")}</h3></header>
    <div class="summary">
      <div>
        <h4>${t("summary.person")}</h4>
        <${Facts} rows=${[text("givenNames"), text("familyName"), text("dateOfBirth"), text("nationalities", a.nationalities?.map(country).join(", ")), text("employmentStatus"), text("occupation"), text("employerName"), text("email"), text("phone")]} />
      </div>
      <div>
        <h4>${t("summary.document")}</h4>
        <${Facts} rows=${[text("idDocumentType"), text("idDocumentNumber"), text("idIssuingCountry"), text("idExpiryDate")]} />
        <h4>${t("summary.residence")}</h4>
        <${Facts} rows=${[text("residentialAddress", address), text("usPerson"), text("taxResidences", (a.taxResidences ?? []).map((/** @type {any} */ one) => country(one.country)).join(", ")), text("taxForm", a.taxForm?.form)]} />
      </div>
      <div>
        <h4>${t("summary.money")}</h4>
        <${Facts}
          rows=${[
            sum("initialDeposit"),
            [t("summary.deposit"), state.quote && dollars(state.quote.depositUsdCents)],
            [t("summary.rate"), state.quote?.currency !== "USD" && state.quote?.rate && `${state.quote.rate} (${state.quote.rateDate}, ${state.quote.rateSource})`],
            sum("netWorth"),
            sum("liquidNetWorth"),
            text("annualIncome"),
            text("sourceOfWealth", [wealth, a.sourceOfWealth?.text].filter(Boolean).join(": ")),
            text("sourceOfFunds", [scalar(a.sourceOfFunds?.category, "category"), a.sourceOfFunds?.text].filter(Boolean).join(": ")),
          ]}
        />
      </div>
      <div>
        <h4>${t("summary.investor")}</h4>
        <${Facts}
          rows=${[
            text("objective", a.suitability?.objective),
            text("riskTolerance", a.suitability?.riskTolerance),
            text("horizonYears", a.suitability?.horizonYears),
            text("lossCapacityPct", a.suitability?.lossCapacityPct),
            text("purpose", a.accountPurpose?.purpose),
            text("pep", scalar(a.pep?.status, "status")),
          ]}
        />
      </div>
    </div>
  </section>`;
}

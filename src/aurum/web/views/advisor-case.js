/** One case on the advisor's desk: who, what was checked, why it is here, and what can be decided. Live. */
import { country, dollars, money, moment, reason, scalar } from "../app/format.js";
import { html, useState } from "../app/html.js";
import { t } from "../app/i18n.js";
import { lastCard } from "../app/thread.js";
import { ConnectionBadge, ErrorNote, Facts, Since, fieldLabel, useStream } from "../app/ui.js";
import { Verdict, toneOf } from "../cards/frame.js";
import { Card } from "../cards/registry.js";
import { DecisionForm } from "./decision-form.js";

/** @typedef {import("../app/session.js").Session} Session */

/** @param {{session: Session, caseId: string, tasks: import("./advisor.js").QueueTask[]}} props */
export function CasePane({ session, caseId, tasks }) {
  const shown = useStream(session, `streams/${encodeURIComponent(caseId)}?view=advisor`);
  const [notice, setNotice] = useState(/** @type {import("./decision-form.js").Notice | null} */ (null));
  const state = shown?.fold.state ?? {};
  const messages = shown?.fold.messages ?? [];
  const row = tasks.find((task) => task.caseId === caseId);
  const open = (state.openTasks ?? []).find((/** @type {any} */ task) => task.for === "advisor");
  const taskId = open?.taskId ?? (state.status ? undefined : row?.taskId);
  /** @type {import("../cards/frame.js").Context} */
  const context = { audience: "bank", session, caseId, state };
  const named = [state.application?.givenNames, state.application?.familyName].filter(Boolean).join(" ");
  const card = (/** @type {string} */ name) => {
    const message = lastCard(messages, name);
    return message && html`<${Card} key=${message.id} content=${message.content} context=${context} />`;
  };
  const decided = messages.filter((m) => m.content?.component === "DecisionCard");
  return html`<section class="pane" aria-labelledby="case-title" data-testid="case-pane">
    <header class="pane-head">
      <div>
        <h2 id="case-title">${named || row?.applicant || t("advisor.case")}</h2>
        <p class="case-meta">
          <span class="figure">${dollars(state.quote?.depositUsdCents ?? row?.depositUsdCents)}</span>
          ${state.status && html`<span class="verdict verdict-plain" data-testid="status" data-status=${state.status}>${t(`status.${state.status}`)}</span>`}
          ${state.stage && html`<span data-testid="step-number">${t("step.of", state.stage)}: ${t(`stage.${state.stage.id}`)}</span>`}
          <${ConnectionBadge} connection=${shown?.connection} />
        </p>
      </div>
    </header>
    <${ErrorNote} error=${shown?.problem} />
    <div class="pane-grid">
      <div class="pane-main">
        ${card("RoutingCard")}
        <${Checks} checks=${state.checks ?? {}} />
        ${card("CaseRiskGauge")} ${card("RiskGauge")}
        <${Application} state=${state} />
      </div>
      <div class="pane-side">
        ${notice && html`<p class="note ${notice.good ? "note-ok" : "note-bad"}" role=${notice.good ? "status" : "alert"} data-testid="decision-notice">${notice.text}</p>`}
        ${taskId
          ? html`<${DecisionForm} key=${taskId} session=${session} caseId=${caseId} taskId=${taskId} application=${state.application} onNotice=${setNotice} />`
          : state.status && html`<p class="muted quiet">${t("advisor.decision.closed")}</p>`}
        ${state.waiting?.who === "customer" &&
        html`<p class="muted quiet">${t("who.customer.bank")} · <${Since} at=${state.waiting.since} /></p>`}
        ${decided.map((m) => html`<${Card} key=${m.id} content=${m.content} context=${context} />`)}
        <${Answers} answers=${state.answers ?? []} />
        ${card("AccountOpenedCard")}
      </div>
    </div>
  </section>`;
}

/** @param {{answers: {answer: string, answeredBy: string, at?: string}[]}} props */
function Answers({ answers }) {
  if (answers.length === 0) return null;
  return html`<section class="card">
    <h3>${t("advisor.customer")}</h3>
    ${answers.map(
      ({ answer, answeredBy, at }, index) =>
        html`<blockquote key=${index}>${answer || "–"}<footer class="muted">${answeredBy} ${at && moment(at)}</footer></blockquote>`,
    )}
  </section>`;
}

/** @param {{checks: Record<string, any>}} props */
function Checks({ checks }) {
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
        return html`<li key=${name}>
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

/** @param {{state: any}} props */
function Application({ state }) {
  const a = state.application;
  if (!a) return null;
  const text = (/** @type {string} */ name, /** @type {any} */ value = a[name]) => /** @type {[string, any]} */ ([fieldLabel(name), scalar(value, name)]);
  const sum = (/** @type {string} */ name) => /** @type {[string, any]} */ ([fieldLabel(name), a[name] && money(a[name].amount, a[name].currency)]);
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

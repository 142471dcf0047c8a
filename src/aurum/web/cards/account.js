/** The calm end: the account is open, and this is its number. */
import { dollars, moment, money } from "../app/format.js";
import { html } from "../app/html.js";
import { t } from "../app/i18n.js";
import { Facts } from "../app/ui.js";
import { Provenance } from "./frame.js";

/** @param {import("./frame.js").CardProps} card */
export function AccountOpenedCard({ props, context }) {
  const { accountNumber, openedAt, depositUsdCents, ledger, simulated, source } = props;
  const own = context.state?.application?.initialDeposit;
  const deposit = own && own.currency !== "USD" ? `${money(own.amount, own.currency)} (${dollars(depositUsdCents)})` : dollars(depositUsdCents);
  return html`<article class="card card-account" data-testid="card-AccountOpenedCard" aria-label=${t("card.account.title")}>
    <header class="card-head">
      <h3>${t("card.account.title")}</h3>
      ${simulated && html`<span class="tag" title=${t("simulated.long")}>${t("simulated")}</span>`}
    </header>
    <svg class="flourish" viewBox="0 0 240 12" aria-hidden="true"><path d="M0 6H104L120 1L136 6H240" pathLength="1" /></svg>
    <p class="label">${t("card.account.number")}</p>
    <p class="account-number" data-testid="account-number">${accountNumber}</p>
    <${Facts}
      class="facts-row"
      rows=${[
        [t("card.account.deposit"), deposit],
        [t("card.account.opened"), moment(openedAt)],
        [t("card.account.ledger"), ledger],
      ]}
    />
    ${context.audience === "customer" && html`<p class="signature">${t("card.account.welcome")}</p>`}
    <${Provenance} source=${source} audience=${context.audience} />
  </article>`;
}

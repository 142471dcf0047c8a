/** What the check of the identity document found, in words the viewer may read. */
import { reason, scalar } from "../app/format.js";
import { html } from "../app/html.js";
import { t } from "../app/i18n.js";
import { Facts, fieldLabel } from "../app/ui.js";
import { CardFrame, Verdict, toneOf } from "./frame.js";

/** What says something to the holder of the document; the rest is for those who check it. */
const FOR_CUSTOMERS = new Set(["documentType", "issuingCountry", "expiryDate"]);

/** @param {import("./frame.js").CardProps} card */
export function IdentityResultCard({ props, context }) {
  const { outcome, reasons, details = {}, simulated, source } = props;
  const shown = Object.entries(details).filter(
    ([name, value]) => typeof value !== "object" && (context.audience === "bank" || FOR_CUSTOMERS.has(name)),
  );
  const key = (/** @type {string} */ name) => (name === "documentType" ? "idDocumentType" : name);
  return html`<${CardFrame}
    component="IdentityResultCard"
    title=${t("card.identity.title")}
    badge=${html`<${Verdict} tone=${toneOf(outcome)}>${t(`card.identity.${outcome}`)}<//>`}
    source=${source}
    simulated=${simulated}
    audience=${context.audience}
  >
    ${reasons.length > 0 &&
    html`<ul class="reasons">
      ${reasons.map((/** @type {string} */ code) => html`<li key=${code}>${reason(code, context.audience)}</li>`)}
    </ul>`}
    <${Facts} class="facts-row" rows=${shown.map(([name, value]) => [fieldLabel(name), scalar(value, key(name))])} />
  <//>`;
}

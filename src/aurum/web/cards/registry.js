/**
 * Component names on the wire to components here. Props are looked at before they are rendered; an unknown
 * name, a newer shape, or a card that fails shows the plain fallback, never an empty place.
 */
import { html, useErrorBoundary } from "../app/html.js";
import { humanised, t } from "../app/i18n.js";
import { Facts } from "../app/ui.js";
import * as account from "./account.js";
import * as decision from "./decision.js";
import { CardFrame } from "./frame.js";
import * as identity from "./identity.js";
import * as risk from "./risk.js";
import * as routing from "./routing.js";
import * as waiting from "./waiting.js";

const SCHEMA_VERSION = 1;

/** @typedef {{accepts: (props: any) => boolean, render: (card: import("./frame.js").CardProps) => any}} Entry */

/** @type {Map<string, Entry>} */
const REGISTRY = new Map([
  ["IdentityResultCard", { accepts: identity.accepts, render: identity.IdentityResultCard }],
  ["RiskGauge", { accepts: risk.acceptsProfile, render: risk.RiskGauge }],
  ["CaseRiskGauge", { accepts: risk.acceptsScore, render: risk.CaseRiskGauge }],
  ["RoutingCard", { accepts: routing.accepts, render: routing.RoutingCard }],
  ["DecisionCard", { accepts: decision.accepts, render: decision.DecisionCard }],
  ["WaitingCard", { accepts: waiting.accepts, render: waiting.WaitingCard }],
  ["AccountOpenedCard", { accepts: account.accepts, render: account.AccountOpenedCard }],
]);

/** @param {{content: any, context: import("./frame.js").Context}} props `content` of a `com.aurum.component` activity */
export function Card({ content, context }) {
  const [error] = useErrorBoundary((problem) => console.error(problem));
  const { component = "", props = {}, status = "ready", schemaVersion } = content ?? {};
  const entry = schemaVersion === SCHEMA_VERSION ? REGISTRY.get(component) : undefined;
  if (error || !entry || !entry.accepts(props)) {
    return html`<${FallbackCard} component=${component} props=${props} audience=${context.audience} />`;
  }
  return html`<${entry.render} props=${props} status=${status} context=${context} />`;
}

/** @param {{component: string, props: any, audience: string}} card */
function FallbackCard({ component, props, audience }) {
  const rows = Object.entries(props).filter(([name, value]) => name !== "source" && (typeof value !== "object" || value === null));
  return html`<${CardFrame} component=${component} title=${t("card.other.title")} source=${props.source} simulated=${props.simulated} audience=${audience}>
    <p class="muted">${t("card.other.text", { component })}</p>
    <${Facts} rows=${rows.map(([name, value]) => [humanised(name), String(value)])} />
  <//>`;
}

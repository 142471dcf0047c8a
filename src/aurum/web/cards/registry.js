/**
 * Component names on the wire to components here. Props are judged by their schema (`schemas.json`, made
 * from the server's own models) before they are rendered; an unknown name, another version, props that do
 * not fit, or a card that fails shows the plain fallback, never an empty place.
 */
import { html, useErrorBoundary, useMemo } from "../app/html.js";
import { humanised, t } from "../app/i18n.js";
import { Facts } from "../app/ui.js";
import { AccountOpenedCard } from "./account.js";
import { DecisionCard } from "./decision.js";
import { CardFrame } from "./frame.js";
import * as growth from "./growth.js";
import { IdentityResultCard } from "./identity.js";
import * as portfolio from "./portfolio.js";
import { AdvisorQuestionCard } from "./question.js";
import { CaseRiskGauge, RiskGauge } from "./risk.js";
import { RoutingCard } from "./routing.js";
import schemas from "./schemas.json" with { type: "json" };
import { problemsOf } from "./validate.js";
import { WaitingCard } from "./waiting.js";

/** @type {Record<string, {version: number, schema: import("./validate.js").Schema}>} */
const SCHEMAS = /** @type {any} */ (schemas);

/** `accepts` says what no schema can. @typedef {{render: (card: import("./frame.js").CardProps) => any, accepts?: (props: any) => boolean}} Entry */

/** @type {Map<string, Entry>} */
const REGISTRY = new Map(
  Object.entries({
    IdentityResultCard: { render: IdentityResultCard },
    RiskGauge: { render: RiskGauge },
    CaseRiskGauge: { render: CaseRiskGauge },
    RoutingCard: { render: RoutingCard },
    DecisionCard: { render: DecisionCard },
    WaitingCard: { render: WaitingCard },
    AdvisorQuestionCard: { render: AdvisorQuestionCard },
    PortfolioAllocationChart: { render: portfolio.PortfolioAllocationChart, accepts: portfolio.accepts },
    ProjectedGrowthChart: { render: growth.ProjectedGrowthChart, accepts: growth.accepts },
    AccountOpenedCard: { render: AccountOpenedCard },
  }),
);

/** @param {any} content @returns {Entry | undefined} the card that may show this, if there is one */
function entryFor(content) {
  const { component = "", props = {}, schemaVersion } = content ?? {};
  const entry = REGISTRY.get(component);
  const known = Object.hasOwn(SCHEMAS, component) ? SCHEMAS[component] : undefined;
  if (!entry || !known || known.version !== schemaVersion) return undefined;
  const problems = problemsOf(props, known.schema);
  if (problems.length > 0) console.info(`${component} refused`, problems);
  return problems.length === 0 && (entry.accepts?.(props) ?? true) ? entry : undefined;
}

/** @param {{content: any, context: import("./frame.js").Context}} props `content` of a `com.aurum.component` activity */
export function Card({ content, context }) {
  const [error] = useErrorBoundary((problem) => console.error(problem));
  const { component = "", props = {}, status = "ready" } = content ?? {};
  const entry = useMemo(() => entryFor(content), [content]);
  if (error || !entry) {
    return html`<${FallbackCard} component=${component} props=${props} audience=${context.audience} />`;
  }
  return html`<${entry.render} props=${props} status=${status} context=${context} />`;
}

/** @param {{component: string, props: any, audience: string}} card */
function FallbackCard({ component, props, audience }) {
  const rows = Object.entries(props).filter(([, value]) => typeof value !== "object");
  return html`<${CardFrame} component=${component} title=${t("card.other.title")} source=${props.source} simulated=${props.simulated} audience=${audience}>
    <p class="muted">${component === "FallbackCard" ? t("card.other.refused") : t("card.other.text", { component })}</p>
    <${Facts} rows=${rows.map(([name, value]) => [humanised(name), String(value)])} />
  <//>`;
}

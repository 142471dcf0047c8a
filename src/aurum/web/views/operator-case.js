/**
 * One case for the operator: every fact, every frame that it caused, what they made the page show, and the
 * process they happened in. Live, or at any fact of the past; the same parts show both.
 */
import { highlight } from "../app/highlight.js";
import { html, useEffect, useMemo, useState } from "../app/html.js";
import { t } from "../app/i18n.js";
import { forget } from "../app/session.js";
import { ConnectionBadge, ErrorNote, Facts, Heading, useLoaded, useStream } from "../app/ui.js";
import { Actions, Incidents } from "./operator-actions.js";
import { Detail } from "./operator-detail.js";
import { Diagram } from "./operator-diagram.js";
import { elementsOf, foldOf, matching, subjectOf } from "./operator-model.js";
import { Copy, Download, Pane } from "./operator-panes.js";
import { Rendered } from "./operator-rendered.js";
import { Scrubber, useMoment } from "./operator-scrubber.js";
import { Turns } from "./operator-turns.js";
import { useEntries, useWire } from "./operator-wire.js";

/** @typedef {import("../app/session.js").Session} Session */
/** @typedef {import("./operator-model.js").Placed} Placed */

/** @param {{session: Session, caseId: string, compact?: boolean, from?: number | null}} props `from`: the fact to begin at, null for now */
export function OperatorCase({ session, caseId, compact = false, from = null }) {
  const path = encodeURIComponent(caseId);
  const shown = useStream(session, `streams/${path}?view=operator`, { history: true });
  const state = shown?.fold.state ?? {};
  const [at, setAt] = useState(from);
  const [view, setView] = useState(/** @type {"customer" | "advisor"} */ ("customer"));
  const entries = useEntries(session, caseId, shown);
  const facts = useMemo(() => entries.filter((entry) => entry.kind === "fact"), [entries]);
  const wire = useWire(session, caseId, view, entries);
  useEffect(() => {
    if (shown?.problem?.status === 401) forget(session);
  }, [shown?.problem]);
  useEffect(() => {
    if (compact || !state.processInstanceKey) return;
    history.replaceState(null, "", `#/operator/${state.processInstanceKey}${at === null ? "" : `/${at}`}`); // The address people pass on.
  }, [state.processInstanceKey, at]);
  if (shown?.connection === "refused" && !compact) {
    return html`<div class="narrow"><${Heading}>${t("operator.notfound")}<//><${ErrorNote} error=${shown.problem} /><p><a href="#/operator">${t("operator.back")}</a></p></div>`;
  }
  const past = at !== null && at <= facts.length ? at : null; // An address may name a fact that has not come yet.
  const common = { session, caseId, facts, wire, at: past, setAt, view, setView, compact };
  return html`<section class="operator ${compact ? "operator-compact" : ""}" aria-labelledby="operator-title">
    <${Head} state=${state} compact=${compact} connection=${shown?.connection} caseId=${caseId} />
    <${ErrorNote} error=${shown?.problem} />
    <${Incidents} incidents=${state.incidents ?? []} session=${session} caseId=${caseId} />
    <${Inside} ...${common} />
    ${!compact && state.status && html`<${Actions} session=${session} caseId=${caseId} state=${state} />`}
  </section>`;
}

/** @param {{state: any, compact: boolean, connection: string | undefined, caseId: string}} props */
function Head({ state, compact, connection, caseId }) {
  const key = html`<span class="mono">${state.processInstanceKey ?? ""}</span>`;
  return html`<header class="pane-head">
    <div>
      ${!compact && html`<p class="case-meta"><a href="#/operator">${t("operator.back")}</a></p>`}
      ${compact
        ? html`<h2 class="headline" id="operator-title">${t("operator.case")}</h2>`
        : html`<${Heading}><span id="operator-title">${t("operator.case")} ${key}</span><//>`}
      <p class="case-meta">
        ${compact && key}
        ${state.status && html`<span class="verdict verdict-plain" data-testid=${compact ? undefined : "status"} data-status=${state.status}>${t(`status.${state.status}`)}</span>`}
        ${state.stage && html`<span data-testid=${compact ? undefined : "step-number"}>${t("step.of", state.stage)}</span>`}
        <${ConnectionBadge} connection=${connection} />
        <span class="tag">${t("operator.masked")}</span>
        ${!compact && html`<span class="mono">${caseId}</span>`}
      </p>
    </div>
    ${!compact && html`<${Facts} class="facts-row" rows=${[[t("operator.tokens"), state.tokens?.length ? html`<span class="mono">${state.tokens.join(", ")}</span>` : null]]} />`}
  </header>`;
}

/**
 * The scrubber and everything that follows it.
 * @param {{session: Session, caseId: string, facts: Placed[], wire: import("./operator-wire.js").Wire, at: number | null, setAt: (at: number | null) => void,
 *   view: "customer" | "advisor", setView: (view: "customer" | "advisor") => void, compact: boolean}} props
 */
function Inside({ session, caseId, facts, wire, at, setAt, view, setView, compact }) {
  const [filter, setFilter] = useState("");
  const [chosen, setChosen] = useState(/** @type {Placed | null} */ (null));
  const [hovered, setHovered] = useState("");
  const start = useLoaded(async () => (compact ? null : (await session.get(`cases/${encodeURIComponent(caseId)}/at/0?view=${view}`)).body), [caseId, view, compact]);
  const { moment, error } = useMoment(session, caseId, view, compact ? null : at);
  const until = at ?? facts.length;
  const shownFacts = useMemo(() => (at === null ? facts : facts.slice(0, at)), [facts, at]);
  const shownWire = useMemo(() => (at === null ? wire.entries : wire.entries.filter((entry) => entry.index <= until)), [wire.entries, at]);
  const elements = useMemo(() => elementsOf(shownFacts), [shownFacts]);
  const initial = start.value?.state;
  const now = useMemo(() => (initial ? foldOf(initial, wire.entries) : { state: {}, messages: [] }), [initial, wire.entries]);
  const listed = useMemo(() => [matching(shownFacts, filter), matching(shownWire, filter)], [shownFacts, shownWire, filter]);
  const [listedFacts, listedWire] = /** @type {[Placed[], Placed[]]} */ (listed);
  const choose = (/** @type {Placed | null} */ entry) => {
    setChosen(entry);
    highlight(subjectOf(entry));
  };
  useEffect(() => () => highlight(""), []);
  const pane = { linked: hovered || chosen?.factId || "", chosen, onChoose: choose, onHover: setHovered, filtered: filter !== "" };
  const behind = facts.length - until;
  return html`<div class="operator-now">
    ${!compact && html`<${Scrubber} facts=${facts} at=${at} busy=${at !== null && moment?.index !== at} onMove=${setAt} />
      <${ErrorNote} error=${error ?? wire.error ?? start.error} />
      <${Diagram} session=${session} caseId=${caseId} elements=${elements} onChoose=${(/** @type {string} */ id) => setFilter(filter === id ? "" : id)} />`}
    <div class="operator-log">
      <div class="toolbar">
        <label class="sr-only" for="filter-${caseId}">${t("operator.filter")}</label>
        <input id="filter-${caseId}" type="search" placeholder="${t("operator.filter")}: ${t("operator.filter.hint")}" value=${filter} data-testid="filter"
          onInput=${(/** @type {any} */ event) => setFilter(event.target.value)} />
        <button class="button" onClick=${() => setAt(at === null ? facts.length : null)} aria-pressed=${at !== null} data-testid="pause">
          ${at === null ? t("operator.pause") : t("operator.resume", { count: behind })}
        </button>
        <${Copy} entries=${[...listedFacts, ...listedWire]} />
        ${!compact && html`<${Download} name=${`${view}-${caseId}.ndjson`} testid="download"
          load=${async () => (await session.get(`cases/${encodeURIComponent(caseId)}/wire?view=${view}&runs=closed`)).body}>${t("operator.download")}<//>`}
      </div>
      <div class="panes">
        <${Pane} ...${pane} kind="fact" entries=${listedFacts} />
        <${Pane} ...${pane} kind="wire" entries=${listedWire} title=${compact ? undefined : html`<${ViewChoice} view=${view} onChange=${setView} />`} />
        ${!compact && html`<${Rendered} view=${view} state=${at === null ? now.state : (moment?.state ?? {})} messages=${at === null ? now.messages : (moment?.messages ?? [])}
          wire=${shownWire} session=${session} caseId=${caseId} onChoose=${choose} />`}
      </div>
      <${Detail} entry=${chosen} initial=${initial} wire=${wire.entries} onClose=${() => choose(null)} />
    </div>
    ${!compact && html`<${Turns} facts=${shownFacts} onMove=${setAt} />`}
  </div>`;
}

/** @param {{view: "customer" | "advisor", onChange: (view: "customer" | "advisor") => void}} props */
function ViewChoice({ view, onChange }) {
  return html`<label class="view-choice"><span class="sr-only">${t("operator.whose")}</span>
    <select value=${view} onChange=${(/** @type {any} */ event) => onChange(event.target.value)} data-testid="wire-view">
      <option value="customer">${t("operator.wire.what")}</option>
      <option value="advisor">${t("operator.wire.advisor")}</option>
    </select>
  </label>`;
}

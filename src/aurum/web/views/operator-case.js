/** One case for the operator: every fact, and every frame the customer received, linked by the fact's id. */
import { clock } from "../app/format.js";
import { html, useEffect, useMemo, useRef, useState } from "../app/html.js";
import { t } from "../app/i18n.js";
import { forget } from "../app/session.js";
import { ConnectionBadge, ErrorNote, Facts, Heading, useAction, useStream } from "../app/ui.js";
import { Json } from "./chips.js";

/** @typedef {import("../app/agui.js").Entry} Entry */
/** @typedef {import("../app/session.js").Session} Session */

/** @param {{session: Session, caseId: string, compact?: boolean}} props */
export function OperatorCase({ session, caseId, compact = false }) {
  const shown = useStream(session, `streams/${encodeURIComponent(caseId)}?view=operator`, { history: true });
  const all = shown?.fold.entries ?? [];
  const state = shown?.fold.state ?? {};
  const [filter, setFilter] = useState("");
  const [paused, setPaused] = useState(/** @type {number | null} */ (null));
  const [chosen, setChosen] = useState(/** @type {Entry | null} */ (null));
  const [hovered, setHovered] = useState("");
  const frozen = paused === null ? all : all.slice(0, paused);
  const entries = useMemo(() => matching(frozen, filter), [all, filter, paused]);
  useEffect(() => {
    if (shown?.problem?.status === 401) forget(session);
  }, [shown?.problem]);
  useEffect(() => {
    if (compact || !state.processInstanceKey) return;
    history.replaceState(null, "", `#/operator/${state.processInstanceKey}`); // The address people pass on.
  }, [state.processInstanceKey]);
  const linked = hovered || chosen?.factId || "";
  const pane = { linked, chosen, onChoose: setChosen, onHover: setHovered, filtered: filter !== "" };
  return html`<section class="operator ${compact ? "operator-compact" : ""}" aria-labelledby="operator-title">
    <header class="pane-head">
      <div>
        ${compact
          ? html`<h2 class="headline" id="operator-title">${t("operator.case")}</h2>`
          : html`<${Heading}><span id="operator-title">${t("operator.case")} <span class="mono">${state.processInstanceKey ?? ""}</span></span><//>`}
        <p class="case-meta">
          ${compact && html`<span class="mono">${state.processInstanceKey ?? ""}</span>`}
          ${state.status && html`<span class="verdict verdict-plain" data-testid=${compact ? undefined : "status"} data-status=${state.status}>${t(`status.${state.status}`)}</span>`}
          ${state.stage && html`<span data-testid=${compact ? undefined : "step-number"}>${t("step.of", state.stage)}</span>`}
          <${ConnectionBadge} connection=${shown?.connection} />
          <span class="tag">${t("operator.masked")}</span>
        </p>
      </div>
      ${!compact && html`<${Inside} state=${state} />`}
    </header>
    <${ErrorNote} error=${shown?.problem} />
    <${Incidents} incidents=${state.incidents ?? []} session=${session} caseId=${caseId} />
    <div class="toolbar">
      <label class="sr-only" for="filter-${caseId}">${t("operator.filter")}</label>
      <input id="filter-${caseId}" type="search" placeholder="${t("operator.filter")}: ${t("operator.filter.hint")}" value=${filter}
        onInput=${(/** @type {any} */ event) => setFilter(event.target.value)} />
      <button class="button" onClick=${() => setPaused(paused === null ? all.length : null)} aria-pressed=${paused !== null}>
        ${paused === null ? t("operator.pause") : t("operator.resume", { count: all.length - paused })}
      </button>
      <${Copy} entries=${entries} />
    </div>
    ${shown && !shown.complete && html`<p class="note">${t("operator.incomplete")}</p>`}
    <div class="panes">
      <${Pane} ...${pane} kind="fact" entries=${entries.filter((entry) => entry.kind === "fact")} />
      <${Pane} ...${pane} kind="wire" entries=${entries.filter((entry) => entry.kind === "wire")} />
    </div>
    <${Drawer} entry=${chosen} onClose=${() => setChosen(null)} />
  </section>`;
}

/** @param {Entry[]} entries @param {string} filter */
function matching(entries, filter) {
  const wanted = filter.trim().toLowerCase();
  if (wanted === "") return entries;
  return entries.filter((entry) => JSON.stringify(entry).toLowerCase().includes(wanted));
}

/** @param {{state: any}} props */
function Inside({ state }) {
  return html`<${Facts} class="facts-row" rows=${[[t("operator.tokens"), state.tokens?.length ? html`<span class="mono">${state.tokens.join(", ")}</span>` : null]]} />`;
}

/** @param {{incidents: any[], session: Session, caseId: string}} props */
function Incidents({ incidents, session, caseId }) {
  const { busy, error, run } = useAction();
  const [asked, setAsked] = useState("");
  if (incidents.length === 0) return null;
  const retry = (/** @type {string} */ id) =>
    run(async () => {
      await session.post(`cases/${caseId}/incidents/${id}/retry`);
      setAsked(id);
    });
  return html`<div class="note note-bad">
    <p class="label">${t("operator.incidents")}</p>
    ${incidents.map(
      ({ incidentId, elementId, errorType }) =>
        html`<p key=${incidentId}>
          <span class="mono">${elementId}</span> ${errorType}
          ${asked === incidentId
            ? html`<span role="status">${t("operator.retried")}</span>`
            : html`<button class="link" disabled=${busy} onClick=${() => retry(incidentId)}>${t("operator.retry")}</button>`}
        </p>`,
    )}
    <${ErrorNote} error=${error} />
  </div>`;
}

/** @param {{entries: Entry[]}} props */
function Copy({ entries }) {
  const [copied, setCopied] = useState(false);
  const { error, run } = useAction();
  const copy = () =>
    run(async () => {
      await navigator.clipboard.writeText(entries.map((entry) => JSON.stringify({ frameId: entry.frameId, ...entry.body })).join("\n"));
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    });
  return html`<button class="button" onClick=${copy}>${t(copied ? "operator.copied" : "operator.copy")}</button><${ErrorNote} error=${error} />`;
}

/**
 * @param {{kind: "fact" | "wire", entries: Entry[], linked: string, chosen: Entry | null, filtered: boolean,
 *   onChoose: (entry: Entry) => void, onHover: (factId: string) => void}} props
 */
function Pane({ kind, entries, linked, chosen, filtered, onChoose, onHover }) {
  const name = kind === "fact" ? "facts" : "wire";
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const atEnd = useRef(true);
  useEffect(() => {
    if (list.current && atEnd.current) list.current.scrollTop = list.current.scrollHeight;
  }, [entries.length]);
  useEffect(() => {
    if (!chosen || chosen.kind === kind || !list.current) return;
    const mate = list.current.querySelector('[data-linked="true"]');
    if (mate) list.current.scrollTop = /** @type {HTMLElement} */ (mate).offsetTop - list.current.clientHeight / 3;
  }, [chosen]);
  const scrolled = () => {
    const box = /** @type {HTMLElement} */ (list.current);
    atEnd.current = box.scrollTop + box.clientHeight > box.scrollHeight - 24;
  };
  return html`<section class="log" aria-labelledby="log-${name}" data-testid="${name}-pane">
    <header class="log-head">
      <h2 id="log-${name}">${t(`operator.${name}`)} <span class="count">${entries.length}</span></h2>
      <p class="muted">${t(`operator.${name}.what`)}</p>
    </header>
    <div class="log-list" ref=${list} onScroll=${scrolled} tabindex="0" role="group" aria-label=${t(`operator.${name}`)}>
      ${entries.length === 0 && html`<p class="muted quiet">${t(filtered ? "operator.nomatch" : "operator.empty")}</p>`}
      <ol>
        ${entries.map(
          (entry) =>
            html`<${Row} key=${entry.frameId} entry=${entry} linked=${entry.factId !== "" && entry.factId === linked}
              chosen=${chosen?.frameId === entry.frameId} onChoose=${onChoose} onHover=${onHover} />`,
        )}
      </ol>
    </div>
  </section>`;
}

/** @param {{entry: Entry, linked: boolean, chosen: boolean, onChoose: (entry: Entry) => void, onHover: (factId: string) => void}} props */
function Row({ entry, linked, chosen, onChoose, onHover }) {
  const { id, type, about } = entry.kind === "fact" ? factLine(entry.body) : wireLine(entry.body);
  return html`<li data-linked=${linked} data-chosen=${chosen} data-fact-id=${entry.factId} data-wire-id=${entry.kind === "wire" ? entry.body?.id : undefined}>
    <button
      onClick=${() => onChoose(entry)}
      onMouseEnter=${() => onHover(entry.factId)}
      onMouseLeave=${() => onHover("")}
      aria-pressed=${chosen}
    >
      <span class="row-time">${clock(entry.at)}</span>
      <span class="row-type">${type}</span>
      <span class="row-about">${about}</span>
      <span class="row-id">${id}</span>
    </button>
  </li>`;
}

/** @param {any} fact */
const factLine = (fact) => ({
  id: fact.id,
  type: fact.kind,
  about: [fact.elementId ?? fact.bpmnProcessId, fact.decisionId, fact.state, fact.errorType].filter(Boolean).join(" · "),
});

/** @param {any} wire */
function wireLine({ id, event = {} }) {
  const about = event.withheld
    ? t("operator.withheld")
    : (event.stepName ??
      event.toolCallName ??
      event.content?.component ??
      (event.type === "STATE_DELTA" ? event.delta?.map((/** @type {any} */ op) => op.path).join(" ") : undefined) ??
      (typeof event.delta === "string" ? event.delta : undefined) ??
      event.outcome?.type ??
      event.toolCallId ??
      event.messageId ??
      event.runId ??
      "");
  return { id, type: event.type, about };
}

/** @param {{entry: Entry | null, onClose: () => void}} props */
function Drawer({ entry, onClose }) {
  return html`<section class="drawer" aria-label=${t("operator.raw")} data-open=${entry !== null}>
    <header class="pane-head">
      <h2>${t("operator.raw")}</h2>
      ${entry && html`<span class="mono muted">${entry.factId}</span><button class="link" onClick=${onClose}>${t("operator.unlink")}</button>`}
    </header>
    ${entry ? html`<${Json} value=${entry.body} />` : html`<p class="muted">${t("operator.raw.choose")}</p>`}
  </section>`;
}

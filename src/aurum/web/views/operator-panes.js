/** Facts and frames as two lists that scroll alone; a fact and its frames light each other up. */
import { clock } from "../app/format.js";
import { html, useEffect, useRef, useState } from "../app/html.js";
import { t } from "../app/i18n.js";
import { ErrorNote, useAction } from "../app/ui.js";
import { factLine, wireLine } from "./operator-model.js";

/** @typedef {import("./operator-model.js").Placed} Placed */
/** @typedef {{linked: string, chosen: Placed | null, filtered: boolean, onChoose: (entry: Placed) => void, onHover: (factId: string) => void}} Picking */

/** @param {Picking & {kind: "fact" | "wire", entries: Placed[], title?: any}} props */
export function Pane({ kind, entries, title, linked, chosen, filtered, onChoose, onHover }) {
  const name = kind === "fact" ? "facts" : "wire";
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const atEnd = useRef(true);
  const put = useRef(0); // Where we scrolled to: the event comes later, when more may have been added below.
  useEffect(() => {
    if (!list.current || !atEnd.current) return;
    list.current.scrollTop = list.current.scrollHeight;
    put.current = list.current.scrollTop;
  }, [entries.length]);
  useEffect(() => {
    const box = list.current;
    const mate = chosen && box?.querySelector(chosen.kind === kind ? '[data-chosen="true"]' : '[data-linked="true"]');
    if (!box || !mate) return;
    const { top, bottom } = mate.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    if (top < frame.top || bottom > frame.bottom) box.scrollTop += top - frame.top - box.clientHeight / 3;
  }, [chosen]);
  const scrolled = () => {
    const box = /** @type {HTMLElement} */ (list.current);
    atEnd.current = box.scrollTop === put.current || box.scrollTop + box.clientHeight > box.scrollHeight - 24;
  };
  return html`<section class="log" aria-labelledby="log-${name}" data-testid="${name}-pane">
    <header class="log-head">
      <h2 id="log-${name}">${t(`operator.${name}`)} <span class="count">${entries.length}</span></h2>
      ${title ?? html`<p class="muted">${t(`operator.${name}.what`)}</p>`}
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

/** @param {{entry: Placed, linked: boolean, chosen: boolean, onChoose: (entry: Placed) => void, onHover: (factId: string) => void}} props */
function Row({ entry, linked, chosen, onChoose, onHover }) {
  const { id, type, about } = entry.kind === "fact" ? factLine(entry.body) : wireLine(entry.body, t("operator.withheld"));
  return html`<li data-linked=${linked} data-chosen=${chosen} data-fact-id=${entry.factId} data-index=${entry.index} data-wire-id=${entry.kind === "wire" ? entry.body?.id : undefined}>
    <button
      onClick=${() => onChoose(entry)}
      onMouseEnter=${() => onHover(entry.factId)}
      onMouseLeave=${() => onHover("")}
      aria-pressed=${chosen}
    >
      <span class="row-time">${clock(entry.at)}</span>
      <span class="row-type">${type}</span>
      <span class="row-about">${about}</span>
      <span class="row-id"><span class="row-place">${entry.index}</span> ${id}</span>
    </button>
  </li>`;
}

/** Puts what is listed on the clipboard, one JSON object a line. @param {{entries: Placed[]}} props */
export function Copy({ entries }) {
  const [copied, setCopied] = useState(false);
  const { error, run } = useAction();
  const copy = () =>
    run(async () => {
      await navigator.clipboard.writeText(entries.map((entry) => JSON.stringify({ frameId: entry.frameId, ...entry.body })).join("\n"));
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    });
  return html`<button class="button" onClick=${copy}><span role="status">${t(copied ? "operator.copied" : "operator.copy")}</span></button><${ErrorNote} error=${error} />`;
}

/**
 * Saves an answer of the server as a file.
 * @param {{load: () => Promise<string>, name: string, children?: any, testid?: string, disabled?: boolean}} props
 */
export function Download({ load, name, testid, disabled = false, children }) {
  const { busy, error, run } = useAction();
  const save = () => run(async () => saveAs(await load(), name));
  return html`<button class="button" onClick=${save} disabled=${busy || disabled} data-testid=${testid}>${children}</button><${ErrorNote} error=${error} />`;
}

/** @param {string} text @param {string} name */
export function saveAs(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

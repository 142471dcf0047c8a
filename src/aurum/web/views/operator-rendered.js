/** What a view shows at this fact: its state, its words, tools and cards, each linked to the frame it came with. */
import { spoken } from "../app/format.js";
import { highlight, highlighted } from "../app/highlight.js";
import { html, useEffect, useMemo, useRef } from "../app/html.js";
import { t } from "../app/i18n.js";
import { threadOf } from "../app/thread.js";
import { Facts } from "../app/ui.js";
import { Card } from "../cards/registry.js";
import { Json, ToolChips } from "./chips.js";
import { subjectOf } from "./operator-model.js";

/** @typedef {import("./operator-model.js").Placed} Placed */

/**
 * @param {{view: "customer" | "advisor", state: any, messages: import("../app/agui.js").Message[], wire: Placed[], session: import("../app/session.js").Session,
 *   caseId: string, onChoose: (entry: Placed) => void}} props
 */
export function Rendered({ view, state, messages, wire, session, caseId, onChoose }) {
  const items = useMemo(() => threadOf(messages), [messages]);
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const lit = highlighted.value;
  /** @type {import("../cards/frame.js").Context} */
  const context = { audience: view === "customer" ? "customer" : "bank", session, caseId, state, observing: true };
  useEffect(() => {
    const box = list.current;
    const mate = box?.querySelector('[data-linked="true"]');
    if (!box) return;
    if (!mate) box.scrollTop = lit === "" ? box.scrollHeight : box.scrollTop;
    else box.scrollTop += mate.getBoundingClientRect().top - box.getBoundingClientRect().top - 24;
  }, [lit, items.length]);
  const choose = (/** @type {string} */ id) => {
    const last = wire.findLast((entry) => subjectOf(entry) === id);
    if (last) onChoose(last);
    else highlight(id);
  };
  return html`<section class="log rendered" aria-labelledby="log-rendered" data-testid="rendered-pane">
    <header class="log-head">
      <h2 id="log-rendered">${t("operator.rendered")} <span class="count">${items.length}</span></h2>
      <p class="muted">${t(`operator.rendered.${view}`)}</p>
    </header>
    <div class="log-list" ref=${list} tabindex="0" role="group" aria-label=${t("operator.rendered")}>
      <${Standing} state=${state} />
      <ol class="rendered-list">
        ${items.map((item) => {
          const ids = item.kind === "tools" ? item.calls.map((call) => call.id) : [item.id];
          return html`<li key=${item.id} data-linked=${ids.includes(lit)} data-message-id=${item.id}>
            ${item.kind === "tools" && html`<${ToolChips} calls=${item.calls} />`}
            ${item.kind === "text" && html`<p class="said">${spoken(item.message)}</p>`}
            ${item.kind === "card" && html`<${Card} content=${item.message.content} context=${context} />`}
            <p class="rendered-links">
              ${ids.map((id) => html`<button key=${id} class="link" aria-pressed=${id === lit} onClick=${() => choose(id)}>${t("operator.frame")} <span class="mono">${id}</span></button>`)}
            </p>
          </li>`;
        })}
      </ol>
    </div>
  </section>`;
}

/** @param {{state: any}} props */
function Standing({ state }) {
  if (!state?.status) return html`<p class="muted quiet">${t("operator.empty")}</p>`;
  const { waiting, stage } = state;
  return html`<div class="standing">
    <${Facts} class="facts-row" rows=${[
      [t("operator.status"), html`<span data-testid="rendered-status" data-status=${state.status}>${t(`status.${state.status}`)}</span>`],
      [t("operator.stage"), stage && t("step.of", stage)],
      [t("operator.waits"), waiting && t(`operator.for.${waiting.who}`)],
    ]} />
    <details><summary>${t("operator.state")}</summary><${Json} value=${state} /></details>
  </div>`;
}

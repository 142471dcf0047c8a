/** What the assistant's model did, turn by turn: which one, how long, how much, which tools, what was refused. */
import { clock } from "../app/format.js";
import { html, useMemo } from "../app/html.js";
import { plural, t } from "../app/i18n.js";
import { turnsOf } from "./operator-model.js";

/** @param {{facts: import("./operator-model.js").Placed[], onMove: (at: number) => void}} props */
export function Turns({ facts, onMove }) {
  const turns = useMemo(() => turnsOf(facts), [facts]);
  if (turns.length === 0) return null;
  return html`<details class="drawer turns" data-testid="turns">
    <summary>${plural("turns.title", turns.length)}</summary>
    <div class="table-scroll" tabindex="0" role="group" aria-label=${t("turns.table")}>
      <table class="small-table">
        <thead>
          <tr>
            <th scope="col">${t("turns.turn")}</th><th scope="col">${t("turns.model")}</th><th scope="col" class="num">${t("turns.seconds")}</th>
            <th scope="col" class="num">${t("turns.in")}</th><th scope="col" class="num">${t("turns.out")}</th><th scope="col">${t("turns.tools")}</th>
          </tr>
        </thead>
        <tbody>
          ${turns.map(
            ({ index, number, model, startedAt, seconds, input, output, tools, rejected, outcome }) =>
              html`<tr key=${index}>
                <th scope="row"><button class="link" onClick=${() => onMove(index)}>${number}</button> <span class="muted">${clock(startedAt)}</span></th>
                <td class="mono">${model}</td>
                <td class="num">${seconds}</td>
                <td class="num">${input}</td>
                <td class="num">${output}</td>
                <td class="mono">${tools.join(", ") || outcome || "–"}${rejected.length > 0 && html` <span class="verdict verdict-warn">${t("turns.rejected", { tools: rejected.join(", ") })}</span>`}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

/** The operator's and auditor's pages: all cases, one of them, the evidence. */
import { Gate } from "../app/gate.js";
import { html } from "../app/html.js";
import { t } from "../app/i18n.js";
import { ErrorNote, Heading, useLoaded } from "../app/ui.js";
import { OperatorCase } from "./operator-case.js";
import { Cases } from "./operator-cases.js";
import { Evidence } from "./operator-evidence.js";

/** @typedef {import("../app/session.js").Session} Session */

/** @param {{parts: string[]}} props */
export default function Operator({ parts: [key, fact] }) {
  const from = /^\d{1,9}$/.test(fact ?? "") ? Number(fact) : null;
  return html`<${Gate} persona="operator">
    ${(/** @type {Session} */ session) => {
      if (!key) return html`<${Cases} key=${session.token} session=${session} />`;
      if (key === "evidence") return html`<${Evidence} key=${session.token} session=${session} />`;
      if (/^\d+$/.test(key)) return html`<${ByInstance} key=${`${key} ${fact}`} session=${session} processInstanceKey=${key} from=${from} />`;
      return html`<${OperatorCase} key=${`${key} ${fact} ${session.token}`} session=${session} caseId=${key} from=${from} />`;
    }}
  <//>`;
}

/** @param {{session: Session, processInstanceKey: string, from: number | null}} props */
function ByInstance({ session, processInstanceKey, from }) {
  const { value, error } = useLoaded(() => session.get(`operator/instances/${processInstanceKey}`), [processInstanceKey]);
  if (error) return html`<${Heading}>${t("error.title")}<//><${ErrorNote} error=${error} /><p><a href="#/operator">${t("operator.back")}</a></p>`;
  if (!value) return html`<p class="muted">${t("loading")}</p>`;
  return html`<${OperatorCase} session=${session} caseId=${value.body.caseId} from=${from} />`;
}

/** The advisor's page: the queue, live, and beside it the case that was chosen. */
import { Gate } from "../app/gate.js";
import { dollars, reason } from "../app/format.js";
import { html, useEffect } from "../app/html.js";
import { t } from "../app/i18n.js";
import { Problem } from "../app/problem.js";
import { forget } from "../app/session.js";
import { ConnectionBadge, ErrorNote, Heading, Since, useAction, useStream } from "../app/ui.js";
import { CasePane } from "./advisor-case.js";

/** @typedef {import("../app/session.js").Session} Session */
/** @typedef {{taskId: string, caseId: string, elementId: string, applicant: string, depositUsdCents: number, reasonCode: string,
 *   since: string, groups: string[], assignee: string | null, priority?: number}} QueueTask */

/** @param {{parts: string[]}} props */
export default function Advisor({ parts: [caseId] }) {
  return html`<${Gate} persona="advisor">
    ${(/** @type {Session} */ session) => html`<${Desk} key=${session.token} session=${session} caseId=${caseId} />`}
  <//>`;
}

/** @param {{session: Session, caseId?: string}} props */
function Desk({ session, caseId }) {
  const shown = useStream(session, "queue/stream");
  const tasks = /** @type {QueueTask[] | undefined} */ (shown?.fold.state.tasks);
  useEffect(() => {
    if (shown?.problem?.status === 401) forget(session);
  }, [shown?.problem]);
  return html`<div class="desk">
    <section class="queue" aria-labelledby="queue-title">
      <header class="pane-head">
        <${Heading}><span id="queue-title">${t("advisor.title")}</span><//>
        <${ConnectionBadge} connection=${shown?.connection} />
      </header>
      <${ErrorNote} error=${shown?.problem} />
      ${tasks?.length === 0 &&
      html`<div class="empty"><p class="lead">${t("advisor.empty")}</p><p class="muted">${t("advisor.empty.what")}</p></div>`}
      <ul class="ledger">
        ${tasks?.map(
          (task) => html`<${QueueRow} key=${task.taskId} task=${task} session=${session} chosen=${task.caseId === caseId} />`,
        )}
      </ul>
      <div class="sr-only" aria-live="polite">${tasks ? `${t("advisor.title")}: ${tasks.length}` : ""}</div>
    </section>
    ${caseId
      ? html`<${CasePane} key=${caseId} session=${session} caseId=${caseId} tasks=${tasks ?? []} />`
      : html`<div class="pane-empty"><p class="lead">${t("advisor.choose")}</p></div>`}
  </div>`;
}

/** @param {{task: QueueTask, session: Session, chosen: boolean}} props */
function QueueRow({ task, session, chosen }) {
  const { busy, error, run } = useAction();
  const mine = task.assignee === session.person.personId;
  const path = `cases/${task.caseId}/tasks/${task.taskId}`;
  const holder = error instanceof Problem ? (error.document.assignee ?? "–") : "";
  return html`<li data-testid="queue-row" class=${chosen ? "chosen" : ""}>
    <a class="ledger-row" href="#/advisor/${task.caseId}" aria-current=${chosen ? "true" : undefined}>
      <span class="ledger-name">${task.applicant}</span>
      <span class="ledger-amount">${dollars(task.depositUsdCents)}</span>
      <span class="ledger-why">${reason(task.reasonCode, "bank")}</span>
      <span class="ledger-when">
        ${t(`advisor.task.${task.elementId}`, {}, task.elementId)} · ${t("advisor.waiting")} <${Since} at=${task.since} />
      </span>
    </a>
    <div class="ledger-claim">
      <span class="muted">
        ${mine ? t("advisor.mine") : task.assignee ? t("advisor.assignee", { name: task.assignee }) : t("advisor.unassigned")}
      </span>
      ${(mine || !task.assignee) &&
      html`<button class="link" disabled=${busy} aria-label="${t(mine ? "advisor.release" : "advisor.claim")}, ${task.applicant}"
        onClick=${() => run(async () => void (await session.post(`${path}/${mine ? "release" : "claim"}`)))}>
        ${t(mine ? "advisor.release" : "advisor.claim")}
      </button>`}
    </div>
    <${ErrorNote} error=${error} words=${{ 409: t("advisor.error.409.claim", { person: holder }) }} />
  </li>`;
}

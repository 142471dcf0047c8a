/** One application as its owner sees it: where it stands, what the concierge said, cards, and the way out. */
import { STAGES, openStepTitle } from "../app/elements.js";
import { dollars, moment, money, spoken } from "../app/format.js";
import { highlighted } from "../app/highlight.js";
import { html, useEffect, useMemo, useRef, useState } from "../app/html.js";
import { t } from "../app/i18n.js";
import { forget } from "../app/session.js";
import { lastCard, threadOf } from "../app/thread.js";
import { Announcer, ConnectionBadge, Dialog, ErrorNote, Facts, Heading, Since, useAction, useStream } from "../app/ui.js";
import { Card } from "../cards/registry.js";
import { WaitingCard } from "../cards/waiting.js";
import { ToolChips } from "./chips.js";

/** @typedef {import("../app/session.js").Session} Session */

const ENDED = new Set(["account_opened", "declined", "withdrawn", "expired", "cancelled"]);

/**
 * `observing`: somebody of the bank reads along; nothing can be answered or withdrawn from there.
 * @param {{session: Session, caseId: string, compact?: boolean, observing?: boolean}} props
 */
export function CustomerCase({ session, caseId, compact = false, observing = false }) {
  const shown = useStream(session, `streams/${encodeURIComponent(caseId)}?view=customer`);
  const fold = shown?.fold;
  const state = fold?.state ?? {};
  useEffect(() => {
    if (shown?.problem?.status === 401) forget(session);
  }, [shown?.problem]);
  if (shown?.connection === "refused") {
    return html`<div class="narrow"><${Heading}>${t("customer.notfound")}<//><${ErrorNote} error=${shown.problem} /></div>`;
  }
  const ended = ENDED.has(state.status);
  return html`<div class="case ${compact ? "case-compact" : ""}">
    <header class="case-head">
      <div class="case-meta">
        <span data-testid=${observing ? undefined : "step-number"}>${state.stage ? t("step.of", state.stage) : t("loading")}</span>
        ${state.stage && html`<span class="case-stage">${t(`stage.${state.stage.id}`)}</span>`}
        <span class="verdict verdict-${ended ? (state.status === "account_opened" ? "ok" : "plain") : "plain"}" data-testid=${observing ? undefined : "status"} data-status=${state.status}>
          ${state.status ? t(`status.${state.status}`) : t("loading")}
        </span>
        <${ConnectionBadge} connection=${shown?.connection} />
      </div>
      ${compact ? html`<h2 class="headline">${headline(state)}</h2>` : html`<${Heading}>${headline(state)}<//>`}
      <p class="case-now"><${Now} state=${state} steps=${fold?.steps ?? []} /></p>
    </header>
    <${Rail} state=${state} messages=${fold?.messages ?? []} />
    <div class="case-body">
      <${Thread} fold=${fold} session=${session} caseId=${caseId} state=${state} observing=${observing} />
    </div>
    ${state.status &&
    !observing &&
    html`<${compact ? "div" : "aside"} class="case-side">
      <${Summary} state=${state} caseId=${caseId} />
      ${!ended && html`<${Withdraw} session=${session} caseId=${caseId} />`}
      <${Help} caseId=${caseId} />
    <//>`}
  </div>`;
}

/** @param {any} state */
function headline(state) {
  if (!state.status) return t("loading");
  return t(state.status === "waiting" ? `headline.waiting.${state.waiting?.who ?? "bank"}` : `headline.${state.status}`);
}

/** One line under the headline: the step at work, what is waited for, or how it ended. @param {{state: any, steps: string[]}} props */
function Now({ state, steps }) {
  const { waiting, account } = state;
  if (ENDED.has(state.status)) {
    return html`${account ? t("text.account", { number: account.accountNumber }) : t(`text.${state.status}`)}`;
  }
  if (!waiting) return html`${steps.length > 0 ? `${openStepTitle(/** @type {string} */ (steps.at(-1)))}…` : ""}`;
  const jump = () => document.querySelector('[data-testid="waiting-card"]')?.scrollIntoView({ block: "center" });
  return html`${t(`${waiting.code}.what`, {}, t("waiting.unknown.what"))} · <${Since} at=${waiting.since} />
    <button class="link" onClick=${jump}>${t(waiting.who === "customer" ? "customer.answer" : "customer.see")}</button>`;
}

/**
 * How each step stands. A case that ended without an account shows only what really happened: the stage on
 * the wire says where it ended, not what was done.
 * @param {any} state @param {boolean} reviewed did a person get to look?
 * @returns {("done" | "current" | "ahead" | "skipped" | "unreached")[]}
 */
function marksOf(state, reviewed) {
  const number = state.stage?.number ?? 0;
  const opened = state.status === "account_opened";
  if (ENDED.has(state.status) && !opened) {
    const { parsed, checks, suitability, status } = state;
    const happened = [parsed, checks?.pep, suitability, reviewed, status === "declined", false];
    return happened.map((done) => (done ? "done" : "unreached"));
  }
  return STAGES.map((name, index) => {
    const at = index + 1;
    if (name === "review" && number > at && !reviewed) return "skipped";
    if (at < number || opened) return "done";
    return at === number ? "current" : "ahead";
  });
}

/** @param {{state: any, messages: import("../app/agui.js").Message[]}} props */
function Rail({ state, messages }) {
  const reviewed = messages.some((m) => m.content?.component === "WaitingCard" && m.content.props?.who === "advisor");
  const marks = marksOf(state, reviewed);
  return html`<ol class="rail" aria-label=${t("customer.rail")}>
    ${STAGES.map((name, index) => {
      const mark = marks[index];
      const glyph = mark === "done" ? "" : mark === "skipped" || mark === "unreached" ? "–" : index + 1;
      return html`<li key=${name} class="rail-${mark}" aria-current=${mark === "current" ? "step" : undefined}>
        <span class="rail-mark" aria-hidden="true">${glyph}</span>
        <span class="rail-title">${t(`stage.${name}`)}</span>
        <span class="sr-only">${t(`customer.${mark}`)}</span>
      </li>`;
    })}
  </ol>`;
}

/** @param {{fold: import("../app/agui.js").Fold | undefined, session: Session, caseId: string, state: any, observing: boolean}} props */
function Thread({ fold, session, caseId, state, observing }) {
  const items = useMemo(() => threadOf(fold?.messages ?? []), [fold?.messages]);
  /** @type {import("../cards/frame.js").Context} */
  const context = { audience: "customer", session, caseId, state, observing };
  const texts = items.flatMap((item) => (item.kind === "text" ? [{ id: item.id, text: spoken(item.message) }] : []));
  const open = fold?.steps ?? [];
  const waiting = state.waiting;
  const end = useFollowing(items.length, (fold?.live ?? false) && !observing);
  const delayOf = useDelays(items, fold?.live ?? false);
  const lit = highlighted.value;
  useEffect(() => {
    // Beside the operator, who points at a frame. Where the two are one below the other, the page stays.
    if (lit !== "" && matchMedia("(min-width: 70rem)").matches) document.querySelector('.thread > [data-linked="true"]')?.scrollIntoView({ block: "center" });
  }, [lit]);
  const hasCard = waiting && lastCard(fold?.messages ?? [], "WaitingCard")?.content?.props?.code === waiting.code;
  return html`<section aria-labelledby="thread-title">
    <h2 class="sr-only" id="thread-title">${t("customer.thread")}</h2>
    <ol class="thread">
      ${items.map((item) => {
        const linked = lit !== "" && (item.kind === "tools" ? item.calls.some((call) => call.id === lit) : item.id === lit);
        if (item.kind === "tools") return html`<li key=${item.id} data-linked=${linked} style=${delayOf(item.id)}><${ToolChips} calls=${item.calls} /></li>`;
        if (item.kind === "text") return html`<li key=${item.id} class="said" data-linked=${linked} style=${delayOf(item.id)}><p>${spoken(item.message)}</p></li>`;
        return html`<li key=${item.id} data-linked=${linked} style=${delayOf(item.id)}><${Card} content=${item.message.content} context=${context} /></li>`;
      })}
      ${waiting &&
      !hasCard &&
      html`<li key="delayed"><${WaitingCard} props=${waiting} status="waiting" context=${context} /></li>`}
    </ol>
    <p class="working" ref=${end} data-idle=${open.length === 0}>${open.length > 0 ? openStepTitle(/** @type {string} */ (open.at(-1))) : ""}</p>
    ${!observing && html`<${Announcer} texts=${texts} live=${fold?.live ?? false} />`}
  </section>`;
}

const STAGGER_MS = 140; // Things that came in one piece appear one after the other, quick enough to wait for nobody.
const STAGGER_MS_MAX = 840;

/**
 * When each item fades in. Its place is kept from the start, so nothing moves.
 * @param {import("../app/thread.js").Item[]} items @param {boolean} live
 * @returns {(id: string) => {animationDelay: string} | undefined}
 */
function useDelays(items, live) {
  const delays = useRef(/** @type {Map<string, number>} */ (new Map()));
  const fresh = items.filter((item) => !delays.current.has(item.id));
  fresh.forEach((item, index) => delays.current.set(item.id, live ? Math.min(index * STAGGER_MS, STAGGER_MS_MAX) : 0));
  return (id) => {
    const delay = delays.current.get(id);
    return delay ? { animationDelay: `${delay}ms` } : undefined;
  };
}

/**
 * Keeps the newest text in sight while the reader stands at the end; reading back stops it. Nothing that is
 * on the page moves: the page only scrolls.
 * @param {number} count @param {boolean} live
 */
function useFollowing(count, live) {
  const end = useRef(/** @type {HTMLElement | null} */ (null));
  const following = useRef(true);
  useEffect(() => {
    const atEnd = () => (end.current?.getBoundingClientRect().top ?? 0) < innerHeight + 80;
    const stop = (/** @type {Event} */ event) => {
      if (!(event instanceof WheelEvent && event.deltaY > 0)) following.current = false;
    };
    const settle = () => void (following.current ||= atEnd());
    addEventListener("wheel", stop, { passive: true });
    addEventListener("touchmove", stop, { passive: true });
    addEventListener("keydown", stop);
    addEventListener("scrollend", settle);
    return () => {
      removeEventListener("wheel", stop);
      removeEventListener("touchmove", stop);
      removeEventListener("keydown", stop);
      removeEventListener("scrollend", settle);
    };
  }, []);
  useEffect(() => {
    if (live && following.current) end.current?.scrollIntoView({ block: "nearest" });
  }, [count]);
  return end;
}

/** @param {{state: any, caseId: string}} props */
function Summary({ state, caseId }) {
  const deposit = state.application?.initialDeposit;
  const foreign = deposit && deposit.currency !== "USD" && state.quote?.depositUsdCents;
  return html`<${Facts}
    rows=${[
      [t("customer.deposit"), deposit ? money(deposit.amount, deposit.currency) : "–"],
      [t("summary.deposit"), foreign && dollars(state.quote.depositUsdCents)],
      [t("customer.started"), moment(state.startedAt)],
      [t("customer.reference"), html`<span class="mono">${caseId.slice(0, 10)}</span>`],
    ]}
  />`;
}

/** Published for fiction (555-01xx, RFC 2606): whoever runs this for a real bank puts its own here. */
const CLIENT_DESK = { phone: "+1 212 555 0148", mail: "client.desk@aurum.example" };

/** What the assistant is and is not, and how to reach a person instead. @param {{caseId: string}} props */
function Help({ caseId }) {
  return html`<details class="disclosure" data-testid="ai-disclosure">
      <summary>${t("ai.title")}</summary>
      <p>${t("customer.ai")}</p>
      <p>${t("ai.can")}</p>
      <p>${t("ai.cannot")}</p>
      <p>${t("ai.wrong")}</p>
    </details>
    <details class="disclosure" data-testid="contact">
      <summary>${t("contact.title")}</summary>
      <p>${t("contact.text")}</p>
      <${Facts}
        rows=${[
          [t("contact.reference"), html`<span class="mono">${caseId}</span>`],
          [t("contact.phone"), html`<a href="tel:${CLIENT_DESK.phone.replaceAll(" ", "")}">${CLIENT_DESK.phone}</a>`],
          [t("contact.mail"), html`<a href=${`mailto:${CLIENT_DESK.mail}?subject=${encodeURIComponent(caseId)}`}>${CLIENT_DESK.mail}</a>`],
        ]}
      />
      <p>${t("contact.demo")}</p>
    </details>`;
}

/** @param {{session: Session, caseId: string}} props */
function Withdraw({ session, caseId }) {
  const [open, setOpen] = useState(false);
  const { busy, error, run } = useAction();
  const close = () => setOpen(false);
  const withdraw = () =>
    run(async () => {
      await session.post(`cases/${caseId}/withdrawal`);
      close();
    });
  return html`<button class="link" onClick=${() => setOpen(true)} data-testid="withdraw">${t("withdraw.open")}</button>
    <${Dialog} open=${open} title=${t("withdraw.title")} onClose=${close}>
      <p>${t("withdraw.text")}</p>
      <${ErrorNote} error=${error} />
      <div class="actions">
        <button class="button" onClick=${close}>${t("withdraw.keep")}</button>
        <button class="button button-danger" disabled=${busy} onClick=${withdraw} data-testid="withdraw-confirm">${t("withdraw.confirm")}</button>
      </div>
    <//>`;
}

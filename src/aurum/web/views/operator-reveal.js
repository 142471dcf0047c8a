/** The case without its mask, for a reason and for a minute; then the values are gone from the page again. */
import { html, useEffect, useState } from "../app/html.js";
import { t } from "../app/i18n.js";
import { ErrorNote, useAction } from "../app/ui.js";
import { Application, Checks } from "./case-parts.js";
import { Json } from "./chips.js";
import { Reason } from "./operator-reason.js";

const SHOWN_SECONDS = 60; // Long enough to read one case to somebody on the telephone.

/** @param {{session: import("../app/session.js").Session, caseId: string, onDone: () => void}} props */
export function Reveal({ session, caseId, onDone }) {
  const [reason, setReason] = useState("");
  const [state, setState] = useState(/** @type {any} */ (null));
  const [left, setLeft] = useState(0);
  const { busy, error, run } = useAction();
  const mask = () => {
    setState(null);
    setLeft(0);
  };
  useEffect(() => {
    if (!state) return;
    const until = Date.now() + SHOWN_SECONDS * 1_000; // A clock, not a count of ticks: a hidden tab ticks slowly.
    const timer = setInterval(() => {
      const seconds = Math.ceil((until - Date.now()) / 1_000);
      if (seconds <= 0) mask();
      else setLeft(seconds);
    }, 250);
    addEventListener("pagehide", mask);
    return () => {
      clearInterval(timer);
      removeEventListener("pagehide", mask);
    };
  }, [state]);
  const ask = (/** @type {Event} */ event) => {
    event.preventDefault();
    void run(async () => {
      const { body } = await session.post(`cases/${caseId}/unmasked`, { reason });
      setState(body);
      setLeft(SHOWN_SECONDS);
      setReason("");
      onDone();
    });
  };
  return html`<section class="card ${state ? "card-unmasked" : ""}" aria-label=${t("reveal.title")} data-testid="reveal">
    <header class="card-head">
      <h2>${t("reveal.title")}</h2>
      ${state && html`<span class="verdict verdict-bad" role="timer" data-testid="reveal-left">${t("reveal.left", { seconds: left })}</span>
        <button class="button" onClick=${mask} data-testid="reveal-mask">${t("reveal.mask")}</button>`}
    </header>
    ${!state && html`<form class="form" onSubmit=${ask}>
      <p class="muted">${t("reveal.text", { seconds: SHOWN_SECONDS })}</p>
      <${Reason} value=${reason} onChange=${setReason} />
      <${ErrorNote} error=${error} />
      <div class="actions"><button class="button" disabled=${busy} data-testid="reveal-send">${t("reveal.send")}</button></div>
    </form>`}
    ${state && html`<div class="unmasked" data-testid="unmasked">
      <${Checks} checks=${state.checks ?? {}} />
      <${Application} state=${state} />
      <details><summary>${t("operator.state")}</summary><${Json} value=${state} /></details>
    </div>`}
    <p class="sr-only" aria-live="polite">${state && (left === SHOWN_SECONDS || left === 10) ? t("reveal.left", { seconds: left }) : ""}</p>
  </section>`;
}

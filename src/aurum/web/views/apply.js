/**
 * A new application, typed. Six steps; the server says what is wrong while the applicant types, and it has
 * the last word when the form is sent. The draft stays in this tab, so a reload loses nothing and closing it
 * leaves nothing behind.
 */
import { html, useEffect, useMemo, useRef, useState } from "../app/html.js";
import { language, t } from "../app/i18n.js";
import { Problem } from "../app/problem.js";
import { EXAMPLES } from "../app/start.js";
import { ErrorNote, Heading, pathLabel, useAction } from "../app/ui.js";
import { blankDraft, recordOf, withConsent, withValue } from "../apply/draft.js";
import { STEPS, fieldOf, stepOf } from "../apply/layout.js";
import { Part } from "../apply/parts.js";

/** @typedef {import("../app/session.js").Session} Session */
/** @typedef {import("../apply/controls.js").Wrong} Wrong */
/** @typedef {{draft: any, step: number, key: string, shown: string[]}} Saved `shown`: pointers and `step:n` whose problems may show */

const SETTLE_MS = 400; // Nobody is told that half a word is wrong.

const instant = () => new Date().toISOString();

/** @param {string} personId @returns {Saved} */
function restored(personId) {
  const kept = sessionStorage.getItem(`aurum.draft.${personId}`);
  if (kept) return JSON.parse(kept);
  return { draft: blankDraft(instant().slice(0, 10), language.peek()), step: 0, key: crypto.randomUUID(), shown: [] };
}

/** @param {{session: Session}} props */
export function Apply({ session }) {
  const { personId } = session.person;
  const [saved, setSaved] = useState(() => restored(personId));
  const { draft, step, shown } = saved;
  const { problems, failed } = useValidation(session, draft);
  const action = useAction();
  const form = useRef(/** @type {HTMLElement | null} */ (null));
  const [wanted, setWanted] = useState("");
  useEffect(() => sessionStorage.setItem(`aurum.draft.${personId}`, JSON.stringify(saved)), [saved]);
  useEffect(() => {
    if (wanted === "") return;
    const field = form.current?.querySelector(`[data-field="${CSS.escape(wanted)}"]`) ?? form.current?.querySelector("h2");
    /** @type {HTMLElement | null | undefined} */ (field)?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: "center", behavior: "instant" }); // Gliding, the page would move away under the next click.
    setWanted("");
  }, [wanted]);

  const change = (/** @type {Partial<Saved>} */ part) => setSaved((old) => ({ ...old, ...part }));
  const show = (/** @type {string} */ mark) => setSaved((old) => (old.shown.includes(mark) ? old : { ...old, shown: [...old.shown, mark] }));
  const go = (/** @type {number} */ next, focus = "heading") => {
    setSaved((old) => ({ ...old, step: next, shown: [...new Set([...old.shown, `step:${old.step}`])] }));
    setWanted(focus);
  };
  const visible = useMemo(() => problems.filter(({ field }) => isShown(shown, field)), [problems, shown]);
  const send = () =>
    action.run(async () => {
      const record = recordOf({ ...draft, applicationId: draft.applicationId || `web-${saved.key.slice(0, 8)}` }, instant());
      try {
        const { body } = await session.post("applications", record, { "Idempotency-Key": saved.key });
        sessionStorage.removeItem(`aurum.draft.${personId}`);
        location.hash = `#/customer/${body.caseId}`;
      } catch (error) {
        const first = error instanceof Problem ? error.problems[0] : undefined;
        if (first) {
          change({ shown: [...shown, ...STEPS.map((_one, index) => `step:${index}`)], step: stepOf(first.field) });
          setWanted(first.field);
        }
        throw error;
      }
    });
  const context = {
    draft,
    wrong: visible,
    onChange: (/** @type {string} */ pointer, /** @type {unknown} */ value) =>
      setSaved((old) => ({ ...old, draft: changed(old.draft, pointer, value) })),
    onLeave: show,
  };
  const here = STEPS[step];
  const last = step === STEPS.length - 1;
  return html`<div class="apply">
    <header>
      <${Heading}>${t("form.title")}<//>
      <p class="lead">${t("form.lead")}</p>
      <p class="fine">${t("form.draft")}</p>
      <${Prefill} session=${session} onFill=${(/** @type {any} */ example) => change({ draft: { ...blankDraft(instant().slice(0, 10), language.peek()), ...example }, shown: [] })} />
    </header>
    <${Steps} step=${step} problems=${problems} shown=${shown} onGo=${go} />
    <form ref=${form} class="form apply-form" noValidate onSubmit=${(/** @type {SubmitEvent} */ event) => (event.preventDefault(), last ? void send() : go(step + 1))} data-testid="apply-form">
      <h2 tabindex="-1">${t(`form.step.${here.step}`)}</h2>
      ${here.parts.map((part) =>
        fieldOf(part) === "consents"
          ? html`<${Consents} key="consents" context=${context} draft=${draft} onDraft=${(/** @type {any} */ next) => change({ draft: next })} />`
          : html`<${Part} key=${fieldOf(part)} part=${part} context=${context} />`,
      )}
      ${last && html`<${Remaining} problems=${problems} onGo=${go} />`}
      <${ErrorNote} error=${action.error ?? failed} />
      <div class="actions">
        ${step > 0 && html`<button type="button" class="button" onClick=${() => go(step - 1)}>${t("form.back")}</button>`}
        <button class="button button-primary" type="submit" disabled=${action.busy} data-testid=${last ? "apply-submit" : "apply-next"}>
          ${t(action.busy ? "home.starting" : last ? "form.submit" : "form.next")}
        </button>
      </div>
    </form>
  </div>`;
}

/** @param {string[]} shown @param {string} field */
const isShown = (shown, field) =>
  shown.includes(`step:${stepOf(field)}`) || shown.some((mark) => mark === field || field.startsWith(`${mark}/`) || mark.startsWith(`${field}/`));

/** @param {any} draft @param {string} pointer @param {unknown} value */
function changed(draft, pointer, value) {
  const next = withValue(draft, pointer, value);
  if (pointer === "/usPerson") return withValue(next, "/taxForm/form", value ? "W9" : "W8BEN");
  if (pointer === "/signature/name") return withValue(next, "/signature/at", instant());
  return next;
}

/**
 * Asks the server what is wrong, a moment after the last change; an answer to an older draft is dropped.
 * @param {Session} session @param {any} draft @returns {{problems: Wrong[], failed: unknown}}
 */
function useValidation(session, draft) {
  const [answer, setAnswer] = useState(/** @type {{problems: Wrong[], failed: unknown}} */ ({ problems: [], failed: null }));
  useEffect(() => {
    let wantedStill = true;
    const timer = setTimeout(() => {
      session.post("applications/validation", recordOf({ ...draft, applicationId: "draft" }, instant())).then(
        ({ body }) => wantedStill && setAnswer({ problems: body.problems, failed: null }),
        (failed) => wantedStill && setAnswer((old) => ({ ...old, failed })),
      );
    }, SETTLE_MS);
    return () => {
      wantedStill = false;
      clearTimeout(timer);
    };
  }, [draft, session.token]);
  return answer;
}

/** @param {{step: number, problems: Wrong[], shown: string[], onGo: (step: number) => void}} props */
function Steps({ step, problems, shown, onGo }) {
  return html`<ol class="apply-steps" aria-label=${t("form.steps")}>
    ${STEPS.map((one, index) => {
      const seen = shown.includes(`step:${index}`);
      const wrong = seen && problems.some(({ field }) => stepOf(field) === index);
      const mark = index === step ? "current" : !seen ? "ahead" : wrong ? "wrong" : "done";
      return html`<li key=${one.step} class="apply-${mark}">
        <button type="button" aria-current=${index === step ? "step" : undefined} onClick=${() => onGo(index)}>
          <span class="apply-number" aria-hidden="true">${index + 1}</span>${t(`form.step.${one.step}`)}
          ${wrong && html`<span class="sr-only">${t("form.incomplete")}</span>`}
        </button>
      </li>`;
    })}
  </ol>`;
}

/** Each consent is given by itself, with the moment it was given. @param {{context: import("../apply/parts.js").PartContext, draft: any, onDraft: (draft: any) => void}} props */
function Consents({ context, draft, onDraft }) {
  const codes = ["terms", "privacy", "eDelivery", "aiUse"];
  const given = new Set((draft.consents ?? []).map((/** @type {{code: string}} */ one) => one.code));
  const why = context.wrong.filter(({ field }) => field.startsWith("/consents")).map(({ code }) => t(`reason.${code}`));
  return html`<fieldset class="form-group" data-field="/consents" tabindex="-1">
    <legend>${t("field.consents")}</legend>
    <div class="ticks">
      ${codes.map(
        (code) =>
          html`<label key=${code}>
            <input type="checkbox" name="consent-${code}" checked=${given.has(code)}
              onChange=${(/** @type {any} */ event) => (onDraft(withConsent(draft, code, event.target.checked, instant())), context.onLeave("/consents"))} />
            <span>${t(`choice.consents.${code}`)}${code === "aiUse" && html`<span class="hint"> ${t("hint.aiUse")}</span>`}</span>
          </label>`,
      )}
    </div>
    ${why.length > 0 && html`<p class="field-why">${[...new Set(why)].join(" ")}</p>`}
  </fieldset>`;
}

/** What is missing before it can be sent, each a way to its field. @param {{problems: Wrong[], onGo: (step: number, focus: string) => void}} props */
function Remaining({ problems, onGo }) {
  if (problems.length === 0) return html`<p class="note note-ok" role="status" data-testid="apply-ready">${t("form.ready")}</p>`;
  return html`<div class="note" role="status" data-testid="apply-remaining">
    <p>${t("form.remaining")}</p>
    <ul class="plain">
      ${problems.map(
        ({ field, code }) =>
          html`<li key=${field + code}>
            <button type="button" class="link" onClick=${() => onGo(stepOf(field), field)}>${pathLabel(field) || t("form.title")}</button>
            <span class="muted"> ${t(`reason.${code}`, {}, t("reason.unknown"))}</span>
          </li>`,
      )}
    </ul>
  </div>`;
}

/** In the demo the applicant's own example can fill the form, to be changed and sent. @param {{session: Session, onFill: (example: any) => void}} props */
function Prefill({ session, onFill }) {
  const example = EXAMPLES[session.person.personId];
  const { busy, error, run } = useAction();
  if (!example) return null;
  return html`<button type="button" class="link" disabled=${busy} data-testid="apply-prefill"
      onClick=${() => run(async () => onFill((await session.get(`demo/examples/${example}`)).body))}>${t("form.prefill")}</button>
    <${ErrorNote} error=${error} />`;
}

/** Starts a demo application: sign in as the applicant, take the filled-in form, send it once. */
import { html } from "./html.js";
import { t } from "./i18n.js";
import { signIn } from "./session.js";
import { ErrorNote, useAction } from "./ui.js";

export const EXAMPLES = /** @type {Record<string, string>} */ ({ sarah: "sarah-chen", james: "james-rodriguez" });

/** @param {string} personId @returns {Promise<string>} the new case's id */
export async function startFor(personId) {
  const session = await signIn(personId);
  const { body: application } = await session.get(`demo/examples/${EXAMPLES[personId]}`);
  const { body } = await session.post("applications", application, { "Idempotency-Key": crypto.randomUUID() });
  return body.caseId;
}

/** @param {{personId: string, label: string, to: string, primary?: boolean}} props `to` is the page to go to, such as `customer` */
export function StartButton({ personId, label, to, primary = true }) {
  const { busy, error, run } = useAction();
  const start = () => run(async () => void (location.hash = `#/${to}/${await startFor(personId)}`));
  return html`<button class="button ${primary ? "button-primary" : ""}" disabled=${busy} onClick=${start} data-testid="start-${personId}">
      ${busy ? t("home.starting") : label}
    </button>
    <${ErrorNote} error=${error} />`;
}

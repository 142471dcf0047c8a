/** The entrance: what this is, two applications to start, and the people one can be. */
import { html } from "../app/html.js";
import { STAGES } from "../app/elements.js";
import { t } from "../app/i18n.js";
import { people, signIn } from "../app/session.js";
import { StartButton } from "../app/start.js";
import { ErrorNote, Heading, useAction, useLoaded } from "../app/ui.js";
import { dollars } from "../app/format.js";

const APPLICANTS = [
  { personId: "sarah", name: "Sarah Chen", cents: 48_000_000 },
  { personId: "james", name: "James Rodriguez", cents: 162_000_000 },
];

export default function Home() {
  return html`<div class="home">
    <section class="hero">
      <div class="hero-words">
        <p class="eyebrow">${t("home.eyebrow")}</p>
        <${Heading}>${t("home.title")}<//>
        <p class="lead">${t("home.promise")}</p>
      </div>
      <ol class="hero-steps" aria-label=${t("home.steps")}>
        ${STAGES.map((name, index) => html`<li key=${name}><span aria-hidden="true">${index + 1}</span>${t(`stage.${name}`)}</li>`)}
      </ol>
    </section>
    <section aria-labelledby="start-title">
      <h2 id="start-title" class="label">${t("home.start")}</h2>
      <ul class="applicants">
        ${APPLICANTS.map(
          ({ personId, name, cents }) =>
            html`<li key=${personId} class="applicant">
              <h3>${name}</h3>
              <p class="figure">${dollars(cents)}</p>
              <p class="muted">${t(`home.${personId}.what`)}</p>
              <${StartButton} personId=${personId} label=${t(`home.start.${personId}`)} to="customer" />
            </li>`,
        )}
      </ul>
    </section>
    <section aria-labelledby="enter-title" class="enter">
      <h2 id="enter-title" class="label">${t("home.enter")}</h2>
      <${Doors} />
      <a class="beside-link" href="#/beside">
        <span class="person-name">${t("home.beside")}</span>
        <span class="person-does">${t("home.beside.what")}</span>
      </a>
    </section>
  </div>`;
}

function Doors() {
  const { value, error } = useLoaded(people, []);
  const action = useAction();
  const enter = (/** @type {import("../app/session.js").Person} */ person) =>
    action.run(async () => {
      await signIn(person.personId);
      location.hash = `#/${person.persona === "auditor" ? "operator" : person.persona}`;
    });
  return html`<${ErrorNote} error=${error ?? action.error} />
    <ul class="people">
      ${(value ?? []).map(
        (person) =>
          html`<li key=${person.personId}>
            <button class="person" disabled=${action.busy} onClick=${() => enter(person)} data-testid="enter-${person.personId}">
              <span class="person-name">${person.name}</span>
              <span class="person-does">${t(`home.person.${person.personId}`, {}, person.does ?? "")}</span>
            </button>
          </li>`,
      )}
    </ul>`;
}

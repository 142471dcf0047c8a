/** Lets a page be seen by the persona it is for: whoever is signed in in this tab, or a choice of people. */
import { html } from "./html.js";
import { t } from "./i18n.js";
import { current, mayOpen, people, sessions, signIn, signOut } from "./session.js";
import { ErrorNote, Heading, useAction, useLoaded } from "./ui.js";

/** @param {{persona: import("./session.js").Persona, children: (session: import("./session.js").Session) => any}} props */
export function Gate({ persona, children }) {
  const session = sessions.value && current(persona);
  const { run } = useAction();
  if (!session) return html`<${SignIn} persona=${persona} />`;
  return html`<p class="who">
      ${t("signed.in", { name: session.person.name })}
      <button class="link" onClick=${() => run(() => signOut(session))}>${t("sign.out")}</button>
    </p>
    ${children(session)}`;
}

/** @param {{persona: import("./session.js").Persona}} props */
function SignIn({ persona }) {
  const { value, error } = useLoaded(people, []);
  const action = useAction();
  const able = value?.filter((person) => mayOpen(person, persona)) ?? [];
  return html`<div class="narrow">
    <${Heading}>${t("sign.title")}<//>
    <p class="lead">${t(value && able.length === 0 ? "sign.none" : "sign.text")}</p>
    <${ErrorNote} error=${error ?? action.error} />
    <ul class="people">
      ${able.map(
        (person) =>
          html`<li key=${person.personId}>
            <button class="person" disabled=${action.busy} data-testid="sign-in-${person.personId}"
              onClick=${() => action.run(async () => void (await signIn(person.personId)))}>
              <span class="person-name">${person.name}</span>
              <span class="person-does">${t(`home.person.${person.personId}`, {}, person.does ?? "")}</span>
            </button>
          </li>`,
      )}
    </ul>
  </div>`;
}

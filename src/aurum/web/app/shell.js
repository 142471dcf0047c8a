/** What surrounds every page: brand, pages, language, appearance, and the line that says this is a demo. */
import { html, signal } from "./html.js";
import { LANGUAGES, language, speak, t } from "./i18n.js";

const THEME_KEY = "aurum.theme";

const theme = signal(document.documentElement.dataset.theme ?? "auto");

/** @param {string} wanted */
function setTheme(wanted) {
  theme.value = wanted;
  if (wanted === "auto") {
    localStorage.removeItem(THEME_KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(THEME_KEY, wanted);
    document.documentElement.dataset.theme = wanted;
  }
}

const PAGES = ["customer", "advisor", "pipeline", "operator", "beside"];

/** @param {{page: string, wide: boolean, children?: any}} props */
export function Shell({ page, wide, children }) {
  const skip = (/** @type {Event} */ event) => {
    event.preventDefault(); // The hash is the route; a jump must not change it.
    document.getElementById("main")?.focus();
  };
  return html`<a class="skip" href="#main" onClick=${skip}>${t("skip.link")}</a>
    <header class="top">
      <a class="brand" href="#/">
        <span class="brand-name">${t("brand")}</span><span class="brand-sub">${t("brand.sub")}</span>
        <span class="sr-only">${t("nav.home")}</span>
      </a>
      <nav aria-label=${t("nav.label")}>
        ${PAGES.map(
          (name) =>
            html`<a key=${name} href="#/${name}" aria-current=${page === name || (page === "desk" && name === "advisor") ? "page" : undefined}>${t(`nav.${name}`)}</a>`,
        )}
      </nav>
      <div class="controls">
        <label class="sr-only" for="language">${t("language.label")}</label>
        <select id="language" value=${language.value} onChange=${(/** @type {any} */ event) => speak(event.target.value)}>
          ${Object.entries(LANGUAGES).map(([code, name]) => html`<option key=${code} value=${code} lang=${code}>${name}</option>`)}
        </select>
        <label class="sr-only" for="theme">${t("theme.label")}</label>
        <select id="theme" value=${theme.value} onChange=${(/** @type {any} */ event) => setTheme(event.target.value)}>
          ${["auto", "light", "dark"].map((name) => html`<option key=${name} value=${name}>${t(`theme.${name}`)}</option>`)}
        </select>
      </div>
    </header>
    <main id="main" tabindex="-1" class=${wide ? "wide" : ""}>${children}</main>
    <footer class="bottom">
      <p><span class="tag">${t("demo.badge")}</span> ${t("demo.line")}</p>
    </footer>`;
}

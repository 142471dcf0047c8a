/** The door: which page the address means, in which language. Pages are loaded when they are opened. */
import { ErrorNote, Heading } from "./ui.js";
import { html, render, signal, useEffect, useErrorBoundary, useState } from "./html.js";
import { speakPreferred, t } from "./i18n.js";
import { Shell } from "./shell.js";

/** @type {Record<string, () => Promise<{default: (props: {parts: string[]}) => any}>>} */
const PAGES = {
  "": () => import("../views/home.js"),
  customer: () => import("../views/customer.js"),
  advisor: () => import("../views/advisor.js"),
  desk: () => import("../views/desk.js"),
  pipeline: () => import("../views/pipeline.js"),
  operator: () => import("../views/operator.js"),
  beside: () => import("../views/beside.js"),
};
const WIDE = new Set(["advisor", "desk", "pipeline", "operator", "beside"]);

const partsOf = () => location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
const route = signal(partsOf());
addEventListener("hashchange", () => (route.value = partsOf()));

function App() {
  const [page, ...parts] = route.value;
  return html`<${Shell} page=${page} wide=${WIDE.has(page)}><${Page} key=${page} page=${page} parts=${parts} /><//>`;
}

/** @param {{page: string, parts: string[]}} props */
function Page({ page, parts }) {
  const [view, setView] = useState(/** @type {{show: (props: {parts: string[]}) => any} | null} */ (null));
  const [failure, setFailure] = useState(/** @type {unknown} */ (null));
  const [error] = useErrorBoundary((problem) => console.error(problem));
  useEffect(() => {
    document.title = page === "" ? t("brand") : `${t(`nav.${page}`, {}, t("notfound.title"))} · ${t("brand")}`;
    PAGES[page]?.().then((module) => setView({ show: module.default }), setFailure);
  }, [page]);
  if (!Object.hasOwn(PAGES, page)) return html`<${Heading}>${t("notfound.title")}<//>`;
  if (error || failure) {
    return html`<${Heading}>${t("error.title")}<//><${ErrorNote} error=${failure} /><p>${t("error.page")}</p>`;
  }
  return view && html`<${view.show} parts=${parts} />`;
}

await speakPreferred();
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));

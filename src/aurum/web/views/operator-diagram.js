/**
 * The process as it was deployed, with what this case did in it. bpmn-js draws (loaded when the first case is
 * opened); the same is there as a list, for those who do not see it and for as long as it loads.
 */
import { html, useEffect, useMemo, useRef, useState } from "../app/html.js";
import { humanised, plural, t } from "../app/i18n.js";
import { urlOf } from "../app/session.js";
import { ErrorNote, useLoaded } from "../app/ui.js";

/** @typedef {import("./operator-model.js").Element} Element */
/** @typedef {{get: (service: string) => any, importXML: (xml: string) => Promise<unknown>, destroy: () => void, on: (event: string, listener: (event: any) => void) => void}} Viewer */

const MARKS = ["on-path", "has-token", "has-incident", "was-chosen", "was-ended", "holds-others"];

const FOLLOW_ZOOM = 0.7; // The smallest at which an element's name is read without effort.

/** Colours follow the theme: custom properties are looked up when the browser draws. */
const COLOURS = { defaultFillColor: "var(--surface)", defaultStrokeColor: "var(--ink-2)", defaultLabelColor: "var(--ink)" };

/** @type {Promise<any> | undefined} */
let library;

/** @returns {Promise<any>} the viewer's class; one script and one style sheet for all diagrams */
function loaded() {
  library ??= new Promise((resolve, reject) => {
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: urlOf("vendor/diagram-js.css") });
    const script = Object.assign(document.createElement("script"), { src: urlOf("vendor/bpmn-viewer.js") });
    script.onload = () => resolve(/** @type {any} */ (globalThis).BpmnJS);
    script.onerror = () => reject(new Error("bpmn-js could not be loaded"));
    document.head.append(style, script);
  });
  library.catch(() => (library = undefined)); // The next case tries again.
  return library;
}

/** @param {{session: import("../app/session.js").Session, caseId: string, elements: Map<string, Element>, onChoose: (elementId: string) => void}} props */
export function Diagram({ session, caseId, elements, onChoose }) {
  const { value, error, reload } = useLoaded(() => session.get(`cases/${encodeURIComponent(caseId)}/diagram`), [caseId]);
  const [failure, setFailure] = useState(/** @type {unknown} */ (null));
  const xml = /** @type {string | undefined} */ (value?.body);
  const names = useMemo(() => (xml ? namesIn(xml) : new Map()), [xml]);
  return html`<section class="diagram" aria-labelledby="diagram-title">
    <header class="log-head">
      <h2 id="diagram-title">${t("diagram.title")}</h2>
      <${Legend} />
    </header>
    ${(error || failure) && html`<div class="diagram-failed"><${ErrorNote} error=${error ?? failure} /><button class="button" onClick=${() => (setFailure(null), reload())}>${t("diagram.again")}</button></div>`}
    ${!xml && !error && html`<p class="muted quiet">${t("loading")}</p>`}
    ${xml && !failure && html`<${Drawing} xml=${xml} elements=${elements} onChoose=${onChoose} onFail=${setFailure} />`}
    <${ElementList} elements=${elements} names=${names} onChoose=${onChoose} />
  </section>`;
}

/** @param {{xml: string, elements: Map<string, Element>, onChoose: (id: string) => void, onFail: (error: unknown) => void}} props */
function Drawing({ xml, elements, onChoose, onFail }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const chosen = useRef(onChoose);
  chosen.current = onChoose;
  const [viewer, setViewer] = useState(/** @type {Viewer | null} */ (null));
  const [following, setFollowing] = useState(true); // The whole process is too small to read.
  useEffect(() => {
    let wanted = true;
    /** @type {Viewer | undefined} */
    let made;
    loaded()
      .then(async (BpmnJS) => {
        if (!wanted) return;
        const drawn = (made = /** @type {Viewer} */ (new BpmnJS({ container: place.current, bpmnRenderer: COLOURS })));
        await drawn.importXML(xml);
        if (!wanted) return;
        drawn.get("zoomScroll").toggle(false); // The wheel scrolls the page, as everywhere on it.
        const svg = place.current?.querySelector("svg");
        svg?.setAttribute("aria-hidden", "true"); // The list below says the same in words.
        svg?.setAttribute("tabindex", "-1");
        drawn.get("canvas").zoom("fit-viewport", "auto");
        drawn.on("element.click", ({ element }) => chosen.current(element.id.replace(/_label$/, "")));
        setViewer(drawn);
      })
      .catch((error) => wanted && onFail(error));
    return () => {
      wanted = false;
      setViewer(null);
      made?.destroy();
    };
  }, [xml]);
  useEffect(() => {
    if (viewer) mark(viewer, elements);
  }, [viewer, elements]);
  const standing = [...elements.values()].filter((element) => element.active + element.incidents > 0);
  const token = (standing.findLast(({ type }) => type !== "AD_HOC_SUB_PROCESS") ?? standing[0])?.id; // Between two tools the agent itself.
  useEffect(() => {
    const canvas = viewer?.get("canvas");
    if (!canvas || !following) return;
    const shape = token && viewer?.get("elementRegistry").get(token);
    if (!shape) return void canvas.zoom("fit-viewport", "auto");
    const { outer } = canvas.viewbox();
    const [width, height] = [outer.width / FOLLOW_ZOOM, outer.height / FOLLOW_ZOOM];
    canvas.viewbox({ x: shape.x + (shape.width - width) / 2, y: shape.y + (shape.height - height) / 2, width, height });
  }, [viewer, following, token]);
  const zoom = (/** @type {number | "fit-viewport"} */ to) => {
    setFollowing(false);
    const canvas = viewer?.get("canvas");
    canvas?.zoom(to === "fit-viewport" ? to : canvas.zoom() * to, to === "fit-viewport" ? "auto" : undefined);
  };
  return html`<div class="drawing">
    <div class="drawing-tools">
      <button class="button" onClick=${() => zoom("fit-viewport")} disabled=${!viewer}>${t("diagram.fit")}</button>
      <button class="button" onClick=${() => setFollowing(!following)} disabled=${!viewer} aria-pressed=${following} data-testid="diagram-follow">${t("diagram.token")}</button>
      <button class="button" onClick=${() => zoom(1.25)} disabled=${!viewer} aria-label=${t("diagram.in")}>+</button>
      <button class="button" onClick=${() => zoom(0.8)} disabled=${!viewer} aria-label=${t("diagram.out")}>−</button>
    </div>
    <div class="drawing-canvas" ref=${place} data-testid="diagram" data-ready=${viewer !== null}></div>
  </div>`;
}

/** Puts marks and badges where the case stands and stood. @param {Viewer} viewer @param {Map<string, Element>} elements */
function mark(viewer, elements) {
  const canvas = viewer.get("canvas");
  const overlays = viewer.get("overlays");
  overlays.clear();
  viewer.get("elementRegistry").forEach((/** @type {any} */ shape) => {
    const wanted = shape.waypoints ? flowMarks(shape, elements) : shapeMarks(elements.get(shape.id));
    for (const name of MARKS) {
      if (wanted.includes(name)) canvas.addMarker(shape.id, name);
      else canvas.removeMarker(shape.id, name);
    }
    const element = elements.get(shape.id);
    if (element && !shape.labelTarget) badge(overlays, element);
  });
}

/** @param {Element | undefined} element @returns {string[]} */
function shapeMarks(element) {
  if (!element) return [];
  const marks = element.done > 0 ? ["on-path"] : element.ended > 0 ? ["was-ended"] : [];
  if (element.type === "AD_HOC_SUB_PROCESS") marks.push("holds-others");
  if (element.chosen > 0) marks.push("was-chosen");
  if (element.active > 0) marks.push("has-token");
  if (element.incidents > 0) marks.push("has-incident");
  return marks;
}

/**
 * A flow was taken for certain when its source is done, its target was entered and no other flow could have been it.
 * The engine does not say which flow a token took; what is not certain is not drawn.
 * @param {any} flow @param {Map<string, Element>} elements @returns {string[]}
 */
function flowMarks(flow, elements) {
  const { source, target } = flow;
  if (!source || !target || !(elements.get(source.id)?.done ?? 0) || !elements.get(target.id)) return [];
  const only = source.outgoing.length === 1 || target.incoming.filter((/** @type {any} */ one) => elements.get(one.source?.id)?.done).length === 1;
  return only ? ["on-path"] : [];
}

/** @param {any} overlays @param {Element} element */
function badge(overlays, { id, active, incidents, chosen, done }) {
  const put = (/** @type {string} */ name, /** @type {string} */ text, /** @type {any} */ position) => {
    const box = Object.assign(document.createElement("div"), { className: `badge badge-${name}`, textContent: text });
    overlays.add(id, { position, html: box, scale: { min: 0.9 } }); // Legible however small the diagram is.
  };
  if (active > 0) put("token", String(active), { bottom: 12, left: -10 });
  if (incidents > 0) put("incident", incidents > 1 ? `! ${incidents}` : "!", { top: -12, right: 12 });
  if (Math.max(chosen, done) > 1) put("visits", `×${Math.max(chosen, done)}`, { bottom: 12, right: 16 });
}

const Legend = () =>
  html`<ul class="diagram-legend">
    ${["token", "path", "chosen", "incident"].map((name) => html`<li key=${name}><span class="legend-mark legend-${name}" aria-hidden="true"></span>${t(`diagram.legend.${name}`)}</li>`)}
  </ul>`;

/** @param {{elements: Map<string, Element>, names: Map<string, string>, onChoose: (id: string) => void}} props */
function ElementList({ elements, names, onChoose }) {
  const rows = [...elements.values()];
  const name = (/** @type {string} */ id) => names.get(id) || humanised(id);
  return html`<details class="element-list" data-testid="element-list">
    <summary>${plural("diagram.list", rows.length)}</summary>
    <div class="table-scroll" tabindex="0" role="group" aria-label=${t("diagram.table")}>
      <table class="small-table">
        <thead><tr><th scope="col">${t("diagram.element")}</th><th scope="col">${t("diagram.state")}</th><th scope="col" class="num">${t("diagram.visits")}</th></tr></thead>
        <tbody>
          ${rows.map(
            (element) =>
              html`<tr key=${element.id} data-element-id=${element.id} data-state=${stateOf(element)}>
                <th scope="row"><button class="link" onClick=${() => onChoose(element.id)}>${name(element.id)}</button> <span class="mono muted">${element.id}</span></th>
                <td>${t(`diagram.state.${stateOf(element)}`)}${element.chosen > 0 && html` · ${t("diagram.legend.chosen")}`}</td>
                <td class="num">${element.active + element.done + element.ended}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

/** @param {Element} element @returns {"incident" | "token" | "done" | "ended" | "chosen"} */
const stateOf = ({ incidents, active, done, ended }) => (incidents > 0 ? "incident" : active > 0 ? "token" : done > 0 ? "done" : ended > 0 ? "ended" : "chosen");

/** @param {string} xml @returns {Map<string, string>} element id -> its name in the diagram */
function namesIn(xml) {
  const root = new DOMParser().parseFromString(xml, "text/xml");
  const named = [...root.querySelectorAll("[id][name]")];
  return new Map(named.map((node) => [node.getAttribute("id") ?? "", node.getAttribute("name") ?? ""]));
}

/**
 * Who acts in this tab. Tokens live in `sessionStorage`: another tab can be another person, and closing
 * the tab forgets them. One tab may hold several people (the page with customer and operator side by side).
 */
import { signal } from "./html.js";
import { Problem, problemOf } from "./problem.js";

/** @typedef {"customer" | "advisor" | "operator"} Persona a page; an auditor reads the operator’s */
/** @typedef {{personId: string, name: string, persona: Persona | "auditor", groups: string[], does?: string}} Person */
/** @typedef {{token: string, expiresAt: string, person: Person}} Stored */

const KEY = "aurum.sessions";
const BASE = new URL(".", document.baseURI);

/** @param {string} path relative to the page, such as `cases/…` */
export const urlOf = (path) => new URL(path, BASE).href;

/** One signed-in person with the right to ask the server. */
export class Session {
  /** @param {Stored} stored */
  constructor(stored) {
    this.person = stored.person;
    this.expiresAt = stored.expiresAt;
    this.token = stored.token;
  }

  headers = () => ({ Authorization: `Bearer ${this.token}` });

  /** @param {string} path */
  get = (path) => this.request("GET", path);

  /** @param {string} path @param {unknown} [body] @param {Record<string, string>} [headers] */
  post = (path, body, headers) => this.request("POST", path, body, headers);

  /**
   * Returns the answer's JSON and ETag. Throws `Problem`; a refused token also ends the session here.
   * @param {string} method @param {string} path @param {unknown} [body] @param {Record<string, string>} [extra]
   * @returns {Promise<{body: any, etag: string | null}>}
   */
  async request(method, path, body, extra = {}) {
    try {
      return await call(method, path, body, { ...this.headers(), ...extra });
    } catch (error) {
      if (error instanceof Problem && error.status === 401) forget(this);
      throw error;
    }
  }
}

/** Everybody who is signed in here, newest last. */
export const sessions = signal(restored());

/** @param {Person} person @param {Persona} persona */
export const mayOpen = (person, persona) =>
  person.persona === persona || (person.persona === "auditor" && persona === "operator");

/** @param {Persona} persona @returns {Session | undefined} whoever signed in last in this role */
export const current = (persona) => sessions.value.findLast((session) => mayOpen(session.person, persona));

/** @param {string} personId @returns {Promise<Session>} */
export async function signIn(personId) {
  const known = sessions.value.find((session) => session.person.personId === personId);
  if (known) return keep(known);
  const { body } = await call("POST", "session", { personId });
  return keep(new Session(body));
}

/** @param {Session} session */
export async function signOut(session) {
  forget(session);
  await session.request("DELETE", "session");
}

/** @returns {Promise<Person[]>} whom the demo lets in; empty where people sign in elsewhere */
export async function people() {
  try {
    const { body } = await call("GET", "session/people");
    return body.people;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return [];
    throw error;
  }
}

/** @param {Session} session */
function keep(session) {
  remember([...sessions.value.filter((other) => other.person.personId !== session.person.personId), session]);
  return session;
}

/** @param {Session} session */
export function forget(session) {
  remember(sessions.value.filter((other) => other.token !== session.token));
}

/** @param {Session[]} list */
function remember(list) {
  sessions.value = list;
  const stored = list.map(({ token, expiresAt, person }) => ({ token, expiresAt, person }));
  sessionStorage.setItem(KEY, JSON.stringify(stored));
}

/** @returns {Session[]} */
function restored() {
  const stored = /** @type {Stored[]} */ (JSON.parse(sessionStorage.getItem(KEY) ?? "[]"));
  return stored.filter(({ expiresAt }) => !(Date.parse(expiresAt) <= Date.now())).map((one) => new Session(one));
}

/**
 * @param {string} method @param {string} path @param {unknown} [body] @param {Record<string, string>} [headers]
 * @returns {Promise<{body: any, etag: string | null}>}
 */
async function call(method, path, body, headers = {}) {
  /** @type {RequestInit} */
  const init = { method, headers };
  if (body !== undefined) {
    init.headers = { "Content-Type": "application/json", ...headers };
    init.body = JSON.stringify(body);
  }
  /** @type {Response} */
  let response;
  try {
    response = await fetch(urlOf(path), init);
  } catch (error) {
    throw new Problem(0, { title: "The server could not be reached", detail: String(error) });
  }
  if (!response.ok) throw await problemOf(response);
  const text = await response.text();
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(response.headers.get("Content-Type") ?? ""); // NDJSON stays text.
  return { body: isJson && text !== "" ? JSON.parse(text) : text, etag: response.headers.get("ETag") };
}
